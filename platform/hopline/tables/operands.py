"""Cells of a calculation: the rows that its subjects name, under the years that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.tables.grid import Cell, TableGrid, TableRow
from hopline.tables.typed_table import split_words
from hopline.tables.values import read_number

MAX_YEARS: Final = 6
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_OWNER: Final = re.compile(r"^(?:the\s+)?\w+['’]s\s+")
_NAMELESS: Final = frozenset({"the", "of", "in", "and", "for", "to", "a", "an", "on", "at", "by", "with"})


@dataclass(frozen=True, slots=True)
class Operand:
    """A cell with its number, and what it is called: its year, or the label of its row.

    ``percent``: the cell, its label or its header says that it is a percentage.
    """

    name: str
    row: TableRow
    cell: Cell
    number: float
    percent: bool = False

    @property
    def text(self) -> str:
        """The text of the cell in one line."""
        return " ".join(self.cell.text.split())


def find_row(table: TableGrid, subject: str) -> TableRow | None:
    """Find the only row whose label has exactly the words of the subject, but for an owner; None if there is none."""
    words = _name(_OWNER.sub("", subject))
    rows = [row for row in table.body if row.cells and len(row.cells) > 1 and _name(row.cells[0].text) == words]
    filled = [row for row in rows if any(read_number(cell.text) is not None for cell in row.cells[1:])]
    return filled[0] if words and len(filled) == 1 else None


def make_operand(table: TableGrid, name: str, row: TableRow, column: int) -> Operand | None:
    """Make the operand of a cell; None if it is missing or has no number."""
    cell = row.cells[column] if column < len(row.cells) else None
    number = read_number(cell.text) if cell else None
    if cell is None or number is None:
        return None
    percent = any("%" in text for text in (cell.text, row.cells[0].text, table.column(column)))
    return Operand(name, row, cell, number, percent)


def _name(text: str) -> frozenset[str]:
    return frozenset(split_words(re.sub(r"\(\w{1,2}\)", "", text))) - _NAMELESS


def find_year_operands(table: TableGrid, start: int, year: str, years: Sequence[str]) -> list[Operand] | None:
    """Find the cells of all years: under their years in the row of the cell at ``start``, or beside them in its column.

    ``year`` is that of the cell at ``start``. None if a cell is missing, has no number, or is not the only one.
    """
    row, column = locate_cell(table, start)
    if row is None or column is None:
        return None
    if year in table.column(column):
        return _find_in_row(table, row, column, year, years)
    return _find_in_column(table, row, column, year, years)


def find_all_years(table: TableGrid, start: int) -> list[Operand] | None:
    """Find the cells of the row at ``start`` under headers with one year each, in the order of the years.

    None unless there are two years at least, all under different headers, each with a number.
    """
    row, _ = locate_cell(table, start)
    if row is None:
        return None
    years: dict[str, Operand] = {}
    for column in range(len(row.cells)):
        stated = set(_YEAR.findall(table.column(column)))
        operand = make_operand(table, min(stated, default=""), row, column)
        if len(stated) == 1 and operand is not None:
            if operand.name in years:
                return None
            years[operand.name] = operand
    return [years[year] for year in sorted(years)] if 2 <= len(years) <= MAX_YEARS else None


def find_row_operands(table: TableGrid, starts: Sequence[int], year: str) -> list[Operand] | None:
    """Find the cells of the rows at ``starts`` in one column: that of the year, or that of the first cell.

    None if the rows are the same, and if a cell has no number.
    """
    cells = [locate_cell(table, start) for start in starts]
    columns = [column for _, column in cells if column is not None and year in table.column(column)]
    if not columns or len({row.start for row, _ in cells if row}) < len(starts):
        return None
    operands = [make_operand(table, row.cells[0].text, row, columns[0]) for row, _ in cells if row]
    known = [operand for operand in operands if operand]
    return known if len(known) == len(starts) else None


def locate_cell(table: TableGrid, start: int) -> tuple[TableRow | None, int | None]:
    """Return the row and the column of the cell at ``start``; None for what is not there."""
    row = next((row for row in table.body if row.start <= start < row.end), None)
    cells = row.cells if row else ()
    return row, next((n for n, cell in enumerate(cells) if cell.start <= start < max(cell.end, cell.start + 1)), None)


def _find_in_row(table: TableGrid, row: TableRow, column: int, year: str, years: Sequence[str]) -> list[Operand] | None:
    header = table.column(column)
    operands = []
    for wanted in years:
        columns = [
            n for n, cell in enumerate(row.cells) if wanted in table.column(n) and read_number(cell.text) is not None
        ]
        same = [n for n in columns if table.column(n) == header.replace(year, wanted)]
        if not columns or (len(columns) > 1 and len(same) != 1):
            return None
        operands.append(make_operand(table, wanted, row, (same or columns)[0]))
    return [operand for operand in operands if operand]


def _find_in_column(
    table: TableGrid, row: TableRow, column: int, year: str, years: Sequence[str]
) -> list[Operand] | None:
    label = row.cells[0].text
    if column == 0 or year not in label:
        return None
    operands = []
    for wanted in years:
        rows = [
            other
            for other in table.body
            if other.cells and other.cells[0].text == label.replace(year, wanted) and column < len(other.cells)
        ]
        operand = make_operand(table, wanted, rows[0], column) if len(rows) == 1 else None
        if operand is None:
            return None
        operands.append(operand)
    return operands
