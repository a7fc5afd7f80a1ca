"""Confidence of an answer that the reader found: a logistic regression on its scores and on what supports it.

The coefficients were fitted by ``benchmarks/calibrate_reader.py`` on development questions over real PDFs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import Final

from hopline.nlp.question_terms import asks_for_explanation, asks_yes_or_no, find_unmatched
from hopline.reading.negation import find_denial, is_denied
from hopline.reading.readable_text import heading
from hopline.reading.span_reading import SpanReading

FEATURES: Final = ("margin", "alone", "answered", "first", "agreement", "absent", "constant")
_ARTICLES: Final = re.compile(r"\b(a|an|the)\b|[\W_]+")


def rate_readings(question: str, readings: Sequence[SpanReading]) -> list[float]:
    """Return the confidence, in [0, 1], that each reading is the answer.

    It is 0 for a reading that only repeats words of the question, and for one whose sentence denies the question.
    """
    weights = _load_weights()
    return [
        0.0
        if repeats_question(question, reading.short) or _is_denied(question, reading)
        else 1 / (1 + exp(-sum(w * x for w, x in zip(weights, row, strict=True))))
        for reading, row in zip(readings, compute_features(question, readings), strict=True)
    ]


def repeats_question(question: str, short: str) -> bool:
    """Whether an answer is a part of its question, which answers only yes-or-no questions, choices, and why or how.

    None of 26 such readings of the development questions was right.
    """
    words = normalize_short(short)
    if (
        not words
        or asks_yes_or_no(question)
        or asks_for_explanation(question)
        or re.search(r"\bor\b", question, re.IGNORECASE)
    ):
        return False
    return f" {words} " in f" {normalize_short(question)} "


def compute_features(question: str, readings: Sequence[SpanReading]) -> list[tuple[float, ...]]:
    """Compute the features of each reading, in the order of `FEATURES`.

    ``margin`` and ``answered`` are the reader's scores divided by 10, ``alone`` the margin of the sentence alone,
    ``first`` is 1 / (1 + rank), ``agreement`` 1 if another evidence with a positive score has the same answer,
    ``absent`` 1 if a name or number of the question is in no evidence and no heading.
    """
    answers = [normalize_short(reading.short) for reading in readings]
    texts = (f"{heading(reading.evidence)}\n{reading.evidence.text}" for reading in readings)
    absent = float(bool(find_unmatched(question, texts)))
    rows: list[tuple[float, ...]] = []
    for number, reading in enumerate(readings):
        agrees = any(
            answers[other] == answers[number] and readings[other].score > 0
            for other in range(len(readings))
            if other != number
        )
        rows.append(
            (
                _scale(reading.reading.margin),
                _scale(reading.alone),
                _scale(reading.reading.answered),
                1 / (1 + reading.rank),
                float(agrees),
                absent,
                1.0,
            )
        )
    return rows


def _is_denied(question: str, reading: SpanReading) -> bool:
    span = (reading.start - reading.sentence[0], reading.end - reading.sentence[0])
    denial = find_denial(question, reading.evidence.text, reading.evidence.sentences)
    return denial != (reading.start, reading.end) and is_denied(question, reading.quote, span)


def _scale(score: float) -> float:
    return max(-2.0, min(2.0, score / 10))


def normalize_short(text: str) -> str:
    """An answer without case, punctuation and articles, by which two are compared."""
    return " ".join(_ARTICLES.sub(" ", text.lower()).split())


@cache
def _load_weights() -> tuple[float, ...]:
    data = json.loads(files("hopline.reading").joinpath("confidence.json").read_text("utf-8"))
    return tuple(float(data["weights"][name]) for name in FEATURES)
