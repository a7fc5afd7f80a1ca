"""Answers to questions for whole pages or tables: their content, in reading order."""

from __future__ import annotations

from typing import Final

from hopline.answers.answerer import EvidenceReader
from hopline.answers.composition import cite, compose_answer
from hopline.flow.requests import Flow
from hopline.questions.analysis import QuestionAnalysis
from hopline.results import Answer, Evidence, Retrieval, Sentence

MAX_SENTENCES: Final = 8
MIN_LETTERS: Final = 8  # of a first sentence; a shorter one is a number or a mark
_EDGES: Final = {"HAS_PASSAGE", "HAS_TABLE"}


def answer_outline(question: QuestionAnalysis, retrieval: Retrieval, _: EvidenceReader) -> Flow[Answer | None]:
    """Answer with the first sentence of each passage and the caption of each table; None if the question asks for more.

    Tables come first. A table is cited as a whole, so that the page shows all of it marked.
    """
    yield from ()
    on_pages = all(_is_on_referenced_page(retrieval, item) for item in retrieval.evidence)
    if not question.asks_only_references or not on_pages:
        return None
    ranked = sorted(retrieval.evidence, key=lambda item: (item.kind != "table", item.document, item.pages))
    sentences = [sentence for item in ranked if (sentence := _outline_evidence(retrieval, item))]
    return compose_answer(retrieval, sentences[:MAX_SENTENCES]) if sentences else None


def _is_on_referenced_page(retrieval: Retrieval, evidence: Evidence) -> bool:
    """Return whether the path of an evidence is the single edge from a page."""
    path = retrieval.find_path(evidence.id)
    return path is not None and len(path.steps) == 1 and path.steps[0].edge in _EDGES


def _outline_evidence(retrieval: Retrieval, evidence: Evidence) -> Sentence | None:
    is_table = evidence.kind == "table"
    citation = cite(retrieval, evidence, (0, len(evidence.text)) if is_table else _find_first_sentence(evidence))
    if not citation.quote.strip():
        return None
    caption = evidence.caption or f"Table {evidence.number}".strip()
    return Sentence(caption if is_table else " ".join(citation.quote.split()), (citation,))


def _find_first_sentence(evidence: Evidence) -> tuple[int, int]:
    """Find the first sentence with at least `MIN_LETTERS` letters, or else the first one."""
    spans = evidence.sentences or ((0, len(evidence.text)),)
    worded = (span for span in spans if sum(c.isalpha() for c in evidence.text[slice(*span)]) >= MIN_LETTERS)
    return next(worded, spans[0])
