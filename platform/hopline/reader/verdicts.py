"""Verdicts of yes-or-no questions: which sentence or table row decides, and whether it says yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopline.flow.requests import Flow, infer
from hopline.learned.reading import Reading
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.input import format_heading, make_readable_unit
from hopline.reader.reading import Span, SpanReading, list_units
from hopline.reader.verification import Claim, Support, verify_claims
from hopline.results import Evidence
from hopline.text.words import stem_content_words

MAX_UNITS: Final = 12  # sentences and rows that are verified
IN_HEADING: Final = 0.5  # weight of a word of the question that only the heading of a sentence or row has


def read_verdicts(question: QuestionAnalysis, readings: Sequence[SpanReading]) -> Flow[list[SpanReading]]:
    """Read the verdict of the sentences and rows that are most like a yes-or-no question.

    They are those that the reader found in each evidence, and those that share most words with the question. Each is
    read alone, and verified with "yes" and with "no" as the answer. Returns a reading of each with its verdict and its
    support.
    """
    units = _choose_units(question, readings)
    if not units:
        return []
    texts = [make_readable_unit(reading.evidence, unit) for reading, unit in units]
    rows = yield infer("reader", question=question.text, passages=[list(text) for text in texts])
    moved = [_move(reading, unit, Reading.from_row(row)) for (reading, unit), row in zip(units, rows, strict=True)]
    claims = [Claim(question.text, answer, *text) for text in texts for answer in ("yes", "no")]
    supports = yield from verify_claims(claims)
    pairs = zip(supports[::2], supports[1::2], strict=True)
    return [_judge(reading, *pair) for reading, pair in zip(moved, pairs, strict=True)]


def _choose_units(question: QuestionAnalysis, readings: Sequence[SpanReading]) -> list[tuple[SpanReading, Span]]:
    likeness: dict[tuple[int, Span], float] = {}
    for number, reading in enumerate(readings):
        spans = list(dict.fromkeys([*list_units(reading.evidence), reading.sentence]))
        rates = rate_likeness(question, reading.evidence, spans)
        likeness |= {(number, unit): rate for unit, rate in zip(spans, rates, strict=True)}
    by_score = sorted(range(len(readings)), key=lambda number: -readings[number].score)
    read = [(number, readings[number].sentence) for number in by_score[: MAX_UNITS // 2]]
    like = sorted(likeness, key=lambda key: (-likeness[key], key[0]))
    chosen = list(dict.fromkeys([*read, *like[: MAX_UNITS - len(read)]]))
    return [(readings[number], unit) for number, unit in chosen]


def rate_likeness(question: QuestionAnalysis, evidence: Evidence, units: Sequence[Span]) -> list[float]:
    """Return the share of the words of a question that each sentence or row has, in [0, 1]; half for the heading."""
    stems = question.content_stems
    above = stems & stem_content_words(format_heading(evidence))
    shared = [stems & stem_content_words(make_readable_unit(evidence, unit)[1]) for unit in units]
    return [(len(own) + IN_HEADING * len(above - own)) / max(1, len(stems)) for own in shared]


def _move(reading: SpanReading, unit: Span, alone: Reading) -> SpanReading:
    """Return a reading of another sentence or row of the same evidence, without a span in it."""
    if unit != reading.sentence:
        reading = replace(reading, start=unit[0], end=unit[0], sentence=unit)
    return replace(reading, alone=alone)


def _judge(reading: SpanReading, yes: Support, no: Support) -> SpanReading:
    """Return a reading with its verdict; what supports "yes" contradicts "no"."""
    for_yes = (yes.supported + no.contradicted) / 2
    for_no = (no.supported + yes.contradicted) / 2
    verdict = "yes" if for_yes >= for_no else "no"
    support = Support(max(for_yes, for_no), min(for_yes, for_no), (yes.not_stated + no.not_stated) / 2)
    return replace(reading, support=support, verdict=verdict)
