"""Questions for several things: all items are given, each with its sentence or row; the files are those of a report."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hopline.answers.list_question import parse_list_question
from hopline.questions.analysis import analyse_question
from hopline.results import Answer, Evidence

CASE = Path(__file__).parent / "cases" / "26-list-question-gets-one-item"
Ask = Callable[..., Answer]
Make = Callable[..., Evidence]

CLUB = (
    "The committee of the chess club has the following members:",
    "Petra Lund",
    "Olaf Brink",
    "Mina Sato",
    "The club was founded by Ada Quill, Bo Rask and Cy Thorn in 1952.",
    "It owns a hut.",
)
SUPPLY = (
    "The supplier has the following obligations:",
    "(a) deliver the timber on the first Monday of each month; (b) insure every delivery; (c) keep records.",
    "3. Devices The pump P1 is in the cellar.",
)


def list_answers(answer: Answer) -> list[str]:
    """Return the spans that the citations of an answer mark."""
    citations = [citation for sentence in answer.claims for citation in sentence.citations]
    return [citation.evidence.text[slice(*citation.answer)] for citation in citations if citation.answer]


@pytest.fixture
def bridges(passage: Make) -> Evidence:
    text = " ".join((CASE / "bridges.md").read_text("utf-8").splitlines()[2:])
    return passage("bridges", *(f"{part.strip(' .')}." for part in text.split(". ")), document="bridges.md")


@pytest.mark.parametrize(
    ("question", "noun", "count"),
    [
        ("List all ports in Estmark.", "ports", None),
        ("Please give me the names of the three bridges of Velm", "bridges", 3),
        ("Which of the wells are dry?", "wells", None),
        ("In which years did the club win the cup?", "years", None),
        ("What bridges are there in Velm?", "bridges", None),
        ("Who are the parties to the agreement?", "parties", None),
        ("Name every ship that was scrapped.", "ship", None),
    ],
)
def test_a_question_for_several_things_names_them(question: str, noun: str, count: int | None) -> None:
    parsed = parse_list_question(analyse_question(question))
    assert parsed is not None
    assert (parsed.noun, parsed.count) == (noun, count)


@pytest.mark.parametrize(
    "question",
    [
        "Which bridge was repaired in 2020?",
        "Which of the bridges carries the railway?",
        "How many bridges are there in Velm?",
        "Which of the wells is the deepest?",
        "Are the wells dry?",
        "Name the captain of the Tern.",
        "Who designed the Marl bridge?",
    ],
)
def test_a_question_for_one_thing_a_number_or_a_verdict_is_no_list_question(question: str) -> None:
    assert parse_list_question(analyse_question(question)) is None


def test_all_things_of_an_enumeration_are_the_answer_of_the_reported_case(answer: Ask, bridges: Evidence) -> None:
    result = answer("Which bridges were repaired in 2020?", bridges)
    assert result.status == "answered"
    assert result.short == "the Mill Bridge, the Iron Bridge"
    assert list_answers(result) == ["the Mill Bridge and the Iron Bridge"]


@pytest.mark.parametrize(
    ("question", "sentences", "items"),
    [
        ("Who are the members of the committee of the chess club?", CLUB, CLUB[1:4]),
        ("Who are the founders of the chess club?", CLUB, ("Ada Quill", "Bo Rask", "Cy Thorn")),
        (
            "What are the obligations of the supplier?",
            SUPPLY,
            ("deliver the timber on the first Monday of each month", "insure every delivery", "keep records"),
        ),
    ],
)
def test_all_items_of_a_list_are_the_answer(
    answer: Ask, passage: Make, question: str, sentences: Sequence[str], items: Sequence[str]
) -> None:
    result = answer(question, passage("list", *sentences))
    assert result.status == "answered"
    assert result.short == ", ".join(items)
