"""Texts of evidence for prompts: title and text, numbered, within a token limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, fetch
from hopline.results import Evidence
from hopline.retrieval.evidence_retrieval import parse_evidence

MAX_TOKENS: Final = 3500  # tokens of evidence in one prompt (GNN-Ret, section 4.1)
CHARACTERS_PER_TOKEN: Final = 4  # an estimate: no tokenizer of the model is needed


def fetch_evidence(ids: Sequence[str]) -> Flow[list[Evidence]]:
    """Fetch evidence by id, in the order of ``ids``."""
    if not ids:
        return []
    columns = yield fetch("retrieval/evidence", ids=list(ids))
    fetched = {item.id: item for item in parse_evidence(columns)}
    return [fetched[id] for id in ids if id in fetched]


def format_numbered(evidence: Sequence[Evidence], *, max_tokens: int = MAX_TOKENS) -> str:
    """Format as much evidence as ``max_tokens`` allow, best first, numbered and quoted; the last one is truncated."""
    remaining = max_tokens * CHARACTERS_PER_TOKEN
    parts: list[str] = []
    for number, item in enumerate(evidence, 1):
        text = format_evidence(item)[: max(remaining, 0)]
        remaining -= len(text)
        parts.append(f"[{number}] {quote_text(text)}")
        if remaining <= 0:
            break
    return "\n\n".join(parts)


def format_evidence(evidence: Evidence) -> str:
    """Format one evidence as "title: text"; the document's name replaces a missing title."""
    name = evidence.title or evidence.document
    return f"{name}: {evidence.text}" if name else evidence.text
