from __future__ import annotations

import pytest

from hopline.evaluation import Question
from hopline.evaluation.multiple_choice import choose_option, score_choice
from hopline.evaluation.question_scores import short_answer_scores
from hopline.results import Answer, Retrieval, Sentence

OPTIONS = ("A storm at sea", "Wet", "Wet and cold", "He was tired")


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("B", 1),
        (" (b). ", 1),
        ("D) He was tired", 3),
        ("C: it rained all day", 2),
        ("The correct answer is (A).", 0),
        ("Answer: option D", 3),
        ("He was tired.", 3),
        ("a storm at sea", 0),
        ("It was wet and cold there", 2),
        ("It was wet", 1),
        ("(B), since (A) is about the sea", 1),
        ("A storm", None),
        ("A or B", None),
        ("(A) or (B)", None),
        ("B and D", None),
        ("He was tired, and wet", None),
        ("E", None),
        ("", None),
    ],
)
def test_an_option_is_chosen_by_its_letter_or_its_text(answer: str, chosen: int | None) -> None:
    assert choose_option(answer, OPTIONS) == chosen


def test_options_that_are_letters_are_chosen_by_their_text() -> None:
    assert choose_option("A", ("B", "A")) == 1


def test_a_multiple_choice_question_is_scored_by_the_choice_alone() -> None:
    question = Question("1", "How was it?", ("Wet",), options=OPTIONS)
    for text, score in [("B", 1.0), ("Wet", 1.0), ("A", 0.0), ("a", 0.0)]:
        answer = Answer("", (Sentence(text),), Retrieval("", "dense", "c"), short=text)
        assert short_answer_scores(question, answer) == {"answered": 1.0, "choice": score}
    assert short_answer_scores(question, None) == {"answered": 0.0, "choice": 0.0}
    assert score_choice("", OPTIONS, ("Wet",)) == 0.0
