"""BM25 full-text search.

BM25 (Robertson and Zaragoza 2009) as Lucene computes it, k1 = 1.2 and b = 0.75, with English stems and stop words, over
title, section, caption and text.
"""

from __future__ import annotations

from hopline.flow.requests import Flow, search
from hopline.retrieval.ranking import Ranking


def rank(question: str, k: int) -> Flow[Ranking]:
    """Return the ``k`` best by BM25."""
    hits = yield search(question, k, by="text")
    return Ranking.from_hits(hits)
