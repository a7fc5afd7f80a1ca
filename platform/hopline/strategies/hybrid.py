"""Words and vectors together: both lists joined by reciprocal rank fusion, or by scaled scores."""

from __future__ import annotations

from typing import Literal

from hopline.flow.requests import Flow, search
from hopline.retrieval.hybrid_search import DEPTH, read_both
from hopline.retrieval.ranking import Ranking


def rank(question: str, k: int, *, fuse: Literal["rrf", "sum"] = "rrf", dense: float = 0.6) -> Flow[Ranking]:
    """The ``k`` best of both.

    ``fuse="rrf"``: reciprocal rank fusion, constant 60. ``fuse="sum"``: ``dense`` × cosine + (1 −
    ``dense``) × BM25, each divided by its best score.
    """
    if fuse == "rrf":
        hits = yield search(question, k, by="hybrid")
        return Ranking.of_hits(hits)
    found = yield from read_both(question, max(DEPTH, k))
    return Ranking.of_scores(found.scores(dense), k, {})
