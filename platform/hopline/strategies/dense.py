"""Dense search: the evidence nearest to the question by cosine."""

from __future__ import annotations

from hopline.flow.requests import Flow, search
from hopline.retrieval.ranking import Ranking


def rank(question: str, k: int) -> Flow[Ranking]:
    """Return the ``k`` nearest by cosine."""
    hits = yield search(question, k, by="dense")
    return Ranking.from_hits(hits)
