"""The vectors of a whole collection."""

from __future__ import annotations

import numpy as np

from hopline.flow.requests import Flow, Vectors, fetch


def collection_vectors() -> Flow[tuple[list[str], Vectors]]:
    """The ids of a collection's evidence, and its vectors (N, d) in their order."""
    columns = yield fetch("ingest/collection_vectors")
    ids: list[str] = columns["id"]
    return ids, np.asarray(columns["vector"], dtype=np.float32).reshape(len(ids), -1)
