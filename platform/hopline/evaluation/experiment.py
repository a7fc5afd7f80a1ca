"""Runs a question set with several strategies and computes their scores, latencies and costs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final, Literal, Protocol
from urllib.parse import quote

from hopline.errors import EngineRefused, EngineUnavailable, HoplineError, UnknownName, UsageError
from hopline.evaluation.outcomes import (
    AnswerMode,
    Grader,
    QuestionOutcome,
    add_accuracy,
    compute_scores,
    summarize_outcomes,
)
from hopline.evaluation.questions import Question
from hopline.evaluation.statistics import Evaluation, compute_paired_differences
from hopline.metadata.filter_parser import parse_filter
from hopline.results import Answer, Retrieval
from hopline.strategies import load_strategy

log = logging.getLogger(__name__)

BATCH = 64  # questions in one call of `retrieve_many`
TIMED = 50  # questions that are retrieved one by one to measure the latency; the others run in batches
ANSWER_MODES: Final = ("product", "paper", False)
FATAL_ERRORS = (EngineUnavailable, EngineRefused, UnknownName)  # errors that would occur for every question

EvaluationCallback = Callable[[str, int, int], None]  # strategy, questions done, questions


class ShortAnswerer(Grader, Protocol):
    """The part of `hopline.evaluation.service.EvaluationService` that is used here."""

    def answer_in_short(
        self,
        question: str,
        *,
        collection: str,
        documents: Sequence[str],
        strategy: str,
        k: int,
        max_tokens: int | None,
        options: Sequence[str],
    ) -> Answer:
        """Let a language model answer from the evidence of a strategy alone."""
        ...


class EvaluatedClient(Protocol):
    """The part of `hopline.client.Hopline` that is used here."""

    def ask(
        self,
        question: str,
        *,
        collection: str,
        documents: Sequence[str],
        strategy: str | None,
        k: int | None,
    ) -> Answer:
        """Answer a question."""
        ...

    def retrieve(
        self,
        question: str,
        *,
        collection: str,
        documents: Sequence[str],
        strategy: str | None,
        k: int | None,
    ) -> Retrieval:
        """Retrieve the evidence for a question."""
        ...

    def retrieve_many(
        self, questions: Sequence[str], *, strategy: str | None, collection: str, k: int | None
    ) -> Sequence[Retrieval | HoplineError]:
        """Retrieve the evidence for each question, or its error."""
        ...

    def create_uncached_client(self) -> EvaluatedClient:
        """Return a client that uses no cached reply of a model."""
        ...

    @property
    def evaluation(self) -> ShortAnswerer:
        """The part that gives short answers, and grades answers."""
        ...


def evaluate(
    client: EvaluatedClient,
    questions: Sequence[Question],
    strategies: Sequence[str],
    *,
    collection: str = "default",
    k: int = 10,
    answers: AnswerMode | Literal[False] = "product",
    answer_tokens: int | None = None,
    own_documents: bool = False,
    filter: str = "",
    grade: bool = False,
    seed: int = 0,
    baseline: str | None = None,
    cached: bool = False,
    on_progress: EvaluationCallback | None = None,
) -> Evaluation:
    """Evaluate strategies on questions; every mean has a seeded bootstrap interval.

    The other strategies are compared with ``baseline``, one of ``strategies``, question by question.

    ``answers`` says whose answers are evaluated. "product": those of `Hopline.ask`, for which evidence may be added and
    a reader takes part; they cite, and may abstain. "paper": those that the language model gives from the evidence of
    the strategy alone, in its order, and always gives (`hopline.answers.short_answer`); ``answer_tokens`` limits that
    evidence, as in GNN-Ret (3,500 tokens). A question to which the model gives no answer has failed; its retrieval
    counts. False: none, only the retrieval.

    With answers every question is asked by itself; its latency is that of the whole answer.
    Without, the first `TIMED` questions are retrieved one by one, which gives the latency, the others
    in batches. With ``own_documents`` each question is asked of its own ``documents`` only, and none is in a batch;
    with ``filter``, of the documents that match it. The filter of a question itself is used as well, and questions are
    not in batches if one has a filter.
    With ``grade`` the configured model grades each answer (accuracy); its cost is not
    included in that of the strategy. The first question is run once before latencies are measured, so
    that the loading of models is not included. A question that fails counts as wrong in every mean.

    The model is asked for every reply, so that latencies are those without the reply cache; with ``cached``, replies of
    earlier runs are used. Calls, tokens and cost are those without the cache in both cases.

    Raises:
        UsageError: there are no questions, a question has no documents of its own, ``baseline`` is not among
            ``strategies``, there is no such kind of ``answers``, ``answer_tokens`` is for other answers than those of
            papers, ``grade`` has no answers, or the filter cannot be read.
        ModelUnavailable: there is no model to grade with.
        UnknownName: no such strategy, collection or document.
        EngineError: the database cannot be reached.
    """
    if baseline is not None and baseline not in strategies:
        raise UsageError(f"the baseline must be one of the strategies {', '.join(strategies)} (got {baseline!r})")
    if grade and not answers:
        raise UsageError("grading needs answers (got answers=False)")
    _check_settings(questions, answers, answer_tokens, own_documents=own_documents)
    if filter.strip():
        parse_filter(filter)
    scores_by_strategy: dict[str, list[dict[str, float]]] = {}
    rows = []
    measured = client if cached else client.create_uncached_client()
    for strategy in strategies:
        needs_gold = load_strategy(strategy).needs_gold
        is_filtered = any(question.filter for question in questions)
        config = _RunConfig(
            strategy, collection, k, answers, answer_tokens, own_documents, needs_gold, filter, is_filtered
        )
        run_questions = _run_sequentially if config.is_single else _run_in_batches
        _run_question(measured, questions[0], config)
        outcomes = run_questions(measured, questions, config, on_progress or _ignore_progress)
        scores_by_strategy[strategy] = compute_scores(questions, outcomes, k=k, answers=answers)
        if grade:
            add_accuracy(client.evaluation, questions, outcomes, scores_by_strategy[strategy])
        rows.append(summarize_outcomes(strategy, scores_by_strategy[strategy], outcomes, seed=seed))
    if baseline is not None:
        base = scores_by_strategy[baseline]
        compared = (
            row
            if row.strategy == baseline
            else replace(row, against=compute_paired_differences(scores_by_strategy[row.strategy], base, seed=seed))
            for row in rows
        )
        rows = list(compared)
    return Evaluation(
        collection,
        len(questions),
        k,
        tuple(rows),
        baseline or "",
        answers=answers or "",
        answer_tokens=answer_tokens,
        own_documents=own_documents,
        filter=filter,
    )


def _check_settings(
    questions: Sequence[Question],
    answers: AnswerMode | Literal[False],
    answer_tokens: int | None,
    *,
    own_documents: bool,
) -> None:
    """Raise an error if there are no questions, or if the settings do not fit each other or the questions."""
    if not questions:
        raise UsageError("evaluating needs at least one question (got none)")
    if answers not in ANSWER_MODES:
        raise UsageError(f'answers must be "product", "paper" or False (got {answers!r})')
    if answer_tokens is not None and (answers != "paper" or answer_tokens < 1):
        raise UsageError(f'answer_tokens must be at least 1, with answers="paper" (got {answer_tokens}, {answers!r})')
    without = next((question.id for question in questions if not question.documents), None)
    if own_documents and without is not None:
        raise UsageError(f'question {without} has no documents of its own; a row wants "documents": [names]')


@dataclass(frozen=True, slots=True)
class _RunConfig:
    strategy: str
    collection: str
    k: int
    answers: AnswerMode | Literal[False]
    answer_tokens: int | None
    own_documents: bool
    needs_gold: bool  # the strategy gets the gold evidence
    filter: str
    is_filtered: bool  # a question has a filter of its own

    @property
    def is_single(self) -> bool:
        """Whether each question is run by itself, not in a batch."""
        return bool(self.answers) or self.own_documents or self.needs_gold or self.is_filtered

    def build_scope(self, question: Question | None = None) -> dict[str, str]:
        """Return the filter as an argument, none without a filter: the client need not know filters then."""
        filters = [filter for filter in (self.filter, question.filter if question else "") if filter.strip()]
        if len(filters) > 1:
            filters = [" and ".join(f"({filter})" for filter in filters)]
        return {"filter": filters[0]} if filters else {}

    def spec(self, question: Question) -> str:
        """Return the specification of the strategy for one question."""
        if not self.needs_gold:
            return self.strategy
        return f"{self.strategy}:ids={'|'.join(quote(id, safe='') for id in question.gold)}"


def _ignore_progress(strategy: str, done: int, total: int) -> None:
    """Do nothing: the callback where none is given."""


def _run_sequentially(
    client: EvaluatedClient, questions: Sequence[Question], config: _RunConfig, on_progress: EvaluationCallback
) -> list[QuestionOutcome]:
    outcomes = []
    for done, question in enumerate(questions, 1):
        outcomes.append(_run_question(client, question, config))
        on_progress(config.strategy, done, len(questions))
    return outcomes


def _run_question(client: EvaluatedClient, question: Question, config: _RunConfig) -> QuestionOutcome:
    """Answer a question or retrieve its evidence; an error of this question is its outcome."""
    start = perf_counter()
    try:
        result = _ask(client, question, config)
    except Exception as error:  # noqa: BLE001 - of any kind: the other questions are still to be evaluated
        return _to_outcome(error)
    outcome = replace(_to_outcome(result), ms=(perf_counter() - start) * 1000)
    if config.answers == "paper" and outcome.answer is not None and outcome.answer.abstained:
        return replace(outcome, answer=None, error=f"no answer of the model: {outcome.answer.model_error}")
    return outcome


def _ask(client: EvaluatedClient, question: Question, config: _RunConfig) -> Answer | Retrieval:
    documents = question.documents if config.own_documents else ()
    if config.answers == "paper":
        answer: Callable[..., Answer] = client.evaluation.answer_in_short
        return answer(
            question.text,
            collection=config.collection,
            documents=documents,
            strategy=config.spec(question),
            k=config.k,
            max_tokens=config.answer_tokens,
            options=question.options,
            **config.build_scope(question),
        )
    run: Callable[..., Answer | Retrieval] = client.ask if config.answers else client.retrieve
    return run(
        question.text,
        collection=config.collection,
        documents=documents,
        **config.build_scope(question),
        strategy=config.spec(question),
        k=config.k,
    )


def _run_in_batches(
    client: EvaluatedClient, questions: Sequence[Question], config: _RunConfig, on_progress: EvaluationCallback
) -> list[QuestionOutcome]:
    outcomes = [_run_question(client, question, config) for question in questions[:TIMED]]
    on_progress(config.strategy, len(outcomes), len(questions))
    for start in range(len(outcomes), len(questions), BATCH):
        outcomes.extend(_retrieve_batch(client, questions[start : start + BATCH], config))
        on_progress(config.strategy, len(outcomes), len(questions))
    return outcomes


def _retrieve_batch(
    client: EvaluatedClient, questions: Sequence[Question], config: _RunConfig
) -> Iterator[QuestionOutcome]:
    """Retrieve the evidence of questions in one call; if it fails as a whole, one by one, without latencies."""
    texts = [question.text for question in questions]
    try:
        retrieve_many: Callable[..., Sequence[Retrieval | HoplineError]] = client.retrieve_many
        results = retrieve_many(
            texts, strategy=config.strategy, collection=config.collection, k=config.k, **config.build_scope()
        )
    except FATAL_ERRORS:
        raise
    except Exception:
        log.exception("%d questions are retrieved one by one, because their batch failed", len(questions))
        for question in questions:
            yield replace(_run_question(client, question, config), ms=None)
    else:
        yield from map(_to_outcome, results)


def _to_outcome(result: Answer | Retrieval | Exception) -> QuestionOutcome:
    """Convert a result, or the error that was raised instead.

    Raises:
        EngineUnavailable, EngineRefused, UnknownName: of the result, as they would occur for every question.
    """
    if isinstance(result, FATAL_ERRORS):
        raise result
    if isinstance(result, Exception):
        if not isinstance(result, HoplineError):
            log.error("a question failed because of a fault of Hopline", exc_info=result)
        return QuestionOutcome(error=f"{type(result).__name__}: {result}")
    return QuestionOutcome(result.retrieval, result) if isinstance(result, Answer) else QuestionOutcome(result)
