"""Evidence gets SIMILAR edges to its nearest neighbours within the collection, and MENTIONS of names.

Names of what other evidence is about are found as they are written (`hopline_ingest.linking`): all
names in the evidence that is related now, and names that are new in the evidence that was related
before, which full text finds by the phrase. What was written for a name that was merged goes to
the one that it is now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from hopline.flow.columns import rows_of
from hopline.store.graph import Store
from hopline.store.lucene import phrase
from hopline_ingest.linking import entity_ids, mentions, written

NEIGHBOURS: Final = 10
AT_ONCE: Final = 2000  # evidence a step
IN_MEMORY: Final = 50_000  # a collection up to this size is compared exactly, in memory
_BLOCK: Final = 500
_NAMES: Final = 10_000  # new names at once
_SAYING: Final = 200  # evidence that is looked at for one new name


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
        self._find_new_names(collection)
        self._find_names(collection, ids)
        self._settle(collection)
        for start in range(0, len(ids), _BLOCK):
            part = set(ids[start : start + _BLOCK])
            rows = [pair for pair in pairs if pair["id"] in part]
            self.store.write(("ingest/write_similar", {"ids": sorted(part), "pairs": rows, "by": self.embedder}))
        return True

    def _settle(self, collection: str) -> None:
        """What was written for names that were merged goes to the ones that they are now."""
        merged = self.store.columns("merge/roots", {"collection": collection})["id"]
        if merged:
            self.store.write(("merge/settle", {"collection": collection}), ("merge/gather", {"ids": merged}))

    def _find_names(self, collection: str, ids: list[str]) -> None:
        """Mentions, in this evidence, of whatever other evidence is about."""
        for start in range(0, len(ids), _BLOCK):
            columns = self.store.columns("read/texts", {"ids": ids[start : start + _BLOCK]})
            texts = dict(zip(columns["id"], columns["text"], strict=True))
            wanted = {id for text in texts.values() for id in entity_ids(collection, text).values()}
            columns = self.store.columns("ingest/subjects", {"entities": sorted(wanted)})
            self._link(texts, _by_writing(columns["id"], columns["name"]))

    def _find_new_names(self, collection: str) -> None:
        """Mentions of names that are new, in the evidence that was related before they came."""
        [older] = self.store.columns("ingest/has_related", {"collection": collection})["related"]
        while True:
            columns = self.store.columns("ingest/unlinked_names", {"collection": collection, "limit": _NAMES})
            if not columns["id"]:
                return
            names = _by_writing(columns["id"], columns["name"])
            phrases = [phrase(name, collection) for name in names] if older else []
            for start in range(0, len(phrases), _BLOCK):
                given = {"phrases": phrases[start : start + _BLOCK], "width": _SAYING}
                found = self.store.columns("ingest/saying", given)
                self._link(dict(zip(found["id"], found["text"], strict=True)), names)
            self.store.write(("ingest/finish_names", {"entities": columns["id"]}))

    def _link(self, texts: Mapping[str, str], names: Mapping[str, list[str]]) -> None:
        rows = [
            {"evidence": id, "entity": entity, "count": len(spans), "spans": [end for span in spans for end in span]}
            for id, text in texts.items()
            for entity, spans in mentions(text, names).items()
        ]
        self.store.write(("ingest/link_names", {"mentions": rows}))

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
            pairs += rows_of(columns)
        return pairs


def _by_writing(ids: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
    """The ids of entities by how a text writes their names."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for id, name in zip(ids, names, strict=True):
        if as_written := written(name):
            found[as_written].append(id)
    return found


def nearest_rows(vectors: np.ndarray, rows: list[int], k: int) -> tuple[np.ndarray, np.ndarray]:
    """For each of ``rows`` the ``k`` other rows of highest inner product: (b, k) places and scores, best first."""
    products = vectors[rows] @ vectors.T
    products[np.arange(len(rows)), rows] = -np.inf
    k = min(k, len(vectors) - 1)
    found = np.argpartition(-products, k - 1, axis=1)[:, :k] if k > 0 else np.empty((len(rows), 0), dtype=int)
    scores = np.take_along_axis(products, found, axis=1)
    order = np.lexsort((found, -scores), axis=1)
    return np.take_along_axis(found, order, axis=1), np.take_along_axis(scores, order, axis=1)
