"""Lists of rows that a question asks for: all rows, or those that satisfy every condition that it states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.tables.grid import has_value
from hopline.tables.programs import Program, Selection
from hopline.tables.question import CellMatch, TableQuestion
from hopline.tables.row_bounds import locate_bound, select_bounded, select_dated
from hopline.tables.row_selection import (
    AFFIRMED,
    find_label_column,
    find_unexplained,
    is_verdict_column,
    locate_stems,
)
from hopline.tables.typed_table import Column, TypedTable, locate_words, split_words
from hopline.text.words import stem

_NEGATING: Final = re.compile(r"\b(?:not|no|without|lack\w*|never)\b|n['’]t\b", re.IGNORECASE)
SCOPE: Final = 2  # words between a negation and the name of the column that it denies
_UNCLEAR: Final = re.compile(
    r"\b(?:except|other than|excluding|besides|neither|or|only|same|different|per)\b", re.IGNORECASE
)
_PARTS: Final = re.compile(r"\s*(?:[,;/]|\band\b)\s*")
_PERSONS: Final = frozenset(map(stem, ("people", "persons", "names")))


@dataclass(frozen=True, slots=True)
class NamedList:
    """The rows that a question asks for, as a program, and the words that neither a cell nor a header explains."""

    program: Program
    unexplained: tuple[str, ...]


@dataclass(slots=True)
class _Conditions:
    """The rows that satisfy the conditions so far, and the words of the question that these explain."""

    rows: set[int]
    explained: set[int]
    matches: list[CellMatch]
    count: int = 0

    def add(self, rows: frozenset[int] | set[int], explained: frozenset[int] | set[int]) -> None:
        """Add a condition that these rows satisfy."""
        self.rows &= rows
        self.explained |= explained
        self.count += 1


def find_named_list(
    question: TableQuestion, table: TypedTable, nouns: frozenset[str], heading: frozenset[str]
) -> NamedList | None:
    """Find the rows that a question for several things asks for; None if no row, or no condition, is recognised.

    ``nouns`` are the stems of what is asked for, ``heading`` those of the nearest heading. Without a condition, this
    heading or the header of the listed column has to have a noun. Conditions are whole cells
    or parts of lists in cells, columns of yes and no, columns that have a value in some rows only, bounds, and dates.
    """
    if not table.items or _UNCLEAR.search(question.text):
        return None
    listed = _find_listed_column(table, nouns)
    if listed is None:
        return None
    named = frozenset(split_words(listed.header)) & nouns
    conditions = _Conditions(set(table.items), set(locate_stems(question, named)), [])
    if not _apply_bounds(question, table, conditions):
        return None
    _apply_cells(question, table, conditions, listed, named)
    denied = _apply_columns(question, table, conditions, listed)
    if _NEGATING.search(question.text) and denied != 1:
        return None
    left = find_unexplained(question, frozenset(conditions.explained), question.heading)
    rows = tuple(sorted(conditions.rows))
    is_named = bool(named) or not nouns.isdisjoint(heading)
    if not rows or (not conditions.count and (left or not is_named)):
        return None
    kind = "filter" if conditions.count else "all"
    values = tuple(dict.fromkeys(text for row in rows if (text := table.get_text(row, listed.index))))
    selection = Selection(kind, rows, tuple(conditions.matches))
    return NamedList(Program("list", selection, listed, values), tuple(left)) if values else None


def _find_listed_column(table: TypedTable, nouns: frozenset[str]) -> Column | None:
    """Find the column of the things: with the nouns in its header, or else the one that labels the rows."""
    columns = [column for column in table.columns if not is_verdict_column(table, column) and column.words & nouns]
    best = max((len(column.words & nouns) for column in columns), default=0)
    chosen = [column for column in columns if len(column.words & nouns) == best]
    return chosen[0] if chosen else find_label_column(table, nouns | _PERSONS)


def _apply_bounds(question: TableQuestion, table: TypedTable, conditions: _Conditions) -> bool:
    """Apply the bound or the date of the question; False if it states a bound that no single column can have."""
    if locate_bound(question.text) is not None:
        bounded = select_bounded(question, table)
        if bounded is None:
            return False
        conditions.add(bounded.rows, bounded.explained)
    elif dated := select_dated(question, table):
        conditions.add(dated.rows, dated.explained)
    return True


def _apply_cells(
    question: TableQuestion, table: TypedTable, conditions: _Conditions, listed: Column, named: frozenset[str]
) -> None:
    """Apply the phrases that are whole cells, or whole parts of lists in cells; one column's cells are alternatives."""
    by_column: dict[int, tuple[set[int], set[int]]] = {}
    for match in question.matches:
        span = set(range(match.start, match.end))
        words = question.words[match.start : match.end]
        rows = {row for row in match.rows if _has_part(table.get_text(row, match.column), words)}
        if not rows or span & conditions.explained or match.column == listed.index or set(words) <= named:
            continue
        if any(span & explained for column, (_, explained) in by_column.items() if column != match.column):
            continue
        selected, explained = by_column.setdefault(match.column, (set(), set()))
        selected |= rows
        explained |= span
        conditions.matches.append(match)
    for selected, explained in by_column.values():
        conditions.add(selected, explained)


def _has_part(text: str, words: Sequence[str]) -> bool:
    """Return whether a cell, or a part of the list in it, has these words and no others."""
    return any(split_words(part) == tuple(words) for part in (text, *_PARTS.split(text)))


def _apply_columns(question: TableQuestion, table: TypedTable, conditions: _Conditions, listed: Column) -> int:
    """Apply the columns that the question names: those of yes and no, and those with a value in some rows only.

    Returns how many of them a negation before their name denies.
    """
    words = frozenset(word for n, word in enumerate(question.words) if n not in conditions.explained)
    denied = 0
    for column in table.columns:
        headed = frozenset(split_words(column.header))
        if column == listed or not headed or not headed <= words:
            continue
        texts = {row: table.get_text(row, column.index) for row in table.items}
        if is_verdict_column(table, column):
            affirmed = {row for row, text in texts.items() if text.lower() in AFFIRMED}
        else:
            affirmed = {row for row, text in texts.items() if has_value(text)}
            if len(affirmed) == len(texts):
                continue
        positions = locate_stems(question, headed)
        is_denied = _is_denied(question, min(positions))
        denied += is_denied
        conditions.add(set(texts) - affirmed if is_denied else affirmed, positions)
    return denied


def _is_denied(question: TableQuestion, position: int) -> bool:
    """Return whether a negation is before a word of the question, with at most `SCOPE` words between them."""
    start = locate_words(question.text)[position][1]
    before = [match.end() for match in _NEGATING.finditer(question.text, 0, start)]
    return bool(before) and len(question.text[before[-1] : start].split()) <= SCOPE
