"""The rows of a table with what stands around them."""

from __future__ import annotations

from typing import Final

from hopline.answering.answer_candidate import Offer
from hopline.answering.grid import Row, read_grid
from hopline.answering.text import Text, joined, read_text
from hopline.answering.unit import Around, Column, Layer, Unit, heading, named
from hopline.types import Evidence

_ELSEWHERE: Final = 0.3  # a name met in another row says little about this one
_PAGE: Final = 0.5  # what else stands on the page
_HEADLESS: Final = 0.7  # the same, where a table has lost its head


def table_units(evidence: Evidence, rank: int, around: Around) -> list[Unit]:
    """The rows of a table. A row with nothing but a label heads the rows below it."""
    grid = read_grid(evidence.text)
    width = max((len(row.cells) for row in (*grid.head, *grid.body)), default=0)
    heads = [read_text(grid.column(place)) for place in range(width)]
    texts = [read_text(evidence.text[row.start : row.end]) for row in grid.body]
    outer = (
        Layer("header", joined(heads), 1.0, 1.0),
        Layer("heading", read_text(heading(evidence)), 0.95, 0.9),
        Layer("page", read_text(around.before), _PAGE if evidence.caption and grid.head else _HEADLESS, 0.6),
        Layer("table", joined(texts), _ELSEWHERE, _ELSEWHERE),
        Layer("front", read_text(around.front), 0.9, 0.5),
    )
    units = []
    group = Text()
    for row, text in zip(grid.body, texts, strict=True):
        filled = [cell for cell in row.cells if cell.text]
        if len(filled) == 1:
            group = read_text(filled[0].text)
            continue
        mentions = tuple(one for one in around.mentions if row.start <= one.start and one.end <= row.end)
        own, names = Layer("own", text, 1.0, 1.0), Layer("names", named(mentions), 0.95, 0.9)
        layers = (own, names, Layer("group", group, 0.9, 0.9), *outer)
        units.append(Unit(evidence, rank, row.start, row.end, layers, mentions, _columns(row, heads)))
    return units


def _columns(row: Row, heads: list[Text]) -> tuple[Column, ...]:
    return tuple(Column(cell.start, cell.end, head) for cell, head in zip(row.cells, heads, strict=False))


def row_text(unit: Unit, offer: Offer | None) -> str:
    """A row in words: its caption and label, and the cell that was asked for with its header, or all of them."""
    grid = read_grid(unit.evidence.text)
    row = next(row for row in grid.body if row.start == unit.start)
    cells = [(place, cell) for place, cell in enumerate(row.cells) if place and cell.text]
    asked = [(n, cell) for n, cell in cells if offer and cell.start < offer.end and offer.start < cell.end]
    said = (": ".join(part for part in (grid.column(n), cell.text) if part) for n, cell in asked or cells)
    return " — ".join(part for part in (unit.evidence.caption, row.cells[0].text, "; ".join(said)) if part)
