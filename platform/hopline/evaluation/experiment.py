"""Putting a question set to strategies, and counting what comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Protocol
from urllib.parse import quote

from hopline.errors import EngineRefused, EngineUnavailable, HoplineError, UnknownName, UsageError
from hopline.evaluation.grading import Marked
from hopline.evaluation.question_scores import answer_scores, retrieval_scores, said_of
from hopline.evaluation.questions import Question
from hopline.evaluation.statistics import Evaluation, StrategyFigures, differences, figures, percentile
from hopline.strategies import load_strategy
from hopline.types import Answer, Retrieval

SIDE_BY_SIDE = 64  # questions of one `retrieve_many`
TIMED = 50  # questions asked one by one for the latency, where the others run side by side
POINTLESS = (EngineUnavailable, EngineRefused, UnknownName)  # these would fail every question alike

Listener = Callable[[str, int, int], None]  # strategy, questions done, questions


class Asked(Protocol):
    """The part of `hopline.client.Hopline` that an experiment uses."""

    def ask(self, question: str, *, collection: str, strategy: str | None, k: int | None) -> Answer: ...
    def retrieve(self, question: str, *, collection: str, strategy: str | None, k: int | None) -> Retrieval: ...
    def retrieve_many(
        self, questions: Sequence[str], *, strategy: str | None, collection: str, k: int | None
    ) -> Sequence[Retrieval | HoplineError]: ...
    def grade(self, marked: Sequence[Marked]) -> list[bool]: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question came to: a retrieval, perhaps an answer; or why there is neither."""

    retrieval: Retrieval | None = None
    answer: Answer | None = None
    error: str = ""
    ms: float | None = None  # wall time, where the question was alone


def evaluate(
    hop: Asked,
    questions: Sequence[Question],
    strategies: Sequence[str],
    *,
    collection: str = "default",
    k: int = 10,
    answers: bool = True,
    grade: bool = False,
    seed: int = 0,
    baseline: str | None = None,
    listener: Listener | None = None,
) -> Evaluation:
    """Figures of each strategy over the questions, each mean with a seeded bootstrap interval.

    ``baseline``, one of ``strategies``, is what the others are compared with, question by question.

    With ``answers`` every question is asked by itself; its latency is that of the whole answer.
    Without, the first `TIMED` are retrieved one by one, which gives the latency, the others side
    by side. With ``grade`` the configured model marks each answer beside the right ones (accuracy); what that costs
    is not the strategy's. The first question is put once before any clock runs, so that no model loads under it.
    A question that fails counts as wrong and stays in every mean.

    Raises:
        UsageError: there are no questions, ``baseline`` is not among ``strategies``, or ``grade`` has no answers.
        ModelUnavailable: there is no model to grade with.
        UnknownName: no such strategy or collection.
        EngineError: the graph is out of reach, so that there is nothing to measure.
    """
    if not questions:
        raise UsageError("evaluating needs at least one question (got none)")
    if baseline is not None and baseline not in strategies:
        raise UsageError(f"the baseline must be one of the strategies {', '.join(strategies)} (got {baseline!r})")
    if grade and not answers:
        raise UsageError("grading needs answers, and these questions are only retrieved for")
    scored: dict[str, list[dict[str, float]]] = {}
    rows = []
    for strategy in strategies:
        how = _Setting(strategy, collection, k, answers, load_strategy(strategy).needs_gold)
        put = _one_by_one if how.answers or how.told else _side_by_side
        outcomes = put(hop, questions, how, listener or _silent)
        scored[strategy] = _scores(questions, outcomes, k=k, answers=answers)
        if grade:
            _grade(hop, questions, outcomes, scored[strategy])
        rows.append(_row(strategy, scored[strategy], outcomes, seed=seed))
    if baseline is not None:
        base = scored[baseline]
        others = (
            row
            if row.strategy == baseline
            else replace(row, against=differences(scored[row.strategy], base, seed=seed))
            for row in rows
        )
        rows = list(others)
    return Evaluation(collection, len(questions), k, tuple(rows), baseline or "")


@dataclass(frozen=True, slots=True)
class _Setting:
    strategy: str
    collection: str
    k: int
    answers: bool
    told: bool  # the right evidence

    def spec(self, question: Question) -> str:
        """The strategy as it is put to one question."""
        if not self.told:
            return self.strategy
        return f"{self.strategy}:ids={'|'.join(quote(id, safe='') for id in question.gold)}"


def _silent(strategy: str, done: int, total: int) -> None:
    """Where nobody listens."""


def _one_by_one(hop: Asked, questions: Sequence[Question], how: _Setting, listener: Listener) -> list[Outcome]:
    put = _asked if how.answers else _retrieved
    put(hop, questions[0], how)
    outcomes = []
    for done, question in enumerate(questions, 1):
        outcomes.append(put(hop, question, how))
        listener(how.strategy, done, len(questions))
    return outcomes


def _asked(hop: Asked, question: Question, how: _Setting) -> Outcome:
    start = perf_counter()
    try:
        answer = hop.ask(question.text, collection=how.collection, strategy=how.spec(question), k=how.k)
    except POINTLESS:
        raise
    except HoplineError as error:
        return Outcome(error=_reason(error))
    return Outcome(answer.retrieval, answer, ms=(perf_counter() - start) * 1000)


def _side_by_side(hop: Asked, questions: Sequence[Question], how: _Setting, listener: Listener) -> list[Outcome]:
    _retrieved(hop, questions[0], how)
    outcomes = [_retrieved(hop, question, how) for question in questions[:TIMED]]
    listener(how.strategy, len(outcomes), len(questions))
    for start in range(len(outcomes), len(questions), SIDE_BY_SIDE):
        texts = [question.text for question in questions[start : start + SIDE_BY_SIDE]]
        found = hop.retrieve_many(texts, strategy=how.strategy, collection=how.collection, k=how.k)
        outcomes.extend(_many(found))
        listener(how.strategy, len(outcomes), len(questions))
    return outcomes


def _many(found: Sequence[Retrieval | HoplineError]) -> list[Outcome]:
    for one in found:
        if isinstance(one, POINTLESS):
            raise one
    return [Outcome(error=_reason(one)) if isinstance(one, HoplineError) else Outcome(one) for one in found]


def _retrieved(hop: Asked, question: Question, how: _Setting) -> Outcome:
    start = perf_counter()
    try:
        retrieval = hop.retrieve(question.text, collection=how.collection, strategy=how.spec(question), k=how.k)
    except POINTLESS:
        raise
    except HoplineError as error:
        return Outcome(error=_reason(error))
    return Outcome(retrieval, ms=(perf_counter() - start) * 1000)


def _reason(error: HoplineError) -> str:
    return f"{type(error).__name__}: {error}"


def _scores(
    questions: Sequence[Question], outcomes: Sequence[Outcome], *, k: int, answers: bool
) -> list[dict[str, float]]:
    scores = []
    for question, outcome in zip(questions, outcomes, strict=True):
        row = retrieval_scores(question, outcome.retrieval, k=k)
        scores.append(row | (answer_scores(question, outcome.answer) if answers else {}))
    return scores


def _grade(
    hop: Asked, questions: Sequence[Question], outcomes: Sequence[Outcome], scores: Sequence[dict[str, float]]
) -> None:
    """Adds the accuracy of each question with right answers; one without an answer is wrong."""
    for question, row in zip(questions, scores, strict=True):
        if question.answerable and question.answers:
            row["accuracy"] = 0.0
    said = [
        (row, Marked(question.text, question.answers, said_of(outcome.answer)))
        for question, outcome, row in zip(questions, outcomes, scores, strict=True)
        if "accuracy" in row and outcome.answer is not None and not outcome.answer.abstained
    ]
    for (row, _), right in zip(said, hop.grade([marked for _, marked in said]), strict=True):
        row["accuracy"] = float(right)


def _row(
    strategy: str, scores: Sequence[dict[str, float]], outcomes: Sequence[Outcome], *, seed: int
) -> StrategyFigures:
    traces = [outcome.retrieval.trace for outcome in outcomes if outcome.retrieval]
    errors = Counter(outcome.error for outcome in outcomes if outcome.error)
    unwritten = (outcome.answer.model_error for outcome in outcomes if outcome.answer)
    without_model = Counter(f"answered without the model: {error}" for error in unwritten if error)
    clock = [outcome.ms for outcome in outcomes if outcome.ms is not None]
    return StrategyFigures(
        strategy,
        figures(scores, seed=seed),
        p50=percentile(clock, 50),
        p95=percentile(clock, 95),
        timed=len(clock),
        calls=sum(trace.calls for trace in traces),
        tokens=sum(trace.tokens for trace in traces),
        cost=sum(step.cost for trace in traces for step in trace.steps),
        failed=errors.total(),
        errors=dict((errors + without_model).most_common()),
    )
