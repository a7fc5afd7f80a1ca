"""Hybrid search: BM25 and dense search, joined by reciprocal rank fusion or by a weighted sum of scores."""

from __future__ import annotations

from typing import Literal

from hopline.flow.requests import Flow, search
from hopline.retrieval.hybrid_search import DEPTH, search_hybrid
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import Fraction


def rank(question: str, k: int, *, fuse: Literal["rrf", "sum"] = "rrf", dense: Fraction = 0.6) -> Flow[Ranking]:
    """Return the ``k`` best of both searches.

    ``fuse="rrf"``: reciprocal rank fusion, constant 60. ``fuse="sum"``: ``dense`` × cosine + (1 −
    ``dense``) × BM25, each divided by its best score.
    """
    if fuse == "rrf":
        hits = yield search(question, k, by="hybrid")
        return Ranking.from_hits(hits)
    hits = yield from search_hybrid(question, max(DEPTH, k))
    return Ranking.from_scores(hits.combine_scores(dense), k, {})
