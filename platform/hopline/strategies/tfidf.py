"""Cosine of TF-IDF vectors, the oldest baseline.

The baseline of KGP (Wang et al. 2024). Departure: TF-IDF is fitted on the ``depth`` best by BM25, and ranks these: the
graph stores no vector over the whole vocabulary for a passage.
"""

from __future__ import annotations

from hopline.flow.requests import Flow, search
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import SearchDepth
from hopline.scoring.text_similarity import tfidf_cosines


def rank(question: str, k: int, *, depth: SearchDepth = 200) -> Flow[Ranking]:
    """Return the ``k`` of highest cosine among the ``depth`` best by BM25."""
    hits = yield search(question, max(depth, k), by="text")
    evidence = yield from fetch_evidence(hits.ids)
    cosines = tfidf_cosines(question, [format_evidence(item) for item in evidence])
    return Ranking.from_scores(dict(zip((item.id for item in evidence), cosines, strict=True)), k, {})
