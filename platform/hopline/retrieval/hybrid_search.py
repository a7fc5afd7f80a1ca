"""Hybrid search: dense and full-text search of one question, with both scores of every hit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hopline.flow.requests import Flow, Vector, embed, fetch, search
from hopline.scoring.fusion import scaled_sum

DEPTH: Final = 200  # hits of each list


@dataclass(frozen=True, slots=True)
class HybridHits:
    """The hits of one question: cosines and BM25 scores by id.

    The cosines cover every hit of either list that has a vector; evidence that is not yet embedded has BM25 only.
    """

    vector: Vector
    cosines: dict[str, float]
    bm25: dict[str, float]

    @property
    def ids(self) -> list[str]:
        """The ids of both lists."""
        return list(dict.fromkeys((*self.cosines, *self.bm25)))

    def combine_scores(self, dense: float, cosines: dict[str, float] | None = None) -> dict[str, float]:
        """Return the weighted sum of cosine and BM25; ``cosines`` adds evidence that neither list contains."""
        all_cosines = {**self.cosines, **(cosines or {})}
        return scaled_sum([(dense, all_cosines), (1.0 - dense, self.bm25)])


def search_hybrid(question: str, depth: int) -> Flow[HybridHits]:
    """Search both indexes, ``depth`` hits each; cosines are also computed for hits of the full-text search alone."""
    [vector] = yield embed([question])
    dense = yield search(vector, depth, by="dense")
    text = yield search(question, depth, by="text")
    cosines = dict(zip(dense.ids, dense.scores, strict=True))
    missing = [id for id in text.ids if id not in cosines]
    columns = yield fetch("retrieval/similarity", ids=missing, vector=vector.tolist())
    cosines |= dict(zip(columns["id"], columns["score"], strict=True))
    return HybridHits(vector, cosines, dict(zip(text.ids, text.scores, strict=True)))
