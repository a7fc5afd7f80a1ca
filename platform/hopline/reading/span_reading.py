"""What the reader found in the evidence of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.flow.requests import Flow, infer
from hopline.learned.reading import Reading
from hopline.reading.negation import find_denial, is_of_other_year
from hopline.reading.readable_text import ReadableText, make_readable, make_readable_unit
from hopline.reading.respective_values import find_respective_value
from hopline.reading.span_widening import widen_span
from hopline.results import Evidence
from hopline.tables.grid import find_cell_of_year, read_grid

READ_AGAIN: Final = 6  # readings whose sentence is read alone


@dataclass(frozen=True, slots=True)
class SpanReading:
    """The best answer in one evidence, in the offsets of its text.

    ``rank`` is the place of the evidence, from 0. ``sentence`` is the span of the sentence or table row that holds it.
    ``reading`` has the scores; its offsets are those of the window that was read. ``alone`` is the margin of the
    answer when the sentence or table row is read again without what surrounds it.
    """

    evidence: Evidence
    rank: int
    start: int
    end: int
    sentence: tuple[int, int]
    reading: Reading
    alone: float

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


def read_evidence(question: str, evidence: Sequence[Evidence], *, again: bool = True) -> Flow[list[SpanReading]]:
    """Read every evidence for the question, in their order; those in which no span was found are left out.

    Of an evidence that is read in several windows, the reading with the highest score is kept. With ``again``, the
    sentences of the best readings are read again, alone: an answer that needs its surroundings to look like one is
    likely wrong (after Hu et al. 2019, "Read + Verify", with one reader for both).
    """
    windows = [(rank, window) for rank, item in enumerate(evidence) for window in make_readable(question, item)]
    if not windows:
        return []
    rows = yield infer("reader", question=question, passages=[[window.header, window.text] for _, window in windows])
    best: dict[int, SpanReading] = {}
    for (rank, window), row in zip(windows, rows, strict=True):
        reading, item = Reading.from_row(row), evidence[rank]
        span = _find_span(question, item, window, reading)
        if span is not None and (rank not in best or reading.score > best[rank].score):
            best[rank] = SpanReading(item, rank, *span, find_unit(item, *span), reading, reading.margin)
    readings = [best[rank] for rank in sorted(best)]
    return (yield from _read_again(question, readings)) if again else readings


def _read_again(question: str, readings: Sequence[SpanReading]) -> Flow[list[SpanReading]]:
    """Read the sentences of the readings with the highest scores alone."""
    chosen = sorted(readings, key=lambda reading: -reading.score)[:READ_AGAIN]
    if not chosen:
        return []
    passages = [list(make_readable_unit(reading.evidence, reading.sentence)) for reading in chosen]
    rows = yield infer("reader", question=question, passages=passages)
    alone = {reading.rank: Reading.from_row(row).margin for reading, row in zip(chosen, rows, strict=True)}
    return [replace(reading, alone=alone.get(reading.rank, reading.alone)) for reading in readings]


def _find_span(question: str, evidence: Evidence, window: ReadableText, reading: Reading) -> tuple[int, int] | None:
    """Find the span that was read in the evidence: of a passage, widened; of a table, the cell of the question's year.

    Of values that are listed beside years, it is the value of the question's year. If the sentence that was read is of
    another year, and one of the question's year denies the amount, the span is that denial. None if nothing of the
    evidence was read.
    """
    span = window.locate(reading.start, reading.end)
    if span is None:
        return None
    if evidence.kind != "table":
        denial = find_denial(question, evidence.text, evidence.sentences)
        unit = find_unit(evidence, *span)
        sentence = evidence.text[slice(*unit)]
        if denial and is_of_other_year(question, sentence, evidence.text):
            return denial
        value = find_respective_value(question, sentence, span[0] - unit[0], span[1] - unit[0])
        return (value[0] + unit[0], value[1] + unit[0]) if value else widen_span(evidence.text, *span)
    cell = find_cell_of_year(read_grid(evidence.text), span[0], question)
    return (cell.start, cell.end) if cell and cell.text else span


def find_unit(evidence: Evidence, start: int, end: int) -> tuple[int, int]:
    """Find the bounds of the sentences, or of the table row, that hold a span."""
    if evidence.kind == "table":
        rows = [row for row in read_grid(evidence.text).body if row.start <= start and end <= row.end]
        return (rows[0].start, rows[0].end) if rows else (start, end)
    spans = [span for span in evidence.sentences if span[0] < end and start < span[1]]
    return (spans[0][0], spans[-1][1]) if spans else (0, len(evidence.text))
