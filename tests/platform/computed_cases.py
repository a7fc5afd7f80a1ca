"""Ten tables with right sentences whose figure is computed from their cells; `FIGURE` stands for it."""

from __future__ import annotations

from dataclasses import dataclass

FIGURE = "{}"


@dataclass(frozen=True)
class ComputedCase:
    """A sentence of a model over a table: its figure, and the rows that it quotes."""

    table: str
    text: str
    figure: str
    quotes: tuple[str, ...]
    question: str = "What is known?"


TABLES = {
    "income": """Income statement (in EUR thousands)
| | 2023 | 2022 | 2021 |
| Revenue | 48,210 | 44,870 | 41,905 |
| Operating expenses | | | |
| Materials | 17,330 | 16,940 | 15,275 |
| Staff costs | 12,460 | 11,815 | 11,020 |
| Total operating expenses | 29,790 | 28,755 | 26,295 |
| Operating profit | 18,420 | 16,115 | 15,610 |""",
    "plants": """Table 4: Output of the plants
| Plant | Output 2022 (m3) | Output 2023 (m3) | Staff |
| Brackwater | 812,000 | 918,400 | 112 |
| Heron Point | 455,300 | 431,900 | 64 |
| Lantern Bay | 290,750 | 305,120 | 41 |
| Quill Sound | 128,400 | 119,860 | 23 |""",
    "regions": """Sales by region ($ million)
| Region | Q1 | Q2 | Q3 | Q4 |
| North | | | | |
| Arden | 14.2 | 15.1 | 13.8 | 17.9 |
| Bure | 9.6 | 9.1 | 10.4 | 11.2 |
| South | | | | |
| Calder | 22.5 | 24.0 | 23.3 | 26.1 |
| Dove | 6.3 | 6.8 | 5.9 | 7.4 |
| Total | 52.6 | 55.0 | 53.4 | 62.6 |""",
    "survey": """Answers to question 7 (%)
| Age group | Agree | Neutral | Disagree | Respondents |
| 18–29 | 41.2% | 22.7% | 36.1% | 214 |
| 30–49 | 48.9% | 19.4% | 31.7% | 388 |
| 50–64 | 53.6% | 17.8% | 28.6% | 297 |
| 65 and over | 60.3% | 14.2% | 25.5% | 175 |""",
    "fleet": """Fleet register
| Vessel | Built | Length (m) | Berths | Crew |
| Tern | 1998 | 62.4 | 148 | 19 |
| Gannet | 2006 | 71.8 | 212 | 24 |
| Petrel | 2011 | 55.0 | 96 | 14 |
| Kittiwake | 2017 | 88.3 | 305 | 33 |""",
    "budget": """Budget and actual spending
| Department | 2024 Budget | 2024 Actual | 2023 Budget | 2023 Actual |
| Roads | 5,400,000 | 5,912,000 | 5,100,000 | 5,043,000 |
| Parks | 1,250,000 | 1,198,500 | 1,180,000 | 1,204,300 |
| Libraries | 980,000 | 1,006,400 | 955,000 | 941,700 |
| Schools | 12,300,000 | 12,057,000 | 11,750,000 | 11,806,000 |""",
    "years": """Membership of the society
| Year | Members | Income (€) | Spending (€) |
| 2019 | 1,842 | 73,680 | 70,115 |
| 2020 | 1,705 | 66,495 | 68,240 |
| 2021 | 1,777 | 71,080 | 65,905 |
| 2022 | 1,963 | 82,446 | 77,310 |
| 2023 | 2,118 | 91,074 | 85,760 |""",
    "cities": """Stations
| Country | City | Stations | Length in km |
| Norway | Oslo | 101 | 85.0 |
| | Bergen | 27 | 20.4 |
| Finland | Helsinki | 30 | 43.0 |
| | Espoo | 12 | 18.6 |
| Estonia | Tallinn | 46 | 39.7 |""",
    "balance": """Cash flows (in millions)
| | Year ended 30 June | Year ended 30 June |
| | 2022 | 2021 |
| Operating activities | 310.4 | 287.9 |
| Investing activities | (145.2) | (162.7) |
| Financing activities | (88.6) | (51.3) |
| Net increase in cash | 76.6 | 73.9 |""",
    "trial": """Doses and response
| Arm | Patients | Responders | Median dose (mg) |
| Placebo | 182 | 31 | 0 |
| Low dose | 176 | 58 | 12.5 |
| High dose | 169 | 84 | 37.5 |
| Total | 527 | 173 | |""",
}

CASES = (
    ComputedCase("income", "Revenue rose by {} % in 2023.", "7.4", ("Revenue | 48,210",)),
    ComputedCase("income", "Revenue grew by EUR {} thousand from 2022 to 2023.", "3,340", ("Revenue | 48,210 | 44,870",)),
    ComputedCase("income", "Staff costs were {} % of total operating expenses in 2023.", "41.8", ("Staff costs | 12,460", "Total operating expenses | 29,790")),
    ComputedCase("income", "In 2022, the operating profit was {} % of revenue.", "35.9", ("Operating profit | 18,420 | 16,115", "Revenue | 48,210")),
    ComputedCase("income", "The average revenue of the three years was {}.", "44,995", ("Revenue | 48,210 | 44,870 | 41,905",)),
    ComputedCase("income", "Materials cost EUR {} million in 2021.", "15.3", ("Materials | 17,330 | 16,940 | 15,275",)),
    ComputedCase("plants", "Brackwater made {} m3 more in 2023 than in 2022.", "106,400", ("Brackwater | 812,000 | 918,400",)),
    ComputedCase("plants", "The output of Heron Point fell by {} % in 2023.", "5.1", ("Heron Point | 455,300 | 431,900",)),
    ComputedCase("plants", "Together the four plants have a staff of {}.", "240", ("Brackwater | 812,000", "Heron Point | 455,300", "Lantern Bay | 290,750", "Quill Sound | 128,400")),
    ComputedCase("plants", "Brackwater accounts for {} % of the output of 2023.", "51.7", ("Brackwater | 812,000 | 918,400",)),
    ComputedCase("regions", "Calder had {} % of all sales in Q4.", "41.7", ("Calder | 22.5 | 24.0 | 23.3 | 26.1",)),
    ComputedCase("regions", "The two areas of the north sold {} million in Q1 together.", "23.8", ("Arden | 14.2", "Bure | 9.6"), "What did the North sell in Q1?"),
    ComputedCase("regions", "Dove sold {} million more in Q4 than in Q3.", "1.5", ("Dove | 6.3 | 6.8 | 5.9 | 7.4",)),
    ComputedCase("regions", "In Q2, Arden sold {} times as much as Bure.", "1.66", ("Arden | 14.2 | 15.1", "Bure | 9.6 | 9.1")),
    ComputedCase("survey", "Agreement is {} percentage points higher among those of 65 and over than among those of 18–29.", "19.1", ("18–29 | 41.2%", "65 and over | 60.3%")),
    ComputedCase("survey", "In all, {} respondents took part.", "1,074", ("18–29 | 41.2%", "30–49 | 48.9%", "50–64 | 53.6%", "65 and over | 60.3%")),
    ComputedCase("survey", "Those of 50–64 were {} % of the respondents.", "27.7", ("50–64 | 53.6%",), "What share of the respondents were 50–64?"),
    ComputedCase("survey", "On average, {} % agree.", "51", ("18–29 | 41.2%", "30–49 | 48.9%", "50–64 | 53.6%", "65 and over | 60.3%")),
    ComputedCase("fleet", "The Kittiwake is {} m longer than the Petrel.", "33.3", ("Kittiwake | 2017 | 88.3", "Petrel | 2011 | 55.0"), "How much longer is the Kittiwake than the Petrel in length?"),
    ComputedCase("fleet", "The fleet has {} berths in total.", "761", ("Tern | 1998", "Gannet | 2006", "Petrel | 2011", "Kittiwake | 2017")),
    ComputedCase("fleet", "The average length is {} m.", "69.4", ("Tern | 1998", "Gannet | 2006", "Petrel | 2011", "Kittiwake | 2017")),
    ComputedCase("fleet", "The Gannet has {} berths per member of the crew.", "8.83", ("Gannet | 2006 | 71.8 | 212 | 24",)),
    ComputedCase("budget", "Roads overspent the 2024 budget by {}: the actual spending was higher.", "512,000", ("Roads | 5,400,000 | 5,912,000",)),
    ComputedCase("budget", "Actual spending on parks was {} % below its budget in 2024.", "4.1", ("Parks | 1,250,000 | 1,198,500",)),
    ComputedCase("budget", "The 2024 budget of all departments is {} million in total.", "19.93", ("Roads | 5,400,000", "Parks | 1,250,000", "Libraries | 980,000", "Schools | 12,300,000")),
    ComputedCase("budget", "The budget of the schools rose by {} from 2023 to 2024.", "550,000", ("Schools | 12,300,000",), "How did the budget change?"),
    ComputedCase("years", "From 2019 to 2023, {} members were gained.", "276", ("2019 | 1,842", "2023 | 2,118")),
    ComputedCase("years", "Income grew by {} % from 2021 to 2022.", "16", ("2021 | 1,777", "2022 | 1,963")),
    ComputedCase("years", "In 2023, income exceeded spending by €{}.", "5,314", ("2023 | 2,118 | 91,074 | 85,760",)),
    ComputedCase("years", "Members paid €{} each in 2019, the ratio of income to members.", "40.00", ("2019 | 1,842 | 73,680",)),
    ComputedCase("years", "The average number of members over the five years was {}.", "1,881", ("2019 | 1,842", "2020 | 1,705", "2021 | 1,777", "2022 | 1,963", "2023 | 2,118")),
    ComputedCase("cities", "Oslo and Bergen have {} stations together.", "128", ("Oslo | 101", "Bergen | 27")),
    ComputedCase("cities", "Helsinki has {} km more than Espoo.", "24.4", ("Helsinki | 30 | 43.0", "Espoo | 12 | 18.6"), "What is the difference in length?"),
    ComputedCase("cities", "Oslo has {} % of all stations.", "46.8", ("Oslo | 101",)),
    ComputedCase("balance", "Operating activities brought {} million more in 2022 than in 2021.", "22.5", ("Operating activities | 310.4 | 287.9",)),
    ComputedCase("balance", "Investing and financing activities used {} million in 2022.", "-233.8", ("Investing activities | (145.2)", "Financing activities | (88.6)"), "What is the sum of investing and financing activities in 2022?"),
    ComputedCase("balance", "The net increase in cash rose by {} % in 2022.", "3.7", ("Net increase in cash | 76.6 | 73.9",)),
    ComputedCase("trial", "The share of responders was {} % of the patients of the high dose.", "49.7", ("High dose | 169 | 84",)),
    ComputedCase("trial", "Patients of the low dose were {} % of the total.", "33.4", ("Low dose | 176",)),
    ComputedCase("trial", "There were {} more responders of the high dose than of placebo.", "53", ("High dose | 169 | 84", "Placebo | 182 | 31")),
)  # fmt: skip
