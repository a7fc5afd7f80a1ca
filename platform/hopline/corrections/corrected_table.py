"""The properties of a table whose cells, header or caption are corrected, and these changes in another version."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Final

from hopline.corrections.corrected_passage import replace_searched_text
from hopline.corrections.text_edits import merge_edits
from hopline.tables.captions import read_table_number
from hopline.tables.grid import join_cells, render_table
from hopline.tables.structure import EMPTY_STRUCTURE, TableStructure, infer_structure

TABLE_PROPERTIES: Final = ("text", "caption", "number", "cells", "structure", "markdown", "lines", "search")
MIN_COMMON_CELLS: Final = 0.5  # of a row, without the corrected ones, in another version of the table

Rows = tuple[tuple[str, ...], ...]
Properties = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableCorrection:
    """What a table has instead of what was read: its cells, the number of its header rows, and its caption."""

    cells: Rows
    header_rows: int
    caption: str = ""

    def to_json(self) -> str:
        """Return the text that is stored with a correction."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> TableCorrection:
        """Read what `to_json` wrote."""
        data = json.loads(text)
        return cls(tuple(map(tuple, data["cells"])), data["header_rows"], data["caption"])


def read_table(properties: Properties) -> TableCorrection:
    """Return cells, number of header rows and caption of a stored table."""
    cells = tuple(map(tuple, json.loads(properties["cells"])))
    return TableCorrection(cells, _read_structure(properties).header_rows, properties["caption"])


def correct_table_content(properties: Properties, table: TableCorrection) -> dict[str, Any]:
    """Return `TABLE_PROPERTIES` with the content of ``table``, which has as many rows and columns as the stored one.

    The structure of rows and columns is inferred again; each cell keeps its box.
    """
    before = read_table(properties)
    markdown, _ = render_table(table.cells)
    return {
        "text": _join(table.caption, markdown),
        "caption": table.caption,
        "number": properties["number"] if table.caption == before.caption else read_table_number(table.caption),
        "cells": json.dumps(table.cells, ensure_ascii=False),
        "structure": json.dumps(_infer_structure(properties, before, table).to_dict(), ensure_ascii=False),
        "markdown": markdown,
        "lines": _move_cells(properties["lines"] or (), before, table),
        "search": replace_searched_text(
            properties["search"],
            _join(before.caption, join_cells(before.cells)),
            _join(table.caption, join_cells(table.cells)),
        ),
    }


def merge_table(
    original: TableCorrection, corrected: TableCorrection, current: TableCorrection
) -> TableCorrection | None:
    """Make the changes from ``original`` to ``corrected`` in another version of the table.

    A changed cell is found by the other cells of its row. None: a row with a changed cell is not there.
    """
    cells = [list(row) for row in current.cells]
    for number, (before, after) in enumerate(zip(original.cells, corrected.cells, strict=True)):
        changed = [column for column, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
        if not changed:
            continue
        target = _find_row(before, changed, number, current.cells)
        if target is None:
            return None
        for column in changed:
            cells[target][column] = after[column]
    caption = merge_edits(original.caption, corrected.caption, current.caption)
    header = corrected.header_rows - original.header_rows + current.header_rows
    if caption is None or not 0 <= header <= len(cells):
        return None
    return TableCorrection(tuple(map(tuple, cells)), header, caption)


def _find_row(row: Sequence[str], changed: Sequence[int], number: int, rows: Rows) -> int | None:
    """Find the row with most of the unchanged cells of a row, the nearest to its number if there are several."""
    unchanged = [column for column in range(len(row)) if column not in changed]

    def rate(other: Sequence[str]) -> float:
        if len(other) != len(row):
            return -1.0
        if not any(row[column] for column in unchanged):  # nothing but its place tells which row it is
            return float(other == tuple(row))
        return sum(row[column] == other[column] for column in unchanged) / len(unchanged)

    best = max(range(len(rows)), key=lambda n: (rate(rows[n]), -abs(n - number)), default=None)
    return best if best is not None and rate(rows[best]) >= MIN_COMMON_CELLS else None


def _infer_structure(properties: Properties, before: TableCorrection, table: TableCorrection) -> TableStructure:
    """Infer the structure of a corrected table; that of a table whose texts did not change is the stored one."""
    stored = _read_structure(properties)
    if table == before:
        return stored
    is_certain = infer_structure(before.cells, before.caption, columns_are_certain=True) == stored
    header = sum(any(map(str.strip, row)) for row in table.cells[: table.header_rows])
    return infer_structure(table.cells, table.caption, header, columns_are_certain=is_certain)


def _read_structure(properties: Properties) -> TableStructure:
    text = properties["structure"]
    if text:
        return TableStructure.from_dict(json.loads(text))
    cells = tuple(map(tuple, json.loads(properties["cells"])))
    return infer_structure(cells, properties["caption"]) if cells else EMPTY_STRUCTURE


def _move_cells(lines: Sequence[int], before: TableCorrection, table: TableCorrection) -> list[int]:
    """Return the spans of the same cells in the text of the corrected table."""
    old, new = _list_cell_spans(before), _list_cell_spans(table)
    moved = dict(zip(old, new, strict=True))
    return [end for span in [*pairwise(lines)][::2] for end in moved.get(span, (0, 0))]


def _list_cell_spans(table: TableCorrection) -> list[tuple[int, int]]:
    shift = len(table.caption) + 1 if table.caption else 0
    return [(start + shift, end + shift) for row in render_table(table.cells)[1] for start, end in row]


def _join(caption: str, text: str) -> str:
    return "\n".join(part for part in (caption, text) if part)
