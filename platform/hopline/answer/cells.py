"""Tables: rows with their headers as what stands around them, and the cell that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hopline.answer.context import Around, Column, Layer, Text, Unit, heading, read_text
from hopline.answer.offer import Offer
from hopline.types import Evidence

_FIGURE: Final = re.compile(r"[^\w]*\d[\d,.\s]*[^\w]*")
_YEARS: Final = re.compile(r"\D{0,3}(?:19|20)\d\d(?:\s*[-–/]\s*\d{1,4})?\D{0,3}")
_FEW: Final = 0.3  # a name met in another row of the table says little about this one


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
    """Whether a cell but the first is a figure; years head columns, and so do 1, 2, 3 …"""
    figures = [cell.text for cell in row.cells[1:] if _FIGURE.fullmatch(cell.text) and not _YEARS.fullmatch(cell.text)]
    return bool(figures) and figures != [str(n) for n in range(1, len(figures) + 1)]


def table_units(evidence: Evidence, rank: int, around: Around) -> list[Unit]:
    """The rows of a table. A row with nothing but a label heads the rows below it."""
    grid = read_grid(evidence.text)
    head = read_text("\n".join(cell.text for row in grid.head for cell in row.cells))
    width = max((len(row.cells) for row in (*grid.head, *grid.body)), default=0)
    heads = [read_text(grid.column(n)) for n in range(width)]
    outer = [
        Layer("header", head, 1.0, 1.0),
        Layer("heading", read_text(heading(evidence)), 0.95, 0.9),
        Layer("table", read_text(evidence.text), _FEW, _FEW),
        Layer("front", read_text(around.front), 0.9, 0.5),
    ]
    units = []
    group = Text()
    for row in grid.body:
        filled = [cell for cell in row.cells if cell.text]
        if len(filled) == 1:
            group = read_text(filled[0].text)
        mentions = tuple(m for m in around.mentions if row.start <= m.start and m.end <= row.end)
        own = Layer("own", read_text(evidence.text[row.start : row.end]), 1.0, 1.0)
        layers = (own, Layer("group", group, 0.9, 0.9), *outer)
        columns = tuple(Column(c.start, c.end, heads[n]) for n, c in enumerate(row.cells) if n < len(heads))
        units.append(Unit(evidence, rank, row.start, row.end, layers, mentions, columns))
    return units


def row_text(unit: Unit, offer: Offer | None) -> str:
    """A row in words: its label, and the cell that was asked for with its header, or all of them."""
    grid = read_grid(unit.evidence.text)
    row = next(row for row in grid.body if row.start == unit.start)
    label = row.cells[0].text if row.cells else ""
    wanted = [
        n
        for n, cell in enumerate(row.cells)
        if n and cell.text and offer and cell.start < offer.end and offer.start < cell.end
    ]
    places = wanted or [n for n, cell in enumerate(row.cells) if n and cell.text]
    said = "; ".join(": ".join(part for part in (grid.column(n), row.cells[n].text) if part) for n in places)
    return " — ".join(part for part in (unit.evidence.caption, label, said) if part)
