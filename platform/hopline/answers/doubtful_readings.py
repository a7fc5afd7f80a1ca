"""Limits of what the reader finds: values of one of several things, or of other things than the question names.

The reader sees neither all rows of a long table nor the other value of a comparison, and takes the next best value if
the right one is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopline.answers.expansion import UnitedTable
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading
from hopline.reader.input import format_heading
from hopline.reader.negation import has_negation
from hopline.reader.reading import SpanReading
from hopline.results import Evidence
from hopline.tables.question import find_counted
from hopline.tables.typed_table import list_words, split_words
from hopline.text.values import YEAR, parse_number_word
from hopline.text.words import read_word_list, stem_content_words

MAX_DOUBTFUL: Final = 0.5  # confidence in a doubtful reading: below the usual threshold
MAX_BEFORE: Final = 200  # characters before a sentence that may name what it counts
_TOGETHER: Final = re.compile(r"\b(?:together|altogether|combined)\b", re.IGNORECASE)
_TOTAL: Final = re.compile(r"\b(?:together|altogether|combined|totals?|sum|in all|both)\b", re.IGNORECASE)
_OF: Final = re.compile(r"\bhow many (?:of|[\w\s]+\b(?:that|which|who))\b", re.IGNORECASE)
_PART_OF: Final = re.compile(
    r"\b(?P<part>\d[\d,.]*|[a-z-]+)\s+(?:out\s+)?of\s+(?:(?:the|its|our|their|all)\s+)?$", re.IGNORECASE
)
_COMPARED_YEAR: Final = re.compile(rf"\bthan\s+(?:in|for|during)?\s*(?P<year>{YEAR})\b")
_REMAINING: Final = re.compile(r"\b(?:still|left|remain(?:s|ed|ing)?|missing|lacking|unsold|vacant)\b", re.IGNORECASE)


def limit_doubtful_readings(
    question: QuestionAnalysis, readings: Sequence[RatedReading], united: Sequence[UnitedTable]
) -> list[RatedReading]:
    """Limit the confidence of readings that may be of something else than the question asks for.

    They are values of one thing where several are compared, numbers of other things than those counted, cells of a row
    that the question does not name, and single summands. ``united`` are the long tables of whose parts cells were read.
    """
    wholes = {part.id: item.table for item in united for part in item.parts}
    return [
        replace(item, confidence=min(item.confidence, MAX_DOUBTFUL))
        if _is_doubtful(question, item.reading, wholes.get(item.reading.evidence.id, item.reading.evidence))
        else item
        for item in readings
    ]


def _is_doubtful(question: QuestionAnalysis, reading: SpanReading, table: Evidence) -> bool:
    if _compares_one_thing(question, reading) or _counts_other_things(question, reading):
        return True
    if any(limits(question, reading) for limits in (_counts_whole, _is_used_part, _is_of_other_year)):
        return True
    if reading.evidence.kind != "table":
        return bool(_TOGETHER.search(question.text)) and not _TOTAL.search(reading.quote)
    return _is_of_other_row(question, reading, table) or _adds_rows(question, reading)


def _compares_one_thing(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether the question compares things, and the sentence or row that was read does not."""
    return bool(question.comparatives) and question.comparatives.isdisjoint(list_words(reading.quote))


def _counts_whole(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether the question asks how many things are so, and the sentence gives only how many there are.

    It is the whole of which a part is given ("Eleven of the 31"), or the sentence, the row and the headings have no
    word that is behind the verb of the question.
    """
    if question.answer_type != "number":
        return False
    verbs = [token.i for token in question.parse if token.tag_ in {"VBZ", "VBP", "VBD", "MD"}]
    predicate = stem_content_words(question.parse[verbs[-1] :].text) if verbs else frozenset[str]()
    before = reading.evidence.text[reading.sentence[0] : reading.start]
    is_whole = reading.evidence.kind != "table" and _is_part(before)
    stated = stem_content_words(f"{format_heading(reading.evidence)} {reading.quote}")
    return is_whole or (_OF.search(question.text) is not None and bool(predicate) and predicate.isdisjoint(stated))


def _is_part(before: str) -> bool:
    match = _PART_OF.search(before)
    return match is not None and (match["part"][0].isdigit() or parse_number_word(match["part"]) is not None)


def _is_of_other_year(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether the sentence compares with the only year of the question: "more than in 2022"."""
    compared = set(_COMPARED_YEAR.findall(reading.quote))
    return len(question.years) == 1 and compared == set(question.years) and reading.quote.count(question.years[0]) == 1


def _is_used_part(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether the question asks how many things are left or missing, and the sentence does not say it."""
    asks = question.answer_type == "number" and _REMAINING.search(question.text)
    grid = reading.evidence.grid
    _, column = grid.locate_cell(reading.start) if grid else (None, None)
    header = grid.column(column) if grid and column is not None else ""
    return bool(asks) and not _REMAINING.search(f"{header} {reading.quote}")


def _adds_rows(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether the question asks for several amounts together, and the row that was read is no total."""
    grid = reading.evidence.grid
    row = grid.find_row(reading.start) if grid else None
    return bool(_TOGETHER.search(question.text)) and not (row is not None and row.kind == "total")


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
    """Return whether the question asks how many there are of what the sentence, row and headings do not name.

    The things that are counted may be named by the sentence before. A sentence without a negation does not count what
    the question denies.
    """
    counted = find_counted(question.text)
    if not counted or question.answer_type != "number":
        return False
    grid = reading.evidence.grid
    if grid is None:
        text = reading.evidence.text
        before = text[max(0, reading.sentence[0] - MAX_BEFORE) : reading.sentence[0]]
        texts = [format_heading(reading.evidence), before, reading.quote]
        is_denied = has_negation(question.text) and not has_negation(reading.quote)
    else:
        row, column = grid.locate_cell(reading.start)
        header = grid.column(column) if column is not None else ""
        texts = [header, reading.evidence.caption, row.cells[0].text if row else "", reading.short]
        is_denied = False
    return is_denied or not counted & {word for text in texts for word in split_words(text)}
