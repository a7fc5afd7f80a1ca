"""Cells of tables: located for a calculation by the labels of rows or by the reader, and described in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.flow.requests import Flow
from hopline.nlp.question_terms import find_unmatched
from hopline.reading.confidence import read_with_confidence
from hopline.reading.readable_text import format_with_heading
from hopline.reading.span_reading import SpanReading
from hopline.results import Evidence
from hopline.tables.calculations import Calculation
from hopline.tables.grid import read_grid
from hopline.tables.operands import Operand, find_all_years, find_row, find_row_operands, find_year_operands
from hopline.tables.values import read_number

LABEL_CONFIDENCE: Final = 0.9  # in the only row that is labelled with the subject: of 69 on dev, 68 were right


@dataclass(frozen=True, slots=True)
class LocatedCell:
    """The cell of a table for a subject and a year, "" for any, and the confidence, in [0, 1], that it is this cell."""

    confidence: float
    table: Evidence
    start: int
    year: str


def locate_cells(
    calculation: Calculation, question: str, evidence: Sequence[Evidence], *, threshold: float
) -> Flow[list[LocatedCell]]:
    """Locate one cell for each subject of a calculation: by the label of its row, or else by the reader.

    Empty if a subject has no cell with at least the confidence ``threshold``, or if the cells are in several tables.
    """
    cells: list[LocatedCell] = []
    for subject in calculation.subjects:
        cell = _locate_by_label(calculation, subject, question, evidence)
        cell = cell or (yield from _locate_by_reader(calculation, subject, evidence))
        if cell is None or cell.confidence < threshold:
            return []
        cells.append(cell)
    return cells if len({cell.table.id for cell in cells}) == 1 else []


def _locate_by_label(
    calculation: Calculation, subject: str, question: str, evidence: Sequence[Evidence]
) -> LocatedCell | None:
    """Locate a cell in the only row that is labelled with the subject; its document has all names of the question."""
    located = []
    year = calculation.years[-1] if calculation.years else ""
    for table in (item for item in evidence if item.kind == "table"):
        grid = read_grid(table.text)
        row = find_row(grid, subject)
        texts = [format_with_heading(item) for item in evidence if item.document == table.document]
        if row is None or find_unmatched(question, texts):
            continue
        numbers = [n for n, cell in enumerate(row.cells) if n and read_number(cell.text) is not None]
        columns = [n for n in numbers if year in grid.column(n)]
        any_column = not year and len(calculation.subjects) == 1
        if len(columns) == 1 or (columns and any_column):
            located.append(LocatedCell(LABEL_CONFIDENCE, table, row.cells[columns[0]].start, year))
    return located[0] if len(located) == 1 else None


def _locate_by_reader(calculation: Calculation, subject: str, evidence: Sequence[Evidence]) -> Flow[LocatedCell | None]:
    """Locate the cell in which the reader has the highest confidence, for any of the years."""
    tables = [item for item in evidence if item.kind == "table"]
    located = []
    for year in reversed(calculation.years or ("",)):
        readings = yield from read_with_confidence(calculation.ask(subject, year), tables)
        located += [LocatedCell(item.confidence, item.reading.evidence, item.reading.start, year) for item in readings]
    return max(located, key=lambda cell: cell.confidence, default=None)


def find_operands(calculation: Calculation, cells: Sequence[LocatedCell]) -> list[Operand] | None:
    """Find all cells that a calculation needs, from those that were located; None if there are other or no numbers."""
    grid, first = read_grid(cells[0].table.text), cells[0]
    if len(cells) > 1:
        return find_row_operands(grid, [cell.start for cell in cells], first.year)
    if not calculation.years:
        return find_all_years(grid, first.start)
    return find_year_operands(grid, first.start, first.year, calculation.years)


def describe_cell(reading: SpanReading) -> str:
    """Describe a cell that was read: caption of its table, label of its row, header of its column, and its text.

    The label itself is described with the other cells of its row.
    """
    table = read_grid(reading.evidence.text)
    row = next((row for row in table.body if row.start <= reading.start < row.end), None)
    if row is None:
        return " ".join(reading.quote.split())
    label = next((cell.text for cell in row.cells if cell.text), "")
    shown = [cell for cell in row.cells if cell.start < reading.end and reading.start < cell.end]
    if [cell.text for cell in shown] == [label]:
        shown = [cell for cell in row.cells if cell.text != label]
    values = [
        ": ".join(part for part in (table.column(index), cell.text) if part)
        for index, cell in enumerate(row.cells)
        if cell.text and cell in shown
    ]
    return " — ".join(part for part in dict.fromkeys((reading.evidence.caption, label, "; ".join(values))) if part)
