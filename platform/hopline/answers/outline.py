"""Answers to questions for whole pages, tables, figures or sections: their content, or what they say about a topic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import cite, compose_answer, quote_span
from hopline.answers.layout import LayoutField, TextLine, cite_field, split_lines
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.questions.references import asks_only_references, find_topic
from hopline.reader.reading import list_units
from hopline.results import Answer, Evidence, Retrieval, Sentence
from hopline.text.words import stem_content_words

MAX_SENTENCES: Final = 8
MAX_WHOLE: Final = 2  # passages of which all sentences are shown
MIN_LETTERS: Final = 8  # of a first sentence; a shorter one is a number or a mark
_LABEL: Final = re.compile(r"\s*\(?(\d{1,2}|[A-Za-z]|[ivxIVX]{1,5})[.)]\s+(?=\S)")
_ORDER: Final = {"table": 0, "figure": 1, "passage": 2}
_EDGES: Final = {"HAS_PASSAGE", "HAS_TABLE", "HAS_FIGURE"}


def answer_outline(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer with the first sentence of each passage and the captions of tables and figures; None if more is asked for.

    Tables and figures come first. They are cited as a whole, so that the page shows all of them marked. If the question
    names a topic ("What does chapter 3 say about fees?"), the answer is the sentences and rows about it, None without
    any.
    """
    yield from ()
    on_pages = all(is_on_referenced_page(retrieval, item) for item in retrieval.evidence)
    if not on_pages or not _asks_only_references(question, retrieval):
        return None
    items = next((mention.number.items for mention in question.sections), ())
    if items and (paragraph := find_listed_item(items, retrieval.evidence)):
        return cite_field(retrieval, paragraph)
    if topic := find_topic(question.text, question.references):
        return _answer_on_topic(topic, retrieval)
    ranked = sorted(retrieval.evidence, key=lambda item: (_ORDER[item.kind], item.document, item.pages))
    if len(ranked) <= MAX_WHOLE and all(item.kind == "passage" for item in ranked):
        sentences = [quote_span(retrieval, item, span) for item in ranked for span in list_units(item)]
    else:
        sentences = [sentence for item in ranked if (sentence := _outline_evidence(retrieval, item))]
    return compose_answer(retrieval, sentences[:MAX_SENTENCES]) if sentences else None


def _asks_only_references(question: QuestionAnalysis, retrieval: Retrieval) -> bool:
    """Return whether the question asks for what it refers to as such; of figures, it may name their document."""
    if question.asks_only_references or not all(item.kind == "figure" for item in question.references):
        return question.asks_only_references
    names = [name for item in retrieval.evidence for name in (item.document, item.title)]
    return bool(names) and asks_only_references(question.text, question.references, names)


def _answer_on_topic(topic: frozenset[str], retrieval: Retrieval) -> Answer | None:
    """Answer with the sentences and rows that have most words of a topic, in the order of the evidence."""
    units = [(item, span) for item in retrieval.evidence for span in list_units(item)]
    shared = [len(topic & stem_content_words(item.text[slice(*span)])) for item, span in units]
    most = max(shared, default=0)
    best = [unit for unit, count in zip(units, shared, strict=True) if count == most > 0]
    sentences = [quote_span(retrieval, item, span) for item, span in best[:MAX_SENTENCES]]
    return compose_answer(retrieval, sentences) if sentences else None


def find_listed_item(items: Sequence[frozenset[str]], evidence: Sequence[Evidence]) -> LayoutField | None:
    """Find the paragraph of a number, and its item of the next number: (2), (f) of "Article 5(2)(f)"."""
    remaining = list(items)
    for item in (item for item in evidence if item.kind == "passage"):
        lines = list(split_lines(item))
        for number, line in enumerate(lines):
            start = 0
            while remaining and (label := _LABEL.match(line.text, start)) and label[1].lower() in remaining[0]:
                remaining.pop(0)
                start = label.end()
            if start and not remaining:
                following = (after.start for after in lines[number + 1 :] if _LABEL.match(after.text))
                end = len(item.text[: next(following, lines[-1].end)].rstrip())
                return LayoutField(TextLine(item, line.start, end), line.start + start, end)
    return None


def is_on_referenced_page(retrieval: Retrieval, evidence: Evidence) -> bool:
    """Return whether the path of an evidence is the single edge from a page."""
    path = retrieval.find_path(evidence.id)
    return path is not None and len(path.steps) == 1 and path.steps[0].edge in _EDGES


def quote_caption(retrieval: Retrieval, figure: Evidence) -> Sentence:
    """Make a sentence of the caption of a figure; its citation has the box of the figure."""
    return Sentence(" ".join(figure.caption.split()), (cite(retrieval, figure, (0, len(figure.caption))),))


def _outline_evidence(retrieval: Retrieval, evidence: Evidence) -> Sentence | None:
    if evidence.kind == "figure":
        return quote_caption(retrieval, evidence)
    is_table = evidence.kind == "table"
    citation = cite(retrieval, evidence, (0, len(evidence.text)) if is_table else _find_first_sentence(evidence))
    if not citation.quote.strip():
        return None
    name = evidence.section[-1] if evidence.section else "Table"
    caption = evidence.caption or (f"Table {evidence.number}" if evidence.number else name)
    return Sentence(caption if is_table else " ".join(citation.quote.split()), (citation,))


def _find_first_sentence(evidence: Evidence) -> tuple[int, int]:
    """Find the first sentence with at least `MIN_LETTERS` letters, or else the first one."""
    spans = evidence.sentences or ((0, len(evidence.text)),)
    worded = (span for span in spans if sum(c.isalpha() for c in evidence.text[slice(*span)]) >= MIN_LETTERS)
    return next(worded, spans[0])
