"""Questions in the address bar and in the session, and their answers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from hopline.answers.drafts import DraftCallback
from hopline.flow.execution import StepCallback
from hopline.results import Answer

MAX_ANSWERS = 20  # per session

QueryParameters = dict[str, str | list[str]]


class AnswerClient(Protocol):
    """The part of `hopline.Hopline` that answers questions."""

    def ask(
        self,
        question: str,
        *,
        collection: str = ...,
        documents: Sequence[str] = ...,
        filter: str = ...,
        strategy: str | None = ...,
        history: Sequence[Answer] = ...,
        on_step: StepCallback | None = ...,
        on_draft: DraftCallback | None = ...,
        record: bool = ...,
    ) -> Answer:
        """Answer a question."""
        ...


@dataclass(frozen=True, slots=True)
class SessionQuestion:
    """A question with everything that determines its answer; ``documents`` are ids, empty for all.

    ``rewritten`` is a follow-up question rewritten to be self-contained, "" where the question was not rewritten; a
    question that is its own ``rewritten`` is asked as written.
    ``filter`` is a condition on the metadata of the documents, "" for none.
    """

    question: str
    collection: str
    strategy: str
    documents: tuple[str, ...] = ()
    rewritten: str = ""
    filter: str = ""

    @property
    def interpretation(self) -> str:
        """The rewritten question where it differs from the question, else ""."""
        return "" if self.rewritten == self.question else self.rewritten

    def to_parameters(self) -> QueryParameters:
        """Return the query parameters of the page's address."""
        parameters: QueryParameters = {"q": self.question, "collection": self.collection, "strategy": self.strategy}
        parameters |= {"document": list(self.documents)} if self.documents else {}
        parameters |= {"filter": self.filter} if self.filter else {}
        return parameters | ({"meant": self.rewritten} if self.rewritten else {})

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Sequence[str]]) -> SessionQuestion | None:
        """Parse query parameters, each a list of values; None where they have no question."""
        question = _get_last(parameters, "q").strip()
        if not question:
            return None
        collection, strategy, rewritten = (_get_last(parameters, name) for name in ("collection", "strategy", "meant"))
        documents, filter = tuple(parameters.get("document", ())), _get_last(parameters, "filter")
        return cls(question, collection, strategy, documents, rewritten, filter)

    def to_code(self) -> str:
        """Return Python code that asks this question."""
        arguments = [
            repr(self.rewritten or self.question),
            f"collection={self.collection!r}",
            f"strategy={self.strategy!r}",
        ]
        if self.documents:
            arguments.append(f"documents={list(self.documents)!r}")
        if self.filter:
            arguments.append(f"filter={self.filter!r}")
        call = f"hop.ask({', '.join(arguments)})"
        return f"from hopline import Hopline\n\nwith Hopline.open() as hop:\n    answer = {call}"


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """An answer and the seconds of wall time that it took.

    ``at`` is when a stored answer was given, in seconds since 1970; 0 for one of this session.
    """

    answer: Answer
    seconds: float
    at: float = 0.0


def ask_timed(
    hop: AnswerClient,
    question: SessionQuestion,
    on_step: StepCallback | None = None,
    on_draft: DraftCallback | None = None,
    *,
    history: Sequence[Answer] = (),
) -> TimedAnswer:
    """Ask a question and measure the time. A question that is rewritten already ignores ``history``.

    Raises:
        HoplineError: as `Hopline.ask`.
    """
    start = time.perf_counter()
    answer = hop.ask(
        question.rewritten or question.question,
        collection=question.collection,
        documents=question.documents,
        filter=question.filter,
        strategy=question.strategy or None,
        history=() if question.rewritten else history,
        on_step=on_step,
        on_draft=on_draft,
        record=True,
    )
    return TimedAnswer(answer, time.perf_counter() - start)


def add_rewritten(question: SessionQuestion, timed: TimedAnswer) -> SessionQuestion:
    """Return the question with the rewritten form that was answered, where it differs."""
    rewritten = timed.answer.retrieval.question
    return question if rewritten == question.question else replace(question, rewritten=rewritten)


def summarize_answer(answer: Answer) -> str:
    """Return the short answer, or the first sentence."""
    if answer.abstained or not answer.sentences:
        return "not found in these documents"
    return answer.short or answer.sentences[0].text


def insert_answer(answers: dict[SessionQuestion, TimedAnswer], question: SessionQuestion, timed: TimedAnswer) -> None:
    """Insert an answer as the newest, dropping the oldest beyond `MAX_ANSWERS`."""
    answers.pop(question, None)
    answers[question] = timed
    while len(answers) > MAX_ANSWERS:
        del answers[next(iter(answers))]


def _get_last(parameters: Mapping[str, Sequence[str]], name: str) -> str:
    values = parameters.get(name) or ("",)
    return values[-1]
