"""Formulas that give a figure of a sentence which its evidence does not have.

The figure may be a sum, a mean, a difference, a product, a ratio, a share or a change in per cent, the time between two
dates, or the same amount rounded or in another scale: of cells of tables (`hopline.answers.table_formulas`), or of the
figures that are quoted from passages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import permutations
from typing import Final, NamedTuple

from hopline.answers.cell_formulas import find_factor
from hopline.answers.named_cells import NamedCells, TableNumber, find_cited_rows, list_cited_cells
from hopline.answers.table_formulas import find_cell_formula
from hopline.answers.written_figures import WrittenFigure, is_percentage, is_written_year
from hopline.results import Citation, Evidence
from hopline.text.values import compute_duration, find_dates, find_numbers, find_years, format_number

MAX_OPERANDS: Final = 12  # cited figures of which formulas are tried
MAX_OPERANDS_OF_SMALL: Final = 4  # for a whole number below `SMALL`, which many formulas meet by chance
SMALL: Final = 100
DAYS_PER_YEAR: Final = Decimal("365.2425")


@dataclass(frozen=True, slots=True)
class ComputedFigure:
    """A formula that gives a figure, and the cells of a table that it computes with."""

    formula: str
    table: Evidence | None = None
    cells: tuple[TableNumber, ...] = ()


def explain_figure(
    figure: WrittenFigure, sentence: str, citations: Sequence[Citation], *, question: str = ""
) -> ComputedFigure | None:
    """Return a formula over what is cited whose value is a figure of a sentence, as "918,400 − 812,000 = 106,400".

    The words of the sentence and of the question choose the cells and operations over tables. None if none gives it.
    """
    if figure.is_year:
        return None
    tables = list_cited_cells(citations, f"{sentence}\n{question}")
    if formula := find_cell_formula(figure, sentence, tables):
        return ComputedFigure(formula.text, formula.table, formula.cells)
    quotes = [citation for citation in citations if not find_cited_rows(citation)]
    formulas = (*_list_formulas(figure, quotes), *_list_mixed_formulas(figure, quotes, tables))
    others = formulas if figure.is_percentage else (*formulas, *_measure_time(citations))
    return next((ComputedFigure(item.text) for item in others if figure.is_close(item.value, in_scale=False)), None)


def _list_formulas(figure: WrittenFigure, citations: Sequence[Citation]) -> Iterator[_Formula]:
    """Yield the formulas that may give a figure; a percentage is no difference or sum of other figures."""
    in_percent = figure.is_percentage
    operands = _list_operands(citations, percentages=in_percent)
    yield from (_Formula(f"{format_number(value)}, rounded", value) for value in operands)
    yield from _aggregate([*(_list_operands([item], percentages=in_percent) for item in citations), operands])
    if len(operands) <= _limit_operands(figure):
        yield from _combine(operands, ratios=not in_percent)
    if in_percent:
        every = _list_operands(citations)
        yield from _divide(every) if len(every) <= MAX_OPERANDS else ()


def _list_mixed_formulas(
    figure: WrittenFigure, citations: Sequence[Citation], tables: Sequence[NamedCells]
) -> Iterator[_Formula]:
    """Yield the formulas over the named cells of several tables, or of tables and the figures of passages."""
    named = [(table, number) for table in tables for number in table.list_numbers(table.rows or table.cited)]
    cells = [number.number.amount * find_factor(table, number) for table, number in named]
    quoted = _list_operands(citations)
    operands = list(dict.fromkeys((*quoted, *cells)))
    if len(tables) + bool(quoted) < 2 or len(operands) > _limit_operands(figure):
        return
    if figure.is_percentage:
        yield from _divide(operands)
    else:
        yield from _aggregate([operands])
        yield from _combine(operands, ratios=True)


def _limit_operands(figure: WrittenFigure) -> int:
    is_small = abs(figure.number.amount) < SMALL and figure.number.value == figure.number.value.to_integral_value()
    return MAX_OPERANDS_OF_SMALL if is_small and not figure.is_percentage else MAX_OPERANDS


class _Formula(NamedTuple):
    text: str
    value: Decimal


def _build_formula(terms: str, value: Decimal) -> _Formula:
    return _Formula(f"{terms} = {format_number(value)}", value)


def _list_operands(citations: Iterable[Citation], *, percentages: bool = False) -> list[Decimal]:
    """Return the amounts of quotes, each once and without years; only ``percentages`` if a figure is one."""
    values: dict[Decimal, None] = {}
    for citation in citations:
        for number in find_numbers(citation.quote):
            is_wanted = not percentages or is_percentage(number, citation.quote)
            if is_wanted and not is_written_year(number, citation.quote):
                values[number.amount] = None
    return list(values)


def _aggregate(lists: Iterable[Sequence[Decimal]]) -> Iterator[_Formula]:
    """Yield the sum and the mean of each list of figures."""
    for values in lists:
        if 2 <= len(values) <= MAX_OPERANDS:
            terms = " + ".join(map(format_number, values))
            yield _build_formula(terms, sum(values, Decimal(0)))
            yield _build_formula(f"({terms}) ÷ {len(values)}", sum(values, Decimal(0)) / len(values))


def _combine(operands: Sequence[Decimal], *, ratios: bool) -> Iterator[_Formula]:
    """Yield the differences of any two figures, and with ``ratios`` their products and quotients."""
    for a, b in permutations(operands, 2):
        first, second = format_number(a), format_number(b)
        yield _build_formula(f"{first} − {second}", a - b)
        if ratios:
            yield _build_formula(f"{first} × {second}", a * b)
            yield from [_build_formula(f"{first} ÷ {second}", a / b)] if b else ()


def _divide(operands: Sequence[Decimal]) -> Iterator[_Formula]:
    """Yield the share and the change, in per cent, of any two figures."""
    for a, b in permutations(operands, 2):
        first, second = format_number(a), format_number(b)
        if b:
            yield _build_formula(f"{first} ÷ {second} × 100", a / b * 100)
            yield _build_formula(f"({first} − {second}) ÷ {second} × 100", (a - b) / b * 100)


def _measure_time(citations: Sequence[Citation]) -> Iterator[_Formula]:
    """Yield the time between any two of the dates that are quoted: in days, and in full years, or between two years."""
    quotes = [citation.quote for citation in citations]
    spans = [(quote[span.start : span.end], span.date) for quote in quotes for span in find_dates(quote)]
    dates = {text: date for text, date in spans if date.precision == "day"}
    for (first, start), (second, end) in permutations(dates.items(), 2):
        days = compute_duration(start.days, end.days).first
        if days > 0:
            years = int(days / DAYS_PER_YEAR)
            yield _Formula(f"{first} to {second}: {days:,} days", Decimal(days))
            yield _Formula(f"{first} to {second}: {years} years", Decimal(years))
    for start_year, end_year in permutations(dict.fromkeys(year for quote in quotes for year in find_years(quote)), 2):
        if int(end_year) > int(start_year):
            years = int(end_year) - int(start_year)
            yield _Formula(f"{end_year} − {start_year} = {years}", Decimal(years))
