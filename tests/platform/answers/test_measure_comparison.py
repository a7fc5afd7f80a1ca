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
    ],
)
def test_a_comparison_in_text_is_computed_or_not_answered(
    answer: Ask, passage: Make, question: str, sentences: tuple[str, ...], short: str | None
) -> None:
    result = answer(question, passage("p", *sentences))
    assert (result.status, result.short) == (("not_found", "") if short is None else ("answered", short))


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
