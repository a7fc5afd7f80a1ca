"""Answers to questions for several things: all items of an enumeration, or of a list, each of them cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import cite, compose_answer, demote_to_possible, find_missing
from hopline.answers.list_question import ListQuestion, parse_list_question
from hopline.answers.listed_items import ListItem, list_below, list_enumerated
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.reader.reading import SpanReading
from hopline.results import POSSIBLE, READER, Answer, Retrieval, Sentence
from hopline.text.words import stem, stem_content_words

MAX_SHORT: Final = 12  # items in the short answer
_EMPTY: Final = frozenset(map(stem, ("things", "items", "points")))  # do not say what the items are


def answer_list(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer | None]:
    """Answer with all items of the list that the question asks for; None if there is no list.

    A list that is less sure than the threshold of the reader is a possible answer.
    """
    wanted = parse_list_question(question)
    if wanted is None:
        return None
    wording = analyse_question(wanted.text, whole=question.whole)
    retrieval, readings = yield from reader.read(wording, retrieval)
    ranked = sorted(readings, key=lambda item: (-item.confidence, item.reading.rank))
    if not ranked or ranked[0].confidence < POSSIBLE or ranked[0].reading.evidence.kind != "passage":
        return None
    items = list_items(wanted, ranked[0].reading)
    if len(items) < 2:
        return None
    return _compose(question, wanted, retrieval, items, confidence=ranked[0].confidence, threshold=reader.threshold)


def list_items(wanted: ListQuestion, reading: SpanReading) -> list[ListItem]:
    """List the items of the list, or of the enumeration, in which the reader found its answer.

    The lead-in of a list, or a heading above it, has to say what the question asks for.
    """
    lead, items = list_below(reading.evidence, reading.sentence)
    words = stem_content_words("\n".join((lead, *reading.evidence.section[-1:])))
    is_meant = not wanted.words or not wanted.words.isdisjoint(words) or not wanted.words.isdisjoint(_EMPTY)
    return items if items and is_meant else list_enumerated(reading.evidence, reading.start, reading.end)


def _compose(
    question: QuestionAnalysis,
    wanted: ListQuestion,
    retrieval: Retrieval,
    items: Sequence[ListItem],
    *,
    confidence: float,
    threshold: float,
) -> Answer:
    sentences = [_quote_items(retrieval, group) for group in _group_by_sentence(items)]
    answer = compose_answer(retrieval, sentences, short=join_items(items), confidence=confidence, written_by=READER)
    answer = replace(answer, short_quoted=True)
    is_complete = wanted.count in (None, len(items))
    if confidence >= threshold and is_complete:
        return answer
    return demote_to_possible(answer, missing=find_missing(question, retrieval))


def _group_by_sentence(items: Sequence[ListItem]) -> list[list[ListItem]]:
    groups: dict[tuple[str, tuple[int, int]], list[ListItem]] = {}
    for item in items:
        groups.setdefault((item.evidence.id, item.sentence), []).append(item)
    return list(groups.values())


def _quote_items(retrieval: Retrieval, items: Sequence[ListItem]) -> Sentence:
    """Quote the sentence of some items; its citation marks them from the first to the last."""
    first = items[0]
    citation = cite(retrieval, first.evidence, first.sentence, answer=(first.start, items[-1].end))
    return Sentence(" ".join(citation.quote.split()), (citation,))


def join_items(items: Sequence[ListItem]) -> str:
    """Join the items to a short answer, by semicolons if an item has a comma; the first `MAX_SHORT` of many."""
    texts = list(dict.fromkeys(item.text for item in items))
    separator = "; " if any("," in text for text in texts) else ", "
    more = f" … ({len(texts)} in all)" if len(texts) > MAX_SHORT else ""
    return separator.join(texts[:MAX_SHORT]) + more
