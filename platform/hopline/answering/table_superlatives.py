"""The row with the largest or smallest value of a column, for questions like "Which port had the highest output?".

It is exact, and answers only if every word of the measure, and the year, is in the header of one column. No reader is
asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.nlp.question_terms import find_content_words, find_unmatched
from hopline.nlp.stemmer import stem
from hopline.reading.readable_text import heading
from hopline.reading.table_grid import Cell, ParsedTable, TableRow, read_grid, read_number
from hopline.types import Answer, Citation, Evidence, Sentence

MIN_ROWS: Final = 3
MIN_NUMBERS: Final = 0.8  # share of the rows with a number in the column
EVIDENCE: Final = 5  # of which the tables are searched
_LARGEST: Final = ("highest", "largest", "biggest", "greatest", "most", "maximum")
_SMALLEST: Final = ("lowest", "smallest", "least", "fewest", "minimum")
_WORDS: Final = "|".join((*_LARGEST, *_SMALLEST))
_WHICH: Final = re.compile(
    rf"(?:which|what|who)\b(?P<label>(?: (?!(?:is|was|were|are)\b)[\w-]+){{0,4}}?) (?:\w+ )??(?:the )?"
    rf"(?P<word>{_WORDS}) (?P<measure>[^?]+)",
    re.IGNORECASE,
)
_VALUE: Final = re.compile(rf"what (?:is|was|were|are) the (?P<word>{_WORDS}) (?P<measure>[^?]+)", re.IGNORECASE)
_REST: Final = re.compile(r"\b(?:in|for|of|among|during|on|at|across|between|by|within|from|as)\b", re.IGNORECASE)
_GENERAL: Final = frozenset({"number", "amount", "total", "value", "year", "years", "least", "most"})
_NOT: Final = re.compile(
    r"\b(?:at (?:least|most)|(?:second|third|2nd|3rd|next)[- ](?:\w+ )?\w+est|besides|except|consecutive)\b"
)
_TOTAL: Final = re.compile(r"\b(?:totals?|all|average|mean|sum|overall|subtotal)\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class Superlative:
    """The row of the largest or smallest ``measure``; ``value``: its number is asked for rather than its label.

    ``label`` are the words for what is sought ("country"), ``rest`` is what follows the measure ("in 2020").
    """

    largest: bool
    measure: str
    label: str
    rest: str
    value: bool


@dataclass(frozen=True, slots=True)
class _Value:
    """A cell with its number, and the cell with the label of its row."""

    row: TableRow
    label: Cell
    cell: Cell
    number: float


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of numbers and its header."""

    header: str
    values: tuple[_Value, ...]


def parse_superlative(question: str) -> Superlative | None:
    """Parse a question for the largest or smallest value of a column; None if it asks for something else."""
    question = " ".join(question.split())
    value = _VALUE.match(question)
    match = value or _WHICH.match(question)
    if match is None or _NOT.search(question.lower()):
        return None
    rest = _REST.search(match["measure"])
    measure = match["measure"][: rest.start()] if rest else match["measure"]
    if not find_content_words(measure) - _GENERAL:
        return None
    label = "" if value else match["label"].strip()
    tail = match["measure"][rest.start() :] if rest else ""
    return Superlative(match["word"].lower() in _LARGEST, measure.strip(), label, tail.strip(), value is not None)


def answer_superlative(question: str, given: AnswerEvidence) -> Answer | None:
    """Answer from the one table whose header names the measure; None if there is none, or the first place is shared."""
    asked = parse_superlative(question)
    if asked is None:
        return None
    found = [
        (evidence, column)
        for evidence in given.evidence[:EVIDENCE]
        if evidence.kind == "table" and not find_unmatched(question, (heading(evidence), evidence.text))
        for column in _find_columns(asked, evidence, read_grid(evidence.text))
    ]
    if len(found) != 1:
        return None
    [(evidence, column)] = found
    ranked = sorted(column.values, key=lambda one: -one.number if asked.largest else one.number)
    best, second = ranked[:2]
    if best.number == second.number:
        return None
    head = [evidence.caption, best.label.text, f"{column.header}: {best.cell.text}"]
    order = "largest" if asked.largest else "smallest"
    text = f"{' — '.join(part for part in head if part)} (the {order} of {len(ranked)} rows)"
    path = given.find_path(evidence.id)
    citations = tuple(
        Citation(
            evidence,
            evidence.text[one.row.start : one.row.end],
            one.row.start,
            one.row.end,
            path,
            (one.cell.start, one.cell.end),
        )
        for one in (best, second)
    )
    short = " ".join((best.cell if asked.value else best.label).text.split())
    return given.answer((Sentence(text, citations),), short=short)


def _find_columns(asked: Superlative, evidence: Evidence, table: ParsedTable) -> Iterator[_Column]:
    """The columns of numbers whose header has all words of the measure, and the year of the question."""
    rows = [row for row in table.body if row.cells and not _TOTAL.search(row.cells[0].text)]
    width = max((len(row.cells) for row in rows), default=0)
    years = set(_YEAR.findall(asked.rest))
    known = _stem_words(f"{heading(evidence)}")
    label = _find_label_column(asked, table, rows, width, known)
    if len(rows) < MIN_ROWS or label is None or _stem_words(_YEAR.sub("", asked.rest)) - known:
        return
    for place in range(width):
        header = table.column(place)
        headed = _stem_words(header)
        if place == label or not _stem_words(asked.measure) <= headed:
            continue
        values = _read_column(rows, place, label)
        if years <= set(_YEAR.findall(f"{header} {evidence.caption}")) and len(values) >= MIN_NUMBERS * len(rows):
            yield _Column(header, tuple(values))


def _find_label_column(
    asked: Superlative, table: ParsedTable, rows: Sequence[TableRow], width: int, known: frozenset[str]
) -> int | None:
    """The column that the question names ("country"), or else the first one of names if it has no header of its own."""
    words = _stem_words(asked.label)
    places = [place for place in range(width) if words and words <= _stem_words(table.column(place))]
    if places:
        return places[0]
    names = [place for place in range(width) if _has_names(rows, place)]
    return names[0] if names and (not words or (not table.column(names[0]) and words <= known)) else None


def _has_names(rows: Sequence[TableRow], place: int) -> bool:
    texts = [row.cells[place].text for row in rows if place < len(row.cells)]
    return 2 * len([text for text in texts if re.search("[A-Za-z]{3}", text)]) > len(rows)


def _read_column(rows: Sequence[TableRow], place: int, label: int) -> list[_Value]:
    values = []
    for row in rows:
        number = read_number(row.cells[place]) if max(place, label) < len(row.cells) else None
        if number is not None and row.cells[label].text and not _TOTAL.search(row.cells[label].text):
            values.append(_Value(row, row.cells[label], row.cells[place], number))
    return values


def _stem_words(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in find_content_words(text))
