"""Contradictions: documents that give different values for the same fact, of which one may replace the other.

Both values are shown with their documents and dates, the later one first, and none is sure. Few other readings that
differ are contradictions: most are about another subject, year or row. Both have to have the names of the question and
what the other one says of it, and values of the same kind (`hopline.text.value_conflicts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.asked_time import find_asked_value, remove_time
from hopline.answers.comparison import parse_comparison
from hopline.answers.composition import cite, compose_answer
from hopline.answers.measure_question import parse_measure_question
from hopline.answers.span import compose_span_answer
from hopline.answers.stated_values import StatedValue, build_value, list_amendments
from hopline.answers.statement_dates import StatementDate, fetch_statement_dates
from hopline.answers.statement_subjects import are_parallel, are_told_apart, list_shared_stems
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading
from hopline.reader.input import format_with_heading
from hopline.reader.reading import SpanReading
from hopline.results import POSSIBLE, READER, Answer, Evidence, Retrieval, Sentence
from hopline.text.changes import says_change
from hopline.text.value_conflicts import are_equal, are_in_conflict, is_weekday, list_values
from hopline.text.values import find_dates, find_years
from hopline.text.words import contains_name

MIN_CONFIDENCE: Final = 0.04  # a reading that is denied or about another identifier has none
MIN_SHARED: Final = 0.5  # of the words of the question that one of the sentences has
MIN_VERDICT: Final = 0.3  # confidence of a verdict that contradicts the surest one
MIN_VALUE_VERDICT: Final = 0.1  # the same, if its sentence has another value than the question


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two values for the same fact, the surer one first.

    ``is_change``: the one of the number ``newer`` is stated to replace the other.
    """

    values: tuple[StatedValue, StatedValue]
    is_change: bool
    newer: int


def answer_contradiction(
    question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader
) -> Flow[Answer | None]:
    """Answer with both values of documents that contradict each other, as a possible answer; None if none do.

    If the question asks for the value of a time or of a document, this is the answer. A question that compares things
    is of another kind.
    """
    if parse_comparison(question) or parse_measure_question(question):
        return None
    retrieval, readings = yield from reader.read(question, retrieval)
    contradiction = find_contradiction(question, retrieval.evidence, readings)
    without_time = remove_time(question) if contradiction is None else None
    if without_time is not None:
        retrieval, readings = yield from reader.read(without_time, retrieval)
        contradiction = find_contradiction(without_time, retrieval.evidence, readings)
    if contradiction is None:
        return None
    values = contradiction.values
    dates = yield from fetch_statement_dates(retrieval, [value.reading for value in values])
    later = _find_later(contradiction, dates)
    number = find_asked_value(question, [value.reading for value in values], dates, later)
    if number is not None:
        chosen = RatedReading(values[number].as_reading(), max(value.item.confidence for value in values))
        return compose_span_answer(question, retrieval, [chosen], threshold=reader.threshold)
    ordered = list(zip(values, dates, strict=True))
    return None if without_time else _compose(retrieval, ordered, contradiction, later)


def _find_later(contradiction: Contradiction, dates: Sequence[StatementDate]) -> int | None:
    """Return the number of the value that replaces the other one, or whose date is later; None if it is unknown."""
    if contradiction.is_change:
        return contradiction.newer
    if dates[1].is_before(dates[0]):
        return 0
    return 1 if dates[0].is_before(dates[1]) else None


def find_contradiction(
    question: QuestionAnalysis, evidence: Sequence[Evidence], readings: Sequence[RatedReading]
) -> Contradiction | None:
    """Find the surest reading and one that contradicts it, in another document; None if there is none.

    A value that a sentence says to be replaced may be read less surely than others.
    """
    if question.asks_for_explanation:
        return None
    ranked = sorted(readings, key=lambda item: -item.confidence)
    if question.asks_for_verdict:
        return _find_contradicting_verdicts(question, ranked)
    values = [build_value(item) for item in ranked if item.confidence >= MIN_CONFIDENCE and not item.bridges]
    values = [value for value in values if question.fits_answer_type(value.text)]
    for other in values[1:]:
        is_change = _is_change(values[0], other) or _is_change(other, values[0])
        is_likely = values[0].is_likely and other.is_likely
        if not (is_change or is_likely or are_parallel(values[0].reading, other.reading)):
            continue
        if _are_of_other_documents(values[0], other) and _contradict(question, evidence, values[0], other):
            return Contradiction((values[0], other), is_change, newer=0 if values[0].former else 1)
    return next(_list_amended(question, evidence, values[:1]), None)


def _find_contradicting_verdicts(question: QuestionAnalysis, ranked: Sequence[RatedReading]) -> Contradiction | None:
    """Find the surest verdict and the opposite one of another document; None if none is likely.

    A sentence with another value than the question ("Is the fee £40?") may be less sure.
    """
    if not ranked or ranked[0].confidence < MIN_VERDICT:
        return None
    first = StatedValue(ranked[0], ranked[0].reading.start, ranked[0].reading.end)
    values = [question.text[start:end] for start, end in list_values(question.text)]
    for item in ranked[1:]:
        other = StatedValue(item, item.reading.start, item.reading.end)
        if other.text == first.text or not _are_of_other_documents(first, other):
            continue
        if are_told_apart(question, first.reading, other.reading):
            continue
        if item.confidence >= (MIN_VALUE_VERDICT if _has_other_value(values, first, other) else MIN_VERDICT):
            is_change = says_change(item.reading.quote)
            return Contradiction(
                (first, other), is_change or says_change(first.reading.quote), newer=1 if is_change else 0
            )
    return None


def _has_other_value(values: Sequence[str], *verdicts: StatedValue) -> bool:
    """Return whether the sentence of the "no" has a value in conflict with one of the question."""
    quotes = [verdict.reading.quote for verdict in verdicts if verdict.text == "no"]
    stated = [quote[start:end] for quote in quotes for start, end in list_values(quote)]
    return any(are_in_conflict(value, other) for value in values for other in stated)


def _list_amended(
    question: QuestionAnalysis, evidence: Sequence[Evidence], values: Sequence[StatedValue]
) -> Iterator[Contradiction]:
    """Yield the contradictions of a value and another sentence of its document, of which one says what changes."""
    for value in values:
        for other in list_amendments(question, evidence, value):
            if _contradict(question, evidence, value, other):
                is_new = says_change(value.reading.quote)
                yield Contradiction((value, other), is_change=True, newer=0 if is_new else 1)


def _are_of_other_documents(first: StatedValue, second: StatedValue) -> bool:
    return first.reading.evidence.document_id != second.reading.evidence.document_id


def _is_change(later: StatedValue, earlier: StatedValue) -> bool:
    """Return whether a value is stated to replace another one."""
    return bool(later.former) and not earlier.former and are_equal(later.former, earlier.text)


def _contradict(
    question: QuestionAnalysis, evidence: Sequence[Evidence], first: StatedValue, second: StatedValue
) -> bool:
    """Return whether two values are of one kind and not equal, and stated of the subject of the question.

    If a name of the question is in another passage of a document only, one sentence has to have all words of the
    question that the other one has.
    """
    is_amount = question.answer_type in {"number", "age", "size"}
    if not are_in_conflict(first.text, second.text, is_amount=is_amount):
        return False
    readings = first.reading, second.reading
    if any(_find_unmatched(question, _list_document_texts(reading, evidence)) for reading in readings):
        return False
    if are_told_apart(question, *readings) or any(_is_of_other_year(question, reading) for reading in readings):
        return False
    shared = list_shared_stems(question, *readings)
    if any(_find_unmatched(question, [format_with_heading(reading.evidence)]) for reading in readings):
        return shared[0] <= shared[1] or shared[1] <= shared[0]
    return len(shared[0] & shared[1]) >= MIN_SHARED * max(len(shared[0]), len(shared[1]))


def _is_of_other_year(question: QuestionAnalysis, reading: SpanReading) -> bool:
    """Return whether a sentence or its column is of another year than the question's."""
    text, grid = reading.quote, reading.evidence.grid
    if grid is not None:
        _, column = grid.locate_cell(reading.start)
        text = grid.column(column) if column is not None else ""
    years = set(find_years(text))
    return bool(years and question.years) and not years & set(question.years)


def _find_unmatched(question: QuestionAnalysis, texts: Sequence[str]) -> list[str]:
    """Find the names and numbers of the question that no text has, without dates, and weekdays."""
    dates = " ".join(question.text[span.start : span.end] for span in find_dates(question.text))
    unmatched = question.find_unmatched(texts)
    return [name for name in unmatched if not (contains_name(dates, name) or is_weekday(name))]


def _list_document_texts(reading: SpanReading, evidence: Sequence[Evidence]) -> list[str]:
    return [format_with_heading(item) for item in evidence if item.document_id == reading.evidence.document_id]


def _compose(
    retrieval: Retrieval,
    dated: Sequence[tuple[StatedValue, StatementDate]],
    contradiction: Contradiction,
    later: int | None,
) -> Answer:
    """Compose the possible answer of both values, the later one first if it is known."""
    dated = dated[::-1] if later == 1 else dated
    documents = dict.fromkeys(value.reading.evidence.document for value, _ in dated)
    sources = [
        ", ".join(part for part in (value.reading.evidence.document, since.text) if part) for value, since in dated
    ]
    labels = [since.text or (value.reading.evidence.document if len(documents) > 1 else "") for value, since in dated]
    relation = "replaces the second" if contradiction.is_change else "is later"
    notice = (
        f"{'The documents give' if len(documents) > 1 else 'The document gives'} different values: "
        + " and ".join(f"{value.text} ({source})" for (value, _), source in zip(dated, sources, strict=True))
        + (f". The first one {relation}." if later is not None else ".")
    )
    answer = compose_answer(
        retrieval,
        (),
        short="; ".join(
            f"{value.text} ({label})" if label else value.text for (value, _), label in zip(dated, labels, strict=True)
        ),
        confidence=max(POSSIBLE, *(value.item.confidence for value, _ in dated)),
        nearest=[_quote(retrieval, value, source) for (value, _), source in zip(dated, sources, strict=True)],
        written_by=READER,
        notice=notice,
    )
    return replace(answer, short_quoted=True)


def _quote(retrieval: Retrieval, value: StatedValue, label: str) -> Sentence:
    reading = value.reading
    citation = cite(retrieval, reading.evidence, reading.sentence, answer=(value.start, value.end))
    return Sentence(f"{' '.join(reading.quote.split())} ({label})", (citation,))
