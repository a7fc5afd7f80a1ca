"""Tables with right sentences whose figure is computed from their cells; `FIGURE` stands for it."""

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
    "energy": """Electricity generation by source (TWh)
| Source | 2018 | 2019 | 2020 | 2021 | 2022 |
| Renewables | | | | | |
| Wind | 42.1 | 48.3 | 55.9 | 51.2 | 60.7 |
| Solar | 12.4 | 13.9 | 15.2 | 17.8 | 21.3 |
| Fossil fuels | | | | | |
| Gas | 110.5 | 104.2 | 92.8 | 99.1 | 88.4 |
| Coal | 31.7 | 20.6 | 11.9 | 13.3 | 9.2 |
| Total | 196.7 | 187.0 | 175.8 | 181.4 | 179.6 |""",
    "staff": """Employees at year end
| Division | Employees | Employees | Full-time share |
| | 2022 | 2023 | 2023 |
| Research | 412 | 457 | 88% |
| Production | 1,206 | 1,151 | 93% |
| Sales | 333 | 348 | 79% |
| Administration | 158 | 149 | 71% |""",
    "bonds": """Long-term debt (in $ millions)
| Instrument | Maturity | Rate | Dec. 31, 2023 | Dec. 31, 2022 |
| Senior notes | 2027 | 4.25% | 600.0 | 600.0 |
| Term loan | 2026 | 5.10% | 385.5 | 412.5 |
| Convertible notes | 2029 | 1.75% | 250.0 | 250.0 |
| Other | | | 17.3 | 22.9 |
| Total debt | | | 1,252.8 | 1,285.4 |""",
    "school": """Pupils per school
| School | Teachers | Pupils | Classes |
| Elm Road | 34 | 612 | 24 |
| St Brigid | 21 | 389 | 15 |
| Harbour | 47 | 840 | 33 |
| Hillcrest | 29 | 502 | 20 |""",
    "wheat": """Yield of wheat varieties (t/ha)
| Variety | Site A | Site B | Site C |
| Aurel | 7.2 | 6.8 | 8.1 |
| Brona | 6.9 | 7.4 | 7.7 |
| Cestra | 8.3 | 7.9 | 8.6 |
| Control | 6.1 | 5.8 | 6.6 |""",
    "hotel": """Occupancy
| Month | Rooms sold | Rooms available | Revenue (€) |
| January | 1,240 | 3,100 | 136,400 |
| February | 1,512 | 2,800 | 172,368 |
| March | 1,953 | 3,100 | 228,501 |
| April | 2,310 | 3,000 | 284,130 |""",
    "trade": """Exports and imports, EUR billion
| Country | Exports | Imports |
| Austria | 201.7 | 205.3 |
| Belgium | 512.4 | 498.8 |
| Czechia | 239.5 | 221.9 |
| Denmark | 128.6 | 119.2 |""",
    "elect": """Result of the election
| Party | Votes | Seats |
| Greens | 18,204 | 7 |
| Labour | 41,877 | 16 |
| Liberals | 22,315 | 8 |
| Union | 39,046 | 14 |
| Total | 121,442 | 45 |""",
    "segments": """Segment results (in thousands)
| | Segment A | Segment A | Segment B | Segment B |
| | 2023 | 2022 | 2023 | 2022 |
| Net sales | 91,400 | 88,250 | 45,730 | 49,980 |
| Cost of sales | (60,324) | (59,100) | (29,867) | (31,240) |
| Gross profit | 31,076 | 29,150 | 15,863 | 18,740 |""",
    "water": """Losses of the network
| Zone | Supplied (m3) | Billed (m3) | Leaks repaired |
| East | 1,204,500 | 1,011,780 | 86 |
| West | 988,200 | 864,675 | 59 |
| Centre | 1,530,000 | 1,208,700 | 132 |""",
    "lease": """Note 12. Lease liabilities (€m)
| | 31 Dec 2024 | 31 Dec 2023 |
| Due within one year | 41 | 38 |
| Due in one to five years | 112 | 120 |
| Due after five years | 67 | 75 |
| Total lease liabilities | 220 | 233 |""",
    "pop": """Population by district (in thousands)
| District | Census 2011 | Census 2021 | Area (km²) |
| Alder | 182.4 | 196.1 | 88 |
| Birch | 97.3 | 94.8 | 240 |
| Cedar | 245.0 | 281.7 | 61 |""",
    "param": """Pump data
| Parameter | Unit | Pump A | Pump B |
| Flow | m3/h | 120 | 95 |
| Head | m | 42 | 55 |
| Power | kW | 18.5 | 19.8 |
| Mass | kg | 310 | 345 |""",
    "three": """Visitors
| | Museum | Museum | Museum | Gallery | Gallery | Gallery |
| | Adults | Children | Total | Adults | Children | Total |
| Spring | 3,210 | 1,104 | 4,314 | 1,890 | 402 | 2,292 |
| Summer | 5,870 | 2,466 | 8,336 | 2,715 | 951 | 3,666 |
| Autumn | 2,995 | 1,310 | 4,305 | 2,040 | 377 | 2,417 |""",
    "loss": """Segment profit (loss), USD thousands
| Segment | FY2024 | FY2023 |
| Devices | (1,240) | (2,015) |
| Services | 8,455 | 7,910 |
| Licensing | 3,128 | 3,364 |""",
    "share": """Market shares
| Brand | Share of units | Share of value | Price index |
| Orla | 0.31 | 0.27 | 87 |
| Penn | 0.24 | 0.33 | 138 |
| Quay | 0.12 | 0.15 | 125 |""",
    "med": """Medal table
| Nation | Gold | Silver | Bronze |
| Norway | 16 | 8 | 13 |
| Germany | 12 | 10 | 5 |
| Canada | 4 | 8 | 14 |""",
    "alloc": """Fund allocation as of March 31, 2024
| Asset class | Market value ($000) | Weight | Target |
| Domestic equity | 412,806 | 41.3% | 40.0% |
| Foreign equity | 198,337 | 19.8% | 20.0% |
| Bonds | 301,450 | 30.1% | 32.0% |
| Cash | 87,907 | 8.8% | 8.0% |
| Total | 1,000,500 | 100.0% | 100.0% |""",
    "rain": """Monthly rainfall (mm)
| Month | Station A | Station B | Long-term mean |
| June | 41.5 | 63.0 | 52.1 |
| July | 28.3 | 47.9 | 49.5 |
| August | 77.2 | 90.4 | 55.8 |""",
    "staffing": """Posts by grade and site
| Site | Grade | Posts | Vacant |
| Northgate | Senior | 18 | 2 |
| | Junior | 44 | 5 |
| Southgate | Senior | 11 | 1 |
| | Junior | 29 | 6 |""",
    "quarters": """Key figures, in millions of euros
| | Q3 2024 | Q3 2023 | 9M 2024 | 9M 2023 |
| Order intake | 1,512 | 1,388 | 4,407 | 4,290 |
| Revenue | 1,309 | 1,275 | 3,866 | 3,702 |
| EBIT | 118 | 131 | 342 | 355 |
| Free cash flow | (24) | 57 | 96 | 143 |""",
    "school2": """Examination results
| Subject | Entered | Passed | Distinctions |
| Mathematics | 240 | 198 | 41 |
| Physics | 125 | 110 | 22 |
| History | 180 | 171 | 36 |""",
    "ports": """Ports of the region
| Port | Country | Operator | Depth (m) |
| Aalen | Norway | Nordquay | 14.5 |
| Brix | Norway | Havn AS | 11.0 |
| Coldby | Denmark | Nordquay | 12.2 |
| Dorn | Denmark | Seaport | 9.8 |
| Esk | Norway | Nordquay | 16.1 |""",
    "rights": """Voting rights
| Holder | Shares | Votes per share |
| Founders | 1,250,000 | 10 |
| Pension fund | 3,400,000 | 1 |
| Free float | 8,900,000 | 1 |""",
    "clinic": """Adverse events by arm, n (%)
| Event | Drug (N = 212) | Placebo (N = 208) |
| Headache | 34 (16.0) | 21 (10.1) |
| Nausea | 27 (12.7) | 12 (5.8) |
| Fatigue | 18 (8.5) | 16 (7.7) |""",
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
    ComputedCase("energy","Wind generated {} TWh more in 2022 than in 2018.","18.6",("Wind | 42.1",)),
    ComputedCase("energy","Generation from coal declined by {} % between 2018 and 2022.","71.0",("Coal | 31.7 | 20.6",)),
    ComputedCase("energy","Renewables generated {} TWh in 2022.","82.0",("Wind | 42.1","Solar | 12.4")),
    ComputedCase("energy","Gas made up {} percent of the total generation in 2020.","52.8",("Gas | 110.5",)),
    ComputedCase("energy","Over the five years, solar averaged {} TWh.","16.12",("Solar | 12.4",)),
    ComputedCase("energy","Coal dropped to {} TWh less than the year before in 2020.","8.7",("Coal | 31.7 | 20.6 | 11.9",)),
    ComputedCase("staff","The number of employees in research increased by {}.","45",("Research | 412 | 457",)),
    ComputedCase("staff","Production lost {} employees, a decrease of 4.6 %.","55",("Production | 1,206 | 1,151",)),
    ComputedCase("staff","At the end of 2023, the company had {} employees.","2,105",("Research | 412","Production | 1,206","Sales | 333","Administration | 158"),"How many employees did the company have in 2023 in total?"),
    ComputedCase("staff","The full-time share in production is {} percentage points above that in administration.","22",("Production | 1,206","Administration | 158")),
    ComputedCase("staff","Headcount in Sales grew {} % year over year.","4.5",("Sales | 333 | 348",)),
    ComputedCase("bonds","Total debt decreased by ${} million in 2023.","32.6",("Total debt",)),
    ComputedCase("bonds","The term loan represents {} % of total debt at the end of 2023.","30.8",("Term loan | 2026",)),
    ComputedCase("bonds","The senior notes and the convertible notes amount to ${} million together.","850",("Senior notes | 2027","Convertible notes | 2029"),"What do they amount to at Dec. 31, 2023?"),
    ComputedCase("bonds","The debt stood at ${} billion.","1.25",("Total debt | 1,252.8",),"What was the total debt on Dec. 31, 2023?"),
    ComputedCase("school","Elm Road has {} pupils per teacher.","18",("Elm Road | 34 | 612",)),
    ComputedCase("school","The average class size at Harbour is {} pupils.","25.5",("Harbour | 47 | 840 | 33",)),
    ComputedCase("school","The four schools have {} teachers combined.","131",("Elm Road","St Brigid","Harbour","Hillcrest")),
    ComputedCase("school","Harbour has {} more pupils than St Brigid.","451",("Harbour | 47 | 840","St Brigid | 21 | 389")),
    ComputedCase("wheat","At Site B, Cestra yielded {} t/ha more than the control.","2.1",("Cestra | 8.3 | 7.9","Control | 6.1 | 5.8")),
    ComputedCase("wheat","The mean yield of Aurel across the three sites was {} t/ha.","7.37",("Aurel | 7.2 | 6.8 | 8.1",)),
    ComputedCase("wheat","Brona exceeded the control by {} % at Site B.","27.6",("Brona | 6.9","Control | 6.1")),
    ComputedCase("hotel","In March, {} % of the available rooms were sold.","63",("March | 1,953 | 3,100",)),
    ComputedCase("hotel","Revenue per room sold was €{} in January.","110",("January | 1,240 | 3,100 | 136,400",)),
    ComputedCase("hotel","The first quarter brought revenue of €{}.","537,269",("January | 1,240","February | 1,512","March | 1,953"),"What was the total revenue of the first quarter?"),
    ComputedCase("hotel","Rooms sold rose by {} % from March to April.","18.3",("March | 1,953","April | 2,310")),
    ComputedCase("trade","Belgium had a trade surplus of EUR {} billion.","13.6",("Belgium | 512.4 | 498.8",)),
    ComputedCase("trade","Austria's trade balance was EUR {} billion.","-3.6",("Austria | 201.7 | 205.3",)),
    ComputedCase("trade","Exports of Czechia were {} times those of Denmark.","1.86",("Czechia | 239.5","Denmark | 128.6")),
    ComputedCase("trade","The difference between exports and imports in Denmark is {} billion.","9.4",("Denmark | 128.6 | 119.2",)),
    ComputedCase("elect","Labour won {} % of the votes.","34.5",("Labour | 41,877",)),
    ComputedCase("elect","Labour and the Greens hold {} of the 45 seats.","23",("Greens | 18,204","Labour | 41,877")),
    ComputedCase("elect","The Union received {} fewer votes than Labour.","2,831",("Union | 39,046","Labour | 41,877")),
    ComputedCase("elect","The Liberals have {} % of the seats.","17.8",("Liberals | 22,315 | 8",)),
    ComputedCase("segments","The gross margin of Segment A was {} % in 2023.","34.0",("Net sales | 91,400","Gross profit | 31,076"),"What share of net sales was gross profit in Segment A in 2023?"),
    ComputedCase("segments","Net sales of Segment B fell by {} % in 2023.","8.5",("Net sales | 91,400 | 88,250 | 45,730 | 49,980",)),
    ComputedCase("segments","Net sales of both segments came to ${} thousand in 2023.","137,130",("Net sales | 91,400",)),
    ComputedCase("segments","Cost of sales in Segment A increased by {} thousand.","1,224",("Cost of sales",)),
    ComputedCase("water","In the East, {} % of the supplied water was not billed.","16.0",("East | 1,204,500",)),
    ComputedCase("water","Losses in the Centre were {} m3.","321,300",("Centre | 1,530,000 | 1,208,700",),"How large is the difference of supplied and billed water in the Centre?"),
    ComputedCase("water","In the West, {} % of the water supplied was billed.","87.5",("West | 988,200 | 864,675",)),
    ComputedCase("water","The three zones had {} leaks repaired in all.","277",("East","West","Centre")),
    ComputedCase("lease","Lease liabilities went down by €{} million during 2024.","13",("Total lease liabilities | 220 | 233",)),
    ComputedCase("lease","About {} % of the lease liabilities at 31 Dec 2024 fall due within one year.","18.6",("Due within one year | 41 | 38",)),
    ComputedCase("lease","€{} million are due after more than one year.","179",("Due in one to five years | 112","Due after five years | 67"),"How much of the lease liabilities at 31 Dec 2024 is due later than one year?"),
    ComputedCase("lease","The part due after five years shrank by {} percent.","10.7",("Due after five years | 67 | 75",)),
    ComputedCase("pop","Cedar gained {} inhabitants between the two censuses.","36,700",("Cedar | 245.0 | 281.7",)),
    ComputedCase("pop","The population of Alder went from 182,400 to 196,100, up {} %.","7.5",("Alder | 182.4 | 196.1",)),
    ComputedCase("pop","In 2021, Cedar had {} inhabitants per km².","4,618",("Cedar | 245.0 | 281.7 | 61",)),
    ComputedCase("pop","All three districts had {} thousand inhabitants in 2021.","572.6",("Alder","Birch | 97.3","Cedar")),
    ComputedCase("param","Pump A delivers {} m3/h more than Pump B.","25",("Flow | m3/h | 120 | 95",)),
    ComputedCase("param","Pump B is {} kg heavier than Pump A.","35",("Mass | kg | 310 | 345",)),
    ComputedCase("param","Pump B draws {} % more power than pump A.","7.0",("Power | kW | 18.5 | 19.8",)),
    ComputedCase("three","In the summer, the museum and the gallery had {} visitors altogether.","12,002",("Summer | 5,870 | 2,466 | 8,336",)),
    ComputedCase("three","Children were {} % of the visitors of the museum in summer.","29.6",("Summer | 5,870 | 2,466 | 8,336",)),
    ComputedCase("three","The museum had {} visitors over the three seasons.","16,955",("Spring | 3,210","Summer | 5,870","Autumn | 2,995"),"How many visitors did the museum have in total?"),
    ComputedCase("three","The gallery counted {} fewer children in autumn than in summer.","574",("Summer | 5,870","Autumn | 2,995")),
    ComputedCase("loss","The loss of Devices narrowed by ${} thousand.","775",("Devices | (1,240) | (2,015)",)),
    ComputedCase("loss","Services earned ${} thousand more in FY2024.","545",("Services | 8,455 | 7,910",)),
    ComputedCase("loss","The three segments made a profit of ${} million together in FY2024.","10.3",("Devices","Services | 8,455","Licensing | 3,128")),
    ComputedCase("share","Orla sold {} % of all units.","31",("Orla | 0.31 | 0.27",)),
    ComputedCase("share","Penn's share of value is {} percentage points higher than its share of units.","9",("Penn | 0.24 | 0.33",)),
    ComputedCase("med","Norway won {} medals.","37",("Norway | 16 | 8 | 13",),"How many medals did Norway win in total?"),
    ComputedCase("med","Norway won {} more gold medals than Canada.","12",("Norway | 16","Canada | 4")),
    ComputedCase("med","The three nations won {} silver medals.","26",("Norway | 16","Germany | 12","Canada | 4")),
    ComputedCase("alloc","Equities make up {} % of the fund.","61.1",("Domestic equity | 412,806 | 41.3%","Foreign equity | 198,337 | 19.8%"),"What is the combined weight of domestic and foreign equity?"),
    ComputedCase("alloc","The weight of bonds is {} percentage points below its target.","1.9",("Bonds | 301,450 | 30.1%",)),
    ComputedCase("alloc","The fund holds ${} million in bonds.","301.5",("Bonds | 301,450",),"What is the market value of the bonds?"),
    ComputedCase("alloc","Cash and bonds are worth ${} thousand together.","389,357",("Bonds | 301,450","Cash | 87,907"),"What is the market value of cash and bonds?"),
    ComputedCase("rain","Station B received {} mm more rain than Station A in August.","13.2",("August | 77.2 | 90.4",)),
    ComputedCase("rain","Over the summer, Station A had a total of {} mm.","147",("June | 41.5","July | 28.3","August | 77.2")),
    ComputedCase("rain","July at Station A was {} % drier than the long-term mean.","42.8",("July | 28.3",)),
    ComputedCase("rain","Mean monthly rainfall at Station B was {} mm.","67.1",("June","July | 28.3","August | 77.2")),
    ComputedCase("staffing","Northgate has {} posts.","62",("Northgate | Senior | 18","Junior | 44")),
    ComputedCase("staffing","Of the junior posts at Southgate, {} % are vacant.","20.7",("Junior | 29 | 6",)),
    ComputedCase("staffing","There are {} senior posts at the two sites.","29",("Northgate | Senior","Southgate | Senior")),
    ComputedCase("quarters","Revenue grew {} % in the first nine months of 2024.","4.4",("Revenue | 1,309 | 1,275 | 3,866 | 3,702",),"How did revenue develop in 9M 2024 against 9M 2023?"),
    ComputedCase("quarters","Order intake in Q3 rose to 1,512 from 1,388, an increase of {} million.","124",("Order intake | 1,512",)),
    ComputedCase("quarters","Free cash flow dropped by €{} million in Q3 2024.","81",("Free cash flow | (24) | 57",)),
    ComputedCase("quarters","The book-to-bill ratio, order intake divided by revenue, was {} in Q3 2024.","1.16",("Order intake | 1,512","Revenue | 1,309")),
    ComputedCase("school2","The pass rate in physics was {} %.","88",("Physics | 125 | 110",),"What percentage of the pupils who entered passed physics?"),
    ComputedCase("school2","{} pupils failed mathematics.","42",("Mathematics | 240 | 198",),"How many of the pupils entered in mathematics had not passed?"),
    ComputedCase("school2","Across the subjects there were {} distinctions.","99",("Mathematics","Physics","History")),
    ComputedCase("school2","History had {} more passes than physics.","61",("History | 180 | 171","Physics | 125 | 110")),
    ComputedCase("ports","There are {} ports in the list.","5",("Aalen","Brix","Coldby | Denmark","Dorn","Esk | Norway"),"What is the number of ports?"),
    ComputedCase("ports","Nordquay operates {} ports: Aalen, Coldby and Esk.","3",("Aalen | Norway | Nordquay","Coldby | Denmark | Nordquay","Esk | Norway | Nordquay"),"How many ports does Nordquay operate?"),
    ComputedCase("ports","Esk is {} m deeper than Dorn.","6.3",("Esk | Norway","Dorn | Denmark")),
    ComputedCase("rights","The founders hold {} million votes, the product of shares and votes per share.","12.5",("Founders | 1,250,000 | 10",)),
    ComputedCase("rights","The free float is {} % of all shares.","65.7",("Free float | 8,900,000",)),
    ComputedCase("rights","Together, the holders own {} shares.","13,550,000",("Founders","Pension fund","Free float")),
    ComputedCase("clinic","Headache was reported by {} more patients on the drug than on placebo.","13",("Headache | 34 (16.0) | 21 (10.1)",)),
    ComputedCase("clinic","In all, {} cases of the three events occurred on placebo.","49",("Headache","Nausea | 27","Fatigue")),
)  # fmt: skip
