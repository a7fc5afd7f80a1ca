"""Readings of another kind than the question asks for: they lose against those that fit, and are never sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading, repeats_question
from hopline.reader.reading import SpanReading

UNFITTING_FACTOR: Final = 0.2  # of the confidence: the surest one is a possible answer, unless another one fits


def lower_unfitting_readings(question: QuestionAnalysis, readings: Sequence[RatedReading]) -> list[RatedReading]:
    """Lower the confidence of values of another kind than the question asks for, and of words of the question."""
    return [
        item if _fits(question, item.reading) else replace(item, confidence=item.confidence * UNFITTING_FACTOR)
        for item in readings
    ]


def _fits(question: QuestionAnalysis, reading: SpanReading) -> bool:
    text = reading.evidence.text
    before = "" if reading.evidence.kind == "table" else text[reading.sentence[0] : reading.start]
    return question.fits_answer_type(reading.short, before) and not repeats_question(question, reading.short)
