"""Operations over cells of a table, each with its formula; the cells are found by the labels of rows and by years."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from hopline.tables.grid import Cell, TableGrid, TableRow
from hopline.tables.typed_table import split_words
from hopline.text.values import FIRST_HEADER_YEAR, find_years, format_number, parse_number

Operation = Literal[
    "percentage change", "change", "average", "sum", "difference", "ratio", "percentage",
    "increase", "decrease", "largest", "smallest",
]  # fmt: skip

PERCENT: Final = frozenset({"percentage", "percentage change"})
PAIRED: Final = frozenset({"change", "percentage change", "difference"})  # of exactly two operands
# results with the scale or unit of the numbers
SCALED: Final = frozenset({"change", "average", "sum", "difference"})
MAX_YEARS: Final = 6
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
    number: Decimal
    percent: bool = False

    @property
    def text(self) -> str:
        """The text of the cell."""
        return self.cell.text


def find_row(table: TableGrid, subject: str) -> TableRow | None:
    """Find the only row whose label has exactly the words of the subject, but for an owner; None if there is none."""
    words = _name(_OWNER.sub("", subject))
    rows = [row for row in table.body if row.cells and len(row.cells) > 1 and _name(row.cells[0].text) == words]
    filled = [row for row in rows if any(parse_number(cell.text) is not None for cell in row.cells[1:])]
    return filled[0] if words and len(filled) == 1 else None


def make_operand(table: TableGrid, name: str, row: TableRow, column: int) -> Operand | None:
    """Make the operand of a cell; None if it is missing or has no number."""
    cell = row.cells[column] if column < len(row.cells) else None
    number = parse_number(cell.text) if cell else None
    if cell is None or number is None:
        return None
    percent = any("%" in text for text in (cell.text, row.cells[0].text, table.column(column)))
    return Operand(name, row, cell, number.amount, percent)


def _name(text: str) -> frozenset[str]:
    return frozenset(split_words(re.sub(r"\(\w{1,2}\)", "", text))) - _NAMELESS


def find_year_operands(table: TableGrid, start: int, year: str, years: Sequence[str]) -> list[Operand] | None:
    """Find the cells of all years: under their years in the row of the cell at ``start``, or beside them in its column.

    ``year`` is that of the cell at ``start``. None if a cell is missing, has no number, or is not the only one.
    """
    row, column = table.locate_cell(start)
    if row is None or column is None:
        return None
    if year in table.column(column):
        return _find_in_row(table, row, column, year, years)
    return _find_in_column(table, row, column, year, years)


def find_all_years(table: TableGrid, start: int) -> list[Operand] | None:
    """Find the cells of the row at ``start`` under headers with one year each, in the order of the years.

    None unless there are two years at least, all under different headers, each with a number.
    """
    row, _ = table.locate_cell(start)
    if row is None:
        return None
    years: dict[str, Operand] = {}
    for column in range(len(row.cells)):
        stated = set(find_years(table.column(column), since=FIRST_HEADER_YEAR))
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
    cells = [table.locate_cell(start) for start in starts]
    columns = [column for _, column in cells if column is not None and year in table.column(column)]
    if not columns or len({row.start for row, _ in cells if row}) < len(starts):
        return None
    operands = [make_operand(table, row.cells[0].text, row, columns[0]) for row, _ in cells if row]
    known = [operand for operand in operands if operand]
    return known if len(known) == len(starts) else None


def _find_in_row(table: TableGrid, row: TableRow, column: int, year: str, years: Sequence[str]) -> list[Operand] | None:
    header = table.column(column)
    operands = []
    for wanted in years:
        columns = [
            n for n, cell in enumerate(row.cells) if wanted in table.column(n) and parse_number(cell.text) is not None
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


def calculate(operation: Operation, numbers: Sequence[Decimal]) -> Decimal | None:
    """Apply an operation to numbers, those of years in ascending order; None for a division by zero.

    A difference of two things has no sign, a change from year to year has one. The number of a comparison is the
    difference of the last and the first.
    """
    first, last = numbers[0], numbers[-1]
    divisors = {"percentage change": first, "ratio": last, "percentage": last}
    if not divisors.get(operation, 1):
        return None
    results = {
        "average": sum(numbers, Decimal()) / len(numbers),
        "sum": sum(numbers, Decimal()),
        "difference": abs(first - last),
        "ratio": first / (last or 1),
        "percentage": 100 * first / (last or 1),
        "percentage change": 100 * (last - first) / (abs(first) or 1),
    }
    return results.get(operation, last - first)


def describe_operation(operation: Operation, operands: Sequence[Operand]) -> tuple[str, str] | None:
    """Return the result of an operation as a text, and its formula over the texts of the cells.

    None if there is no result: a division by zero, a tie of the largest values, or a difference of more than two cells.
    """
    if operation in PAIRED and len(operands) != 2:
        return None
    return describe_comparison(operation, operands) or describe_calculation(operation, operands)


def describe_calculation(operation: Operation, operands: Sequence[Operand]) -> tuple[str, str] | None:
    """Return the result as a text, and the formula over the texts of the cells; None if there is no result."""
    result = calculate(operation, [operand.number for operand in operands])
    if result is None:
        return None
    texts = [operand.text for operand in operands]
    first, last = texts[0], texts[-1]
    in_percent = operation in PERCENT or (operation in SCALED and all(operand.percent for operand in operands))
    short = format_number(result) + ("%" if in_percent else "")
    formulas = {
        "percentage change": f"({last} − {first}) / {first}",
        "percentage": f"{first} / {last}",
        "ratio": f"{first} / {last}",
        "average": f"({' + '.join(texts)}) / {len(texts)}",
        "sum": " + ".join(texts),
        "difference": f"{first} − {last}" if operands[0].number >= operands[-1].number else f"{last} − {first}",
    }
    return short, f"{formulas.get(operation, f'{last} − {first}')} = {short}"


def describe_comparison(operation: Operation, operands: Sequence[Operand]) -> tuple[str, str] | None:
    """Return the verdict or year of a comparison, and the compared cells; None for other operations and for ties."""
    first, last = operands[0], operands[-1]
    if operation in {"increase", "decrease"}:
        difference = last.number - first.number
        sign = ">" if difference > 0 else "<" if difference < 0 else "="
        verdict = "yes" if sign == (">" if operation == "increase" else "<") else "no"
        return verdict, f"{last.text} in {last.name} {sign} {first.text} in {first.name}"
    if operation in {"largest", "smallest"}:
        ranked = sorted(operands, key=lambda operand: operand.number, reverse=operation == "largest")
        if ranked[0].number == ranked[1].number:
            return None
        sign = " > " if operation == "largest" else " < "
        return ranked[0].name, sign.join(f"{operand.text} in {operand.name}" for operand in ranked)
    return None
