"""Answers to questions for whole pages or tables: their content, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hopline.results import Answer, Citation, Evidence, Retrieval, Sentence
from hopline.retrieval.page_table_references.grammar import asks_only_references, parse_references

MOST_SENTENCES: Final = 8
_EDGES: Final = {"HAS_PASSAGE", "HAS_TABLE"}


def answer_outline(question: str, retrieval: Retrieval) -> Answer | None:
    """The first sentence of each passage and the caption of each table; None where the question asks for more.

    Every table is cited whole, so that the page shows it marked.
    """
    named = parse_references(question)
    shown = [one for one in retrieval.evidence if _stands_on_a_page(retrieval, one)]
    if not named or len(shown) < len(retrieval.evidence) or not asks_only_references(question, named):
        return None
    tables_first = sorted(shown, key=lambda one: (one.kind != "table", one.document, one.pages))
    sentences = tuple(_sentences(tables_first, retrieval))[:MOST_SENTENCES]
    return Answer(question, sentences, retrieval) if sentences else None


def _stands_on_a_page(retrieval: Retrieval, evidence: Evidence) -> bool:
    path = retrieval.find_path(evidence.id)
    return path is not None and len(path.steps) == 1 and path.steps[0].edge in _EDGES


def _sentences(evidence: list[Evidence], retrieval: Retrieval) -> Iterator[Sentence]:
    for one in evidence:
        start, end = (0, len(one.text)) if one.kind == "table" else _first(one)
        quote = one.text[start:end]
        if not quote.strip():
            continue
        text = (one.caption or f"Table {one.number}".strip()) if one.kind == "table" else " ".join(quote.split())
        yield Sentence(text, (Citation(one, quote, start, end, retrieval.find_path(one.id)),))


def _first(evidence: Evidence) -> tuple[int, int]:
    """The first sentence that is more than a number or a mark, else the first."""
    spans = evidence.sentences or ((0, len(evidence.text)),)
    telling = (span for span in spans if sum(c.isalpha() for c in evidence.text[span[0] : span[1]]) >= 8)
    return next(telling, spans[0])
