"""Parser of the text of a table into a grid: header, rows and cells with their spans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_FIGURE: Final = re.compile(r"[^\w]*\d[\d,.\s]*[^\w]*")
_VALUE: Final = re.compile(r"(?:.*[^\w.])?\d|[-−–—.:*]+$|n/?[am]\.?$", re.IGNORECASE | re.DOTALL)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_FOOTNOTE: Final = re.compile(r"\((?:\d{1,2}|[a-z])\)$")
_YEARS: Final = re.compile(r"\D{0,3}(?:19|20)\d\d(?:\s*[-–/]\s*\d{1,4})?\D{0,3}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with its span in the evidence's text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table with its cells."""

    start: int
    end: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class TableGrid:
    """The rows of a table: those of the header, and those of the body."""

    head: tuple[TableRow, ...]
    body: tuple[TableRow, ...]

    def column(self, index: int) -> str:
        """Return the header of a column: the texts of its cells in the header rows, from top to bottom."""
        texts = (row.cells[index].text for row in self.head if index < len(row.cells))
        return " ".join(text for text in texts if text)


def read_grid(text: str) -> TableGrid:
    """Parse the lines of a text that begin with a bar into the grid of a table.

    The header are the rows above the first figures, except for the label of a group.
    """
    rows = [row for row in _split_rows(text) if any(set(cell.text) - set("-: ") for cell in row.cells)]
    first = count_header_rows([[cell.text for cell in row.cells] for row in rows])
    return TableGrid(tuple(rows[:first]), tuple(rows[first:]))


def count_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Count the rows above the first figures that head columns; 1 if there are no figures.

    Rows of texts below a complete header, and the label of a group, belong to the body. A table of two columns whose
    first row has a value has no header: its rows are names with their values. ``rows`` are the texts of the cells, ""
    for an empty one.
    """
    if all(len(row) == 2 for row in rows) and rows and _is_value(rows[0][1]) and not _is_value(rows[0][0]):
        return 0
    first = next((n for n, row in enumerate(rows) if _has_figures(row)), 1)
    labelled = [n for n, row in enumerate(rows[:first]) if row[0] and not _is_label(row)]
    complete = [n for n, row in enumerate(rows[:first]) if all(row[1:])]
    if complete:
        texts = [n for n in labelled if n > complete[0]]
        has_values = any(_is_value(_FOOTNOTE.sub("", text)) for n in texts[:1] for text in rows[n][1:])
        if len(texts) > 1 or has_values:
            first = texts[0]
    else:
        first = min([first, *labelled[1:]])
    while first > 1 and _is_label(rows[first - 1]):
        first -= 1
    return first


def find_cell_of_year(table: TableGrid, start: int, question: str) -> Cell | None:
    """Find the cell that differs from the one at ``start`` only by its year, which is that of the question.

    If the question names one year, and the header of the cell's column another one, it is the cell of the same row
    under the same header with the question's year; likewise for rows whose labels are years. None if the cell at
    ``start`` is of the question's year, or if there is no such cell.
    """
    years = set(_YEAR.findall(question))
    row = next((row for row in table.body if row.start <= start < row.end), None)
    index = next((n for n, cell in enumerate(row.cells) if cell.start <= start < cell.end), None) if row else None
    if len(years) != 1 or row is None or not index:
        return None
    [year] = years
    header, label = table.column(index), row.cells[0].text
    if year in f"{header} {label}":
        return None
    if _YEAR.search(header):
        columns = [n for n in range(1, len(row.cells)) if year in table.column(n)]
        same = [n for n in columns if _YEAR.sub("", table.column(n)) == _YEAR.sub("", header)]
        return row.cells[same[0]] if len(same) == 1 else None
    if _YEAR.search(label):
        rows = [other for other in table.body if other.cells and year in other.cells[0].text]
        alike = [other for other in rows if _YEAR.sub("", other.cells[0].text) == _YEAR.sub("", label)]
        return alike[0].cells[index] if len(alike) == 1 and index < len(alike[0].cells) else None
    return None


def _split_rows(text: str) -> Iterator[TableRow]:
    start = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare.startswith("|"):
            at = start + line.index("|")
            yield TableRow(at, at + len(bare), tuple(_split_cells(bare, at)))
        start += len(line)


def _split_cells(line: str, offset: int) -> Iterator[Cell]:
    position = 1
    while position < len(line):
        bar = line.find("|", position)
        while bar > 0 and line[bar - 1] == "\\":
            bar = line.find("|", bar + 1)
        bar = len(line) if bar < 0 else bar
        inner = line[position:bar]
        first = offset + position + len(inner) - len(inner.lstrip())
        if bar > position or position > 1:
            yield Cell(inner.strip(), first, first + len(inner.strip()))
        position = bar + 1


def _is_label(row: Sequence[str]) -> bool:
    """Return whether only the first cell of a row has a text: the label of the rows below."""
    return len(row) > 1 and bool(row[0]) and not any(row[1:])


def _is_value(text: str) -> bool:
    """Return whether a text has a number and is not a year, or is a mark for no value."""
    return bool(_VALUE.match(text)) and not _YEARS.fullmatch(text)


def _has_figures(row: Sequence[str]) -> bool:
    """Return whether a cell after the first is a figure; years are headers of columns, and so are 1, 2, 3 …."""
    figures = [text for text in row[1:] if _FIGURE.fullmatch(text) and not _YEARS.fullmatch(text)]
    return bool(figures) and figures != [str(n) for n in range(1, len(figures) + 1)]
