"""The order of a question's gold passages: that of the question set, or else estimated by similarity.

MuSiQue gives it by the passage of each step, 2WikiMultihopQA by the triples of its evidence; HotpotQA and most other
sets do not. The estimate takes the passage that is most similar to the question first, and then each time the one that
is most similar to the question with the passage before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hopline.evaluation.questions import Question
from hopline.flow.requests import Flow, Vectors, embed, fetch
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence


@dataclass(frozen=True, slots=True)
class HopSequence:
    """A question with the ids and texts of its gold passages, in the order of hops."""

    question: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]


def fetch_hops(question: Question) -> Flow[HopSequence | None]:
    """Fetch the gold passages in the order of hops; None if fewer than two are in the collection with vectors.

    ``question.hops`` is their order if it has all gold passages; otherwise the order is estimated (`order_hops`).
    """
    is_ordered = bool(question.hops) and set(question.gold) <= set(question.hops)
    columns = yield fetch("gold/evidence", wanted=list(question.hops if is_ordered else question.gold))
    ids = list(dict.fromkeys(columns["id"]))
    columns = yield fetch("retrieval/vectors", ids=ids)
    vector_of = dict(zip(columns["id"], columns["vector"], strict=True))
    evidence = yield from fetch_evidence([id for id in ids if id in vector_of])
    if len(evidence) < 2:
        return None
    texts = [format_evidence(item) for item in evidence]
    order: Sequence[int] = range(len(evidence))
    if not is_ordered:
        vectors = np.asarray([vector_of[item.id] for item in evidence], dtype=np.float32)
        order = yield from order_hops(question.text, texts, vectors)
    return HopSequence(question.text, tuple(evidence[n].id for n in order), tuple(texts[n] for n in order))


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
