"""A table read from its text: header, rows and cells with their spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_FIGURE: Final = re.compile(r"[^\w]*\d[\d,.\s]*[^\w]*")
_YEARS: Final = re.compile(r"\D{0,3}(?:19|20)\d\d(?:\s*[-–/]\s*\d{1,4})?\D{0,3}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with its span in the evidence's text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table with its cells."""

    start: int
    end: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table read from its text: the rows that head the columns, and the others."""

    head: tuple[Row, ...]
    body: tuple[Row, ...]

    def column(self, place: int) -> str:
        """The header of a column, top down."""
        return " ".join(row.cells[place].text for row in self.head if place < len(row.cells))


def read_grid(text: str) -> Grid:
    """The grid of a table's text: lines that begin with a bar; the header is what stands before the first figures."""
    rows = [row for row in _rows(text) if any(set(cell.text) - set("-: ") for cell in row.cells)]
    first = next((n for n, row in enumerate(rows) if _has_figures(row)), 1)
    return Grid(tuple(rows[:first]), tuple(rows[first:]))


def _rows(text: str) -> Iterator[Row]:
    start = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if bare.startswith("|"):
            at = start + line.index("|")
            yield Row(at, at + len(bare), tuple(_cells(bare, at)))
        start += len(line)


def _cells(line: str, offset: int) -> Iterator[Cell]:
    place = 1
    while place < len(line):
        bar = line.find("|", place)
        while bar > 0 and line[bar - 1] == "\\":
            bar = line.find("|", bar + 1)
        bar = len(line) if bar < 0 else bar
        inner = line[place:bar]
        first = offset + place + len(inner) - len(inner.lstrip())
        if bar > place or place > 1:
            yield Cell(inner.strip(), first, first + len(inner.strip()))
        place = bar + 1


def _has_figures(row: Row) -> bool:
    """Whether a cell but the first is a figure; years head columns, and so do 1, 2, 3 …."""
    figures = [cell.text for cell in row.cells[1:] if _FIGURE.fullmatch(cell.text) and not _YEARS.fullmatch(cell.text)]
    return bool(figures) and figures != [str(n) for n in range(1, len(figures) + 1)]
