"""Where the passage that comes next should be: the encoder's vector, or that of the trained guide (MDR)."""

from __future__ import annotations

from collections.abc import Sequence

from hopline.flow.requests import Flow, Vectors, embed, infer


def next_vectors(texts: Sequence[str], *, trained: bool) -> Flow[Vectors]:
    """A vector (n, d) for each question, or question with the passages so far, in the space of the passages.

    Raises:
        UsageError: ``trained``, and no guide was trained on this machine; says how to.
    """
    vectors: Vectors = yield infer("mdr", texts=list(texts)) if trained else embed(texts)
    return vectors
