"""The vectors of all evidence of a collection."""

from __future__ import annotations

import numpy as np

from hopline.flow.requests import Flow, Vectors, fetch


def fetch_collection_vectors() -> Flow[tuple[list[str], Vectors]]:
    """Fetch the ids of a collection's evidence and their vectors (N, d), in the same order."""
    columns = yield fetch("ingest/collection_vectors")
    ids: list[str] = columns["id"]
    return ids, np.asarray(columns["vector"], dtype=np.float32).reshape(len(ids), -1)
