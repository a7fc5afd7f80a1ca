"""Answers over tables: looked up and computed by `hopline.tables`, composed with citations of the cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.span_answer import RatedReading
from hopline.answering.table_scale import add_scale, find_table_scale
from hopline.flow.requests import Flow
from hopline.nlp.question_terms import find_unmatched
from hopline.reading.confidence import normalize_short, rate_readings
from hopline.reading.readable_text import heading
from hopline.reading.span_reading import read_evidence
from hopline.results import POSSIBLE, READER, Answer, Citation, Evidence, Sentence
from hopline.tables.answers import CitedCell, TableResult, TableSource, answer_over_tables
from hopline.tables.calculations import Calculation
from hopline.tables.grid import read_grid
from hopline.tables.operands import Operand, find_all_years, find_row, find_row_operands, find_year_operands
from hopline.tables.operations import SCALED, describe_calculation, describe_comparison
from hopline.tables.questions import CellReading
from hopline.tables.values import fits_question, read_number

SEARCHED: Final = 5  # evidence of which the tables are searched
MOSTLY: Final = 0.6  # probability of a computed answer from which the confidence in a cell that was read is limited
LOOKED_UP: Final = 0.5  # confidence, at most, in a cell that is found by words alone and is not what the reader finds
NAMED: Final = 0.9  # confidence in the only row that is labelled with the subject: of 69 on dev, 68 were right


def find_table_result(question: str, given: AnswerEvidence, rated: Sequence[RatedReading]) -> TableResult | None:
    """Find the likeliest answer over the tables among the first evidence."""
    readings = {item.reading.evidence.id: item.reading for item in rated if item.bridge is None}
    sources = [
        TableSource(table, heading(table), CellReading(reading.short, reading.score) if reading else None)
        for table in given.evidence[:SEARCHED]
        if table.kind == "table"
        for reading in [readings.get(table.id)]
    ]
    result = answer_over_tables(question, sources)
    return _limit_result(rated, result) if result else None


def limit_table_readings(
    question: str, rated: Sequence[RatedReading], result: TableResult | None
) -> list[RatedReading]:
    """Limit the confidence of what was read in tables, because the reader does not compute.

    No reading of a table is an answer if the likeliest result is computed, or if a number is asked for and it is none.
    In the table of the result, the confidence is at most the probability that the question asks for a cell, and in
    another cell than that of the result at most the probability that the result is wrong.
    """
    return [
        replace(item, confidence=min(item.confidence, _find_limit(question, item, result)))
        if item.reading.evidence.kind == "table"
        else item
        for item in rated
    ]


def _find_limit(question: str, item: RatedReading, result: TableResult | None) -> float:
    if not fits_question(question, item.reading.short):
        return 0.0
    if result is None:
        return 1.0
    if result.program.computed and (result.compares or result.probability >= POSSIBLE):
        return 0.0
    if item.reading.evidence.id != result.table.id:
        return 1.0
    limit = 1.0 if result.computed < MOSTLY else 1.0 - result.computed
    return limit if _agree(item, result) else min(limit, 1.0 - result.probability)


def _limit_result(rated: Sequence[RatedReading], result: TableResult) -> TableResult:
    """Limit the probability of a result that is only looked up and is not what the reader finds."""
    if result.program.computed or result.named or any(_agree(item, result) for item in rated):
        return result
    return replace(result, probability=min(result.probability, LOOKED_UP))


def _agree(item: RatedReading, result: TableResult) -> bool:
    return normalize_short(item.reading.short) == normalize_short(result.short)


def compose_table_answer(
    result: TableResult, given: AnswerEvidence, *, threshold: float, missing: tuple[str, ...] = ()
) -> Answer:
    """Compose the answer of a result, or an abstention with it as a possible answer if it is below ``threshold``."""
    table = result.table
    text = " — ".join(part for part in (table.caption, result.text) if part)
    if not result.program.formula:
        text = add_scale(text, result.values[0], find_table_scale(table, given))
    sentence = Sentence(text, _cite_cells(result.cells, table, given))
    sure = result.probability >= threshold
    return given.answer(
        (sentence,) if sure else (),
        short=result.short,
        confidence=result.probability,
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
            (item.cell.start, item.cell.end) if item.cell.text else None,
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
        any_column = not year and len(calculation.subjects) == 1
        if len(columns) == 1 or (columns and any_column):
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
    if operation in {"change", "percentage change", "difference"} and len(operands) != 2:
        return None
    computed = describe_comparison(operation, operands) or describe_calculation(operation, operands)
    if computed is None:
        return None
    short, formula = computed
    scale = find_table_scale(table, given) if operation in SCALED and not operands[0].percent else ""
    names = ", ".join(operand.name for operand in operands)
    label = operands[0].row.cells[0].text if len(calculation.subjects) == 1 else ""
    head = " — ".join(part for part in (table.caption, label, names) if part)
    citations = _cite_cells([CitedCell(operand.row, operand.cell) for operand in operands], table, given)
    sentence = Sentence(f"{head}: {formula} {scale}".strip(), citations)
    return given.answer((sentence,), short=f"{short} {scale}".strip(), confidence=confidence, written_by=READER)
