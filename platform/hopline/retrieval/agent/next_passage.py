"""Dense search for the passage that comes next, with the encoder or with the trained retriever of MDR."""

from __future__ import annotations

from collections.abc import Sequence

from hopline.flow.requests import Flow, Vector, Vectors, embed, infer, search


def encode_next_queries(texts: Sequence[str], *, trained: bool) -> Flow[Vectors]:
    """Encode questions, or questions with the passages so far, as vectors (n, d) in the space of the passages.

    Raises:
        UsageError: ``trained``, and MDR was not trained on this machine; names the command that trains it.
    """
    vectors: Vectors = yield infer("mdr", texts=list(texts)) if trained else embed(texts)
    return vectors


def find_next_passages(id: str, vector: Vector, n: int) -> Flow[list[tuple[str, float]]]:
    """Return the ``n`` passages nearest to ``vector`` with their cosines; ``id``, the previous passage, is excluded."""
    hits = yield search(vector, n + 1, by="dense")
    return [(hit, score) for hit, score in zip(hits.ids, hits.scores, strict=True) if hit != id][:n]
