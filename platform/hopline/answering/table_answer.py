"""Answers over tables: cells that are looked up, and results that are computed from cells, with citations of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from hopline.answering.composition import cite, compose_answer, demote_to_possible
from hopline.flow.requests import Flow
from hopline.reading.confidence import RatedReading, normalize_short
from hopline.reading.readable_text import format_heading
from hopline.reading.table_cells import find_operands, locate_cells
from hopline.results import POSSIBLE, READER, Answer, Citation, Evidence, Retrieval, Sentence
from hopline.tables.answers import CitedCell, TableResult, TableSource, answer_over_tables
from hopline.tables.calculations import parse_calculation
from hopline.tables.operations import SCALED, describe_operation
from hopline.tables.questions import CellReading
from hopline.tables.scale import add_scale, find_table_scale
from hopline.tables.values import fits_question

MAX_SEARCHED: Final = 5  # evidence of which the tables are searched
MIN_COMPUTED: Final = 0.6  # probability of a computed answer from which it limits cells that were read
MAX_LOOKED_UP: Final = 0.5  # confidence in a cell that is found by words alone and is not what the reader finds


def answer_calculation(question: str, retrieval: Retrieval, *, threshold: float) -> Flow[Answer | None]:
    """Answer a question for a calculation over cells of one table, for example for a change from year to year.

    None if the question asks for something else, if a cell is missing or has a confidence below ``threshold``, if the
    cells are of several tables, and if there is no result.
    """
    calculation = parse_calculation(question)
    if calculation is None:
        return None
    # the document has to have the names of all parts of the question: of the whole one, not of this part
    cells = yield from locate_cells(calculation, retrieval.question, retrieval.evidence, threshold=threshold)
    operands = find_operands(calculation, cells) if cells else None
    computed = describe_operation(calculation.operation, operands) if operands else None
    if not operands or not computed:
        return None
    short, formula = computed
    table = cells[0].table
    has_scale = calculation.operation in SCALED and not operands[0].percent
    scale = find_table_scale(table, retrieval.evidence) if has_scale else ""
    label = operands[0].row.cells[0].text if len(calculation.subjects) == 1 else ""
    text = f"{formula} {scale}".strip()
    head = _join(table.caption, label, ", ".join(operand.name for operand in operands))
    cited = _cite_cells(retrieval, table, [CitedCell(operand.row, operand.cell) for operand in operands])
    confidence = min(cell.confidence for cell in cells)
    return compose_answer(
        retrieval,
        (Sentence(f"{head}: {text}", cited),),
        short=f"{short} {scale}".strip(),
        confidence=confidence,
        written_by=READER,
    )


def find_table_result(question: str, retrieval: Retrieval, readings: Sequence[RatedReading]) -> TableResult | None:
    """Find the likeliest answer over the tables among the first evidence.

    The probability of a cell that is only looked up and is not what the reader finds is limited to `MAX_LOOKED_UP`.
    """
    direct = [item.reading for item in readings if not item.bridges]
    cells = {reading.evidence.id: CellReading(reading.short, reading.score) for reading in direct}
    tables = [item for item in retrieval.evidence[:MAX_SEARCHED] if item.kind == "table"]
    sources = [TableSource(table, format_heading(table), cells.get(table.id)) for table in tables]
    result = answer_over_tables(question, sources)
    if result is None or result.program.computed or result.named or any(_agree(item, result) for item in readings):
        return result
    return replace(result, probability=min(result.probability, MAX_LOOKED_UP))


def limit_table_readings(
    question: str, readings: Sequence[RatedReading], result: TableResult | None
) -> list[RatedReading]:
    """Limit the confidence of what was read in tables, because the reader does not compute.

    No reading of a table is an answer if the likeliest result is computed, or if the question asks for a number and it
    is none. In the table of the result, the confidence is at most the probability that the question asks for a cell,
    and in another cell than that of the result at most the probability that the result is wrong.
    """
    return [
        replace(item, confidence=min(item.confidence, _compute_limit(question, item, result)))
        if item.reading.evidence.kind == "table"
        else item
        for item in readings
    ]


def _compute_limit(question: str, item: RatedReading, result: TableResult | None) -> float:
    if not fits_question(question, item.reading.short):
        return 0.0
    if result is None:
        return 1.0
    if result.program.computed and (result.compares or result.probability >= POSSIBLE):
        return 0.0
    if item.reading.evidence.id != result.table.id:
        return 1.0
    limit = 1.0 if result.computed < MIN_COMPUTED else 1.0 - result.computed
    return limit if _agree(item, result) else min(limit, 1.0 - result.probability)


def _agree(item: RatedReading, result: TableResult) -> bool:
    return normalize_short(item.reading.short) == normalize_short(result.short)


def compose_table_answer(
    retrieval: Retrieval, result: TableResult, *, threshold: float, missing: tuple[str, ...] = ()
) -> Answer:
    """Compose the answer of a result, or an abstention with it as a possible answer if it is below ``threshold``."""
    table = result.table
    text = _join(table.caption, result.text)
    if not result.program.formula:
        text = add_scale(text, result.values[0], find_table_scale(table, retrieval.evidence))
    sentences = (Sentence(text, _cite_cells(retrieval, table, result.cells)),)
    answer = compose_answer(retrieval, sentences, short=result.short, confidence=result.probability)
    return answer if result.probability >= threshold else demote_to_possible(answer, missing=missing)


def _cite_cells(retrieval: Retrieval, table: Evidence, cells: Iterable[CitedCell]) -> tuple[Citation, ...]:
    """Cite the row of each cell, with the cell as the answer, unless it is empty."""
    return tuple(
        cite(
            retrieval,
            table,
            (item.row.start, item.row.end),
            answer=(item.cell.start, item.cell.end) if item.cell.text else None,
        )
        for item in cells
    )


def _join(*parts: str) -> str:
    return " — ".join(part for part in parts if part)
