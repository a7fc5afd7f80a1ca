"""Counts that are computed from both numbers of a sentence."""

from collections.abc import Callable

import pytest

from hopline.results import Answer, Evidence

Ask = Callable[..., Answer]
Make = Callable[..., Evidence]


@pytest.mark.parametrize(
    ("question", "sentence", "short"),
    [
        (
            "How many hangers were not eaten through by rust?",
            "Rust had eaten through four of the sixteen hangers.",
            "12",
        ),
        ("How many boards in the store are not broken?", "Of the 24 boards in the store, five are broken.", "19"),
        ("How many juniors do not play in the league?", "Eleven of the 31 juniors play in the league.", "20"),
        ("How many nights could not be given?", "94 teams asked for 412 nights, of which 153 could be given.", "259"),
        ("How many captains are not women?", "Of the nine captains, three are women.", "6"),
        ("How many volunteers helped in 2022?", "Thirty-two volunteers helped, seven fewer than in 2022.", "39"),
        ("How many knees were done the year before?", "We did 2,140 knees, 380 more than the year before.", "1,760"),
    ],
)
def test_the_other_number_is_computed(answer: Ask, passage: Make, question: str, sentence: str, short: str) -> None:
    result = answer(question, passage("p", sentence))
    assert (result.status, result.short) == ("answered", short)
    assert f"= {short}" in result.sentences[0].text


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How many boards are not painted?", "Of the 24 boards in the store, five are broken."),
        ("How many boards are not broken?", "Of the 24 boards in the store, about five are broken."),
        ("How many juniors do not play in the league?", "Eleven of the 31 juniors do not play in the league."),
        ("How many chairs are not broken?", "Of the 24 boards in the store, five are broken."),
        ("How many volunteers helped in 2021?", "Thirty-two volunteers helped, seven fewer than in 2022."),
    ],
)
def test_nothing_is_computed_for_another_condition(answer: Ask, passage: Make, question: str, sentence: str) -> None:
    result = answer(question, passage("p", sentence))
    assert result.status != "answered" or "=" not in result.sentences[0].text
