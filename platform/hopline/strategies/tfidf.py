"""Cosine of TF-IDF vectors of the words, the oldest of the baselines.

The baseline of KGP (Wang et al. 2024). Departure: TF-IDF is fitted on the ``depth`` best by BM25, and ranks those: the
graph has no vector of a whole vocabulary for every passage.
"""

from __future__ import annotations

from hopline.flow.requests import Flow, search
from hopline.retrieval.evidence_texts import read_texts, titled
from hopline.retrieval.ranking import Ranking
from hopline.scoring.text_similarity import tfidf_cosines


def rank(question: str, k: int, *, depth: int = 200) -> Flow[Ranking]:
    """The ``k`` of highest cosine among the ``depth`` best by BM25."""
    hits = yield search(question, max(depth, k), by="text")
    evidence = yield from read_texts(hits.ids)
    cosines = tfidf_cosines(question, [titled(one) for one in evidence])
    return Ranking.of_scores(dict(zip((one.id for one in evidence), cosines, strict=True)), k, {})
