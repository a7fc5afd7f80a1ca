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
from hopline.answers.composition import cite, compose_answer
from hopline.answers.layout import split_lines
from hopline.answers.statement_dates import StatementDate, fetch_statement_dates
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading
from hopline.reader.input import format_heading, format_with_heading
from hopline.reader.reading import SpanReading
from hopline.results import POSSIBLE, READER, Answer, Retrieval, Sentence
from hopline.text.measures import find_quantities
from hopline.text.value_conflicts import are_in_conflict
from hopline.text.words import stem_content_words

MIN_SCORE: Final = 1.0  # of the reader, for "the evidence answers the question"
MIN_MARGIN: Final = 0.5  # of the answer in its passage and in its sentence alone
MIN_CONFIDENCE: Final = 0.04  # a reading that is denied or about another identifier has none
MIN_SHARED: Final = 0.5  # of the words of the question that the sentence of the best reading has


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value that a document states, with its reading, and since when it does."""

    text: str
    reading: SpanReading
    since: StatementDate

    @property
    def label(self) -> str:
        """The document, and the date if it is known."""
        return ", ".join(part for part in (self.reading.evidence.document, self.since.text) if part)


def answer_contradiction(
    question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader
) -> Flow[Answer | None]:
    """Answer with both values of documents that contradict each other, as a possible answer; None if none do."""
    retrieval, readings = yield from reader.read(question, retrieval)
    pair = find_contradiction(question, readings)
    if pair is None:
        return None
    dates = yield from fetch_statement_dates(retrieval, [item.reading for item in pair])
    values = [
        StatedValue(extract_value(item.reading), item.reading, since) for item, since in zip(pair, dates, strict=True)
    ]
    if values[0].since.is_before(values[1].since):
        values.reverse()
    return _compose(retrieval, values, confidence=max(POSSIBLE, pair[0].confidence))


def find_contradiction(
    question: QuestionAnalysis, readings: Sequence[RatedReading]
) -> tuple[RatedReading, RatedReading] | None:
    """Find the best reading and one that contradicts it, in another document; None if there is none."""
    if question.asks_for_verdict or question.asks_for_explanation or question.gives_choice:
        return None
    ranked = sorted((item for item in readings if _is_sure(question, item)), key=lambda item: -item.confidence)
    for other in ranked[1:]:
        if _contradict(question, ranked[0].reading, other.reading):
            return ranked[0], other
    return None


def _is_sure(question: QuestionAnalysis, item: RatedReading) -> bool:
    """Return whether a reading is likely an answer, and its passage or heading has all names of the question."""
    reading = item.reading
    margin = min(reading.reading.margin, reading.alone)
    is_likely = reading.score >= MIN_SCORE and margin >= MIN_MARGIN and item.confidence >= MIN_CONFIDENCE
    if not is_likely or item.bridges or not question.fits_answer_type(reading.short):
        return False
    return not question.find_unmatched([format_with_heading(reading.evidence)])


def _contradict(question: QuestionAnalysis, first: SpanReading, second: SpanReading) -> bool:
    if first.evidence.document_id == second.evidence.document_id:
        return False
    is_amount = question.answer_type in {"number", "age", "size"}
    is_other = are_in_conflict(extract_value(first), extract_value(second), is_amount=is_amount)
    return is_other and _share_subject(question, first, second)


def _share_subject(question: QuestionAnalysis, first: SpanReading, second: SpanReading) -> bool:
    """Return whether the second sentence has half of the words that the question and the first sentence share.

    Names, and words of the name or title of a document, are in all of its sentences: they do not count.
    """
    common = set().union(*(stem_content_words(name) for name in question.names))
    for reading in (first, second):
        common |= stem_content_words(" ".join(format_heading(reading.evidence).split("\n")[:2]))
    wanted = question.content_stems - common
    shared = [wanted & _list_context_stems(reading) for reading in (first, second)]
    return len(shared[0] & shared[1]) >= MIN_SHARED * len(shared[0])


def _list_context_stems(reading: SpanReading) -> frozenset[str]:
    """Return the stems of the sentence or row of a reading, its line, its sections and its caption."""
    evidence = reading.evidence
    lines = [line.text for line in split_lines(evidence) if line.start < reading.end and reading.start < line.end]
    return stem_content_words(" ".join((reading.quote, *lines, *evidence.section, evidence.caption)))


def extract_value(reading: SpanReading) -> str:
    """Return the value of a reading: its first quantity with the unit behind it, or else all of it."""
    text, (start, end) = reading.evidence.text, reading.sentence
    for item in find_quantities(text[start:end]):
        if item.start + start < reading.end and reading.start < item.end + start:
            return " ".join(text[min(item.start + start, reading.start) : item.end + start].split())
    return reading.short.strip(" ,;:.")


def _compose(retrieval: Retrieval, values: Sequence[StatedValue], *, confidence: float) -> Answer:
    sentences = [_quote(retrieval, value) for value in values]
    short = "; ".join(f"{value.text} ({value.since.text or value.reading.evidence.document})" for value in values)
    stated = " and ".join(f"{value.text} ({value.label})" for value in values)
    order = " The first one is later." if values[1].since.is_before(values[0].since) else ""
    answer = compose_answer(
        retrieval,
        (),
        short=short,
        confidence=confidence,
        nearest=sentences,
        written_by=READER,
        notice=f"The documents give different values: {stated}.{order}",
    )
    return replace(answer, short_quoted=True)


def _quote(retrieval: Retrieval, value: StatedValue) -> Sentence:
    reading = value.reading
    citation = cite(retrieval, reading.evidence, reading.sentence, answer=(reading.start, reading.end))
    return Sentence(f"{' '.join(reading.quote.split())} ({value.label})", (citation,))
