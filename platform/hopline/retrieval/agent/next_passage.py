"""Where the passage that comes next should be: the encoder's vector, or that of the trained guide (MDR)."""

from __future__ import annotations

from collections.abc import Sequence

from hopline.flow.requests import Flow, Vector, Vectors, embed, infer, search


def next_vectors(texts: Sequence[str], *, trained: bool) -> Flow[Vectors]:
    """A vector (n, d) for each question, or question with the passages so far, in the space of the passages.

    Raises:
        UsageError: ``trained``, and no guide was trained on this machine; says how to.
    """
    vectors: Vectors = yield infer("mdr", texts=list(texts)) if trained else embed(texts)
    return vectors


def behind(id: str, vector: Vector, n: int) -> Flow[list[tuple[str, float]]]:
    """The ``n`` passages nearest to ``vector`` other than ``id``, which it was made for, with their cosines."""
    hits = yield search(vector, n + 1, by="dense")
    return [(other, score) for other, score in zip(hits.ids, hits.scores, strict=True) if other != id][:n]
