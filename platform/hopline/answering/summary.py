"""Summaries without a model: "What is this document about?" and "Summarise section 3" get the most central sentences.

A passage is central if the other passages of its document are similar to it (degree centrality in the graph of SIMILAR
relationships, as in LexRank, Erkan and Radev 2004, with passages in place of sentences). Of each of the most central
passages, the first sentence is taken, in reading order, below its heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence
from hopline.retrieval.evidence_retrieval import parse_evidence

MAX_SENTENCES: Final = 3
MAX_DOCUMENTS: Final = 3
_MIN_LETTERS: Final = 40  # of a sentence that says something
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
    """What is to be summarised: the section of this number or heading, or, if it is "", whole documents."""

    section: str = ""


def parse_summary_request(question: str) -> SummaryRequest | None:
    """Parse a question for a summary; None if it asks for something else."""
    question = " ".join(question.split())
    match = _ABOUT.fullmatch(question) or _SUMMARY.fullmatch(question)
    if match is None:
        return None
    section = _SECTION.fullmatch(match["section"] or "")
    return SummaryRequest(section["name"] if section else "")


def summarize(request: SummaryRequest, retrieval: Retrieval) -> Flow[Answer | None]:
    """Answer with the central sentences of the retrieved documents; None if there are no such passages.

    Of several documents, one sentence each.
    """
    documents = list(dict.fromkeys(evidence.document_id for evidence in retrieval.evidence))[:MAX_DOCUMENTS]
    columns = yield fetch("answering/document_passages", ids=documents)
    rows = [row for row in to_rows(columns) if _is_in_section(row["section"] or (), request.section)]
    found = list(dict.fromkeys(row["document"] for row in rows))
    count = MAX_SENTENCES if len(found) == 1 else 1
    ranked = [
        row["id"]
        for document in found
        for row in sorted((row for row in rows if row["document"] == document), key=lambda row: -row["centrality"])[
            : 2 * count
        ]
    ]
    if not ranked:
        return None
    columns = yield fetch("retrieval/evidence", ids=ranked)
    passages = {evidence.id: evidence for evidence in parse_evidence(columns)}
    chosen: list[Evidence] = []
    for document in found:
        told = [passages[id] for id in ranked if id in passages and passages[id].document_id == document]
        chosen += [evidence for evidence in told if _find_sentence(evidence)][:count]
    order = [row["id"] for row in rows]
    return _compose(sorted(chosen, key=lambda evidence: order.index(evidence.id)), retrieval)


def _is_in_section(headings: Sequence[str], section: str) -> bool:
    """Whether one of the headings has this number ("3" fits "3 Methods" and "3. Methods") or contains these words."""
    if not section:
        return True
    wanted = section.casefold().strip(" .")
    numbered = bool(re.fullmatch(r"[\divxlc.]+", wanted))
    for heading in headings:
        folded = heading.casefold()
        if folded.partition(" ")[0].strip(".:") == wanted or (not numbered and wanted in folded):
            return True
    return False


def _find_sentence(evidence: Evidence) -> tuple[int, int] | None:
    """The first sentence with enough letters."""
    spans = evidence.sentences or ((0, len(evidence.text)),)
    return next(
        (span for span in spans if sum(char.isalpha() for char in evidence.text[slice(*span)]) >= _MIN_LETTERS), None
    )


def _compose(passages: Sequence[Evidence], retrieval: Retrieval) -> Answer | None:
    known = {evidence.id for evidence in retrieval.evidence}
    added = [evidence for evidence in passages if evidence.id not in known]
    given = AnswerEvidence.of(retrieval).insert_seeds(added)
    sentences = []
    for evidence in passages:
        span = _find_sentence(evidence)
        if span is None:
            continue
        quote = evidence.text[slice(*span)]
        text = f"{evidence.section[-1]}: {' '.join(quote.split())}" if evidence.section else " ".join(quote.split())
        sentences.append(Sentence(text, (Citation(evidence, quote, *span, given.find_path(evidence.id)),)))
    if not sentences:
        return None
    titles = {evidence.title or evidence.document for evidence in passages}
    return given.answer(tuple(sentences), short=titles.pop() if len(titles) == 1 else "")
