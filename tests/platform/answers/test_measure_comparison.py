"""Comparisons by a measure: both values are found, converted, compared and cited, or nothing is answered for sure."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from hopline.answers.measure_question import parse_measure_question
from hopline.questions.analysis import analyse_question
from hopline.results import Answer, Evidence

CASE = Path(__file__).parent / "cases" / "35-comparison-of-a-measure"
Ask = Callable[..., Answer]
Make = Callable[..., Evidence]

SHIPS = ("The Morning Star carries 420 passengers.", "The Grey Heron carries 310 passengers and was built in 1988.")
BULBS = ("The Aron 2 weighs 140 g and the Corvo weighs 210 g.", "The Pell weighs 0.2 kg.")
RIVERS = ("The Orrin is 212 km long.", "The Tay is 188 miles long and 40 m wide.")
FILMS = ("The film Salt lasts 1 h 52 min.", "The film Ember runs for 96 minutes.")
TICKETS = ("A ticket for Salt costs 14 euros, a ticket for Ember costs 12 euros.",)
WAGES = (
    "Anna Berg earns 52,000 crowns a year.",
    "Tom Lund earns 4,800 euros a month.",
    "Mia Ek earns 4,000 crowns a month.",
)
MINES = (
    "The Moor mine is between 300 and 350 m deep.",
    "The Hale mine is more than 400 m deep.",
    "The Dunn mine was planned to be 900 m deep.",
)
SCHOOLS = ("The Lind school is near the market.", "It has 320 pupils.", "The Brook school has 270 pupils.")
TOWNS = ("Halm has 12,400 inhabitants.", "Borre has a population of 8,200.")
MILLS = ("The Grey mill is taller than the White mill.", "The Holt mill is not taller than the White mill.")


REFUNDS = (
    "In 2022 the average refund was €84 in Amsel and €131 in Buchen, while tenants in Dross had to pay €212 extra.",
)
PUPILS = ("There are 27 children in Year 4 and 31 in Year 5.",)
BLADES = ("A rotor blade of the N126 weighs 14.2 t, one of the A112 9.8 t.",)
CALLS = ("The lifeboat Margaret was called out 31 times in 2021 and 27 times in 2020.",)
WAITS = ("The usual wait is three years for a full plot and about fourteen months for a half plot.",)
SENSORS = ("FERN's detector has 16 megapixels, that of the Halm camera 268.",)
UNCLEAR = (
    "The Alva has 14 rooms and the Brod has been open for 20 years.",
    "In Halm and Borre 30 and 40 houses burnt.",
)
EVENINGS = ("The blitz evening lasts two and a half hours, the lecture 90 minutes.",)
RAIN = ("The rainfall was 612 mm in 2022 and 548 mm in 2023.",)
FERRIES = ("Last year the ferries carried 81,200 passengers to Issay and 64,500 to Tarn.",)
EVENTS = (
    "The Halm pool was repaired on 3 May 2019 and the Borre pool in June 2018.",
    "Anna Berg left the board in 2004.",
    "Tom Lund left it in 2011.",
    "Mia Ek joined in 2001 and left in 2020.",
)
CLUB = ("The club has 31 juniors, 28 adults and 15 seniors.", "Eleven of the 31 juniors play in the league.")
YIELDS = ("Winter wheat yielded 4.9 t per hectare.", "Oats yielded 4.1 t per hectare.", "Oats covered 18 hectares.")
PRICES = ("The deposit is 2,000 euros for the North loft and 1,500 euros for the Mill flat.",)
HARVEST = ("We harvested 140 kg of potatoes and 62,000 g of beans.", "The seed potatoes came from Borre.")
DENIED = ("The wait was planned to be 3 months in Halm and 5 months in Borre.",)


@pytest.fixture
def documents(table: Make, passage: Make) -> tuple[Evidence, ...]:
    rows = tuple(csv.reader((CASE / "bikes.csv").read_text("utf-8").splitlines()))
    lines = (CASE / "towers.md").read_text("utf-8").splitlines()[-1]
    sentences = [f"{part.strip('.')}." for part in lines.split(". ")]
    bikes = table("bikes", "", *rows, document="bikes.csv")
    return bikes, passage("towers", *sentences, document="towers.md", title="Towers")


@pytest.mark.parametrize(
    ("question", "short", "cited"),
    [
        ("Which is heavier, the Haul or the Swift?", "Haul", ("31.0", "8.9")),
        ("Which is cheaper, the Haul or the Rambler?", "Rambler", ("890", "2450")),
        ("Which of the Haul, the Swift and the Rambler is lightest?", "Swift", ("8.9", "13.5", "31.0")),
        ("How much heavier is the Haul than the Swift?", "22.1 kg", ("31.0", "8.9")),
        ("Which tower is higher, the Grand Tower or the Slate Tower?", "Slate Tower", ("88 metres", "61 metres")),
        ("Is the Grand Tower higher than the Ash Tower?", "yes", ("61 metres", "47 metres")),
        ("Which tower is the highest?", "Slate Tower", ("88 metres", "61 metres", "47 metres")),
        ("Which is older, the Grand Tower or the Slate Tower?", "Slate Tower", ("1902", "1931")),
    ],
)
def test_both_values_of_the_reported_case_are_compared_and_cited(
    answer: Ask, documents: tuple[Evidence, ...], question: str, short: str, cited: tuple[str, ...]
) -> None:
    result = answer(question, *documents)
    assert (result.status, result.short) == ("answered", short)
    quotes = [citation.quote for sentence in result.sentences for citation in sentence.citations]
    assert len(quotes) == len(cited)
    assert all(value in quote for value, quote in zip(cited, quotes, strict=True))


@pytest.mark.parametrize(
    ("question", "sentences", "short"),
    [
        ("Which ship is larger, the Morning Star or the Grey Heron?", SHIPS, "Morning Star"),
        ("Does the Grey Heron carry more passengers than the Morning Star?", SHIPS, "no"),
        ("How many more passengers does the Morning Star carry than the Grey Heron?", SHIPS, "110"),
        ("Which is heavier, the Aron 2 or the Corvo?", BULBS, "Corvo"),
        ("Which is lighter, the Pell or the Corvo?", BULBS, "Pell"),
        ("Which river is longer, the Orrin or the Tay?", RIVERS, "Tay"),
        ("Which film is longer, Salt or Ember?", FILMS, "Salt"),
        ("Is Salt cheaper than Ember?", TICKETS, "no"),
        ("Who earns more, Anna Berg or Tom Lund?", WAGES, None),
        ("Who earns more, Anna Berg or Mia Ek?", WAGES, None),
        ("Which mine is deeper, the Moor mine or the Hale mine?", MINES, "Hale mine"),
        ("Which mine is deeper, the Hale mine or the Dunn mine?", MINES, None),
        ("How much deeper is the Hale mine than the Moor mine?", MINES, None),
        ("Which school is bigger, the Lind school or the Brook school?", SCHOOLS, "Lind school"),
        ("Does Halm have more inhabitants than Borre?", TOWNS, "yes"),
        ("Which mill is shorter, the Grey mill or the White mill?", MILLS, "White mill"),
        ("Which mill is taller, the Holt mill or the White mill?", MILLS, None),
        ("Which ship is faster, the Morning Star or the Grey Heron?", SHIPS, None),
        ("Did the Grey Heron carry more passengers than the Morning Star in 1988?", SHIPS, "no"),
        ("Which is heavier, the Aron 2 or the Tern?", BULBS, None),
        ("Was the refund for 2022 bigger in Amsel or in Buchen?", REFUNDS, "Buchen"),
        ("Was the refund for 2022 higher in Amsel than in Buchen?", REFUNDS, "no"),
        ("Which class has more children, Year 4 or Year 5?", PUPILS, "Year 5"),
        ("How many more children are in Year 5 than in Year 4?", PUPILS, "4"),
        ("Which rotor blade is heavier, that of the N126 or that of the A112?", BLADES, "N126"),
        ("Is the rotor blade of the A112 heavier than that of the N126?", BLADES, "no"),
        ("Was the lifeboat Margaret called out more often in 2020 or in 2021?", CALLS, "2021"),
        ("Is the wait for a half plot shorter than for a full one?", WAITS, "yes"),
        ("Which has more megapixels, FERN's or the Halm camera's?", SENSORS, "Halm camera"),
        ("Which has more rooms, the Alva or the Brod?", UNCLEAR, None),
        ("Did more houses burn in Halm than in Borre?", UNCLEAR, None),
        ("Is the wait in Halm shorter than in Borre?", DENIED, None),
        ("Was the Halm pool repaired before the Borre pool?", EVENTS, "no"),
        ("Which was repaired first, the Halm pool or the Borre pool?", EVENTS, "Borre pool"),
        ("Who left the board earlier, Anna Berg or Tom Lund?", EVENTS, "Anna Berg"),
        ("Who left the board first, Anna Berg or Mia Ek?", EVENTS, "Anna Berg"),
        ("Was the Halm pool painted before the Borre pool?", EVENTS, None),
        ("Are there more juniors than seniors in the club?", CLUB, "yes"),
        ("Does the club have more adults than juniors?", CLUB, "no"),
        ("Does the club have more juniors than trainers?", CLUB, None),
        ("Did winter wheat yield more per hectare than oats?", YIELDS, "yes"),
        ("Is the North loft cheaper than the Mill flat?", PRICES, None),
        ("Is the deposit for the North loft higher than the deposit for the Mill flat?", PRICES, "yes"),
        ("Is a ticket for Salt dearer than one for Ember?", TICKETS, "yes"),
        ("Did we harvest more potatoes than beans?", HARVEST, "yes"),
        ("What lasts longer, the blitz evening or the lecture?", EVENINGS, "blitz evening"),
        ("Was the rainfall higher in 2022 or in 2023?", RAIN, "2022"),
        ("Did the ferries carry more passengers to Issay or to Tarn last year?", FERRIES, "Issay"),
    ],
)
def test_a_comparison_in_text_is_computed_or_not_answered(
    answer: Ask, passage: Make, question: str, sentences: tuple[str, ...], short: str | None
) -> None:
    result = answer(question, passage("p", *sentences))
    assert (result.status, result.short) == (("not_found", "") if short is None else ("answered", short))


@pytest.mark.parametrize(
    ("question", "status", "short"),
    [
        ("Which is older, Kingfisher or Old Thunder?", "answered", "Old Thunder"),
        ("Is Sorrel newer than Kingfisher in the Alder fleet?", "answered", "yes"),
        ("Is the Alder double scull Sorrel newer than Kingfisher?", "answered", "yes"),
        ("Is Sorrel newer than Kingfisher in the Torsk fleet?", "not_found", ""),
        ("Is Sorrel newer than Kingfisher for sprinting?", "possible", "yes"),
        ("Did more visitors come on 1 July 2023 than on 2 July 2023?", "answered", "yes"),
        ("Which boat was out for more days, Sorrel or Old Thunder?", "answered", "Old Thunder"),
    ],
)
def test_rows_are_found_by_a_part_of_their_name_or_their_date(
    answer: Ask, table: Make, question: str, status: str, short: str
) -> None:
    rows = (
        ("Boat", "Type", "Year", "Out"),
        ("Kingfisher", "eight", "2015", "12 days"),
        ("Old Thunder", "eight", "1998", "9 days"),
        ("Double scull Sorrel", "double scull", "2021", "8 days"),
    )
    fees = (("day", "visitors"), ("2023-07-01", "750"), ("2023-07-02", "569"))
    boats = table("t", "Fleet", *rows, title="Alder Rowing Club")
    result = answer(question, boats, table("f", "Fees", *fees, document="fees.csv", title="Fees"))
    assert (result.status, result.short) == (status, short)


@pytest.mark.parametrize(
    ("question", "status", "short"),
    [
        ("How many places do pontoons A and B offer together?", "answered", "42"),
        ("How many places do pontoons A, B and C have altogether?", "answered", "43"),
        ("How many places do pontoons A and D have together?", "possible", None),
        ("How many tall pontoons A and B are there together?", "possible", None),
        ("How many hours did A and B take together to repair?", "answered", "1.5 h"),
    ],
)
def test_values_of_several_rows_are_added_up(
    answer: Ask, table: Make, question: str, status: str, short: str | None
) -> None:
    rows = (("Pontoon", "Places", "Repair"), ("A", "24", "1 h"), ("B", "18", "30 min"), ("C", "1", ""))
    result = answer(question, table("t", "Pontoons", *rows))
    assert result.status == status or short is None
    assert result.status != "answered" or result.short == short


@pytest.mark.parametrize(
    ("question", "sentence", "short"),
    [
        ("How many children are in Year 4 and Year 5 together?", PUPILS[0], "58"),
        ("How many boats that came last summer were multihulls?", "Last summer 1,400 boats came.", None),
        ("How many of the boats that came last summer were multihulls?", "Last summer 1,400 boats came.", None),
        ("How many visitors helped in 2022?", "Thirty-two volunteers helped, seven fewer than in 2022.", None),
        ("How many of the adults play in the league?", "The club has 31 juniors and 28 adults.", None),
        ("How many parents are still missing?", "Six parents are wanted as helpers; four have come so far.", None),
        (
            "How many pupils do the Lind school and the Brook school have together?",
            "The Lind school has 320 pupils.",
            None,
        ),
    ],
)
def test_a_part_or_a_summand_is_no_sure_count(
    answer: Ask, passage: Make, question: str, sentence: str, short: str | None
) -> None:
    result = answer(question, passage("p", sentence))
    assert (result.status == "answered") == (short is not None)
    assert short is None or result.short == short


def test_dates_that_no_sentence_decides_are_those_of_a_table(answer: Ask, table: Make) -> None:
    rows = (
        ("Play", "Length", "Premiere"),
        ("Woyzeck", "95 min", "2 March 2024"),
        ("Peer Gynt", "2 h 50 min", "11 May 2024"),
    )
    plays = table("t", "Plays", *rows)
    result = answer("Which play premiered first, Woyzeck or Peer Gynt?", plays)
    assert (result.status, result.short) == ("answered", "Woyzeck")
    assert answer("Which play closed first, Woyzeck or Peer Gynt?", plays).status != "answered"


def test_a_value_below_a_heading_is_that_of_the_heading(answer: Ask, passage: Make) -> None:
    loaf = passage("l", "Let it rest for 45 minutes.", "Keeps for six days.", section=("Rye loaf (makes 12)",))
    biscuits = passage("b", "No egg.", "They keep for three weeks in a tin.", section=("Oat biscuits",))
    result = answer("Which keeps longer, the rye loaf or the oat biscuits?", loaf, biscuits)
    assert (result.status, result.short) == ("answered", "oat biscuits")


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which pump is more powerful, the Alva or the Brod?", "Alva"),
        ("Which pump is heavier, the Alva or the Brod?", "Brod"),
        ("Is the Brod cheaper than the Alva?", ""),
        ("Which pump is louder, the Alva or the Brod?", ""),
        ("Is the Brod at Halm heavier than the Alva?", ""),
    ],
)
def test_things_are_compared_in_a_table_that_has_them_as_columns(
    answer: Ask, table: Make, question: str, short: str
) -> None:
    rows = (
        ("Property", "Alva", "Brod"),
        ("Power", "2.2 kW", "1800 W"),
        ("Mass", "40 kg", "52 kg"),
        ("Price", "€ 1,200", "$ 1,250"),
    )
    assert answer(question, table("t", "Pumps", *rows)).short == short


def test_the_highest_of_a_kind_is_only_possible_if_another_one_has_no_value(answer: Ask, passage: Make) -> None:
    sentences = (
        "The Grand Tower is 61 metres high.",
        "The Slate Tower is 88 metres high.",
        "The Ember Tower is a ruin.",
    )
    assert answer("Which tower is the highest?", passage("p", *sentences)).status == "possible"


def test_what_a_sentence_says_itself_is_the_answer(answer: Ask, passage: Make) -> None:
    result = answer("Which tower is the tallest?", passage("p", "The Slate Tower is the tallest tower in Halm."))
    assert (result.status, result.short) == ("answered", "Slate Tower")


@pytest.mark.parametrize(
    "question",
    [
        "What is the highest temperature?",
        "Who designed the highest tower?",
        "How tall is the tallest tower?",
        "Who was born first, Ivo Marek or Lena Voss?",
        "Which film was the most famous?",
        "When was the longest bridge built?",
    ],
)
def test_a_question_for_something_else_is_no_comparison_by_a_measure(question: str) -> None:
    assert parse_measure_question(analyse_question(question)) is None
