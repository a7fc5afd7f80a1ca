"""Selection of the rows that the words of a question name: by whole cells, and by columns of yes and no.

Every word of the question has to be explained, by a selected cell or the name of a column, for a selection to be sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.tables.grid import has_value
from hopline.tables.programs import Selection
from hopline.tables.question import CellMatch, TableQuestion
from hopline.tables.typed_table import Column, TypedTable
from hopline.text.words import read_stem_list

AFFIRMED: Final = frozenset({"yes", "true", "x", "✓"})
_VERDICTS: Final = AFFIRMED | {"no", "false", "", "-", "–"}


@dataclass(frozen=True, slots=True)
class RowFilter:
    """The rows that the words of a question select, and which of its words are explained by them."""

    rows: tuple[int, ...]
    matches: tuple[CellMatch, ...]
    explained: frozenset[int]


def find_label_column(table: TypedTable, words: frozenset[str]) -> Column | None:
    """The column of texts whose header is in the ``words`` of the question, or the first one that tells the rows apart.

    If there is none, it is the first column of texts.
    """
    texts = [column for column in table.columns if column.kind == "text" and not is_verdict_column(table, column)]
    distinct = [column for column in (*texts, table.columns[0]) if _is_distinct(table, column)]
    named = [column for column in distinct if column.words & words]
    return next(iter((*named, *distinct, *(column for column in texts if column.header))), None)


def _is_distinct(table: TypedTable, column: Column) -> bool:
    """Return whether each row has another text in a column."""
    texts = [table.get_text(row, column.index) for row in table.items]
    return all(texts) and len(set(texts)) == len(texts)


def filter_rows(question: TableQuestion, table: TypedTable, excluded: frozenset[int]) -> RowFilter | None:
    """Select rows by whole cells and dates that the question has; None if a phrase is in several columns.

    ``excluded`` are the words that name columns.
    """
    rows, affirmed = _select_affirmed(question, table)
    explained, matches = set(excluded | affirmed), []
    whole = [match for match in (*question.dates, *question.matches) if match.exact]
    for match in whole:
        span = frozenset(range(match.start, match.end))
        if span & explained:
            continue
        rivals = [other for other in whole if other.overlaps(match)]
        if len({other.column for other in rivals}) > 1:
            return None
        explained |= span
        matches.append(match)
    for column in _list_dating_columns(question, table, matches):
        rows &= {row for row in table.items if has_value(table.get_text(row, column.index))}
        explained |= locate_stems(question, column.words)
    for index in {match.column for match in matches}:  # "the oats and the spelt" are rows of either
        rows &= frozenset[int]().union(*(match.rows for match in matches if match.column == index))
    return RowFilter(tuple(sorted(rows)), tuple(matches), frozenset(explained)) if rows else None


def _list_dating_columns(question: TableQuestion, table: TypedTable, matches: Sequence[CellMatch]) -> list[Column]:
    """The columns of the dates that select rows, and those that the question has a word of: "sold" for "sold_on"."""
    words, dated = frozenset(question.words), {match.column for match in matches}
    return [
        column for column in table.columns if column.kind == "date" and (column.words & words or column.index in dated)
    ]


def is_verdict_column(table: TypedTable, column: Column) -> bool:
    """Return whether a column has only yes and no."""
    texts = {table.get_text(row, column.index).lower() for row in table.items}
    return texts <= _VERDICTS and not AFFIRMED.isdisjoint(texts)


def _select_affirmed(question: TableQuestion, table: TypedTable) -> tuple[set[int], frozenset[int]]:
    """The rows with "yes" in the columns of yes and no that the question names, and the words that are explained."""
    rows, words = set(table.items), frozenset[str]()
    for column in table.columns:
        if is_verdict_column(table, column) and column.words and column.words <= frozenset(question.words):
            rows &= {row for row in rows if table.get_text(row, column.index).lower() in AFFIRMED}
            words |= column.words
    return rows, locate_stems(question, words)


def find_unexplained(question: TableQuestion, explained: frozenset[int], words: frozenset[str]) -> list[str]:
    """Return the words with content of a question that are neither ``explained``, nor in ``words``, nor neutral."""
    neutral = read_stem_list("listing")
    left = [question.words[n] for n in sorted(question.content) if n not in explained]
    return [word for word in left if word not in words and word not in neutral]


def make_selection(selected: RowFilter, table: TypedTable) -> Selection:
    """Make the selection of the rows of a filter."""
    kind = "all" if selected.rows == table.items else "filter"
    return Selection(kind, selected.rows, selected.matches)


def locate_stems(question: TableQuestion, words: frozenset[str]) -> frozenset[int]:
    """Return the indices of the words of a question that are one of these stems."""
    return frozenset(n for n, word in enumerate(question.words) if word in words)


def find_sample(table: TypedTable, column: Column) -> str:
    """Find the first text of a column that is a value; "" if there is none."""
    texts = (table.get_text(row, column.index) for row in table.items)
    return next((text for text in texts if has_value(text)), "")
