"""Tables of tests, written as lines with bars."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hopline.results import Evidence
from hopline.tables.grid import TableGrid, render_table
from hopline.tables.structure import infer_structure


def parse_cells(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the cells of lines with bars, without the line below the header."""
    rows = [line.strip().strip("|").split("|") for line in text.strip().splitlines() if line.strip().startswith("|")]
    return tuple(
        tuple(cell.strip() for cell in row)
        for row in rows
        if not all(set(cell) <= set(" -:") and "-" in cell for cell in row)
    )


def make_table_evidence(text: str, id: str = "t", document: str = "", **fields: Any) -> Evidence:
    """Return the evidence of a table; lines without bars are its first ones."""
    cells = parse_cells(text)
    above = "".join(f"{line}\n" for line in text.strip().splitlines() if not line.strip().startswith("|"))
    return Evidence(
        id, "table", fields.pop("score", 1.0), above + render_table(cells)[0], document, cells=cells, **fields
    )


def make_structured_table(text: str, **fields: Any) -> Evidence:
    """Return the evidence of a table with the caption and the structure that ingest stores with it."""
    table = make_table_evidence(text, **fields)
    caption = table.text.partition("|")[0].strip()
    return replace(table, caption=caption, structure=infer_structure(table.cells, caption))


def parse_grid(text: str) -> TableGrid:
    """Return the grid of a table with at least one row."""
    grid = make_table_evidence(text).grid
    assert grid is not None
    return grid
