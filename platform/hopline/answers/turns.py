"""Turns of a conversation: earlier questions with their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hopline.reader.confidence import normalize_short
from hopline.results import Answer

Reading = tuple[str, int, int, str]  # evidence, the span of the answer in it, and the short answer

LONGEST_ANSWER: Final = 300  # characters of an earlier answer that are used


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation: the rewritten question and its answer, "" if none is sure.

    ``readings`` are the citations with the answer that was read from each.
    """

    question: str
    answer: str = ""
    readings: frozenset[Reading] = frozenset()

    @classmethod
    def of(cls, answer: Answer) -> Turn:
        """Build the turn of an answer."""
        text = "" if answer.abstained else answer.short or answer.text
        return cls(answer.retrieval.question or answer.question, text[:LONGEST_ANSWER], list_readings(answer))

    @property
    def last_question(self) -> str:
        """The first question of the turn: those behind it were fragments that could not be completed."""
        return self.question.partition("? ")[0].rstrip("?. ") + "?"


def list_readings(answer: Answer) -> frozenset[Reading]:
    """Return the citations of an answer, each with the span and the words that are the answer."""
    citations = (citation for sentence in answer.claims for citation in sentence.citations)
    return frozenset(
        (item.evidence.id, *(item.answer or (item.start, item.end)), normalize_short(answer.short))
        for item in citations
    )
