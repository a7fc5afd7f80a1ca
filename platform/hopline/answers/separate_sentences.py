"""Sentences that say the same of different things: each is read alone, and those that answer the question are items.

"The Mill Bridge was repaired in 2020. … The Iron Bridge was repaired in 2020." are two items of "Which bridges were
repaired in 2020?".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hopline.answers.list_question import ListQuestion
from hopline.answers.listed_items import (
    ListItem,
    is_count_of,
    list_enumerated,
    list_enumerated_behind,
    list_named,
    widen_to_phrase,
)
from hopline.flow.requests import Flow, infer
from hopline.learned.reading import Reading
from hopline.questions.analysis import QuestionAnalysis
from hopline.reader.confidence import normalize_short, repeats_question
from hopline.reader.input import format_heading, make_readable_unit
from hopline.reader.negation import is_denied, is_negation
from hopline.reader.reading import list_units, widen_span
from hopline.results import Evidence
from hopline.text.values import find_leading_number, parse_number_word
from hopline.text.words import read_stem_list, stem_content_words

Relation = Literal["stated", "partial", "unrelated"]

MAX_SENTENCES: Final = 80  # that are read for a question
SURE: Final = 4.0  # score of the reader from which a sentence gives an item
STATED: Final = 0.0  # the same, of a sentence that has all words of the question but for the things
LIKELY: Final = -1.5  # the same, of an item whose name says that it is one of the things ("Mill Bridge")
MAX_NAME: Final = 5  # words of such a name
DOUBTFUL: Final = 1.5  # score from which a sentence may give an item


@dataclass(frozen=True, slots=True)
class _ReadSentence:
    """What a sentence gives: items or a count of them; ``is_clear``: it gives no others."""

    evidence: Evidence
    relation: Relation
    items: tuple[ListItem, ...] = ()
    is_clear: bool = True
    count: int | None = None


@dataclass(frozen=True, slots=True)
class SentenceItems:
    """The items that separate sentences give.

    ``is_clear``: no other sentence may give one. ``count`` is the number of things that a sentence states ("three
    bridges"), None if none does.
    """

    items: tuple[ListItem, ...]
    is_clear: bool
    count: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether these are all items: as many as a sentence states, or all that sentences may give.

        Items of two documents may contradict each other.
        """
        if len({item.evidence.document_id for item in self.items}) > 1:
            return False
        return self.is_clear if self.count is None else self.count == len(self.items)


def read_sentences(
    question: QuestionAnalysis, wanted: ListQuestion, evidence: Sequence[Evidence]
) -> Flow[SentenceItems]:
    """Read each sentence of the passages alone, and collect the items of those that answer the question.

    If a sentence states how many there are, and its document names as many of them ("the New Bridge"), it is these.
    """
    passages = [item for item in evidence if item.kind == "passage"]
    units = [(item, span) for item in passages for span in list_units(item)][:MAX_SENTENCES]
    if not units:
        return SentenceItems((), is_clear=True)
    texts = [make_readable_unit(item, span) for item, span in units]
    rows = yield infer("reader", question=question.text, passages=[list(text) for text in texts])
    read = [
        _read_sentence(question, wanted, item, span, Reading.from_row(row))
        for (item, span), row in zip(units, rows, strict=True)
    ]
    if any(sentence.relation == "stated" and sentence.items for sentence in read):
        read = [sentence for sentence in read if sentence.relation != "unrelated"]
    items = _collect(item for sentence in read for item in sentence.items)
    is_clear = all(sentence.is_clear for sentence in read)
    counts = {sentence.count: sentence.evidence for sentence in read if sentence.count is not None}
    if len(counts) != 1:
        return SentenceItems(_take_kind(items), is_clear)
    [(count, counting)] = counts.items()
    if len(items) < count:
        same = [(item, span) for item, span in units if item.document_id == counting.document_id]
        names = [name for item, span in same for name in list_named(item, span, wanted.words)]
        items = named if len(named := _collect((*items, *names))) == count else items
    return SentenceItems(_take_kind(items), is_clear, count)


def _read_sentence(
    question: QuestionAnalysis, wanted: ListQuestion, evidence: Evidence, sentence: tuple[int, int], reading: Reading
) -> _ReadSentence:
    """Return what a sentence gives that was read alone."""
    start, end = widen_span(evidence.text, sentence[0] + reading.start, sentence[0] + reading.end)
    relation = _relate(question, wanted, evidence, sentence)
    if start >= end or reading.score < LIKELY:
        return _ReadSentence(evidence, relation)
    if is_count_of(evidence, start, end, wanted.words):
        behind = list_enumerated_behind(evidence, end) if reading.score >= SURE else []
        return _ReadSentence(evidence, relation, tuple(behind), count=_read_count(evidence.text[start:end]))
    if is_negated(evidence.text[slice(*sentence)]) != is_negated(question.text):
        return _ReadSentence(evidence, relation, is_clear=reading.score < DOUBTFUL)
    listed = list_enumerated(evidence, start, end) or [widen_to_phrase(evidence, start, end)]
    least = STATED if relation == "stated" else SURE
    sure = tuple(member for member in listed if _is_item(question, wanted, member, reading.score, least=least))
    return _ReadSentence(evidence, relation, sure, is_clear=bool(sure) or reading.score < DOUBTFUL)


def _relate(
    question: QuestionAnalysis, wanted: ListQuestion, evidence: Evidence, sentence: tuple[int, int]
) -> Relation:
    """Return whether a sentence has all words of the question, or none, but for the things and the headings."""
    known = stem_content_words(format_heading(evidence)) | wanted.words | read_stem_list("listing")
    predicate = question.content_stems - known
    shared = predicate & stem_content_words(evidence.text[slice(*sentence)])
    return "partial" if not predicate else "stated" if shared == predicate else "partial" if shared else "unrelated"


def _collect(items: Iterable[ListItem]) -> tuple[ListItem, ...]:
    """Return the items with different texts, each at its first place."""
    distinct: dict[str, ListItem] = {}
    for item in items:
        distinct.setdefault(normalize_short(item.text), item)
    return tuple(distinct.values())


def is_negated(text: str) -> bool:
    """Return whether a text has a negation."""
    return any(map(is_negation, text.split()))


def _is_item(question: QuestionAnalysis, wanted: ListQuestion, item: ListItem, score: float, *, least: float) -> bool:
    """Return whether a sentence is sure to give an item, or gives one whose name has the noun of the question."""
    sentence = item.evidence.text[slice(*item.sentence)]
    span = item.start - item.sentence[0], item.end - item.sentence[0]
    if repeats_question(question, item.text) or is_denied(question, sentence, span):
        return False
    is_named = item.text[0].isupper() or item.text.lower().startswith("the ")
    is_of_kind = is_named and not wanted.words.isdisjoint(stem_content_words(item.text)) and item.text.count(" ") > 0
    return score >= least or (is_of_kind and score >= LIKELY and len(item.text.split()) <= MAX_NAME)


def _read_count(text: str) -> int | None:
    number = find_leading_number(text)
    return int(number.amount) if number else parse_number_word(text.split(maxsplit=1)[0])


def _take_kind(items: tuple[ListItem, ...]) -> tuple[ListItem, ...]:
    """Return the items of one kind: those that begin like most of them, with a figure or with a letter."""
    figures = tuple(item for item in items if item.text[:1].isdigit())
    words = tuple(item for item in items if not item.text[:1].isdigit())
    return figures if len(figures) > len(words) else words
