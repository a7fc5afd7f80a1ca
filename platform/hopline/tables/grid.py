"""Grids of tables: header rows, body rows and cells with their spans in the Markdown that a table is rendered to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from hopline.tables.structure import (
    Cells,
    ColumnStructure,
    RowKind,
    TableStructure,
    fill_labels,
    infer_structure,
)
from hopline.text.values import FIRST_HEADER_YEAR, find_years

_NO_VALUE: Final = re.compile(r"[\s\-−–—.…·*]*|n/?a\.?|n\.\s?a\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text in one line, and its span in the text of the table."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its cells, the span of its line, its kind, and the cells with the labels of its path.

    ``outer`` are those of group rows and of less indented rows, the outermost first; one that is in another part of the
    table has an empty span. ``labels`` are the label cells of the row itself; for an empty one, the cell above it that
    stands for several rows. A row without values has none. ``unit`` is that of its values, if the table has a column of
    units.
    """

    start: int
    end: int
    cells: tuple[Cell, ...]
    kind: RowKind = "data"
    outer: tuple[Cell, ...] = ()
    labels: tuple[Cell, ...] = ()
    unit: str = ""

    @property
    def context(self) -> str:
        """The labels of the path that are not in the row itself, in one text."""
        own = {cell.start for cell in self.cells}
        labels = [*self.outer, *(cell for cell in self.labels if cell.start not in own)]
        return " › ".join(cell.text for cell in labels)


@dataclass(frozen=True, slots=True)
class TableGrid:
    """The rows of a table, those of the header and those of the body, and its columns; the first ones name the rows.

    ``problem`` says why the table is not understood, "" if it is (`hopline.tables.structure.TableStructure`).
    """

    head: tuple[TableRow, ...]
    body: tuple[TableRow, ...]
    columns: tuple[ColumnStructure, ...] = ()
    label_columns: int = 1
    problem: str = ""

    def column(self, index: int) -> str:
        """Return the header of a column: the texts of its cells in the header rows, from top to bottom, each once."""
        return " ".join(self.columns[index].path) if index < len(self.columns) else ""

    def list_data_rows(self) -> Iterator[TableRow]:
        """Yield the rows of the body that have values."""
        return (row for row in self.body if row.kind in {"data", "total"})

    def find_row(self, start: int) -> TableRow | None:
        """Find the row of the body with the character at ``start``."""
        return next((row for row in self.body if row.start <= start < row.end), None)

    def locate_cell(self, start: int) -> tuple[TableRow | None, int | None]:
        """Return the row and the column of the cell at ``start``; None for what is not there."""
        row = self.find_row(start)
        cells = row.cells if row else ()
        columns = (n for n, cell in enumerate(cells) if cell.start <= start < max(cell.end, cell.start + 1))
        return row, next(columns, None)


def render_table(cells: Cells) -> tuple[str, list[list[tuple[int, int]]]]:
    """Render a table as Markdown with its first row as the header; returns the text, and the span of each cell in it.

    Bars in cells are escaped, and line breaks become blanks.
    """
    text = ""
    spans: list[list[tuple[int, int]]] = []
    for number, row in enumerate(cells):
        text += "\n" if number else ""
        if number == 1:
            text += "|" + " --- |" * len(cells[0]) + "\n"
        text += "| "
        spans.append([])
        for column, cell in enumerate(row):
            escaped = cell.replace("|", "\\|").replace("\n", " ")
            text += " | " if column else ""
            spans[-1].append((len(text), len(text) + len(escaped)))
            text += escaped
        text += " |"
    if len(cells) == 1:
        text += "\n|" + " --- |" * len(cells[0])
    return text, spans


def join_cells(cells: Cells) -> str:
    """Return the text of a table to index: a line for each row; a text that adjacent cells repeat counts once."""
    return "\n".join(" ".join(cell for cell, _ in groupby(row) if cell) for row in cells)


@lru_cache(maxsize=256)
def build_grid(
    text: str, cells: tuple[tuple[str, ...], ...], structure: TableStructure | None = None
) -> TableGrid | None:
    """Build the grid of a table from its stored cells; None if ``text`` does not end with their rendering.

    Rows without any text are left out. A ``structure`` that is not stored is inferred.
    """
    rendered, spans = render_table(cells)
    if not cells or not text.endswith(rendered):
        return None
    offset = len(text) - len(rendered)
    structure = structure or infer_structure(cells, text[:offset].strip())
    count = structure.label_columns
    rows: list[TableRow] = []
    labels: list[Cell] = []
    above: dict[str, Cell] = {}  # the last cell with each label
    for row, row_spans, item in zip(cells, spans, structure.rows, strict=True):
        if not any(map(str.strip, row)):
            continue
        built = _build_cells(row, row_spans, offset)
        start, end = offset + row_spans[0][0] - 2, offset + row_spans[-1][1] + 2  # of the line, with its bars
        labels = _fill_label_cells(built[:count], labels) if item.path else []
        inner = sum(bool(cell.text) for cell in labels[:-1])
        outer = tuple(above.get(text, Cell(text, start, start)) for text in item.path[: len(item.path) - 1 - inner])
        rows.append(TableRow(start, end, built, item.kind, outer if item.path else (), tuple(labels), item.unit))
        if item.kind != "header":
            above |= {cell.text: cell for cell in (built if item.kind == "group" else built[:count])}
    first = next((n for n, row in enumerate(rows) if row.kind != "header"), len(rows))
    return TableGrid(tuple(rows[:first]), tuple(rows[first:]), structure.columns, count, structure.problem)


def _build_cells(texts: Sequence[str], spans: Sequence[tuple[int, int]], offset: int) -> tuple[Cell, ...]:
    """Build the cells of a row; their spans leave out blanks at both ends."""
    cells = []
    for text, (start, end) in zip(texts, spans, strict=True):
        before, behind = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
        first = offset + start + (before if text.strip() else 0)
        cells.append(Cell(" ".join(text.split()), first, max(first, offset + end - behind)))
    return tuple(cells)


def _fill_label_cells(labels: Sequence[Cell], before: Sequence[Cell]) -> list[Cell]:
    """Return the label cells of a row; an empty one stands for the one above, as in `fill_labels`."""
    names = fill_labels([cell.text for cell in labels], [cell.text for cell in before] or [""] * len(labels))
    return [
        before[n] if name and not cell.text else cell for n, (cell, name) in enumerate(zip(labels, names, strict=True))
    ]


def find_cell_of_year(table: TableGrid, start: int, years: Sequence[str]) -> Cell | None:
    """Find the cell that differs from the one at ``start`` only by its year, which is the only one of ``years``.

    If the header of the cell's column has another year, it is the cell of the same row under the same header with this
    year; likewise for rows whose labels are years. None if the cell at ``start`` is of this year, if there is no such
    cell, and unless there is one year.
    """
    row, index = table.locate_cell(start)
    if len(years) != 1 or row is None or not index:
        return None
    [year] = years
    header, label = table.column(index), row.cells[0].text
    if year in f"{header} {label}":
        return None
    if find_years(header, since=FIRST_HEADER_YEAR):
        columns = [n for n in range(1, len(row.cells)) if year in table.column(n)]
        same = [n for n in columns if _remove_years(table.column(n)) == _remove_years(header)]
        return row.cells[same[0]] if len(same) == 1 else None
    if find_years(label, since=FIRST_HEADER_YEAR):
        rows = [other for other in table.body if other.cells and year in other.cells[0].text]
        alike = [other for other in rows if _remove_years(other.cells[0].text) == _remove_years(label)]
        return alike[0].cells[index] if len(alike) == 1 and index < len(alike[0].cells) else None
    return None


def _remove_years(text: str) -> str:
    return re.sub("|".join(find_years(text, since=FIRST_HEADER_YEAR)) or "$^", "", text)


def has_value(text: str) -> bool:
    """Return whether a cell has a text that is no mark for a missing value: a dash, dots, or "n/a"."""
    return not _NO_VALUE.fullmatch(text)
