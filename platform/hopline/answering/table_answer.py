"""Answers over tables: looked up and computed by `hopline.tables`, composed with citations of the cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.flow.requests import Flow
from hopline.nlp.question_terms import find_unmatched
from hopline.reading.confidence import rate_readings
from hopline.reading.readable_text import heading
from hopline.reading.span_reading import read_evidence
from hopline.results import READER, Answer, Citation, Evidence, Sentence
from hopline.tables.answers import CitedCell, TableResult, answer_over_tables
from hopline.tables.calculations import Calculation
from hopline.tables.grid import read_grid
from hopline.tables.operands import Operand, find_all_years, find_row, find_row_operands, find_year_operands
from hopline.tables.operations import SCALED, describe_calculation, describe_comparison
from hopline.tables.values import find_scale, read_number

SEARCHED: Final = 5  # evidence of which the tables are searched
NAMED: Final = 0.9  # confidence in the only row that has exactly the words of the subject as its label
LINES_WITH_SCALE: Final = 6  # of a table
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_REMARK: Final = re.compile(r"\([^()]*\b(?:thousand|million|billion)s?\b[^()]*\)", re.IGNORECASE)


def find_table_result(question: str, given: AnswerEvidence) -> tuple[TableResult, Evidence] | None:
    """Find the likeliest answer over the tables among the first evidence, with its table."""
    tables = [evidence for evidence in given.evidence[:SEARCHED] if evidence.kind == "table"]
    result = answer_over_tables(question, [(heading(table), table.text) for table in tables])
    return (result, tables[result.table]) if result else None


def compose_table_answer(
    result: TableResult,
    table: Evidence,
    given: AnswerEvidence,
    *,
    threshold: float,
    limit: float = 1.0,
    missing: tuple[str, ...] = (),
) -> Answer:
    """Compose the answer of a result, or an abstention with it as a possible answer if it is below ``threshold``.

    ``limit`` is the highest confidence that the answer may have.
    """
    confidence = min(result.probability, limit)
    text = " — ".join(part for part in (table.caption, result.text) if part)
    if not result.program.formula:
        text = add_scale(text, result.values[0], find_table_scale(table, given))
    sentence = Sentence(text, _cite_cells(result.cells, table, given))
    sure = confidence >= threshold
    return given.answer(
        (sentence,) if sure else (),
        short=result.short,
        confidence=confidence,
        nearest=() if sure else (sentence,),
        missing=() if sure else missing,
    )


def _cite_cells(cells: Sequence[CitedCell], table: Evidence, given: AnswerEvidence) -> tuple[Citation, ...]:
    path = given.find_path(table.id)
    return tuple(
        Citation(
            table,
            table.text[item.row.start : item.row.end],
            item.row.start,
            item.row.end,
            path,
            (item.cell.start, item.cell.end),
        )
        for item in cells
    )


@dataclass(frozen=True, slots=True)
class _LocatedCell:
    """The cell of a table for a subject and a year, "" for any, and the confidence that it is this."""

    confidence: float
    table: Evidence
    start: int
    year: str


def compute_from_cells(calculation: Calculation, given: AnswerEvidence, *, threshold: float) -> Flow[Answer | None]:
    """Compute over cells of one table; None if a cell is missing or too unsure, or if the tables differ."""
    tables = [evidence for evidence in given.evidence if evidence.kind == "table"]
    cells: list[_LocatedCell] = []
    for subject in calculation.subjects:
        cell = _locate_by_label(calculation, subject, given)
        cell = cell or (yield from _locate_by_reader(calculation, subject, tables))
        if cell is None or cell.confidence < threshold:
            return None
        cells.append(cell)
    if len({cell.table.id for cell in cells}) > 1:
        return None
    operands = _find_operands(calculation, cells)
    confidence = min(cell.confidence for cell in cells)
    return _compose_calculation(calculation, operands, cells[0].table, confidence, given) if operands else None


def _locate_by_label(calculation: Calculation, subject: str, given: AnswerEvidence) -> _LocatedCell | None:
    """Locate a cell in the only row that is labelled with the subject; its document has all names of the question."""
    located = []
    year = calculation.years[-1] if calculation.years else ""
    for table in (evidence for evidence in given.evidence if evidence.kind == "table"):
        grid = read_grid(table.text)
        row = find_row(grid, subject)
        texts = [f"{heading(item)}\n{item.text}" for item in given.evidence if item.document == table.document]
        if row is None or find_unmatched(given.retrieval.question, texts):
            continue
        numbers = [n for n, cell in enumerate(row.cells) if n and read_number(cell.text) is not None]
        columns = [n for n in numbers if year in grid.column(n)]
        if len(columns) == 1 or (columns and not year):
            located.append(_LocatedCell(NAMED, table, row.cells[columns[0]].start, year))
    return located[0] if len(located) == 1 else None


def _locate_by_reader(calculation: Calculation, subject: str, tables: Sequence[Evidence]) -> Flow[_LocatedCell | None]:
    """Locate the cell that the reader is most sure of, for any of the years."""
    located = []
    for year in reversed(calculation.years or ("",)):
        question = calculation.ask(subject, year)
        readings = yield from read_evidence(question, tables)
        ratings = rate_readings(question, readings)
        located += [
            _LocatedCell(confidence, reading.evidence, reading.start, year)
            for reading, confidence in zip(readings, ratings, strict=True)
        ]
    return max(located, key=lambda cell: cell.confidence, default=None)


def _find_operands(calculation: Calculation, cells: Sequence[_LocatedCell]) -> list[Operand] | None:
    grid, first = read_grid(cells[0].table.text), cells[0]
    if len(cells) > 1:
        return find_row_operands(grid, [cell.start for cell in cells], first.year)
    if not calculation.years:
        return find_all_years(grid, first.start)
    return find_year_operands(grid, first.start, first.year, calculation.years)


def _compose_calculation(
    calculation: Calculation, operands: Sequence[Operand], table: Evidence, confidence: float, given: AnswerEvidence
) -> Answer | None:
    operation = calculation.operation
    if operation in {"change", "percentage change"} and len(operands) != 2:
        return None
    computed = describe_comparison(operation, operands) or describe_calculation(operation, operands)
    if computed is None:
        return None
    short, formula = computed
    scale = find_table_scale(table, given) if operation in SCALED and "%" not in operands[0].cell.text else ""
    names = ", ".join(operand.name for operand in operands)
    label = operands[0].row.cells[0].text if len(calculation.subjects) == 1 else ""
    head = " — ".join(part for part in (table.caption, label, names) if part)
    citations = _cite_cells([CitedCell(operand.row, operand.cell) for operand in operands], table, given)
    sentence = Sentence(f"{head}: {formula} {scale}".strip(), citations)
    return given.answer((sentence,), short=f"{short} {scale}".strip(), confidence=confidence, written_by=READER)


def find_table_scale(table: Evidence, given: AnswerEvidence) -> str:
    """Find the scale of a table's numbers: in its heading or first rows, or in brackets in passages beside it."""
    first_lines = "\n".join(table.text.split("\n")[:LINES_WITH_SCALE])
    own = find_scale(f"{table.caption}\n{first_lines}")
    if own:
        return own
    passages = [item for item in given.evidence if item.kind == "passage" and item.document == table.document]
    remarks = [remark for item in passages if item.section == table.section for remark in _REMARK.findall(item.text)]
    scales = {scale for remark in remarks if (scale := find_scale(remark))}
    return scales.pop() if len(scales) == 1 else ""


def add_scale(text: str, short: str, scale: str) -> str:
    """Add the scale of a table to a text about a number of it that is no share and no year."""
    is_amount = read_number(short) is not None and "%" not in short and not _YEAR.fullmatch(short)
    return f"{text} (in {scale}s)" if scale and is_amount else text
