"""Answers with rows of a table: one sentence for each row that a question for several things asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopline.answers.cells import CitedCell, TableResult, cite_result, join_header, join_parts
from hopline.answers.expansion import UnitedTable
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading
from hopline.reader.reading import SpanReading
from hopline.results import Retrieval, Sentence
from hopline.text.words import stem

AGREED: Final = 0.7  # confidence in rows that a question names all but for its verb, if the reader found one of them
MAX_CELLS: Final = 6  # of a row that are described
_VERBS: Final = frozenset({"VERB", "AUX"})


def rate_rows(question: QuestionAnalysis, result: TableResult, readings: Sequence[RatedReading]) -> float:
    """Return the confidence in rows.

    If the table has all words of the question but its verb, it is higher if the reader found one of the rows as well.
    """
    verbs = {stem(token.lower_) for token in question.parse if token.pos_ in _VERBS}
    lacks_verb = bool(result.unexplained) and verbs.issuperset(result.unexplained)
    is_read = lacks_verb and any(_is_in_rows(item.reading, result) for item in readings)
    return max(AGREED, result.probability) if is_read else result.probability


def _is_in_rows(reading: SpanReading, result: TableResult) -> bool:
    """Return whether a reading with a positive score is in one of the rows of a result."""
    grid = reading.evidence.grid
    row = grid.find_row(reading.start) if grid and reading.evidence.document == result.table.document else None
    texts = [[cell.text for cell in item.row.cells[: len(row.cells)]] for item in result.cells] if row else []
    return row is not None and reading.score > 0 and [cell.text for cell in row.cells] in texts


def quote_rows(
    retrieval: Retrieval, result: TableResult, united: Sequence[UnitedTable]
) -> tuple[Retrieval, list[Sentence]]:
    """Describe each row of a result in a sentence that cites it; parts of long tables are added to the retrieval."""
    retrieval, citations = cite_result(retrieval, result, united)
    pairs = zip(result.cells, citations, strict=True)
    return retrieval, [Sentence(_describe_row(result, cell), (citation,)) for cell, citation in pairs]


def _describe_row(result: TableResult, listed: CitedCell) -> str:
    """Describe a row: the caption of its table, the item that is listed, and its other cells with their headers."""
    grid = result.table.grid
    others = [
        join_header(grid.column(index) if grid else "", cell.text)
        for index, cell in enumerate(listed.row.cells)
        if cell.text and cell != listed.cell
    ]
    return join_parts(result.table.caption, listed.cell.text, "; ".join(others[:MAX_CELLS]))
