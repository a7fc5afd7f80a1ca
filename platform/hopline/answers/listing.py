"""Answers to questions for several things: all items of an enumeration, or of a list, each of them cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hopline.answers.answerer import MAX_EVIDENCE, EvidenceReader
from hopline.answers.cells import CitedCell, TableResult, cite_result, join_header, join_parts, weigh_results
from hopline.answers.composition import cite, compose_answer, demote_to_possible, find_missing
from hopline.answers.expansion import UnitedTable, unite_tables
from hopline.answers.list_question import ListQuestion, parse_list_question
from hopline.answers.listed_items import ListItem, list_below, list_enumerated
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis, analyse_question
from hopline.reader.confidence import RatedReading
from hopline.reader.reading import SpanReading
from hopline.results import POSSIBLE, READER, Answer, Retrieval, Sentence
from hopline.text.words import stem, stem_content_words

AGREED: Final = 0.7  # confidence in rows that a question names in part, if the reader found one of them
MAX_CELLS: Final = 6  # of a row that are described
MAX_SHORT: Final = 12  # items in the short answer
_VERBS: Final = frozenset({"VERB", "AUX"})
_EMPTY: Final = frozenset(map(stem, ("things", "items", "points")))  # do not say what the items are


def answer_list(question: QuestionAnalysis, retrieval: Retrieval, reader: EvidenceReader) -> Flow[Answer | None]:
    """Answer with all items of the list, or all rows of the table, that the question asks for; None if there are none.

    What is less sure than the threshold of the reader is a possible answer.
    """
    wanted = parse_list_question(question)
    if wanted is None or not reader.enabled:
        return None
    wording = analyse_question(wanted.text, whole=question.whole)
    retrieval, readings = yield from reader.read(wording, retrieval)
    united = yield from unite_tables(retrieval.evidence[:MAX_EVIDENCE])
    result, readings = weigh_results(question, retrieval, readings, united)
    answers = [_answer_from_text(question, wanted, retrieval, readings, threshold=reader.threshold)]
    if result is not None and result.named and result.program.operation == "list":
        answers.append(_answer_from_table(question, retrieval, result, readings, united, threshold=reader.threshold))
    return max(
        (answer for answer in answers if answer),
        key=lambda answer: (not answer.abstained, answer.confidence),
        default=None,
    )


def _answer_from_text(
    question: QuestionAnalysis,
    wanted: ListQuestion,
    retrieval: Retrieval,
    readings: Sequence[RatedReading],
    *,
    threshold: float,
) -> Answer | None:
    ranked = sorted(readings, key=lambda item: (-item.confidence, item.reading.rank))
    passages = [item for item in ranked if item.reading.evidence.kind == "passage"]
    if not passages or passages[0].confidence < POSSIBLE:
        return None
    items = list_items(wanted, passages[0].reading)
    if len(items) < 2:
        return None
    return _compose(question, wanted, retrieval, items, confidence=passages[0].confidence, threshold=threshold)


def _answer_from_table(
    question: QuestionAnalysis,
    retrieval: Retrieval,
    result: TableResult,
    readings: Sequence[RatedReading],
    united: Sequence[UnitedTable],
    *,
    threshold: float,
) -> Answer:
    """Answer with the rows of a table, one sentence each.

    If the table has all words of the question but its verb, the rows are sure if the reader found one of them as well.
    """
    confidence = result.probability
    verbs = {stem(token.lower_) for token in question.parse if token.pos_ in _VERBS}
    lacks_verb = bool(result.unexplained) and verbs.issuperset(result.unexplained)
    if lacks_verb and any(_is_listed(item.reading, result) for item in readings):
        confidence = AGREED
    retrieval, citations = cite_result(retrieval, result, united)
    sentences = [
        Sentence(describe_row(result, cell), (citation,))
        for cell, citation in zip(result.cells, citations, strict=True)
    ]
    short = join_items(result.values)
    answer = compose_answer(retrieval, sentences, short=short, confidence=confidence, written_by=READER)
    answer = replace(answer, short_quoted=True)
    if confidence >= threshold:
        return answer
    return demote_to_possible(answer, missing=find_missing(question, retrieval))


def _is_listed(reading: SpanReading, result: TableResult) -> bool:
    """Return whether a reading with a positive score is in one of the rows of a result."""
    same = reading.evidence.document == result.table.document and reading.evidence.kind == "table"
    rows = {" ".join(cell.text for cell in item.row.cells if cell.text) for item in result.cells}
    row = reading.evidence.grid.find_row(reading.start) if same and reading.evidence.grid else None
    return row is not None and reading.score > 0 and " ".join(c.text for c in row.cells if c.text) in rows


def describe_row(result: TableResult, listed: CitedCell) -> str:
    """Describe a row: the caption of its table, the item that is listed, and its other cells with their headers."""
    grid = result.table.grid
    others = [
        join_header(grid.column(index) if grid else "", cell.text)
        for index, cell in enumerate(listed.row.cells)
        if cell.text and cell != listed.cell
    ]
    return join_parts(result.table.caption, listed.cell.text, "; ".join(others[:MAX_CELLS]))


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
    answer = compose_answer(
        retrieval, sentences, short=join_items([item.text for item in items]), confidence=confidence, written_by=READER
    )
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


def join_items(items: Sequence[str]) -> str:
    """Join the items to a short answer, by semicolons if an item has a comma; the first `MAX_SHORT` of many."""
    texts = list(dict.fromkeys(items))
    separator = "; " if any("," in text for text in texts) else ", "
    more = f" … ({len(texts)} in all)" if len(texts) > MAX_SHORT else ""
    return separator.join(texts[:MAX_SHORT]) + more
