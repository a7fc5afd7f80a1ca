"""Contradictions: documents that give different values for the same fact, of which one may replace the other.

Both values are shown with their documents and dates, the later one first, and none is sure. Few other readings that
differ are contradictions: most are about another subject, year or row. Both have to have the names of the question and
what the other one says of it, and values of the same kind (`hopline.text.value_conflicts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import Span, cite, compose_answer
from hopline.answers.statement_dates import StatementDate, fetch_statement_dates
from hopline.answers.statement_subjects import are_told_apart, list_shared_stems
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading
from hopline.reader.input import format_with_heading
from hopline.reader.reading import SpanReading
from hopline.results import POSSIBLE, READER, Answer, Evidence, Retrieval, Sentence
from hopline.text.changes import find_changes
from hopline.text.measures import find_quantities
from hopline.text.value_conflicts import are_equal, are_in_conflict

MIN_SCORE: Final = 1.0  # of the reader, for "the evidence answers the question"
MIN_MARGIN: Final = 0.5  # of the answer in its passage and in its sentence alone
MIN_CONFIDENCE: Final = 0.04  # a reading that is denied or about another identifier has none
MIN_SHARED: Final = 0.5  # of the words of the question that one of the sentences has


@dataclass(frozen=True, slots=True)
class StatedValue:
    """The value of a reading: of a change, the new one, and ``former`` is then the old one."""

    item: RatedReading
    start: int
    end: int
    former: str = ""

    @property
    def reading(self) -> SpanReading:
        """The reading of the value, or of the former one."""
        return self.item.reading

    @property
    def text(self) -> str:
        """The value as one line."""
        return " ".join(self.reading.evidence.text[self.start : self.end].split()).strip(" ,;:.")

    @property
    def is_likely(self) -> bool:
        """Whether the reader takes the value for an answer, in its passage and in its sentence alone."""
        margin = min(self.reading.reading.margin, self.reading.alone)
        return self.reading.score >= MIN_SCORE and margin >= MIN_MARGIN


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two values for the same fact, the surer one first; ``is_change``: one is stated to replace the other."""

    values: tuple[StatedValue, StatedValue]
    is_change: bool


def answer_contradiction(
    question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader
) -> Flow[Answer | None]:
    """Answer with both values of documents that contradict each other, as a possible answer; None if none do."""
    retrieval, readings = yield from reader.read(question, retrieval)
    contradiction = find_contradiction(question, retrieval.evidence, readings)
    if contradiction is None:
        return None
    values = contradiction.values
    first, second = yield from fetch_statement_dates(retrieval, [value.reading for value in values])
    is_later = bool(values[0].former) if contradiction.is_change else second.is_before(first)
    known = is_later or contradiction.is_change or first.is_before(second)
    dated = [(values[0], first), (values[1], second)]
    ordered = dated if is_later or not known else dated[::-1]
    relation = " The first one replaces the second." if contradiction.is_change else " The first one is later."
    return _compose(retrieval, ordered, relation if known else "")


def find_contradiction(
    question: QuestionAnalysis, evidence: Sequence[Evidence], readings: Sequence[RatedReading]
) -> Contradiction | None:
    """Find the surest reading and one that contradicts it, in another document; None if there is none.

    A value that a sentence says to be replaced may be read less surely than others.
    """
    if question.asks_for_verdict or question.asks_for_explanation:
        return None
    ranked = sorted(readings, key=lambda item: -item.confidence)
    values = [_build_value(item) for item in ranked if item.confidence >= MIN_CONFIDENCE and not item.bridges]
    values = [value for value in values if question.fits_answer_type(value.text)]
    for other in values[1:]:
        is_change = _is_change(values[0], other) or _is_change(other, values[0])
        if not is_change and not (values[0].is_likely and other.is_likely):
            continue
        if _contradict(question, evidence, values[0], other):
            return Contradiction((values[0], other), is_change)
    return None


def _build_value(item: RatedReading) -> StatedValue:
    """Return the value of a reading: of a change the new value, else its first quantity with the unit behind it."""
    reading = item.reading
    text, (offset, end) = reading.evidence.text, reading.sentence
    span = reading.start - offset, reading.end - offset
    sentence = text[offset:end]
    if reading.evidence.kind == "passage":
        for change in find_changes(sentence):
            if _overlap(change.old, span) or _overlap(change.new, span):
                former = " ".join(sentence[slice(*change.old)].split())
                return StatedValue(item, offset + change.new[0], offset + change.new[1], former)
    for quantity in find_quantities(sentence):
        if _overlap((quantity.start, quantity.end), span):
            return StatedValue(item, min(offset + quantity.start, reading.start), offset + quantity.end)
    return StatedValue(item, reading.start, reading.end)


def _overlap(first: Span, second: Span) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def _is_change(later: StatedValue, earlier: StatedValue) -> bool:
    """Return whether a value is stated to replace another one."""
    return bool(later.former) and not earlier.former and are_equal(later.former, earlier.text)


def _contradict(
    question: QuestionAnalysis, evidence: Sequence[Evidence], first: StatedValue, second: StatedValue
) -> bool:
    """Return whether two documents give values of one kind that are not equal, for the subject of the question.

    If a name of the question is in another passage of a document only, one sentence has to have all words of the
    question that the other one has.
    """
    if first.reading.evidence.document_id == second.reading.evidence.document_id:
        return False
    is_amount = question.answer_type in {"number", "age", "size"}
    if not are_in_conflict(first.text, second.text, is_amount=is_amount):
        return False
    readings = first.reading, second.reading
    if any(question.find_unmatched(_list_document_texts(reading, evidence)) for reading in readings):
        return False
    if are_told_apart(question, *readings):
        return False
    shared = list_shared_stems(question, *readings)
    if any(question.find_unmatched([format_with_heading(reading.evidence)]) for reading in readings):
        return shared[0] <= shared[1] or shared[1] <= shared[0]
    return len(shared[0] & shared[1]) >= MIN_SHARED * max(len(shared[0]), len(shared[1]))


def _list_document_texts(reading: SpanReading, evidence: Sequence[Evidence]) -> list[str]:
    return [format_with_heading(item) for item in evidence if item.document_id == reading.evidence.document_id]


def _compose(retrieval: Retrieval, dated: Sequence[tuple[StatedValue, StatementDate]], relation: str) -> Answer:
    labels = [
        ", ".join(part for part in (value.reading.evidence.document, since.text) if part) for value, since in dated
    ]
    stated = " and ".join(f"{value.text} ({label})" for (value, _), label in zip(dated, labels, strict=True))
    shown = [f"{value.text} ({since.text or value.reading.evidence.document})" for value, since in dated]
    answer = compose_answer(
        retrieval,
        (),
        short="; ".join(shown),
        confidence=max(POSSIBLE, *(value.item.confidence for value, _ in dated)),
        nearest=[_quote(retrieval, value, label) for (value, _), label in zip(dated, labels, strict=True)],
        written_by=READER,
        notice=f"The documents give different values: {stated}.{relation}",
    )
    return replace(answer, short_quoted=True)


def _quote(retrieval: Retrieval, value: StatedValue, label: str) -> Sentence:
    reading = value.reading
    citation = cite(retrieval, reading.evidence, reading.sentence, answer=(value.start, value.end))
    return Sentence(f"{' '.join(reading.quote.split())} ({label})", (citation,))
