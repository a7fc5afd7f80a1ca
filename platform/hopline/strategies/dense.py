"""Evidence whose vector is nearest to the question's, by cosine."""

from __future__ import annotations

from hopline.flow.requests import Flow, search
from hopline.retrieval.ranking import Ranking


def rank(question: str, k: int) -> Flow[Ranking]:
    """The ``k`` nearest by cosine."""
    hits = yield search(question, k, by="dense")
    return Ranking.of_hits(hits)
