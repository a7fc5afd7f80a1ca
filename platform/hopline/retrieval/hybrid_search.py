"""Dense and full-text search of one question, with both scores of every hit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hopline.flow.requests import Flow, Vector, embed, fetch, search
from hopline.scoring.fusion import scaled_sum

DEPTH: Final = 200  # how deep both lists are read


@dataclass(frozen=True, slots=True)
class Both:
    """The two lists of one question: cosines and BM25 scores by id.

    The cosines are of everything in either list that has a vector; what has none yet is known by its words alone.
    """

    vector: Vector
    cosines: dict[str, float]
    words: dict[str, float]

    @property
    def ids(self) -> list[str]:
        """Everything in either list."""
        return list(dict.fromkeys((*self.cosines, *self.words)))

    def scores(self, dense: float, cosines: dict[str, float] | None = None) -> dict[str, float]:
        """Weighted sum; with ``cosines`` of further evidence that neither list holds."""
        near = {**self.cosines, **(cosines or {})}
        return scaled_sum([(dense, near), (1.0 - dense, self.words)])


def read_both(question: str, depth: int) -> Flow[Both]:
    """Both lists, ``depth`` deep, with the exact cosine of what only the words found."""
    [vector] = yield embed([question])
    near = yield search(vector, depth, by="dense")
    words = yield search(question, depth, by="text")
    cosines = dict(zip(near.ids, near.scores, strict=True))
    lacking = [id for id in words.ids if id not in cosines]
    columns = yield fetch("read/similarity", ids=lacking, vector=vector.tolist())
    cosines |= dict(zip(columns["id"], columns["score"], strict=True))
    return Both(vector, cosines, dict(zip(words.ids, words.scores, strict=True)))
