"""Tables as text in prompts: one header with the path and scale of each column, and rows with their whole path.

"Cost of sales › Materials" is the row "Materials" below the row "Cost of sales", whose label is not repeated as a row;
"2023 › Q1" is the column "Q1" below the header "2023" of several columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hopline.reader.quotes import find_quote
from hopline.results import Evidence
from hopline.tables.grid import TableGrid, TableRow
from hopline.tables.structure import ColumnStructure
from hopline.text.measures import find_unit
from hopline.text.values import find_scale

MARK: Final = "**"  # around the reader's answer; ignored in quotes (`hopline.reader.quotes`)
STEP: Final = " › "  # between the labels of a path
STEPS: Final = re.compile(r"\s[›>]\s")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of a table in a prompt, and the span of the evidence that it shows."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """The lines of a table in a prompt: its caption and header, its rows, and the notes below them."""

    head: tuple[WrittenLine, ...]
    rows: tuple[WrittenLine, ...]
    notes: tuple[WrittenLine, ...] = ()

    def join(self) -> str:
        """Return all lines as one text."""
        return "\n".join(line.text for line in (*self.head, *self.rows, *self.notes))


def mark_span(text: str, span: Span) -> str:
    """Return a text with the reader's answer marked."""
    return f"{text[: span[0]]}{MARK}{text[slice(*span)]}{MARK}{text[span[1] :]}"


@lru_cache(maxsize=128)  # of the evidence of a question, of which each quote is searched in all
def write_table(evidence: Evidence, marked: Span | None = None) -> WrittenTable | None:
    """Write a table with the paths of its rows and columns, and a span of the evidence marked if it is in one cell.

    None for a passage, and for a table whose structure is not stored or not understood.
    """
    grid = evidence.grid
    if grid is None or evidence.structure is None or grid.problem:
        return None
    rows, text = (*grid.head, *grid.body), evidence.text
    caption = text[: rows[0].start].strip() if rows else text
    head = [WrittenLine(caption, (0, len(caption)))] if caption else []
    headers = [_escape(describe_column(column)) for column in grid.columns]
    if any(headers):
        line = f"{_join_cells(headers)}\n|{' --- |' * len(headers)}"
        head.append(WrittenLine(line, (rows[0].start, grid.head[-1].end) if grid.head else (0, 0)))
    named = {cell.text for row in grid.body for cell in row.outer}
    body = [
        WrittenLine(_join_cells(_list_texts(row, grid, text, marked)), (row.start, row.end))
        for row in grid.body
        if row.kind in {"data", "total"} or (row.kind == "group" and _join_texts(row) not in named)
    ]
    notes = [WrittenLine(_join_texts(row), (row.start, row.end)) for row in grid.body if row.kind == "note"]
    return WrittenTable(tuple(head), tuple(body), tuple(notes))


def describe_column(column: ColumnStructure) -> str:
    """Return the path of a column, with the scale that the caption states."""
    header, scale = STEP.join(column.path), find_column_scale(column)
    return header if not scale or find_scale(header) else f"{header} (in {scale}s)".strip()


def find_column_scale(column: ColumnStructure) -> str:
    """Return the scale of a column; that of the caption is not that of a unit in brackets, but for a currency."""
    header = " ".join(column.path)
    has_own_unit = bool(column.unit) and any(f"{a}{column.unit}{b}" in header for a, b in ("()", "[]"))
    is_money = "money" in {dimension for dimension, _ in find_unit(column.unit)}
    return "" if has_own_unit and not is_money and not find_scale(header) else column.scale


def describe_row(row: TableRow) -> str:
    """Return the path of a row."""
    return STEP.join(cell.text for cell in (*row.outer, *row.labels) if cell.text)


def _list_texts(row: TableRow, grid: TableGrid, text: str, marked: Span | None) -> Iterator[str]:
    """Yield the texts of a row, with its path before the first one and without gaps in its labels."""
    path = [cell.text for cell in row.outer]
    for index, cell in enumerate(row.cells):
        label = row.labels[index] if index < min(grid.label_columns, len(row.labels)) else cell
        if label.start != cell.start:
            shown = _escape(label.text)
        elif marked is not None and cell.start <= marked[0] and marked[1] <= cell.end:
            shown = mark_span(text[cell.start : cell.end], (marked[0] - cell.start, marked[1] - cell.start))
        else:
            shown = text[cell.start : cell.end]
        yield STEP.join(filter(None, (*map(_escape, path), shown))) if index == 0 else shown


def _join_texts(row: TableRow) -> str:
    return " ".join(dict.fromkeys(cell.text for cell in row.cells if cell.text))


def _join_cells(texts: Iterator[str] | Sequence[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


def find_quoted_lines(quote: str, evidence: Evidence) -> tuple[Span, ...]:
    """Return the spans of the evidence whose lines in the prompt repeat a quote word for word; empty if none do.

    A path may be quoted with ">" or bars between its labels.
    """
    table = write_table(evidence)
    if table is None:
        return ()
    text = STEPS.sub(" | ", table.join())
    spans, start = find_quote(STEPS.sub(" | ", quote), text), 0
    shown = []
    for line in (*table.head, *table.rows, *table.notes):
        end = start + len(line.text)
        if line.span[1] and any(first < end and start < last for first, last in spans):
            shown.append(line.span)
        start = end + 1
    return tuple(shown)
