"""Hybrid search: BM25 and dense search, joined by reciprocal rank fusion or by a weighted sum of scores.

Both lists have at least 200 entries before they are joined, which the papers that use this search leave open.
"""

from __future__ import annotations

from typing import Literal

from hopline.flow.requests import Flow, search
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.seeds import SEARCH_DEPTH, search_seeds
from hopline.retrieval.strategy_options import Fraction


def rank(question: str, k: int, *, fuse: Literal["rrf", "sum"] = "rrf", dense: Fraction = 0.6) -> Flow[Ranking]:
    """Return the ``k`` best of both searches.

    ``fuse="rrf"``: reciprocal rank fusion, constant 60. ``fuse="sum"``: ``dense`` × cosine + (1 −
    ``dense``) × BM25, each divided by its best score.
    """
    if fuse == "rrf":
        hits = yield search(question, k, by="hybrid")
        return Ranking.from_hits(hits)
    candidates = yield from search_seeds(question, by="hybrid", depth=max(SEARCH_DEPTH, k), dense=dense)
    return candidates.to_ranking(k, by="similarity")
