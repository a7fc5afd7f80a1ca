"""The order of a question's gold passages, which data sets do not give, estimated by similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hopline.flow.requests import Flow, Vectors, embed, fetch
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence


@dataclass(frozen=True, slots=True)
class HopSequence:
    """A question with the ids and texts of its gold passages, in the order of hops."""

    question: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]


def fetch_hops(question: str, gold: Sequence[str]) -> Flow[HopSequence | None]:
    """Fetch and order the gold passages, by ids or source ids; None if fewer than two are in the collection."""
    columns = yield fetch("gold/evidence", wanted=list(gold))
    columns = yield fetch("retrieval/vectors", ids=list(dict.fromkeys(columns["id"])))
    vectors = np.asarray(columns["vector"], dtype=np.float32)
    evidence = yield from fetch_evidence(columns["id"])
    if len(evidence) < 2:
        return None
    texts = [format_evidence(item) for item in evidence]
    order = yield from order_hops(question, texts, vectors)
    return HopSequence(question, tuple(evidence[n].id for n in order), tuple(texts[n] for n in order))


def order_hops(question: str, texts: Sequence[str], vectors: Vectors) -> Flow[list[int]]:
    """Order gold passages, n ``texts`` with their vectors (n, d); returns their indices.

    The first is the most similar to the question, each further one to the question with the passage before; ties keep
    their order.
    """
    order: list[int] = []
    query = question
    while len(order) < len(texts):
        [vector] = yield embed([query])
        remaining = [n for n in range(len(texts)) if n not in order]
        order.append(remaining[int(np.argmax(vectors[remaining] @ vector))])
        query = f"{question} {texts[order[-1]]}"
    return order
