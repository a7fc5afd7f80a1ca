"""Dates of statements: since when what a sentence says holds, as the sentence or its document says.

A sentence may say it itself ("from 1 May 2023"). Otherwise it is the date of its document: in its name, title or
sections, or in its first lines ("in force from 1 May 2023", "Edition of April 2022", "8 September 2023").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answers.layout import split_lines
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.reader.reading import SpanReading
from hopline.results import Evidence, Retrieval
from hopline.retrieval.evidence_texts import fetch_evidence
from hopline.text.values import Date, DateSpan, find_dates

MAX_LINES: Final = 8  # at the beginning of a document
MAX_DATE_LINE: Final = 60  # characters of a line that is a date and little else
MAX_BETWEEN: Final = 30  # characters between a word such as "edition" and its date
_SINCE: Final = re.compile(
    r"\b(?:from|since|as of|as from|as at|with effect from|effective|beginning|starting)(?: on)?\s+$", re.IGNORECASE
)
_VALID: Final = re.compile(
    r"\b(?:in force|into force|valid|effective|applies|applicable|as of|with effect)\b[^.;]*$", re.IGNORECASE
)
_DATED: Final = re.compile(
    r"\b(?:edition|version|issue|issued|revision|revised|review|reviewed|updated|update|date|dated|published|status|stand|"
    r"made|agreed|adopted|approved|amended|printed|written|copyright)\b[^.;]*$|©\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StatementDate:
    """A date as it is written; without one, ``text`` is ""."""

    text: str = ""
    date: Date | None = None

    def is_before(self, other: StatementDate) -> bool:
        """Return whether it is earlier than another date for certain."""
        return bool(self.date and other.date and self.date.days.is_before(other.date.days))


def fetch_statement_dates(retrieval: Retrieval, readings: Sequence[SpanReading]) -> Flow[list[StatementDate]]:
    """Return for each reading since when its sentence holds; the beginnings of the documents are fetched for it.

    Sentences of the same document have no date but their own.
    """
    ids = list(dict.fromkeys(reading.evidence.document_id for reading in readings))
    if len(ids) == 1:
        return [_find_since(reading) or StatementDate() for reading in readings]
    rows = to_rows((yield fetch("answering/document_passages", ids=ids)))
    first_ids = {row["document"]: row["id"] for row in reversed(rows)}
    known = {item.id: item for item in retrieval.evidence}
    fetched = yield from fetch_evidence([id for id in first_ids.values() if id not in known])
    known |= {item.id: item for item in fetched}
    beginnings = {document: known[id] for document, id in first_ids.items() if id in known}
    return [find_statement_date(reading, beginnings.get(reading.evidence.document_id)) for reading in readings]


def find_statement_date(reading: SpanReading, beginning: Evidence | None) -> StatementDate:
    """Find the date of a sentence, or else of its document, of which ``beginning`` is the first passage."""
    evidence = reading.evidence
    if since := _find_since(reading):
        return since
    if beginning is not None and (stated := _find_stated(beginning, _VALID)):
        return stated
    name = re.sub(r"_", " ", evidence.document.rpartition(".")[0])
    for text in (*reversed(evidence.section), evidence.title, name):
        if dates := _list_dates(text):
            return _make(text, dates[-1])
    if beginning is not None:
        return _find_stated(beginning, _DATED) or _find_date_line(beginning) or StatementDate()
    return StatementDate()


def _find_since(reading: SpanReading) -> StatementDate | None:
    """Find the date behind "from", "since" or "as of" in the sentence of a reading, unless it is the value."""
    value = (reading.start - reading.sentence[0], reading.end - reading.sentence[0])
    for span in _list_dates(reading.quote):
        is_value = span.start < value[1] and value[0] < span.end
        if not is_value and _SINCE.search(reading.quote[: span.start]):
            return _make(reading.quote, span)
    return None


def _list_dates(text: str) -> list[DateSpan]:
    return [span for span in find_dates(text) if span.date.year]


def _list_first_lines(evidence: Evidence) -> Iterator[str]:
    for line, _ in zip(split_lines(evidence), range(MAX_LINES), strict=False):
        yield line.text


def _find_stated(evidence: Evidence, pattern: re.Pattern[str]) -> StatementDate | None:
    """Find the first date of the first lines that follows a word of a pattern closely."""
    for line in _list_first_lines(evidence):
        for span in _list_dates(line):
            if pattern.search(line[max(0, span.start - MAX_BETWEEN) : span.start]):
                return _make(line, span)
    return None


def _find_date_line(evidence: Evidence) -> StatementDate | None:
    """Find the first date with a month in a short line, such as below the head of a letter."""
    for line in _list_first_lines(evidence):
        for span in _list_dates(line):
            if span.has_month and len(line.strip()) <= MAX_DATE_LINE and not line.rstrip().endswith("."):
                return _make(line, span)
    return None


def _make(text: str, span: DateSpan) -> StatementDate:
    return StatementDate(" ".join(text[span.start : span.end].split()), span.date)
