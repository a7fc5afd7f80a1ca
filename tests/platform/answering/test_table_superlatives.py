from collections.abc import Callable

import pytest

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.table_superlatives import Superlative, answer_superlative, parse_superlative
from hopline.types import Answer, Evidence, Retrieval

Make = Callable[..., Evidence]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which country had the highest output in 2020?", Superlative(True, "output", "country", "in 2020", False)),
        ("What was the lowest price?", Superlative(False, "price", "", "", True)),
        ("Who scored the most points?", Superlative(True, "points", "", "", False)),
    ],
)
def test_a_superlative_is_parsed(question: str, expected: Superlative) -> None:
    assert parse_superlative(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which country had the second highest output?",
        "Which towns have at least 500 inhabitants?",
        "Which has the most?",
        "What is the output of Norway?",
        "",
    ],
)
def test_other_questions_are_none(question: str) -> None:
    assert parse_superlative(question) is None


@pytest.fixture
def fish(table: Make) -> Evidence:
    return table(
        "t1", "Table 1: Fish landed",
        ("Country", "Port", "Output 2019", "Output 2020"),
        ("Norway", "Bergen", "1,200", "900"), ("Iceland", "Vík", "1,100", "1,300"), ("Faroes", "Tórshavn", "(40)", "300"),
        ("Total", "", "2,260", "2,500"),
    )  # fmt: skip


def ask(question: str, *evidence: Evidence) -> Answer | None:
    return answer_superlative(question, AnswerEvidence.of(Retrieval(question, "s", "c", evidence)))


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which country had the highest output in 2020?", "Iceland"),
        ("Which country had the highest output in 2019?", "Norway"),
        ("Which port had the lowest output in 2019?", "Tórshavn"),
        ("What was the highest output in 2020?", "1,300"),
    ],
)
def test_the_row_is_found_and_cited_with_the_next_one(fish: Evidence, question: str, short: str) -> None:
    answer = ask(question, fish)
    assert answer is not None
    assert answer.short == short
    [sentence] = answer.sentences
    assert short in sentence.text
    assert "of 3 rows" in sentence.text
    assert len(sentence.citations) == 2
    assert short in sentence.citations[0].quote


@pytest.mark.parametrize(
    "question",
    [
        "Which country had the highest output?",  # two columns
        "Which country had the highest output in 2021?",
        "Which country had the highest price in 2020?",
        "Which captain had the highest output in 2020?",
        "Which country had the highest output of herring in 2020?",
    ],
)
def test_what_the_headers_do_not_name_is_not_answered(fish: Evidence, question: str) -> None:
    assert ask(question, fish) is None


def test_a_shared_first_place_is_not_answered(table: Make) -> None:
    grid = table("t1", "", ("Team", "Goals"), ("Red", "7"), ("Blue", "7"), ("Green", "2"))
    assert ask("Which team has the most goals?", grid) is None
    lowest = ask("Which team has the fewest goals?", grid)
    assert lowest is not None
    assert lowest.short == "Green"
