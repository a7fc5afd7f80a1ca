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
from typing import Any, Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import Span, compose_answer, quote_span
from hopline.answers.expansion import insert_seeds
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.questions.analysis import QuestionAnalysis
from hopline.results import Answer, Evidence, Retrieval, Sentence
from hopline.retrieval.evidence_texts import fetch_evidence
from hopline.text.values import parse_roman

MAX_SENTENCES: Final = 3
MAX_DOCUMENTS: Final = 3
MAX_PASSAGES: Final = 200  # that a language model summarises; those for which its context has room are used
MIN_LETTERS: Final = 40  # of a sentence of a summary
_DOCUMENT: Final = r"(?:this|the|these|that|my|our)\s+(?:document|paper|report|article|book|file|text|pdf)s?"
_ABOUT: Final = re.compile(
    rf"(?:so\s+)?(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+(?:{_DOCUMENT}|(?P<section>section\s+.+?))\s+(?:all\s+)?about"
    r"\s*[?.!]*",
    re.IGNORECASE,
)
_SUMMARY: Final = re.compile(
    rf"(?:please\s+)?(?:can\s+you\s+)?(?:summari[sz]e|sum\s+up|(?:give|write|show)\s+(?:me\s+|us\s+)?(?:a|the)\s+(?:short\s+|brief\s+)?"
    rf"summary\s+of)\s+(?:{_DOCUMENT}|(?:the\s+)?(?P<section>section\s+.+?))\s*[?.!]*",
    re.IGNORECASE,
)
_SECTION: Final = re.compile(rf"section\s+[\"“']?(?P<name>.+?)[\"”']?(?:\s+of\s+{_DOCUMENT})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """What a summary is asked for: the section of this number or heading, or whole documents, if it is ""."""

    section: str = ""


def parse_summary_request(question: QuestionAnalysis) -> SummaryRequest | None:
    """Parse a question for a summary; None if it asks for something else."""
    match = _ABOUT.fullmatch(question.text) or _SUMMARY.fullmatch(question.text)
    if match is None:
        return None
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
    return [row for row in rows if _is_in_section(row["section"] or (), request.section)]


def _is_in_section(headings: Sequence[str], section: str) -> bool:
    """Return whether a heading has this number ("3" fits "3 Methods" and "3. Methods") or contains these words."""
    if not section:
        return True
    wanted = section.casefold().strip(" .")
    numbered = all(part.isdecimal() or parse_roman(part) for part in wanted.split("."))
    for heading in headings:
        folded = heading.casefold()
        if folded.partition(" ")[0].strip(".:") == wanted or (not numbered and wanted in folded):
            return True
    return False


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
