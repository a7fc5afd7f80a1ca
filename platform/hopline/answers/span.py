"""Answers by the reader: the likeliest span is the short answer, and the sentence or table row with it is cited."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from hopline.answers.amounts import add_scale, find_table_scale
from hopline.answers.answerer import EvidenceReader
from hopline.answers.cells import describe_cell, weigh_results
from hopline.answers.composition import (
    MAX_NEAREST,
    cite,
    compose_answer,
    find_missing,
    find_nearest,
    format_quote,
    quote_span,
)
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading, normalize_short
from hopline.reader.reading import SpanReading, find_unit
from hopline.results import POSSIBLE, READER, Answer, Citation, EvidencePath, Retrieval, Sentence
from hopline.text.words import find_content_words

MAX_SHORT: Final = 100  # characters: a longer span is a sentence rather than a short answer


def answer_span(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer | None]:
    """Answer with the likeliest span that the reader finds; None if it reads nothing.

    A span that is less sure than the threshold of the reader is a possible answer, or one of the nearest sentences.
    """
    retrieval, readings = yield from reader.read(question, retrieval)
    _, readings = yield from weigh_results(question, retrieval, readings, reader)
    if not readings:
        return None
    return compose_span_answer(question, retrieval, readings, threshold=reader.threshold)


def compose_span_answer(
    question: QuestionAnalysis, retrieval: Retrieval, readings: Sequence[RatedReading], *, threshold: float
) -> Answer:
    """Compose an answer of the likeliest reading, or abstain with the nearest sentences if it is below ``threshold``.

    Further sentences are those of earlier hops, those that connect the evidence path, and, for a reason, the following
    one. The same answer in another document is cited too.
    """
    ranked = sorted(readings, key=lambda item: (-item.confidence, item.reading.rank))
    best = ranked[0]
    short = get_short(question, best.reading)
    if best.confidence >= threshold:
        rivals = [item.reading for item in ranked[1:] if item.confidence >= threshold]
        sentences = _list_sentences(question, retrieval, best, rivals)
        return compose_answer(retrieval, sentences, short=short, confidence=best.confidence, written_by=READER)
    is_possible = best.confidence >= POSSIBLE
    near = [
        item for item in _list_distinct(ranked) if (is_possible and item is best) or _is_near(question, item.reading)
    ]
    nearest = [_quote_reading(question, retrieval, item.reading) for item in near[:MAX_NEAREST]]
    return compose_answer(
        retrieval,
        (),
        short=short if is_possible else "",
        confidence=best.confidence,
        missing=find_missing(question, retrieval),
        nearest=nearest or find_nearest(question, retrieval),
        written_by=READER,
    )


def _list_sentences(
    question: QuestionAnalysis, retrieval: Retrieval, best: RatedReading, rivals: Sequence[SpanReading]
) -> list[Sentence]:
    """List the sentence of the best reading, also cited where a rival has the same answer, and the further ones."""
    reading = best.reading
    agreeing = [rival for rival in rivals if _agree(rival, reading)]
    sentences = [_quote_reading(question, retrieval, reading, agreeing[:1])]
    if not best.bridges:
        sentences += _quote_connections(retrieval, reading)
    quotes = {reading.quote}
    for bridge in best.bridges:
        if bridge.quote not in quotes:
            quotes.add(bridge.quote)
            sentences.append(_quote_reading(question, retrieval, bridge))
    if question.asks_for_explanation:  # a reason often follows what it explains
        following = [span for span in reading.evidence.sentences if span[0] >= reading.sentence[1]]
        sentences += [quote_span(retrieval, reading.evidence, span) for span in following[:1]]
    return sentences


def _list_distinct(ranked: Sequence[RatedReading]) -> list[RatedReading]:
    """List the best reading of each sentence, in order."""
    by_sentence: dict[tuple[str, tuple[int, int]], RatedReading] = {}
    for item in ranked:
        by_sentence.setdefault((item.reading.evidence.id, item.reading.sentence), item)
    return list(by_sentence.values())


def _is_near(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether a reading may be shown as near: in a sentence, or in a row that has a word of the question."""
    return reading.evidence.kind == "passage" or bool(question.content_words & find_content_words(reading.quote))


def _agree(reading: SpanReading, other: SpanReading) -> bool:
    """Return whether readings in two documents have the same short answer."""
    same = (normalize_short(reading.short), reading.verdict) == (normalize_short(other.short), other.verdict)
    return same and reading.evidence.document != other.evidence.document


def get_short(question: QuestionAnalysis, reading: SpanReading) -> str:
    """Return the short answer; "" for a reason or a manner, and for a span that is as long as a sentence."""
    if reading.verdict:
        return reading.verdict
    if question.asks_for_explanation or len(reading.short) > MAX_SHORT:
        return ""
    return reading.short.strip(" ,;:")


def _quote_reading(
    question: QuestionAnalysis, retrieval: Retrieval, reading: SpanReading, agreeing: Sequence[SpanReading] = ()
) -> Sentence:
    """Quote the sentence of a reading, or describe its cell; cites it and the readings that agree."""
    text = format_quote(reading.quote)
    if reading.evidence.kind == "table":
        scale = find_table_scale(reading.evidence, retrieval.evidence)
        text = add_scale(describe_cell(reading, whole_row=question.asks_for_verdict), reading.short, scale)
    return Sentence(text, tuple(_cite_reading(retrieval, item) for item in (reading, *agreeing)))


def _cite_reading(retrieval: Retrieval, reading: SpanReading) -> Citation:
    answer = (reading.start, reading.end) if reading.start < reading.end else None
    return cite(retrieval, reading.evidence, reading.sentence, answer=answer)


def _quote_connections(retrieval: Retrieval, reading: SpanReading) -> Iterator[Sentence]:
    """Quote, of each passage on the path to the reading, the sentence with the name of the entity that follows it."""
    path = retrieval.find_path(reading.evidence.id)
    evidence = {item.id: item for item in retrieval.evidence}
    for node_id, name in _list_connections(path) if path else ():
        item = evidence.get(node_id)
        match = re.search(re.escape(name), item.text, re.IGNORECASE) if item and item.kind == "passage" else None
        if item and match:
            yield quote_span(retrieval, item, find_unit(item, *match.span()))


def _list_connections(path: EvidencePath) -> list[tuple[str, str]]:
    """List the ids of the evidence on a path, each with the name of the entity that follows it."""
    return [
        (before.target.id, after.target.name)
        for before, after in zip(path.steps, path.steps[1:], strict=False)
        if before.target.kind in ("passage", "table", "figure") and after.target.kind == "entity"
    ]
