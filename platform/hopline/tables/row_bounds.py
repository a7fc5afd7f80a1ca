"""Rows whose value is within the bound or at the date that a question states: "deeper than 40 m", "in October"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Final

from hopline.tables.grid import has_value
from hopline.tables.measured_columns import ANY, find_columns, measure_cell, remove_unit
from hopline.tables.question import TableQuestion
from hopline.tables.row_selection import find_sample
from hopline.tables.typed_table import Column, TypedTable, locate_words, split_words
from hopline.text.measures import Measure, Quantity, Sense, find_quantities, find_unit, load_measures, load_senses
from hopline.text.values import Bound, Comparison, Date, DateSpan, find_bound, find_date, find_dates, is_year

_ANY_MEASURE: Final = Measure(frozenset({ANY}), frozenset())
_IN_MONTH: Final = re.compile(r"\b(?:in|during)\s+(?P<month>[A-Z][a-z]+)\b(?!\s+\d)")
MAX_GAP: Final = 12  # characters between "than" and the value


@dataclass(frozen=True, slots=True)
class BoundRows:
    """The rows within a bound, and the indices of the words of the question that state it."""

    rows: frozenset[int]
    column: Column
    explained: frozenset[int]


@dataclass(frozen=True, slots=True)
class _StatedBound:
    """A bound with the span of its words, the quantity that limits it, and what an adjective says is measured."""

    bound: Bound
    start: int
    end: int
    quantity: Quantity | None
    senses: tuple[Sense, ...] = ()


def locate_bound(text: str) -> tuple[int, int] | None:
    """Return the span of the bound that a question states; None if it states none."""
    stated = _find_stated_bound(text)
    return (stated.start, stated.end) if stated else None


def select_bounded(question: TableQuestion, table: TypedTable) -> BoundRows | None:
    """Select the rows within the bound of a question, by the only column that it may be about; None if there is none.

    The column is named by its header, by the adjective ("deeper") or by the unit. Amounts are converted to one unit.
    """
    stated = _find_stated_bound(question.text)
    column = _find_bounded_column(question, table, stated) if stated else None
    if stated is None or column is None:
        return None
    rows = frozenset(row for row in table.items if _includes(stated, table, row, column))
    words = split_words(remove_unit(column.header)) + split_words(column.header)
    words += tuple(word for sense in stated.senses for word in sense.measure.words)
    return BoundRows(rows, column, _locate(question, stated.start, stated.end) | _find_positions(question, words))


def _find_stated_bound(text: str) -> _StatedBound | None:
    quantities = find_quantities(text)
    if match := _compile_than().search(text):
        return _build_comparison(text, match, quantities)
    bound = find_bound(text)
    if bound is None:
        return None
    quantity = next((item for item in quantities if item.start < bound.end and bound.start < item.end), None)
    end = max(quantity.end if quantity else 0, bound.end)
    adjective = re.match(r"\s*([a-z]+)", text[end:])
    senses = load_senses().get(adjective[1], ()) if adjective else ()
    return _StatedBound(bound, bound.start, end + (adjective.end() if adjective and senses else 0), quantity, senses)


def _build_comparison(text: str, match: re.Match[str], quantities: Sequence[Quantity]) -> _StatedBound | None:
    """Build the bound of "deeper than 40 m"; a year is compared by the senses of years ("older than 1950")."""
    quantity = next((item for item in quantities if 0 <= item.start - match.end() <= MAX_GAP), None)
    if quantity is None:
        return None
    is_year_named = is_year(text[quantity.start : quantity.end])
    known = load_senses()[match["adjective"].lower()]
    senses = tuple(item for item in known if ("year" in item.measure.dimensions) == is_year_named)
    comparison: Comparison = ">" if senses and senses[0].sign > 0 else "<"
    bound = Bound(comparison, quantity.low, quantity.low, quantity.start, quantity.end)
    return _StatedBound(bound, match.start(), quantity.end, quantity, senses) if senses else None


@cache
def _compile_than() -> re.Pattern[str]:
    forms = [form for form, senses in load_senses().items() if senses[0].degree == "comparative"]
    names = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
    return re.compile(rf"\b(?P<adjective>{names})\s+than\b", re.IGNORECASE)


def _find_bounded_column(question: TableQuestion, table: TypedTable, stated: _StatedBound) -> Column | None:
    """Find the only column of numbers or dates that a bound may be about: by header, measure or unit, or as year."""
    columns = [column for column in table.columns if column.kind != "text" and not _is_labelling(table, column)]
    words = frozenset(question.words)
    named = [column for column in columns if frozenset(split_words(remove_unit(column.header))) & words]
    headers = [column.header for column in table.columns]
    samples = [
        next((text for row in table.items if has_value(text := table.get_text(row, n))), "")
        for n in range(len(headers))
    ]
    measures = [sense.measure for sense in stated.senses]
    measures += [measure for measure in load_measures() if measure.words & words] if not measures else []
    indices = {index for measure in measures for index in find_columns(measure, headers, samples, ())}
    measured = [column for column in columns if column.index in indices]
    fitting = [column for column in columns if _fits(stated, table, column)]
    for candidates in (named, measured, fitting):
        chosen = [column for column in candidates if column in fitting]
        if chosen:
            return chosen[0] if len(chosen) == 1 else None
    return None


def _is_labelling(table: TypedTable, column: Column) -> bool:
    """Return whether a column numbers the rows: the first one, if each row has another number."""
    return column.index == 0 and column.kind == "number" and len({*column.keys}) == len(table.rows)


def _fits(stated: _StatedBound, table: TypedTable, column: Column) -> bool:
    """Return whether the values of a column can be compared with a bound: dates with a year, amounts in its unit."""
    if isinstance(stated.bound.low, Date):
        return column.kind == "date"
    dimensions = {dimension for dimension, _ in stated.quantity.units} if stated.quantity else set()
    is_year_bound = not dimensions and is_year(str(stated.bound.low))
    years = [key for key in column.keys if key is not None]
    has_years = column.kind == "date" or (bool(years) and all(is_year(str(key)) for key in years))
    if is_year_bound or column.kind == "date":
        return is_year_bound and has_years
    sample = find_sample(table, column)
    measured = measure_cell(_ANY_MEASURE, sample, column.header)
    has_unit = bool(find_unit(column.header)) or (measured is not None and not measured.dimension.startswith("column"))
    known = {dimension for dimension, _ in find_unit(column.header)} | ({measured.dimension} if measured else set())
    return not dimensions or not has_unit or not dimensions.isdisjoint(known)


def _includes(stated: _StatedBound, table: TypedTable, row: int, column: Column) -> bool:
    key, text = column.keys[row], table.get_text(row, column.index)
    if key is None or not has_value(text):
        return False
    if column.kind == "date":
        return stated.bound.includes_day(key)
    units = stated.quantity.units if stated.quantity else ()
    measured = measure_cell(_ANY_MEASURE, text, column.header) if units else None
    factor = next((factor for dimension, factor in units if measured and dimension == measured.dimension), None)
    if measured is None or factor is None:
        return stated.bound.includes_number(key)
    bound = _scale(stated.bound, factor)
    return bound.includes_number(measured.low) and bound.includes_number(measured.high)


def _scale(bound: Bound, factor: Decimal) -> Bound:
    low, high = (limit * factor if isinstance(limit, Decimal) else limit for limit in (bound.low, bound.high))
    return replace(bound, low=low, high=high)


def select_dated(question: TableQuestion, table: TypedTable) -> BoundRows | None:
    """Select the rows of the month, day or year that a question names; None if it names none, or several.

    The column is the one whose header the question has, or else the only one with such dates.
    """
    spans = [*find_dates(question.text), *_find_months(question.text)]
    if len(spans) != 1:
        return None
    [span] = spans
    columns = [column for column in table.columns if column.kind == "date"]
    named = [column for column in columns if column.words & frozenset(question.words)]
    selected = [(column, rows) for column in named or columns if (rows := _select_at(span.date, table, column))]
    if len(selected) != 1:
        return None
    [(column, rows)] = selected
    explained = _locate(question, span.start, span.end) | _find_positions(question, tuple(column.words))
    return BoundRows(rows, column, explained)


def _select_at(date: Date, table: TypedTable, column: Column) -> frozenset[int]:
    return frozenset(row for row in table.items if _is_at(date, find_date(table.get_text(row, column.index))))


def _find_months(text: str) -> list[DateSpan]:
    """Find the months of a text that have neither a day nor a year: "in June"."""
    months = ((match, find_dates(match["month"])) for match in _IN_MONTH.finditer(text))
    return [DateSpan(spans[0].date, *match.span("month")) for match, spans in months if spans]


def _is_at(date: Date, other: Date | None) -> bool:
    """Return whether a date is within another one, as far as both are known."""
    if other is None:
        return False
    pairs = ((date.year, other.year), (date.month, other.month), (date.day, other.day))
    is_stated = all(mine is None or theirs is not None for mine, theirs in pairs)
    return is_stated and all(mine is None or mine == theirs for mine, theirs in pairs)


def _locate(question: TableQuestion, start: int, end: int) -> frozenset[int]:
    """Return the indices of the words in a span of the question."""
    located = enumerate(locate_words(question.text))
    return frozenset(n for n, (_, first, last) in located if first < end and start < last)


def _find_positions(question: TableQuestion, words: Sequence[str]) -> frozenset[int]:
    return frozenset(n for n, word in enumerate(question.words) if word in words)
