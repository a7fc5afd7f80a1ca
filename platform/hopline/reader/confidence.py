"""Confidence of an answer that the reader found: a logistic regression on the scores of reader and verifier.

There are two: for spans, and for the verdicts of yes-or-no questions.

The coefficients were fitted by ``benchmarks/calibrate_reader.py`` on development questions over real PDFs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import Final, Literal

from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, list_written_numbers
from hopline.reader.identifiers import is_about_other_identifier
from hopline.reader.input import format_with_heading
from hopline.reader.negation import denies, find_denial, is_denied
from hopline.reader.reading import SpanReading, read_evidence
from hopline.reader.verdicts import rate_likeness, read_verdicts
from hopline.reader.verification import MAX_LOGIT, compute_logit
from hopline.results import Evidence

FEATURES: Final = (
    *("margin", "alone", "answered", "answered_alone", "lead", "first", "agreement", "absent"),
    *("supported", "contradicted", "backed", "table", "constant"),
)
VERDICT_FEATURES: Final = (
    *("supported", "stated", "lead", "yes", "answered", "answered_alone", "margin_alone", "likeness", "first"),
    *("absent", "table", "constant"),
)
MIN_RIVAL: Final = -4.0  # score of the best other answer if there is none, as among few evidence
ABSENT_FACTOR: Final = 0.5  # of the confidence, if a name of the question is in no evidence
_ARTICLES: Final = re.compile(r"\b(a|an|the)\b|[\W_]+")


@dataclass(frozen=True, slots=True)
class RatedReading:
    """A reading and the confidence, in [0, 1], that it is the answer.

    ``bridges`` are the readings of the earlier hops, the latest first; empty if the question was read as a whole.
    """

    reading: SpanReading
    confidence: float
    bridges: tuple[SpanReading, ...] = ()


def read_with_confidence(question: QuestionAnalysis, evidence: Sequence[Evidence]) -> Flow[list[RatedReading]]:
    """Read every evidence for a question, as `read_evidence` does, and rate the readings."""
    readings = yield from read_evidence(question, evidence, again=not question.asks_for_verdict)
    if question.asks_for_verdict:
        readings = yield from read_verdicts(question, readings)
    ratings = rate_readings(question, readings)
    return [RatedReading(reading, rating) for reading, rating in zip(readings, ratings, strict=True)]


def rate_readings(question: QuestionAnalysis, readings: Sequence[SpanReading]) -> list[float]:
    """Return the confidence, in [0, 1], that each reading is the answer.

    It is 0 for a reading that only repeats words of the question, for one whose sentence denies the question, for one
    about another identifier than the question's, and for all if an identifier of the question is in no evidence. It is
    halved if a name or number of the question is in no evidence: the questions that the coefficients were fitted on
    mostly name what their documents have.
    """
    weights = _load_weights("verdict" if question.asks_for_verdict else "span")
    texts = (format_with_heading(reading.evidence) for reading in readings)
    is_unknown = bool(question.find_unmatched_identifiers(texts))
    confidences = []
    rows, names = compute_features(question, readings), get_feature_names(question)
    for reading, row in zip(readings, rows, strict=True):
        confidence = _apply_logistic(sum(w * x for w, x in zip(weights, row, strict=True)))
        if repeats_question(question, reading.short) or _is_denied(question, reading):
            confidence = 0.0
        if is_unknown or is_about_other_identifier(question, reading.evidence, reading.start, reading.end):
            confidence = 0.0
        if row[names.index("absent")]:
            confidence *= ABSENT_FACTOR
        confidences.append(confidence)
    return confidences


def get_feature_names(question: QuestionAnalysis) -> tuple[str, ...]:
    """Return the names of the features of a question: `VERDICT_FEATURES` if it asks for yes or no, else `FEATURES`."""
    return VERDICT_FEATURES if question.asks_for_verdict else FEATURES


def _apply_logistic(x: float) -> float:
    return 1 / (1 + exp(-x))


def repeats_question(question: QuestionAnalysis, short: str) -> bool:
    """Whether an answer is a part of its question, which answers only yes-or-no questions, choices, and why or how.

    None of 26 such readings of the development questions was right.
    """
    words = normalize_short(short)
    if not words or question.answer_type in {"verdict", "explanation"} or question.gives_choice:
        return False
    return f" {words} " in f" {normalize_short(question.text)} "


def compute_features(question: QuestionAnalysis, readings: Sequence[SpanReading]) -> list[tuple[float, ...]]:
    """Compute the features of each reading, in the order of `get_feature_names`."""
    texts = (format_with_heading(reading.evidence) for reading in readings)
    absent = float(bool(question.find_unmatched(texts)))
    if question.asks_for_verdict:
        return _compute_verdict_features(question, readings, absent)
    return _compute_span_features(readings, absent)


def _compute_span_features(readings: Sequence[SpanReading], absent: float) -> list[tuple[float, ...]]:
    """Compute the features of spans.

    ``margin`` and ``answered`` are the reader's scores divided by 10, ``alone`` and ``answered_alone`` those of the
    sentence or row alone, ``lead`` the reader's score less the best one of another answer, ``first`` 1 / (1 + rank),
    ``agreement`` 1 if another evidence with a positive score has the same answer, ``absent`` 1 if a name or number of
    the question is in no evidence and no heading. ``supported`` and ``contradicted`` are logits of the verifier divided
    by 5, ``backed`` the probability that the sentence supports the answer less that of the best other answer, ``table``
    1 for a cell.
    """
    answers = [normalize_short(reading.short) for reading in readings]
    rows: list[tuple[float, ...]] = []
    for number, reading in enumerate(readings):
        same = [other for other in range(len(readings)) if answers[other] == answers[number]]
        others = [reading for other, reading in enumerate(readings) if other not in same]
        agrees = any(readings[other].score > 0 for other in same if other != number)
        rows.append(
            (
                _scale(reading.reading.margin),
                _scale(reading.alone.margin),
                _scale(reading.reading.answered),
                _scale(reading.alone.answered),
                _scale(reading.score - max((MIN_RIVAL, *(other.score for other in others)))),
                1 / (1 + reading.rank),
                float(agrees),
                absent,
                reading.support.logit / MAX_LOGIT,
                compute_logit(reading.support.contradicted) / MAX_LOGIT,
                reading.support.supported - max((other.support.supported for other in others), default=0.0),
                float(reading.evidence.kind == "table"),
                1.0,
            )
        )
    return rows


def _compute_verdict_features(
    question: QuestionAnalysis, readings: Sequence[SpanReading], absent: float
) -> list[tuple[float, ...]]:
    """Compute the features of verdicts.

    ``supported`` and ``stated`` are logits of the verifier divided by 5, ``lead`` the probability that the sentence or
    row supports its verdict less the highest one of the other verdict, ``yes`` the reader's logit of the same verdict
    for the sentence or row alone, divided by 10, ``answered_alone`` and ``margin_alone`` its other scores, ``likeness``
    the share of the words of the question that the sentence or row has, or half of its share if the heading has them;
    the others are as those of spans.
    """
    best = {
        verdict: max((other.support.supported for other in readings if other.verdict != verdict), default=0.0)
        for verdict in ("yes", "no")
    }
    return [
        (
            reading.support.logit / MAX_LOGIT,
            -compute_logit(reading.support.not_stated) / MAX_LOGIT,
            reading.support.supported - best[reading.verdict],
            _scale(reading.alone.yes if reading.verdict == "yes" else -reading.alone.yes),
            _scale(reading.reading.answered),
            _scale(reading.alone.answered),
            _scale(reading.alone.margin),
            *rate_likeness(question, reading.evidence, [reading.sentence]),
            1 / (1 + reading.rank),
            absent,
            float(reading.evidence.kind == "table"),
            1.0,
        )
        for reading in readings
    ]


def _is_denied(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Whether the sentence of a reading denies the question, or another sentence denies it with its numbers."""
    text, sentences = reading.evidence.text, reading.evidence.sentences
    span = (reading.start - reading.sentence[0], reading.end - reading.sentence[0])
    denial = find_denial(question, text, sentences)
    if denial != (reading.start, reading.end) and is_denied(question, reading.quote, span):
        return True
    numbers = set(question.numbers)
    if not numbers or question.asks_for_verdict or numbers <= set(list_written_numbers(reading.quote)):
        return False
    others = (text[start:end] for start, end in sentences)
    return any(denies(question, other) and numbers <= set(list_written_numbers(other)) for other in others)


def _scale(score: float) -> float:
    return max(-2.0, min(2.0, score / 10))


def normalize_short(text: str) -> str:
    """An answer without case, punctuation and articles, by which two are compared."""
    return " ".join(_ARTICLES.sub(" ", text.lower()).split())


@cache
def _load_weights(kind: Literal["span", "verdict"]) -> tuple[float, ...]:
    data = json.loads(files(__package__).joinpath("confidence.json").read_text("utf-8"))
    return tuple(float(data[kind][name]) for name in (VERDICT_FEATURES if kind == "verdict" else FEATURES))
