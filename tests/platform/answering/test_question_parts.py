"""Questions that ask for several things: how they are split, and the answers to their parts."""

from collections.abc import Callable

import pytest

from hopline.answering.extractive import THRESHOLD
from hopline.answering.question_parts import split_parts
from hopline.types import Answer, Evidence

Ask = Callable[..., Answer]
Make = Callable[..., Evidence]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "When was Varrow Water founded and how many people work there?",
            ("When was Varrow Water founded?", "How many people work there?"),
        ),
        (
            "Which company operates the ferry and how old is it?",
            ("Which company operates the ferry?", "How old is the ferry?"),
        ),
        (
            "Where was Ingrid Vale born and what did she study?",
            ("Where was Ingrid Vale born?", "What did Ingrid Vale study?"),
        ),
        (
            "What is the name of the ship and who built it?",
            ("What is the name of the ship?", "Who built the ship?"),
        ),
        ("Who approved the plan and when?", ("Who approved the plan?", "When approved the plan?")),
        (
            "Why was the bridge closed, and for how long?",
            ("Why was the bridge closed?", "For how long was the bridge closed?"),
        ),
        (
            "How many people live in all of Finland and how many in the Åland islands?",
            ("How many people live in all of Finland?", "How many people live in the Åland islands?"),
        ),
        (
            "What share of the costs of A and what share of the costs of B does the State pay?",
            ("What share of the costs of A does the State pay?", "What share of the costs of B does the State pay?"),
        ),
        (
            "What were net sales and operating income in fiscal 2022?",
            ("What were net sales in fiscal 2022?", "What were operating income in fiscal 2022?"),
        ),
        ("What was the revenue in 2021 and 2022?", ("What was the revenue in 2021?", "What was the revenue in 2022?")),
        (
            "Who wrote the report, when was it published and what does it recommend?",
            ("Who wrote the report?", "When was the report published?", "What does the report recommend?"),
        ),
    ],
)
def test_a_question_is_split_into_one_question_for_each_thing(question: str, parts: tuple[str, ...]) -> None:
    assert split_parts(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Who founded Varrow Water?",
        "What is the difference between revenue and net income?",
        "What are the terms and conditions of the loan?",
        "What were sales and marketing expenses in 2022?",
        "What is research and development?",
        "What is the average of the revenue in 2021 and 2022?",
        "By how much did revenue change between 2021 and 2022?",
        "Who was chairman and chief executive of Kenvue when it was separated?",
        "What does the research and development department do?",
        "Which group of faculties includes Theology and European studies?",
        "Did Adobe and Figma agree on a price?",
        "and",
        "",
    ],
)
def test_a_question_for_one_thing_is_not_split(question: str) -> None:
    assert split_parts(question) == (question,)


@pytest.fixture
def water(passage: Make) -> Evidence:
    return passage(
        "p1",
        "Tidewell Utilities was founded by Maud Kerrigan in 1987.",
        "It employs 214 people.",
        document="review.pdf",
    )


@pytest.fixture
def offices(passage: Make) -> Evidence:
    return passage("p2", "Tidewell Utilities has its head office in Port Ansel.", document="offices.pdf")


def test_each_part_has_its_own_short_answer_and_citation(answer: Ask, water: Evidence, offices: Evidence) -> None:
    found = answer("Who founded Tidewell Utilities and where is its head office?", water, offices)
    assert found.short == "Maud Kerrigan; Port Ansel"
    assert [[citation.document for citation in sentence.citations] for sentence in found.sentences] == [
        ["review.pdf"],
        ["offices.pdf"],
    ]
    assert found.notice == ""
    assert found.confidence is not None
    assert found.confidence >= THRESHOLD


def test_a_sentence_that_answers_two_parts_is_shown_once_with_both_answers(answer: Ask, water: Evidence) -> None:
    found = answer("Who founded Tidewell Utilities and when?", water)
    assert found.short == "Maud Kerrigan; 1987"
    [sentence] = found.sentences
    assert [citation.evidence.text[slice(*citation.answer)] for citation in sentence.citations if citation.answer] == [
        "Maud Kerrigan",
        "1987",
    ]


def test_a_possible_answer_to_a_part_is_shown_as_such(passage: Make, answer: Ask, water: Evidence) -> None:
    vague = passage("p3", "Offices in Halm: 1990 (planned).", document="vague.pdf")
    found = answer("Who founded Tidewell Utilities and what did the office in Halm cost?", water, vague)
    assert found.short == "Maud Kerrigan"
    assert found.notice == "Not sure: What did the office in Halm cost?"
    assert [sentence.text for sentence in found.nearest] == ["Offices in Halm: 1990 (planned)."]


def test_a_part_without_an_answer_is_named(answer: Ask, water: Evidence) -> None:
    found = answer("Who founded Tidewell Utilities and what was the price of a share in 2003?", water)
    assert not found.abstained
    assert found.short == "Maud Kerrigan"
    assert found.notice == "No answer was found to: What was the price of a share in 2003?"


def test_a_question_that_is_too_long_to_parse_is_not_split(answer: Ask, offices: Evidence) -> None:
    assert answer("Who wrote it and when was it printed " * 40_000, offices).abstained


def test_a_question_without_an_answer_to_any_part_is_refused(answer: Ask, offices: Evidence) -> None:
    found = answer("Who wrote the Cadderly Report and when was it printed?", offices)
    assert found.abstained
    assert found.notice == ""
