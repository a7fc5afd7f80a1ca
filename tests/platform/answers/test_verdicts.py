"""Verdicts of yes-or-no questions over text and tables; the files are those of a report."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from hopline.results import Answer, Evidence

CASE = Path(__file__).parent / "cases" / "20-yes-no-from-a-cell"
Ask = Callable[..., Answer]
Make = Callable[..., Evidence]


def read_markdown_table(path: Path) -> list[list[str]]:
    lines = [line for line in path.read_text("utf-8").splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if not set(row[0]) <= set("- ")]


@pytest.fixture
def tables(table: Make) -> list[Evidence]:
    lifts = list(csv.reader((CASE / "lifts.csv").read_text("utf-8").splitlines()))
    crew = read_markdown_table(CASE / "crew.md")
    return [
        table("lifts", "", *lifts, document="lifts.csv"),
        table("crew", "", *crew, document="crew.md", title="Crew"),
    ]


@pytest.mark.parametrize(
    ("question", "verdict", "cited"),
    [
        ("Is the North hall lift step-free?", "no", "North hall"),
        ("Was the Tower lift inspected?", "no", "Tower"),
        ("Was the North hall lift inspected?", "yes", "North hall"),
        ("Is the Depot lift step-free?", "yes", "Depot"),
        ("Is Ada Wick on call?", "no", "Ada Wick"),
        ("Is Rolf Imme on call?", "yes", "Rolf Imme"),
        ("Does Rolf Imme have a driving licence?", "no", "Rolf Imme"),
        ("Does Ada Wick have a driving licence?", "yes", "Ada Wick"),
    ],
)
def test_the_verdict_is_that_of_the_cited_row(
    answer: Ask, tables: list[Evidence], question: str, verdict: str, cited: str
) -> None:
    result = answer(question, *tables)
    assert (result.status, result.short) == ("answered", verdict)
    assert cited in result.sentences[0].citations[0].quote


@pytest.mark.parametrize("question", ["Is Berit Nes on call?", "Was the South lift inspected?", "Is Ada Wick married?"])
def test_what_no_row_says_has_no_verdict(answer: Ask, tables: list[Evidence], question: str) -> None:
    assert answer(question, *tables).status != "answered"


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Is Ada Wick the treasurer?", "no"),
        ("Is Rolf Imme the treasurer?", "yes"),
        ("Was the club founded in 1974?", "yes"),
        ("Was the club founded in 1981?", "no"),
        ("Are dogs allowed in the club house?", "no"),
        ("Can guests use the boats?", "yes"),
    ],
)
def test_another_filler_of_the_same_role_is_a_no(answer: Ask, passage: Make, question: str, verdict: str) -> None:
    club = passage(
        "club",
        "The treasurer of the club is Rolf Imme.",
        "The club was founded in 1974 in Moss.",
        "Dogs are not allowed in the club house.",
        "Guests can use the boats on weekdays.",
        title="Rowing club",
    )
    result = answer(question, club)
    assert result.short == verdict
    assert result.claims[0].citations[0].quote in club.text


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("Does the Alva weigh more per litre than the Brod?", {"possible", "not_found"}),
        ("Is the Alva quieter than the Brod?", {"answered"}),
        ("Which pump lasts longer, the Alva or the Brod?", {"possible", "not_found"}),
    ],
)
def test_a_sentence_about_one_of_two_things_does_not_compare_them(
    answer: Ask, passage: Make, question: str, status: set[str]
) -> None:
    pumps = passage(
        "pumps",
        "The Alva weighs 12 kg and holds 3 litres.",
        "The Brod weighs 9 kg and lasts for ten years.",
        "The Alva is quieter than the Brod.",
        title="Pumps",
    )
    assert answer(question, pumps).status in status


@pytest.mark.parametrize(
    ("question", "sure"),
    [
        ("How many pupils does the school have?", "204"),
        ("How many teachers does the school have?", None),
        ("How many windows were broken?", "four"),
        ("How many windows were not broken?", None),
    ],
)
def test_the_number_of_other_things_is_no_sure_answer(
    answer: Ask, passage: Make, question: str, sure: str | None
) -> None:
    school = passage("school", "The school has 204 pupils.", "In the storm four of the windows were broken.")
    result = answer(question, school)
    assert (result.short if result.status == "answered" else None) == sure
