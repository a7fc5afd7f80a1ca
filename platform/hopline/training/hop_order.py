"""The gold passages of a question in the order in which they are read: nobody says which, so likeness does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hopline.flow.requests import Flow, Vectors, embed, fetch
from hopline.retrieval.evidence_texts import read_texts, titled


@dataclass(frozen=True, slots=True)
class Hops:
    """A question with its gold passages in the order of hops, ids and texts."""

    question: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]


def hops_of(question: str, gold: Sequence[str]) -> Flow[Hops | None]:
    """The hops of a question whose gold are ids or source ids; None where fewer than two are in the collection."""
    columns = yield fetch("gold/evidence", wanted=list(gold))
    columns = yield fetch("read/vectors", ids=list(dict.fromkeys(columns["id"])))
    vectors = np.asarray(columns["vector"], dtype=np.float32)
    evidence = yield from read_texts(columns["id"])
    if len(evidence) < 2:
        return None
    texts = [titled(one) for one in evidence]
    order = yield from in_hop_order(question, texts, vectors)
    return Hops(question, tuple(evidence[n].id for n in order), tuple(texts[n] for n in order))


def in_hop_order(question: str, texts: Sequence[str], vectors: Vectors) -> Flow[list[int]]:
    """Places of the gold passages, n ``texts`` with their vectors (n, d).

    The first is the most like the question, each next one the most like the question with the one before; ties in
    their order.
    """
    order: list[int] = []
    asked = question
    while len(order) < len(texts):
        [vector] = yield embed([asked])
        left = [n for n in range(len(texts)) if n not in order]
        order.append(left[int(np.argmax(vectors[left] @ vector))])
        asked = f"{question} {texts[order[-1]]}"
    return order
