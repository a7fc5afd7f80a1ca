"""What the reader finds in the evidence of a question: spans, widened to whole words and numbers, and their scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.flow.requests import Flow, infer
from hopline.learned.reading import Reading
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import ReadableText, make_readable, make_readable_unit
from hopline.reader.negation import find_denial, is_of_other_year
from hopline.reader.verification import UNVERIFIED, Claim, Support, verify_claims
from hopline.results import Evidence
from hopline.tables.grid import find_cell_of_year
from hopline.text.values import YEAR

Span = tuple[int, int]

READ_AGAIN: Final = 4  # readings whose sentence is read alone, and verified
_JOINED: Final = r"[\w$€£¥#%‰°]"
# characters between blanks, with punctuation only inside: "B-7719-3", "-12.5", "1.250,50", "AT&T", "o'clock"
_WORD: Final = re.compile(rf"(?:(?<![\w.,])[-−+])?{_JOINED}+(?:[-−–./,:'’&@+]+{_JOINED}+)*")
_GROUPED: Final = re.compile(r"(?<![\w.,])[-−]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\w])(?:[.,]\d+)?")
_CURRENCY: Final = re.compile(r"(?:[A-Z]{3}|[A-Z]{0,2}[$€£¥])[ \u00a0]?[-−]?(?=\d)")
_SCALE: Final = re.compile(
    r"[ \u00a0-]?(?:percentage points?|per ?cent(?:age)?|thousand|million|billion|trillion|mn|bn|%)(?!\w)",
    re.IGNORECASE,
)
_NUMBER: Final = r"[-−]?(?:[A-Z]{3} |[$€£¥])?\d[\d.,]*(?: \d{3})*(?: ?%| percent| million| billion)?"
_RANGE: Final = re.compile(rf"between {_NUMBER} and {_NUMBER}(?<![.,])", re.IGNORECASE)
_ABBREVIATION: Final = re.compile(r"(?<![\w.])(?:[A-Z][a-z]{0,3}|(?:[A-Za-z]\.)*[A-Za-z])\.$")  # "Inc.", "U.S.", "p.m."
_CURRENCY_CODE: Final = re.compile("AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|SEK|USD")
_LISTED_VALUE: Final = (
    r"(?>(?:[A-Z]{3} |[A-Z]{0,2}[$€£¥] ?)?[-−(]?(?<![\d.,])\d[\d.,]*(?<![.,])\)?"
    r"(?:\s?%|\s(?:per ?cent|percentage points|thousand|million|billion|basis points|years|months|days))?)"
)
_FISCAL_YEAR: Final = rf"(?:fiscal\s+)?{YEAR}"
_LISTED_YEARS: Final = re.compile(rf"{_FISCAL_YEAR}(?:\s*,\s*{_FISCAL_YEAR})*+(?:\s*,)?\s+and\s+{_FISCAL_YEAR}")
_LISTED_VALUES: Final = re.compile(rf"{_LISTED_VALUE}(?:\s*,\s+{_LISTED_VALUE})*+(?:\s*,)?\s+and\s+{_LISTED_VALUE}")


@dataclass(frozen=True, slots=True)
class SpanReading:
    """The best answer in one evidence, in the offsets of its text.

    ``rank`` is the place of the evidence, from 0. ``sentence`` is the span of the sentence or table row that holds it.
    ``reading`` has the scores; its offsets are those of the window that was read. ``alone`` is the reading of the
    sentence or table row without what surrounds it. ``support`` says whether the sentence
    or row supports the answer; ``verdict`` is that of a yes-or-no question, "" for other questions.
    """

    evidence: Evidence
    rank: int
    start: int
    end: int
    sentence: tuple[int, int]
    reading: Reading
    alone: Reading
    support: Support = UNVERIFIED
    verdict: str = ""

    @property
    def short(self) -> str:
        """The answer as one line."""
        return " ".join(self.evidence.text[self.start : self.end].split())

    @property
    def quote(self) -> str:
        """The sentence or table row that holds the answer."""
        return self.evidence.text[slice(*self.sentence)]

    @property
    def score(self) -> float:
        """Score for "the evidence answers the question"; positive means that it does."""
        return self.reading.score


def read_evidence(
    question: QuestionAnalysis, evidence: Sequence[Evidence], *, again: bool = True
) -> Flow[list[SpanReading]]:
    """Read every evidence for the question, in their order; those in which no span was found are left out.

    Of an evidence that is read in several windows, the reading with the highest score is kept. With ``again``, the
    sentences of the best readings are read again, alone, as an answer that needs its surroundings to look like one is
    likely wrong, and the verifier tells whether they support the answer (after Hu et al. 2019, "Read + Verify").
    """
    windows = [(rank, window) for rank, item in enumerate(evidence) for window in make_readable(question, item)]
    if not windows:
        return []
    rows = yield infer(
        "reader", question=question.text, passages=[[window.header, window.text] for _, window in windows]
    )
    best: dict[int, SpanReading] = {}
    for (rank, window), row in zip(windows, rows, strict=True):
        reading, item = Reading.from_row(row), evidence[rank]
        span = _find_span(question, item, window, reading)
        if span is not None and (rank not in best or reading.score > best[rank].score):
            best[rank] = SpanReading(item, rank, *span, find_unit(item, *span), reading, reading)
    readings = [best[rank] for rank in sorted(best)]
    return (yield from _read_again(question, readings)) if again else readings


def _read_again(question: QuestionAnalysis, readings: Sequence[SpanReading]) -> Flow[list[SpanReading]]:
    """Read the sentences of the readings with the highest scores alone."""
    chosen = sorted(readings, key=lambda reading: -reading.score)[:READ_AGAIN]
    if not chosen:
        return []
    passages = [make_readable_unit(reading.evidence, reading.sentence) for reading in chosen]
    rows = yield infer("reader", question=question.text, passages=[list(passage) for passage in passages])
    alone = {reading.rank: Reading.from_row(row) for reading, row in zip(chosen, rows, strict=True)}
    claims = [Claim(question.text, reading.short, *passage) for reading, passage in zip(chosen, passages, strict=True)]
    verified = yield from verify_claims(claims)
    supports = {reading.rank: support for reading, support in zip(chosen, verified, strict=True)}
    return [
        replace(
            reading,
            alone=alone.get(reading.rank, reading.alone),
            support=supports.get(reading.rank, UNVERIFIED),
        )
        for reading in readings
    ]


def _find_span(
    question: QuestionAnalysis, evidence: Evidence, window: ReadableText, reading: Reading
) -> tuple[int, int] | None:
    """Find the span that was read in the evidence: of a passage, widened; of a table, the cell of the question's year.

    Of values that are listed beside years, it is the value of the question's year. If the sentence that was read is of
    another year, and one of the question's year denies the amount, the span is that denial. None if nothing of the
    evidence was read.
    """
    span = window.locate(reading.start, reading.end)
    if span is None:
        return None
    if evidence.grid is None:
        denial = find_denial(question, evidence.text, evidence.sentences)
        unit = find_unit(evidence, *span)
        sentence = evidence.text[slice(*unit)]
        if denial and is_of_other_year(question, sentence, evidence.text):
            return denial
        value = find_respective_value(question, sentence, span[0] - unit[0], span[1] - unit[0])
        return (value[0] + unit[0], value[1] + unit[0]) if value else widen_span(evidence.text, *span)
    cell = find_cell_of_year(evidence.grid, span[0], question.years)
    return (cell.start, cell.end) if cell and cell.text else span


def find_unit(evidence: Evidence, start: int, end: int) -> tuple[int, int]:
    """Find the bounds of the sentences, or of the table row, that hold a span."""
    if evidence.grid is not None:
        row = evidence.grid.find_row(start)
        return (row.start, row.end) if row and end <= row.end else (start, end)
    spans = [span for span in evidence.sentences if span[0] < end and start < span[1]]
    return (spans[0][0], spans[-1][1]) if spans else (0, len(evidence.text))


def widen_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span with whole words, numbers with blanks between thousands, currency, scale, and "between … and …".

    Blanks and punctuation at its ends are left out, but for the period of an abbreviation.
    """
    while start < end and not re.match(rf"{_JOINED}|[-−+(\"“'‘]", text[start]):
        start += 1
    while start < end and not re.match(rf"{_JOINED}|[)\"”'’.!?]", text[end - 1]):
        end -= 1
    if start >= end:
        return start, end
    for pattern in (_WORD, _GROUPED, _RANGE):
        start, end = _cover(pattern, text, start, end)
    for match in _CURRENCY.finditer(text, max(0, start - 5), start + 1):
        if match.end() == start and _is_currency(match[0]):
            start = match.start()
    if text[end - 1] == "." and end - start > 1 and not _ABBREVIATION.search(text[start:end]):
        end -= 1
    if text[end - 1].isdigit() and (scale := _SCALE.match(text, end)):
        end = scale.end()
    return start, end


def _cover(pattern: re.Pattern[str], text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a span over the matches of a pattern that it overlaps."""
    for match in pattern.finditer(text, max(0, start - 80), min(len(text), end + 80)):
        if match.start() < end and start < match.end():
            start, end = min(start, match.start()), max(end, match.end())
    return start, end


def _is_currency(text: str) -> bool:
    code = text.strip(" \u00a0-−")
    return not code.isalpha() or bool(_CURRENCY_CODE.fullmatch(code))


def find_respective_value(question: QuestionAnalysis, sentence: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span, in the sentence, of the value that belongs to the year of the question.

    ``start`` and ``end`` are the span that was read: within a list of values. None unless the question names one year,
    and the sentence has as many years as values, and says "respectively".
    """
    if len(question.years) != 1 or "respectively" not in sentence:
        return None
    [year] = question.years
    lists = [re.findall(YEAR, match[0]) for match in _LISTED_YEARS.finditer(sentence)]
    lists = [listed for listed in lists if listed.count(year) == 1]
    for match in _LISTED_VALUES.finditer(sentence):
        if not (match.start() < end and start < match.end()) or _LISTED_YEARS.fullmatch(match[0]):
            continue
        spans = [
            (match.start() + item.start(), match.start() + item.end()) for item in re.finditer(_LISTED_VALUE, match[0])
        ]
        fitting = [listed for listed in lists if len(listed) == len(spans)]
        if len(fitting) == 1:
            return spans[fitting[0].index(year)]
    return None


def list_units(evidence: Evidence) -> Sequence[tuple[int, int]]:
    """List the spans of the sentences of a passage, or of the rows of the body of a table."""
    if evidence.grid is not None:
        return [(row.start, row.end) for row in evidence.grid.body]
    return evidence.sentences or ((0, len(evidence.text)),)
