"""What was asked, in the address bar and in the session, and the answers that came."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from hopline.client import Listener
from hopline.types import Answer

KEPT = 20  # answers of a session

Parameters = dict[str, str | list[str]]


class Asks(Protocol):
    """The part of `hopline.Hopline` that answers."""

    def ask(
        self,
        question: str,
        *,
        collection: str = ...,
        documents: Sequence[str] = ...,
        strategy: str | None = ...,
        after: Sequence[Answer] = ...,
        listener: Listener | None = ...,
        record: bool = ...,
    ) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with everything that decides its answer; ``documents`` are ids, empty: all.

    ``meant`` is what a question that follows on others was understood as, "" where it means itself.
    """

    question: str
    collection: str
    strategy: str
    documents: tuple[str, ...] = ()
    meant: str = ""

    def parameters(self) -> Parameters:
        """As query parameters."""
        found: Parameters = {"q": self.question, "collection": self.collection, "strategy": self.strategy}
        found |= {"document": list(self.documents)} if self.documents else {}
        return found | ({"meant": self.meant} if self.meant else {})

    @classmethod
    def read(cls, given: Mapping[str, Sequence[str]]) -> Asked | None:
        """From query parameters, each a list of values; None where there is no question."""
        question = _last(given, "q").strip()
        if not question:
            return None
        documents = tuple(given.get("document", ()))
        return cls(question, _last(given, "collection"), _last(given, "strategy"), documents, _last(given, "meant"))

    def code(self) -> str:
        """The line of Python that this click was."""
        parts = [repr(self.meant or self.question), f"collection={self.collection!r}", f"strategy={self.strategy!r}"]
        if self.documents:
            parts.append(f"documents={list(self.documents)!r}")
        return f"from hopline import Hopline\n\nwith Hopline.open() as hop:\n    answer = hop.ask({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer and the seconds that it took on this machine."""

    answer: Answer
    seconds: float


def answer(hop: Asks, asked: Asked, listener: Listener | None = None, *, after: Sequence[Answer] = ()) -> Answered:
    """Asks, and takes the time. A question whose meaning is known already does not follow ``after`` others.

    Raises:
        HoplineError: as `Hopline.ask`.
    """
    start = time.perf_counter()
    found = hop.ask(
        asked.meant or asked.question,
        collection=asked.collection,
        documents=asked.documents,
        strategy=asked.strategy or None,
        after=() if asked.meant else after,
        listener=listener,
        record=True,
    )
    return Answered(found, time.perf_counter() - start)


def understood(asked: Asked, answered: Answered) -> Asked:
    """The question with what it was understood as, where that is not what it says."""
    meant = answered.answer.retrieval.question
    return asked if meant == asked.question else replace(asked, meant=meant)


def in_short(answer: Answer) -> str:
    """The answer in a few words."""
    if answer.abstained or not answer.sentences:
        return "not found in these documents"
    return answer.short or answer.sentences[0].text


def keep(answers: dict[Asked, Answered], asked: Asked, answered: Answered) -> None:
    """Puts an answer among those of a session, dropping the oldest."""
    answers.pop(asked, None)
    answers[asked] = answered
    while len(answers) > KEPT:
        del answers[next(iter(answers))]


def _last(given: Mapping[str, Sequence[str]], name: str) -> str:
    values = given.get(name) or ("",)
    return values[-1]
