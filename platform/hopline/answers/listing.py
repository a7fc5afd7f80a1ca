"""Answers to questions for several things: all items of an enumeration, a list, sentences or a table, each cited.

The items are those of the enumeration or list in which the reader found its answer, those of the sentences that answer
the question alone, or the rows of a table that satisfy its conditions. If it is not sure that these are all, the answer
is a possible one. A single thing, or the number of things, is no sure answer to such a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hopline.answers.answerer import MAX_EVIDENCE, EvidenceReader
from hopline.answers.bulleted_lists import list_below
from hopline.answers.cells import TableResult, weigh_results
from hopline.answers.composition import cite, compose_answer, demote_to_possible, find_missing
from hopline.answers.doubtful_readings import MAX_DOUBTFUL
from hopline.answers.expansion import UnitedTable
from hopline.answers.list_question import ListQuestion, may_ask_for_several, parse_list_question
from hopline.answers.listed_items import (
    ListItem,
    covers_several,
    is_count_of,
    is_one_thing,
    list_enumerated,
    list_enumerated_behind,
    states_more,
)
from hopline.answers.listed_rows import quote_rows, rate_rows
from hopline.answers.separate_sentences import SentenceItems, is_negated, read_sentences
from hopline.answers.span import compose_span_answer
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.reader.confidence import RatedReading
from hopline.reader.input import format_heading, format_with_heading
from hopline.reader.reading import SpanReading
from hopline.results import POSSIBLE, READER, Answer, Retrieval, Sentence
from hopline.text.words import stem, stem_content_words

SEPARATE: Final = 0.75  # confidence in items that separate sentences give, if these are all
MAX_SHORT: Final = 12  # items in the short answer
_EMPTY_NOUNS: Final = frozenset({"names", "list", "kinds", "types", "things"})
_EMPTY: Final = frozenset(map(stem, ("things", "items", "points")))  # do not say what the items are


@dataclass(frozen=True, slots=True)
class ItemList:
    """The items that answer a question, as texts and as sentences with their citations, and the confidence in them."""

    retrieval: Retrieval
    texts: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    confidence: float


def answer_list(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer | None]:
    """Answer with all things that the question asks for; None for another question, or if nothing limits the reader.

    What is less sure than the threshold of the reader is a possible answer.
    """
    if not reader.enabled:
        return None
    wanted = parse_list_question(question)
    if wanted is not None:
        return (yield from _answer_wanted(question, wanted, retrieval, reader))
    return (yield from _answer_with_list(question, retrieval, reader)) if may_ask_for_several(question) else None


def _answer_wanted(
    question: QuestionAnalysis, wanted: ListQuestion, retrieval: Retrieval, reader: EvidenceReader
) -> Flow[Answer | None]:
    """Answer a question for several things with the surest list, or with a single thing as a possible answer."""
    wording = analyse_question(wanted.text, whole=question.whole)
    retrieval, readings = yield from reader.read(wording, retrieval)
    united = yield from reader.unite_tables(retrieval)
    result, readings = yield from weigh_results(question, retrieval, readings, reader, united)
    separate = yield from read_sentences(wording, wanted, retrieval.evidence[:MAX_EVIDENCE])
    limit = MAX_DOUBTFUL if find_absent_nouns(wording, wanted, retrieval) else 1.0
    lists = [_list_from_text(wanted, retrieval, readings, separate, limit=limit)]
    if result is not None and result.named and result.program.operation == "list":
        lists.append(_list_from_table(question, retrieval, result, readings, united))
    best = max(filter(None, lists), key=lambda listed: listed.confidence, default=None)
    limited = limit_single_things(wanted, readings, limit=limit)
    rivals = [item for item in limited if lists[0] is None or item.reading.evidence.kind == "table"]
    single = max((item.confidence for item in rivals), default=0.0)
    if best is not None and (best.confidence >= single or single <= MAX_DOUBTFUL):
        return _compose(question, best, threshold=reader.threshold)
    if (limited == readings and wording == question) or not limited or (result is not None and result.named):
        return None
    return compose_span_answer(question, retrieval, limited, threshold=reader.threshold)


def _answer_with_list(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer | None]:
    """Answer a question that may ask for one thing or several with the list in which the reader found its answer.

    The lead-in and the headings above a list have to have all words of the question. The things of an enumeration have
    to be names.
    """
    retrieval, readings = yield from reader.read(question, retrieval)
    best = max(readings, key=lambda item: (item.confidence, -item.reading.rank), default=None)
    if best is None or best.reading.evidence.kind != "passage" or best.confidence < reader.threshold:
        return None
    evidence = best.reading.evidence
    lead, items = list_below(evidence, best.reading.sentence)
    words = stem_content_words("\n".join((lead, format_heading(evidence))))
    if not items or not question.content_stems <= words:
        items = list_enumerated(evidence, best.reading.start, best.reading.end)
        items = items if all(item.text[0].isupper() for item in items) else []
    if len(items) < 2:
        return None
    return _compose(question, _quote_list(retrieval, items, best.confidence), threshold=reader.threshold)


def _quote_list(retrieval: Retrieval, items: Sequence[ListItem], confidence: float) -> ItemList:
    sentences = tuple(_quote_items(retrieval, group) for group in _group_by_sentence(items))
    return ItemList(retrieval, tuple(item.text for item in items), sentences, confidence)


def _list_from_text(
    wanted: ListQuestion,
    retrieval: Retrieval,
    readings: Sequence[RatedReading],
    separate: SentenceItems,
    *,
    limit: float,
) -> ItemList | None:
    """List the items of the best reading in a passage and of the sentences that were read alone."""
    passages = [item for item in readings if item.reading.evidence.kind == "passage" and item.confidence >= POSSIBLE]
    best = max(passages, key=lambda item: (item.confidence, -item.reading.rank), default=None)
    items, is_sure = list_items(wanted, best.reading) if best else ([], False)
    confidence = min(best.confidence, 1.0 if is_sure else MAX_DOUBTFUL) if best else 0.0
    if _is_preferred(separate, items):
        items, confidence = list(separate.items), SEPARATE if separate.is_complete else MAX_DOUBTFUL
    if len(items) < 2:
        return None
    if wanted.count not in (None, len(items)) or separate.count not in (None, len(items)):
        confidence = min(confidence, MAX_DOUBTFUL)
    return _quote_list(retrieval, items, min(confidence, limit))


def _is_preferred(separate: SentenceItems, items: Sequence[ListItem]) -> bool:
    """Return whether the items of separate sentences are preferred to those of an enumeration.

    They are if they are as many as a sentence states, or if the sentence of the enumeration, read alone, gives none.
    """
    if len(items) < 2 or (separate.count == len(separate.items) and separate.count != len(items)):
        return True
    if len({item.sentence for item in items}) > 1 or not separate.items:
        return False
    return (items[0].evidence.id, items[0].sentence) not in {(i.evidence.id, i.sentence) for i in separate.items}


def _list_from_table(
    question: QuestionAnalysis,
    retrieval: Retrieval,
    result: TableResult,
    readings: Sequence[RatedReading],
    united: Sequence[UnitedTable],
) -> ItemList:
    confidence = rate_rows(question, result, readings)
    retrieval, sentences = quote_rows(retrieval, result, united)
    return ItemList(retrieval, result.values, tuple(sentences), confidence)


def find_absent_nouns(question: QuestionAnalysis, wanted: ListQuestion, retrieval: Retrieval) -> frozenset[str]:
    """Find the stems of the nouns of a question, besides what it asks for, that no evidence and no heading has."""
    texts = (format_with_heading(item) for item in retrieval.evidence[:MAX_EVIDENCE])
    known = frozenset[str]().union(*map(stem_content_words, texts))
    nouns = {
        stem(token.lower_) for token in question.parse if token.pos_ == "NOUN" and token.lower_ not in _EMPTY_NOUNS
    }
    return frozenset(nouns & question.content_stems) - known - wanted.words


def limit_single_things(wanted: ListQuestion, readings: Sequence[RatedReading], *, limit: float) -> list[RatedReading]:
    """Limit the confidence of readings that are one thing, where there may be several, or how many there are."""
    limits = [min(limit, _compute_limit(wanted, item.reading)) for item in readings]
    return [replace(item, confidence=min(item.confidence, most)) for item, most in zip(readings, limits, strict=True)]


def _compute_limit(wanted: ListQuestion, reading: SpanReading) -> float:
    span = reading.evidence, reading.start, reading.end
    if is_count_of(*span, wanted.words):
        return 0.0
    if covers_several(*span):
        return MAX_DOUBTFUL
    if reading.evidence.kind == "passage" and is_negated(wanted.text) and not is_negated(reading.quote):
        return MAX_DOUBTFUL
    is_phrase = wanted.is_description and not reading.short.istitle()
    return 1.0 if is_phrase or not is_one_thing(*span) else MAX_DOUBTFUL


def list_items(wanted: ListQuestion, reading: SpanReading) -> tuple[list[ListItem], bool]:
    """List the items of the list, or of the enumeration, in which the reader found its answer.

    The lead-in of a list, or a heading above it, has to say what the question asks for. The second value is False if
    the text says that there are more, or has no negation where the question has one.
    """
    lead, items = list_below(reading.evidence, reading.sentence, wanted.words)
    words = stem_content_words("\n".join((lead, *reading.evidence.section[-1:])))
    is_meant = not wanted.words or not wanted.words.isdisjoint(words) or not wanted.words.isdisjoint(_EMPTY)
    if not items or not is_meant:
        span = reading.evidence, reading.start, reading.end
        is_count = is_count_of(*span, wanted.words)
        items = list_enumerated_behind(reading.evidence, reading.end) if is_count else list_enumerated(*span)
        lead = reading.quote
        if items and states_more(items, wanted.words):
            return items, False
    return items, is_negated(lead) or not is_negated(wanted.text)


def _compose(question: QuestionAnalysis, items: ItemList, *, threshold: float) -> Answer:
    retrieval, confidence = items.retrieval, items.confidence
    short = join_items(items.texts)
    answer = compose_answer(retrieval, items.sentences, short=short, confidence=confidence, written_by=READER)
    answer = replace(answer, short_quoted=True)
    if confidence >= threshold:
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


def join_items(items: Sequence[str]) -> str:
    """Join the items to a short answer, by semicolons if an item has a comma; the first `MAX_SHORT` of many."""
    texts = list(dict.fromkeys(items))
    separator = "; " if any("," in text for text in texts) else ", "
    more = f" … ({len(texts)} in all)" if len(texts) > MAX_SHORT else ""
    return separator.join(texts[:MAX_SHORT]) + more
