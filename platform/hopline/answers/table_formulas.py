"""Formulas over cells of tables that may give a figure of a sentence: those that its words ask for.

The cells are those of the rows that the sentence cites or names, in the columns that it names
(`hopline.answers.named_cells`). Only pairs of cells in one row or in one column are compared; sums and means are over
the cited rows, the named ones, a group, or the table. A change between years is from the earlier one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import permutations
from typing import Final, Literal

from hopline.answers.cell_formulas import (
    CellFormula,
    build_formula,
    find_common_factor,
    find_factor,
    format_exactly,
    is_part,
    join_names,
    may_give,
    write_number,
)
from hopline.answers.named_cells import NamedCells, TableNumber
from hopline.answers.written_figures import WrittenFigure
from hopline.answers.written_tables import describe_row
from hopline.tables.grid import TableRow
from hopline.tables.typed_table import split_words
from hopline.text.values import format_number

Kind = Literal["sum", "mean", "difference", "share", "ratio", "product", "count"]

MAX_TERMS: Final = 50
MAX_PAIRED: Final = 8  # named rows of which pairs are compared
MAX_UNNAMED: Final = 3  # rows or columns of which pairs are compared though the text names none of them
_CUES: Final[Mapping[Kind, frozenset[str]]] = {
    "sum": frozenset(split_words("sum total together combined altogether overall both")),
    "mean": frozenset(split_words("average mean averaged")),
    "difference": frozenset(
        split_words(
            "change changed rise rose risen rising increase increased grow grew grown growth gain decline decrease "
            "fall fell fallen drop dropped reduce reduced reduction shrink shrank shrunk improve higher lower more "
            "less fewer than up down exceed difference gap above below larger smaller greater longer shorter surplus "
            "margin lost loss"
        )
    ),
    "share": frozenset(
        split_words("share proportion portion account represent make made fraction contribute constitute comprise")
    ),
    "ratio": frozenset(split_words("ratio times fold per twice quotient")),
    "product": frozenset(split_words("product times multiplied worth total")),
    "count": frozenset(split_words("count number many rows")),
}
_OF: Final = re.compile(r"\s*(?:per\s?cent|percentage)?\s*of\b", re.IGNORECASE)
_REMAINING: Final = frozenset(split_words("not without rest remaining remainder margin lost loss losses"))
_THAN: Final = frozenset({"than"})
_REVERSED: Final = frozenset(split_words("than against versus compared"))


def find_cell_formula(figure: WrittenFigure, sentence: str, cells: Sequence[NamedCells]) -> CellFormula | None:
    """Find a formula over the cells of a table that gives a figure of a sentence; None if there is none."""
    formulas = (formula for table in cells for formula in _list_formulas(figure, sentence, table))
    return next((formula for formula in formulas if formula.gives(figure)), None)


def _find_kinds(figure: WrittenFigure, sentence: str, words: frozenset[str]) -> frozenset[Kind]:
    """Return the operations that words ask for, or else the usual ones."""
    cued = {kind for kind, cues in _CUES.items() if cues & words}
    if figure.is_percentage:
        if _OF.match(sentence, figure.number.end):
            cued.add("share")
        cued &= {"share", "difference", "mean", "sum"}
        usual: set[Kind] = set() if cued & {"share", "difference", "mean"} else {"share", "difference"}
        return frozenset({*cued, *usual, "sum"})
    return frozenset({*cued, "sum"} if cued and figure.tolerance else {*cued, "sum", "difference"})


def _list_formulas(figure: WrittenFigure, sentence: str, cells: NamedCells) -> Iterator[CellFormula]:
    kinds = _find_kinds(figure, sentence, cells.words)
    yield from _convert(figure, cells)
    yield from _aggregate(kinds, figure, cells)
    pairs = [*_pair_in_rows(cells), *_pair_in_columns(cells)]
    if "difference" in kinds:
        yield from _subtract(figure, cells, pairs)
    if "share" in kinds:
        yield from _divide_by_whole(figure, cells)
        yield from _divide(figure, cells, [pair for pair in pairs if not _list_years(cells, pair)])
    if figure.is_percentage:
        return
    are_named = len(cells.named_columns) > 1
    if "ratio" in kinds or ("mean" in kinds and are_named):  # "the average size of a class"
        yield from _relate(cells, pairs)
    if "product" in kinds and are_named:
        yield from (
            build_formula(cells, f"{write_number(a)} × {write_number(b)}", a.number.amount * b.number.amount, (a, b))
            for a, b in pairs
            if a.row is b.row and a.column < b.column
        )
    if "count" in kinds:
        yield from _count(cells)


def _convert(figure: WrittenFigure, cells: NamedCells) -> Iterator[CellFormula]:
    """Yield the numbers of the cited rows: rounded, in the scale of the table, and fractions in per cent."""
    for row in cells.cited:
        for number in _list_numbers(cells, [row], cells.columns):
            amount, factor = number.number.amount, find_factor(cells, number)
            if figure.is_percentage and not number.is_percentage:
                if abs(amount) <= 1:
                    text = f"{write_number(number)} × 100 = {format_number(100 * amount)}"
                    yield CellFormula(text, 100 * amount, cells.table, (number,))
                continue
            if factor > 1:
                text = f"{write_number(number)} × {factor:,} = {format_number(amount * factor)}"
                yield CellFormula(text, amount * factor, cells.table, (number,))
            yield CellFormula(f"{write_number(number)}, rounded", amount, cells.table, (number,))


def _aggregate(kinds: frozenset[Kind], figure: WrittenFigure, cells: NamedCells) -> Iterator[CellFormula]:
    """Yield the sums and means of rows in one column, and of columns in one row."""
    lists = [_list_numbers(cells, rows, [n]) for rows in _list_row_sets(cells) for n in cells.columns]
    totals = [n for n in cells.stated_columns if cells.is_total(n)]
    parts = [n for n in cells.stated_columns if n not in totals]
    lists += [_list_numbers(cells, [row], columns) for row in cells.rows or cells.cited for columns in (parts, totals)]
    for numbers in lists:
        if not 2 <= len(numbers) <= MAX_TERMS or not may_give(figure, cells, numbers):
            continue
        terms, total = " + ".join(map(write_number, numbers)), sum((item.number.amount for item in numbers), Decimal(0))
        factor = find_common_factor(figure, cells, numbers)
        if "sum" in kinds:
            yield build_formula(cells, terms, total, numbers, factor=factor)
        if "mean" in kinds:
            mean = total / len(numbers)
            yield build_formula(cells, f"({terms}) ÷ {len(numbers)}", mean, numbers, factor=factor, is_divided=True)


def _list_row_sets(cells: NamedCells) -> list[list[TableRow]]:
    """Return sets of rows to sum up, each once: cited ones with and without totals, named ones, groups if none is."""
    data = [row for row in cells.cited if row.kind == "data"]
    groups = [] if any(row.kind == "data" for row in cells.rows) else cells.list_groups()
    sets = [list(cells.cited), data, cells.rows, *groups]
    return list({tuple(row.start for row in rows): rows for rows in sets if len(rows) > 1}.values())


def _list_numbers(cells: NamedCells, rows: Iterable[TableRow], columns: Sequence[int]) -> list[TableNumber]:
    """Return the numbers of rows in columns; a missing value is left out."""
    return [number for row in rows for n in columns if (number := cells.find_number(row, n)) is not None]


def _pair_in_rows(cells: NamedCells) -> Iterator[tuple[TableNumber, TableNumber]]:
    """Yield two numbers of a row that is named, or else cited."""
    if len(cells.columns) > MAX_UNNAMED and not cells.named_columns:
        return
    rows = cells.rows[:MAX_PAIRED] or (cells.cited if len(cells.cited) <= MAX_UNNAMED else ())
    for row in rows:
        for a, b in permutations(_list_numbers(cells, [row], cells.columns), 2):
            if cells.are_alike(a.column, b.column):
                yield a, b


def _pair_in_columns(cells: NamedCells) -> Iterator[tuple[TableNumber, TableNumber]]:
    """Yield two numbers of a column: of two named rows, of a named and a cited one, or of cited ones."""
    named = {row.start for row in cells.rows}
    others = [row for row in cells.cited if row.start not in named]
    rows = [*cells.rows[:MAX_PAIRED], *(others if len(named) < 2 and len(others) <= MAX_UNNAMED else ())]
    for column in cells.columns:
        for a, b in permutations(_list_numbers(cells, rows, [column]), 2):
            if len(named) != 1 or named & {a.row.start, b.row.start}:
                yield a, b


def _subtract(
    figure: WrittenFigure, cells: NamedCells, pairs: Iterable[tuple[TableNumber, TableNumber]]
) -> Iterator[CellFormula]:
    """Yield the differences of pairs, or in per cent their changes; of two years, from the earlier to the later one."""
    for a, b in pairs:
        years = _list_years(cells, (a, b))
        if years and years[0] < years[1] and not cells.words & _REVERSED:
            continue
        first, second = a.number.amount, b.number.amount
        if may_give(figure, cells, (a, b)):
            factor = find_common_factor(figure, cells, (a, b))
            yield build_formula(cells, f"{write_number(a)} − {write_number(b)}", first - second, (a, b), factor=factor)
        if figure.is_percentage and second:
            terms = f"({write_number(a)} − {write_number(b)}) ÷ {write_number(b)} × 100"
            yield build_formula(cells, terms, (first - second) / abs(second) * 100, (a, b))
            if not years and cells.words >= _THAN:  # "28 % drier than"
                terms = f"({write_number(b)} − {write_number(a)}) ÷ {write_number(b)} × 100"
                yield build_formula(cells, terms, (second - first) / abs(second) * 100, (b, a))


def _relate(cells: NamedCells, pairs: Iterable[tuple[TableNumber, TableNumber]]) -> Iterator[CellFormula]:
    """Yield the ratio of each pair, of numbers in the same scale."""
    for a, b in pairs:
        if not {a.column, b.column} <= {*cells.stated_columns}:
            continue
        first, second = a.number.amount, b.number.amount
        factor, other = find_factor(cells, a), find_factor(cells, b)
        if factor != other:
            first, second, factor = first * factor, second * other, 1
        if second:
            terms = f"{format_exactly(first)} ÷ {format_exactly(second)}"
            yield build_formula(cells, terms, first / second, (a, b), factor=factor, is_divided=True)


def _divide(
    figure: WrittenFigure, cells: NamedCells, pairs: Iterable[tuple[TableNumber, TableNumber]]
) -> Iterator[CellFormula]:
    """Yield the share of the first number of each pair in the second one, and of the rest if words ask for it."""
    stated = cells.stated_columns
    for a, b in pairs:
        if not b.number.amount or is_part(a) or a.column not in stated or b.column not in stated:
            continue
        if figure.is_percentage and cells.words & _REMAINING:
            terms = f"({write_number(b)} − {write_number(a)}) ÷ {write_number(b)} × 100"
            yield build_formula(cells, terms, 100 - a.number.amount / b.number.amount * 100, (b, a))
        yield _build_share(figure, cells, (a, b), b.number.amount, write_number(b))


def _divide_by_whole(figure: WrittenFigure, cells: NamedCells) -> Iterator[CellFormula]:
    """Yield the share of each named or cited row in the totals of the table or sums of its groups, and of columns."""
    rows = [row for row in cells.rows if row.kind == "data"] or [row for row in cells.cited if row.kind == "data"]
    for part in _list_numbers(cells, rows[:MAX_UNNAMED], cells.stated_columns):
        totals = _list_numbers(cells, cells.list_totals(), [part.column])
        wholes = [[total] for total in totals] or [
            _list_numbers(cells, group, [part.column]) for group in cells.list_groups()
        ]
        if len(cells.named_columns) == 1:
            wholes += [_list_numbers(cells, [part.row], columns) for columns in cells.list_wholes(part.column)]
        for numbers in wholes:
            whole = sum((item.number.amount for item in numbers), Decimal(0))
            if whole and not is_part(part) and len(numbers) <= MAX_TERMS and numbers != [part]:
                terms = " + ".join(map(write_number, numbers))
                others = (part, *(item for item in numbers if item != part))
                yield _build_share(figure, cells, others, whole, f"({terms})" if len(numbers) > 1 else terms)


def _build_share(
    figure: WrittenFigure, cells: NamedCells, numbers: Sequence[TableNumber], whole: Decimal, terms: str
) -> CellFormula:
    """Build the share of the first number in a whole, in per cent if the figure is, which ``terms`` are."""
    share, text = numbers[0].number.amount / whole, f"{write_number(numbers[0])} ÷ {terms}"
    if figure.is_percentage:
        return build_formula(cells, f"{text} × 100", share * 100, numbers)
    return build_formula(cells, text, share, numbers)


def _count(cells: NamedCells) -> Iterator[CellFormula]:
    """Yield how many rows are cited or named, or are in a group or in the table."""
    for rows in _list_row_sets(cells):
        counted = [number for row in rows for number in _list_numbers(cells, [row], cells.columns)[:1]]
        names = join_names([describe_row(row) for row in rows])
        yield CellFormula(f"{len(rows)} rows: {names}", Decimal(len(rows)), cells.table, tuple(counted))


def _list_years(cells: NamedCells, pair: tuple[TableNumber, TableNumber]) -> tuple[str, ...]:
    """Return the two different years of a pair, by its columns or by its rows; none if they are not of two years."""
    a, b = pair
    by_column = cells.find_year(a.column), cells.find_year(b.column)
    by_row = cells.find_row_year(a.row), cells.find_row_year(b.row)
    return next((years for years in (by_column, by_row) if all(years) and years[0] != years[1]), ())
