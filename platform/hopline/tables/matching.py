"""Phrases of a question that are in the cells of a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.tables.typed_table import TypedTable, split_words

MAX_PHRASE: Final = 7  # words
MAX_MATCHES: Final = 10

Span = tuple[int, int]
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellMatch:
    """A phrase of the question that is in cells of a column; ``exact``: a cell has nothing else.

    ``start`` and ``end`` are the words of the phrase in the question.
    """

    column: int
    start: int
    end: int
    rows: frozenset[int]
    exact: bool

    def overlaps(self, other: CellMatch) -> bool:
        """Whether two phrases share words of the question."""
        return self.start < other.end and other.start < self.end


def match_cells(words: Words, content: frozenset[int], table: TypedTable) -> list[CellMatch]:
    """Return the longest phrases in the cells of each column; long phrases and whole cells first.

    ``content`` are the indices of the words of which a phrase has one at least.
    """
    phrases: dict[Words, list[Span]] = defaultdict(list)
    for start, end in _list_spans(len(words)):
        if not content.isdisjoint(range(start, end)):
            phrases[words[start:end]].append((start, end))
    matches = [match for column in table.columns for match in _match_column(words, phrases, table, column.index)]
    return sorted(matches, key=lambda match: (match.start - match.end - match.exact, len(match.rows)))[:MAX_MATCHES]


def _list_spans(length: int) -> Iterator[Span]:
    for start in range(length):
        for end in range(start + 1, min(start + MAX_PHRASE, length) + 1):
            yield start, end


def _match_column(
    words: Words, phrases: Mapping[Words, Sequence[Span]], table: TypedTable, column: int
) -> Iterator[CellMatch]:
    rows: dict[Span, set[int]] = defaultdict(set)
    exact: set[Span] = set()
    for row in range(len(table.rows)):
        cell = split_words(table.get_text(row, column))
        for start, end in _list_spans(len(cell)):
            for span in phrases.get(cell[start:end], ()):
                rows[span].add(row)
                if end - start == len(cell):
                    exact.add(span)
    for span, matched in rows.items():
        if not _is_in_longer(span, rows) and (span in exact or not _is_small_number(words[slice(*span)])):
            yield CellMatch(column, *span, frozenset(matched), span in exact)


def _is_in_longer(span: Span, spans: Mapping[Span, object]) -> bool:
    return any(start <= span[0] and span[1] <= end and (start, end) != span for start, end in spans)


def _is_small_number(words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0].isdigit() and len(words[0]) < 3
