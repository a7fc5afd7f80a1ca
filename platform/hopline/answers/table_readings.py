"""Limits of what the reader finds in tables: cells of other rows, counts of other things, single summands.

The reader does not see all rows of a long table, and takes the next best cell if the right one is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopline.answers.expansion import UnitedTable
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading
from hopline.reader.reading import SpanReading
from hopline.results import Evidence
from hopline.tables.question import find_counted
from hopline.tables.typed_table import is_total_label, list_words, split_words
from hopline.text.words import read_word_list

MAX_DOUBTFUL: Final = 0.5  # confidence in a cell that the question does not name: below the usual threshold
_TOGETHER: Final = re.compile(r"\b(?:together|altogether|combined)\b", re.IGNORECASE)


def limit_doubtful_cells(
    question: QuestionAnalysis, readings: Sequence[RatedReading], united: Sequence[UnitedTable]
) -> list[RatedReading]:
    """Limit the confidence of cells of a row that the question does not name, of what it does not count or adds up.

    ``united`` are the long tables of whose parts cells were read.
    """
    wholes = {part.id: item.table for item in united for part in item.parts}
    return [
        replace(item, confidence=min(item.confidence, MAX_DOUBTFUL))
        if _is_doubtful(question, item.reading, wholes.get(item.reading.evidence.id, item.reading.evidence))
        else item
        for item in readings
    ]


def _is_doubtful(question: QuestionAnalysis, reading: SpanReading, table: Evidence) -> bool:
    if reading.evidence.kind != "table":
        return False
    is_other = _is_of_other_row(question, reading, table) or _counts_other_things(question, reading)
    return is_other or _adds_rows(question, reading)


def _adds_rows(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether the question asks for several amounts together, and the row that was read is no total."""
    grid = reading.evidence.grid
    row = grid.find_row(reading.start) if grid else None
    is_total = row is not None and any(is_total_label(cell.text) for cell in row.cells[:2])
    return bool(_TOGETHER.search(question.text)) and not is_total


def _is_of_other_row(question: QuestionAnalysis, reading: SpanReading, table: Evidence) -> bool:
    """Return whether the question has the label of a row of a table, and a cell of another row was read.

    A row that is before or behind the named one may be meant, and so may all rows if several are named.
    """
    part = reading.evidence.grid
    row = part.find_row(reading.start) if part else None
    words = split_words(question.text)
    is_beside = not set(list_words(question.text)).isdisjoint(read_word_list("neighbouring"))
    if table.grid is None or row is None or is_beside:
        return False
    labels = [(other, split_words(other.cells[0].text)) for other in table.grid.body if other.cells]
    named = [other for other, label in labels if label and _contains_words(words, label)]
    return len(named) == 1 and [cell.text for cell in named[0].cells] != [cell.text for cell in row.cells]


def _contains_words(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(tuple(words[n : n + len(part)]) == tuple(part) for n in range(len(words)))


def _counts_other_things(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether the question asks how many there are of what neither row, header nor caption says."""
    grid, counted = reading.evidence.grid, find_counted(question.text)
    if grid is None or not counted or question.answer_type != "number":
        return False
    row, column = grid.locate_cell(reading.start)
    header = grid.column(column) if column is not None else ""
    texts = (header, reading.evidence.caption, row.cells[0].text if row else "", reading.short)
    return not counted & {word for text in texts for word in split_words(text)}
