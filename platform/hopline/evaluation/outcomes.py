"""Outcomes of the questions of an evaluation, and the figures that they give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from hopline.evaluation.grading import GradedAnswer
from hopline.evaluation.question_scores import (
    answer_scores,
    retrieval_scores,
    select_answer_text,
    short_answer_scores,
)
from hopline.evaluation.questions import Question
from hopline.evaluation.statistics import StrategyFigures, percentile, summarize_scores
from hopline.results import Answer, Retrieval

AnswerMode = Literal["product", "paper"]


class Grader(Protocol):
    """The part of `hopline.evaluation.service.EvaluationService` that is used here."""

    def grade(self, graded: Sequence[GradedAnswer]) -> list[bool]:
        """Return for each answer whether it is right."""
        ...


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """The result of one question: a retrieval and, if asked for, an answer; or the error."""

    retrieval: Retrieval | None = None
    answer: Answer | None = None
    error: str = ""
    ms: float | None = None  # wall time, if the question was not in a batch


def compute_scores(
    questions: Sequence[Question], outcomes: Sequence[QuestionOutcome], *, k: int, answers: AnswerMode | Literal[False]
) -> list[dict[str, float]]:
    """Return the scores of each question; a question that failed scores 0 in every metric that it has."""
    score_answer = {"product": answer_scores, "paper": short_answer_scores}
    scores = []
    for question, outcome in zip(questions, outcomes, strict=True):
        row = retrieval_scores(question, outcome.retrieval, k=k)
        scores.append(row | (score_answer[answers](question, outcome.answer) if answers else {}))
    return scores


def add_accuracy(
    grader: Grader,
    questions: Sequence[Question],
    outcomes: Sequence[QuestionOutcome],
    scores: Sequence[dict[str, float]],
) -> None:
    """Add the accuracy of each question with correct answers; a question without an answer is wrong."""
    for question, row in zip(questions, scores, strict=True):
        if question.answerable and question.answers:
            row["accuracy"] = 0.0
    to_grade = [
        (row, GradedAnswer(question.text, question.answers, select_answer_text(outcome.answer)))
        for question, outcome, row in zip(questions, outcomes, scores, strict=True)
        if "accuracy" in row and outcome.answer is not None and not outcome.answer.abstained
    ]
    for (row, _), correct in zip(to_grade, grader.grade([graded for _, graded in to_grade]), strict=True):
        row["accuracy"] = float(correct)


def summarize_outcomes(
    strategy: str, scores: Sequence[dict[str, float]], outcomes: Sequence[QuestionOutcome], *, seed: int
) -> StrategyFigures:
    """Return the figures of a strategy; calls, tokens and cost are those of charged and of cached replies together."""
    steps = [step for outcome in outcomes if outcome.retrieval for step in outcome.retrieval.trace.steps]
    errors = Counter(outcome.error for outcome in outcomes if outcome.error)
    model_errors = (outcome.answer.model_error for outcome in outcomes if outcome.answer)
    without_model = Counter(f"answered without the model: {error}" for error in model_errors if error)
    search_errors = (outcome.retrieval.model_error for outcome in outcomes if outcome.retrieval)
    incomplete = Counter(f"the model of the search failed {error}" for error in search_errors if error)
    latencies = [outcome.ms for outcome in outcomes if outcome.ms is not None]
    return StrategyFigures(
        strategy,
        summarize_scores(scores, seed=seed),
        p50=percentile(latencies, 50),
        p95=percentile(latencies, 95),
        timed=len(latencies),
        calls=sum(step.calls + step.cached_calls for step in steps),
        tokens=sum(step.tokens + step.cached_tokens for step in steps),
        cost=sum(step.cost + step.cached_cost for step in steps),
        cached_calls=sum(step.cached_calls for step in steps),
        failed=errors.total(),
        errors=dict((errors + without_model + incomplete).most_common()),
    )
