"""Evidence gets SIMILAR edges to its nearest neighbours within the collection."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hopline.store.graph import Store

NEIGHBOURS: Final = 10
AT_ONCE: Final = 2000  # evidence a step
IN_MEMORY: Final = 50_000  # a collection up to this size is compared exactly, in memory
_BLOCK: Final = 500


class RelateEvidence:
    """Finds nearest neighbours: exactly in small collections, by the vector index in large ones."""

    name = "relate"

    def __init__(self, store: Store, embedder: str) -> None:
        self.store = store
        self.embedder = embedder

    def step(self) -> bool:
        """Relate some evidence of one collection; False where all is related."""
        columns = self.store.columns("ingest/unrelated", {"limit": AT_ONCE})
        if not columns["ids"]:
            return False
        collection, ids = columns["collection"][0], columns["ids"][0]
        inside, _ = self.store.size(collection)
        pairs = self._in_memory(collection, ids) if inside <= IN_MEMORY else self._by_index(ids)
        for start in range(0, len(ids), _BLOCK):
            part = set(ids[start : start + _BLOCK])
            rows = [pair for pair in pairs if pair["id"] in part]
            self.store.write(("ingest/write_similar", {"ids": sorted(part), "pairs": rows, "by": self.embedder}))
        return True

    def _in_memory(self, collection: str, ids: list[str]) -> list[dict[str, Any]]:
        given = {"collection": collection, "embedding": self.store.embedding}
        columns = self.store.columns("ingest/collection_vectors", given)
        names, vectors = columns["id"], np.asarray(columns["vector"], dtype=np.float32)
        place = {id: row for row, id in enumerate(names)}
        rows = [place[id] for id in ids if id in place]
        pairs = []
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            for row, found, scores in zip(block, *nearest_rows(vectors, block, NEIGHBOURS), strict=True):
                pairs += [
                    {"id": names[row], "other": names[other], "score": float(score)}
                    for other, score in zip(found, scores, strict=True)
                ]
        return pairs

    def _by_index(self, ids: list[str]) -> list[dict[str, Any]]:
        index = f"evidence_{self.store.embedding}"
        given = {"index": index, "embedding": self.store.embedding, "k": NEIGHBOURS, "width": 10 * NEIGHBOURS}
        pairs = []
        for start in range(0, len(ids), _BLOCK):
            columns = self.store.columns("ingest/nearest", {"ids": ids[start : start + _BLOCK], **given})
            pairs += [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        return pairs


def nearest_rows(vectors: np.ndarray, rows: list[int], k: int) -> tuple[np.ndarray, np.ndarray]:
    """For each of ``rows`` the ``k`` other rows of highest inner product: (b, k) places and scores, best first."""
    products = vectors[rows] @ vectors.T
    products[np.arange(len(rows)), rows] = -np.inf
    k = min(k, len(vectors) - 1)
    found = np.argpartition(-products, k - 1, axis=1)[:, :k] if k > 0 else np.empty((len(rows), 0), dtype=int)
    scores = np.take_along_axis(products, found, axis=1)
    order = np.lexsort((found, -scores), axis=1)
    return np.take_along_axis(found, order, axis=1), np.take_along_axis(scores, order, axis=1)
