"""Summaries: "What is this document about?" and "Summarise section 3" get the most central sentences.

A passage is central if the other passages of its document are similar to it (degree centrality in the graph of SIMILAR
relationships, as in LexRank, Erkan and Radev 2004, with passages in place of sentences). Of each of the most central
passages, the first sentence is taken, in reading order, below its heading. A language model summarises the most central
passages themselves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import Span, compose_answer, quote_span
from hopline.answers.expansion import insert_seeds
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.questions.analysis import QuestionAnalysis
from hopline.questions.section_numbers import SectionMention, select_in_sections
from hopline.results import Answer, Evidence, Retrieval, Sentence
from hopline.retrieval.evidence_texts import fetch_evidence

MAX_SENTENCES: Final = 3
MAX_DOCUMENTS: Final = 3
MAX_PASSAGES: Final = 200  # that a language model summarises; those for which its context has room are used
MIN_LETTERS: Final = 40  # of a sentence of a summary
_DOCUMENT: Final = r"(?:this|the|these|that|my|our)\s+(?:document|paper|report|article|book|file|text|pdf)s?"
_SECTION_NAME: Final = r"(?:(?:section|chapter|part|article|annex|appendix|kapitel)\s+|§\s*).+?"
_ABOUT: Final = re.compile(
    rf"(?:so\s+)?(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+(?:{_DOCUMENT}|(?P<section>{_SECTION_NAME}))\s+(?:all\s+)?about"
    r"\s*[?.!]*",
    re.IGNORECASE,
)
_SUMMARY: Final = re.compile(
    rf"(?:please\s+)?(?:can\s+you\s+)?(?:summari[sz]e|sum\s+up|(?:give|write|show)\s+(?:me\s+|us\s+)?(?:a|the)\s+(?:short\s+|brief\s+)?"
    rf"summary\s+of)\s+(?:{_DOCUMENT}|(?:the\s+)?(?P<section>{_SECTION_NAME}))\s*[?.!]*",
    re.IGNORECASE,
)
_SECTION: Final = re.compile(rf"(?:\w+\s+|§)[\"“']?(?P<name>.+?)[\"”']?(?:\s+of\s+{_DOCUMENT})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What a summary is asked for: sections of these numbers or of this heading, or whole documents without both."""

    heading: str = ""
    sections: tuple[SectionMention, ...] = ()


def parse_summary_request(question: QuestionAnalysis) -> SummaryRequest | None:
    """Parse a question for a summary; None if it asks for something else."""
    match = _ABOUT.fullmatch(question.text) or _SUMMARY.fullmatch(question.text)
    if match is None:
        return None
    if question.sections:
        return SummaryRequest(sections=question.sections)
    section = _SECTION.fullmatch(match["section"] or "")
    return SummaryRequest(section["name"] if section else "")


def answer_summary(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer with the central sentences of the retrieved documents, or of one of their sections.

    Of several documents, one sentence each. None if the question asks for something else, or if no passage has a
    sentence that is long enough.
    """
    request = parse_summary_request(question)
    if request is None:
        return None
    rows = yield from _fetch_rows(request, retrieval)
    documents = list(dict.fromkeys(row["document"] for row in rows))
    count = MAX_SENTENCES if len(documents) == 1 else 1
    by_centrality = sorted(rows, key=lambda row: -row["centrality"])
    central = {name: [row["id"] for row in by_centrality if row["document"] == name][: 2 * count] for name in documents}
    passages = yield from fetch_evidence([id for ids in central.values() for id in ids])
    chosen: list[tuple[Evidence, Span]] = []
    for name in documents:
        of_document = [passage for passage in passages if passage.document_id == name]
        chosen += [(passage, span) for passage in of_document if (span := _find_long_sentence(passage))][:count]
    order = [row["id"] for row in rows]
    return _compose_summary(retrieval, sorted(chosen, key=lambda pair: order.index(pair[0].id)))


def fetch_central_passages(
    request: SummaryRequest, retrieval: Retrieval, *, limit: int = MAX_PASSAGES
) -> Flow[tuple[list[Evidence], dict[str, int]]]:
    """Fetch the passages of the retrieved documents, or of one section, for a summary that a language model writes.

    Returns them with the most central first, and the positions of all passages in the reading order by their ids.
    """
    rows = yield from _fetch_rows(request, retrieval)
    central = sorted(rows, key=lambda row: -row["centrality"])[:limit]
    passages = yield from fetch_evidence([row["id"] for row in central])
    return passages, {row["id"]: position for position, row in enumerate(rows)}


def _fetch_rows(request: SummaryRequest, retrieval: Retrieval) -> Flow[list[dict[str, Any]]]:
    """Fetch the passages of the first retrieved documents, in reading order, with section and centrality."""
    document_ids = list(dict.fromkeys(evidence.document_id for evidence in retrieval.evidence))[:MAX_DOCUMENTS]
    rows = to_rows((yield fetch("answering/document_passages", ids=document_ids)))
    paths = [row["section"] or () for row in rows]
    if request.sections:
        return list(compress(rows, select_in_sections(request.sections, paths)))
    wanted = request.heading.casefold().strip(" .")
    return [row for row, path in zip(rows, paths, strict=True) if not wanted or wanted in "\n".join(path).casefold()]


def _find_long_sentence(evidence: Evidence) -> Span | None:
    """Find the first sentence with at least `MIN_LETTERS` letters."""
    spans = evidence.sentences or ((0, len(evidence.text)),)
    long = (span for span in spans if sum(char.isalpha() for char in evidence.text[slice(*span)]) >= MIN_LETTERS)
    return next(long, None)


def _compose_summary(retrieval: Retrieval, sentences: Sequence[tuple[Evidence, Span]]) -> Answer | None:
    if not sentences:
        return None
    known = {evidence.id for evidence in retrieval.evidence}
    retrieval = insert_seeds(retrieval, [evidence for evidence, _ in sentences if evidence.id not in known])
    titles = {evidence.title or evidence.document for evidence, _ in sentences}
    quotes = [_quote_below_heading(retrieval, evidence, span) for evidence, span in sentences]
    return compose_answer(retrieval, quotes, short=titles.pop() if len(titles) == 1 else "")


def _quote_below_heading(retrieval: Retrieval, evidence: Evidence, span: Span) -> Sentence:
    sentence = quote_span(retrieval, evidence, span)
    return replace(sentence, text=f"{evidence.section[-1]}: {sentence.text}") if evidence.section else sentence
