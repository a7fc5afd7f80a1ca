"""Grids of tables: header rows, body rows and cells with their spans in the Markdown that a table is rendered to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hopline.text.values import FIRST_HEADER_YEAR, YEAR, find_years, is_year

Cells = Sequence[Sequence[str]]

_FIGURE: Final = re.compile(r"[^\w]*\d[\d,.\s]*[^\w]*")
_VALUE: Final = re.compile(r"(?:.*[^\w.])?\d|[-−–—.:*]+$|n/?[am]\.?$", re.IGNORECASE | re.DOTALL)
_NO_VALUE: Final = re.compile(r"[\s\-−–—.…·*]*|n/?a\.?|n\.\s?a\.?", re.IGNORECASE)
_FOOTNOTE: Final = re.compile(r"\((?:\d{1,2}|[a-z])\)$")
_YEARS: Final = re.compile(rf"\D{{0,3}}(?P<year>{YEAR})(?:\s*[-–/]\s*\d{{1,4}})?\D{{0,3}}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text in one line, and its span in the text of the table."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its cells, and the span of its line."""

    start: int
    end: int
    cells: tuple[Cell, ...]

    @property
    def is_group_label(self) -> bool:
        """Whether only the first of several cells has a text: the label of the rows below it."""
        return is_group_label([cell.text for cell in self.cells])


@dataclass(frozen=True, slots=True)
class TableGrid:
    """The rows of a table: those of the header, and those of the body."""

    head: tuple[TableRow, ...]
    body: tuple[TableRow, ...]

    def column(self, index: int) -> str:
        """Return the header of a column: the texts of its cells in the header rows, from top to bottom."""
        texts = (row.cells[index].text for row in self.head if index < len(row.cells))
        return " ".join(text for text in texts if text)

    def list_data_rows(self) -> Iterator[tuple[Cell | None, TableRow]]:
        """Yield the rows of the body that have values, each with the label of its group, None if it has none."""
        group: Cell | None = None
        for row in self.body:
            if row.is_group_label:
                group = row.cells[0]
            else:
                yield group, row

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


@lru_cache(maxsize=256)
def build_grid(text: str, cells: tuple[tuple[str, ...], ...]) -> TableGrid | None:
    """Build the grid of a table from its stored cells; None if ``text`` does not end with their rendering.

    Rows without any text are left out. The header are the rows above the first figures, except for the label of a
    group.
    """
    rendered, spans = render_table(cells)
    if not cells or not text.endswith(rendered):
        return None
    offset = len(text) - len(rendered)
    pairs = zip(cells, spans, strict=True)
    rows = [_build_row(row, row_spans, offset) for row, row_spans in pairs if any(map(str.strip, row))]
    first = count_header_rows([[cell.text for cell in row.cells] for row in rows])
    return TableGrid(tuple(rows[:first]), tuple(rows[first:]))


def _build_row(texts: Sequence[str], spans: Sequence[tuple[int, int]], offset: int) -> TableRow:
    """Build a row of cells whose spans leave out blanks at both ends; the line of a row begins and ends with a bar."""
    cells = []
    for text, (start, end) in zip(texts, spans, strict=True):
        before, behind = len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
        first = offset + start + (before if text.strip() else 0)
        cells.append(Cell(" ".join(text.split()), first, max(first, offset + end - behind)))
    return TableRow(offset + spans[0][0] - 2, offset + spans[-1][1] + 2, tuple(cells))


def count_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows above the first figures that head columns; 1 if there are no figures.

    Rows of texts below a complete header, and the label of a group, belong to the body. A table of two columns whose
    first row has a value has no header: its rows are names with their values. ``rows`` are the texts of the cells, ""
    for an empty one.
    """
    if all(len(row) == 2 for row in rows) and rows and _is_value(rows[0][1]) and not _is_value(rows[0][0]):
        return 0
    first = next((n for n, row in enumerate(rows) if _has_figures(row)), 1)
    labelled = [n for n, row in enumerate(rows[:first]) if row[0] and not is_group_label(row)]
    complete = [n for n, row in enumerate(rows[:first]) if all(row[1:])]
    if complete:
        texts = [n for n in labelled if n > complete[0]]
        has_values = any(_is_value(_FOOTNOTE.sub("", text)) for n in texts[:1] for text in rows[n][1:])
        if len(texts) > 1 or has_values:
            first = texts[0]
    else:
        first = min([first, *labelled[1:]])
    while first > 1 and is_group_label(rows[first - 1]):
        first -= 1
    return first


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


def is_group_label(texts: Sequence[str]) -> bool:
    """Return whether only the first of several cells of a row has a text: the label of the rows below it."""
    return len(texts) > 1 and bool(texts[0]) and not any(texts[1:])


def _remove_years(text: str) -> str:
    return re.sub("|".join(find_years(text, since=FIRST_HEADER_YEAR)) or "$^", "", text)


def has_value(text: str) -> bool:
    """Return whether a cell has a text that is no mark for a missing value: a dash, dots, or "n/a"."""
    return not _NO_VALUE.fullmatch(text)


def _is_years(text: str) -> bool:
    """Return whether a text is a year or a period of years, as in the header of a column."""
    match = _YEARS.fullmatch(text)
    return match is not None and is_year(match["year"], since=FIRST_HEADER_YEAR)


def _is_value(text: str) -> bool:
    """Return whether a text has a number and is not a year, or is a mark for no value."""
    return bool(_VALUE.match(text)) and not _is_years(text)


def _has_figures(row: Sequence[str]) -> bool:
    """Return whether a cell after the first is a figure; years are headers of columns, and so are 1, 2, 3 ….

    A colon between a name and its value is a sign of one, too.
    """
    if ":" in row[1:]:
        return True
    figures = [text for text in row[1:] if _FIGURE.fullmatch(text) and not _is_years(text)]
    return bool(figures) and figures != [str(n) for n in range(1, len(figures) + 1)]
