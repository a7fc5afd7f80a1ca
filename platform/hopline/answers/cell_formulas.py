"""A formula over cells of a table: its text with the names of its rows and columns, and the unit of its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from hopline.answers.named_cells import NamedCells, TableNumber
from hopline.answers.written_figures import WrittenFigure
from hopline.answers.written_tables import describe_column, describe_row, find_column_scale
from hopline.results import Evidence
from hopline.text.values import SCALES, format_number

MAX_SHOWN: Final = 6  # names of rows or columns behind a formula
SMALL: Final = 3  # up to which a whole figure is no rounded mean


@dataclass(frozen=True, slots=True)
class CellFormula:
    """A formula over cells of a table, with its value in the unit of the cells; ``factor`` is the scale of the value.

    ``is_divided``: the value has decimals that a whole figure leaves out. A sum or difference of cells that are all
    negative, such as costs in brackets, may be written without its sign.
    """

    text: str
    value: Decimal
    table: Evidence
    cells: tuple[TableNumber, ...]
    factor: int = 1
    is_divided: bool = False

    def gives(self, figure: WrittenFigure) -> bool:
        """Whether the value is a figure, which may be in the scale of the table, in another one, or rounded."""
        if self.is_divided and figure.is_whole and abs(figure.number.value) > SMALL and not figure.number.scale:
            figure = figure.round()
        is_unsigned = all(item.number.amount < 0 for item in self.cells)
        values = (self.value, -self.value) if is_unsigned else (self.value,)
        return any(
            figure.is_close(value * self.factor, in_scale=False)
            or (not figure.number.scale and figure.is_close(value, in_scale=False))
            for value in values
        )


def build_formula(
    cells: NamedCells,
    terms: str,
    value: Decimal,
    numbers: Sequence[TableNumber],
    *,
    factor: int = 1,
    is_divided: bool = False,
) -> CellFormula:
    """Build a formula with the names of what its numbers have in common, and of what they differ by."""
    names = _name_cells(cells, numbers)
    text = f"{terms} = {format_number(value)}" + (f" ({names})" if names else "")
    return CellFormula(text, value, cells.table, tuple(numbers), factor, is_divided)


def _name_cells(cells: NamedCells, numbers: Sequence[TableNumber]) -> str:
    rows = list(dict.fromkeys(describe_row(item.row) for item in numbers))
    indices = dict.fromkeys(item.column for item in numbers)
    headers = [describe_column(cells.grid.columns[n]) for n in indices if n < len(cells.grid.columns)]
    common, names = (rows, headers) if len(rows) == 1 else (headers, rows)
    parts = (join_names(common), join_names(names))
    return ": ".join(filter(None, parts))


def join_names(names: Sequence[str]) -> str:
    """Join names of rows or columns, of which only the first are shown."""
    shown = [*names[:MAX_SHOWN], "…"] if len(names) > MAX_SHOWN else names
    return ", ".join(filter(None, shown))


def find_factor(cells: NamedCells, number: TableNumber) -> int:
    """Return the scale of a number that its column or caption states, 1 if the number has its own."""
    columns = cells.grid.columns
    scale = find_column_scale(columns[number.column]) if number.column < len(columns) else ""
    return 1 if number.number.scale or number.is_percentage else SCALES.get(scale, 1)


def find_common_factor(figure: WrittenFigure, cells: NamedCells, numbers: Sequence[TableNumber]) -> int:
    """Return the scale of a sum, difference or mean; fractions are in per cent if the figure is."""
    if figure.is_percentage:
        return 1 if all(item.is_percentage for item in numbers) else 100
    return find_factor(cells, numbers[0])


def may_give(figure: WrittenFigure, cells: NamedCells, numbers: Sequence[TableNumber]) -> bool:
    """Return whether a sum, difference or mean of numbers has one unit, that of a figure: per cent only of shares."""
    columns = {item.column for item in numbers}
    units = {unit for n in columns if n < len(cells.grid.columns) and (unit := cells.grid.columns[n].unit)}
    row_units = {item.row.unit for item in numbers} - {""}
    if max(len(units), len(row_units)) > 1 or not figure.is_percentage:
        return max(len(units), len(row_units)) < 2
    return all(item.is_percentage for item in numbers) or all(map(is_part, numbers))


def is_part(item: TableNumber) -> bool:
    """Return whether a number is a share: a percentage, or a fraction below 1."""
    return item.is_percentage or (abs(item.number.amount) < 1 and item.number.amount % 1 != 0)


def write_number(item: TableNumber) -> str:
    """Write the number of a cell with all of its decimals."""
    return format_exactly(item.number.amount)


def format_exactly(number: Decimal) -> str:
    """Format a number with separators, a true minus and all of its decimals but zeros."""
    return f"{number.normalize():,f}".replace("-", "−")
