"""The sentences of a passage and the rows of a table, with their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hopline.nlp.tokens import Token, tokenize
from hopline.results import Evidence
from hopline.tables.grid import read_grid


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """A sentence or table row: its span in the text of its evidence. Its tokens are counted from ``start``."""

    evidence: Evidence
    start: int
    end: int
    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        """Its words as they are in the evidence."""
        return self.evidence.text[self.start : self.end]

    @property
    def forms(self) -> frozenset[str]:
        """The forms of its tokens, by which words are compared."""
        return frozenset().union(*(token.forms for token in self.tokens))


def split_evidence(evidence: Sequence[Evidence]) -> list[SentenceSpan]:
    """Every sentence and every table row, in the order of the evidence."""
    return [
        SentenceSpan(item, start, end, tuple(tokenize(item.text[start:end])))
        for item in evidence
        for start, end in _find_spans(item)
    ]


def _find_spans(evidence: Evidence) -> Sequence[tuple[int, int]]:
    if evidence.kind == "table":
        return [(row.start, row.end) for row in read_grid(evidence.text).body]
    return evidence.sentences or ((0, len(evidence.text)),)
