"""Values that documents state: those of readings, and those of sentences that amend them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answers.composition import Span
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import RatedReading
from hopline.reader.reading import SpanReading
from hopline.results import Evidence
from hopline.text.changes import find_changes, says_change
from hopline.text.measures import find_quantities
from hopline.text.value_conflicts import are_in_conflict, list_values
from hopline.text.words import stem_content_words

MIN_SCORE: Final = 1.0  # of the reader, for "the evidence answers the question"
MIN_AMENDED: Final = 2  # words of the question in a sentence that another one amends
MIN_MARGIN: Final = 0.5  # of the answer in its passage and in its sentence alone


@dataclass(frozen=True, slots=True)
class StatedValue:
    """The value of a reading: of a change, the new one, and ``former`` is then the old one; or its verdict."""

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
        """The value as one line, or the verdict."""
        if self.reading.verdict:
            return self.reading.verdict
        return " ".join(self.reading.evidence.text[self.start : self.end].split()).strip(" ,;:.")

    @property
    def is_likely(self) -> bool:
        """Whether the reader takes the value for an answer, in its passage and in its sentence alone."""
        margin = min(self.reading.reading.margin, self.reading.alone.margin)
        return self.reading.score >= MIN_SCORE and margin >= MIN_MARGIN

    def as_reading(self) -> SpanReading:
        """Return the reading with the span of the value."""
        return replace(self.reading, start=self.start, end=self.end)


def build_value(item: RatedReading) -> StatedValue:
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


def list_amendments(
    question: QuestionAnalysis, evidence: Sequence[Evidence], stated: StatedValue
) -> Iterator[StatedValue]:
    """Yield the conflicting values of sentences of the same document: one of both says that it changes a rule.

    The reader gives one span for a passage, so they may be unread. The other sentence has all words that the question
    and the sentence of the value share.
    """
    reading = stated.reading
    shared = question.content_stems & stem_content_words(reading.quote)
    changes = says_change(reading.quote)
    if len(shared) < MIN_AMENDED or not stated.is_likely:
        return
    for item in evidence:
        if item.document_id != reading.evidence.document_id or item.kind != "passage":
            continue
        for start, end in item.sentences:
            sentence = item.text[start:end]
            is_same = item.id == reading.evidence.id and _overlap((start, end), reading.sentence)
            if is_same or not shared <= stem_content_words(sentence) or says_change(sentence) == changes:
                continue
            for first, last in list_values(sentence):
                value = sentence[first:last]
                fits = question.fits_answer_type(value, sentence[:first]) and _have_units(stated.text, value)
                if fits and are_in_conflict(stated.text, value):
                    span = (start + first, start + last)
                    other = replace(reading, evidence=item, start=span[0], end=span[1], sentence=(start, end))
                    yield build_value(replace(stated.item, reading=other))
                    break


def _have_units(first: str, second: str) -> bool:
    """Return whether both or none of two values have a unit."""
    units = [any(item.units for item in find_quantities(text)) for text in (first, second)]
    return units[0] == units[1]
