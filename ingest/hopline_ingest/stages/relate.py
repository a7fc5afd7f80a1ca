"""Relation of evidence to the rest of its collection: links to known names, and SIMILAR edges to its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopline.store.graph import Store
from hopline_ingest.batch_bisection import process_with_bisection
from hopline_ingest.name_links import update_name_links
from hopline_ingest.nearest_neighbours import EXACT_UP_TO, NearestNeighbours

BATCH_SIZE: Final = 2000  # evidence per step
_BLOCK: Final = 500  # evidence per transaction


class RelateEvidence:
    """Writes the links of names (`update_name_links`) and the nearest neighbours (`NearestNeighbours`) of evidence."""

    name = "relate"

    def __init__(self, store: Store, embedder: str, *, exact_up_to: int = EXACT_UP_TO) -> None:
        self.store = store
        self.embedder = embedder
        self.neighbours = NearestNeighbours(store, embedder, exact_up_to=exact_up_to)

    def step(self) -> bool:
        """Relate a batch of evidence of one collection; return False if all is related."""
        columns = self.store.read("ingest/unrelated_evidence", {"limit": BATCH_SIZE})
        if not columns["ids"]:
            return False
        collection, ids = columns["collection"][0], columns["ids"][0]
        process_with_bisection(ids, lambda batch: self._relate(collection, batch), self._skip)
        return True

    def _relate(self, collection: str, ids: Sequence[str]) -> None:
        update_name_links(self.store, collection, ids)
        self._write_neighbours(collection, ids)

    def _write_neighbours(self, collection: str, ids: Sequence[str]) -> None:
        """Write the neighbours of this evidence, and those of other evidence that change."""
        lists = self.neighbours.find(collection, ids)
        waiting = set(ids)
        rows = [
            {
                "id": id,
                "others": [other for other, _ in scored],
                "scores": [score for _, score in scored],
                "related": id in waiting,
            }
            for id, scored in sorted(lists.items())
        ]
        for start in range(0, len(rows), _BLOCK):
            parameters = {"rows": rows[start : start + _BLOCK], "by": self.embedder}
            self.store.write(("ingest/write_similar_edges", parameters))

    def _skip(self, id: str, reason: str) -> None:
        message = f"the neighbours could not be computed: {reason}"
        self.store.write(("ingest/skip_evidence", {"id": id, "stage": "Unrelated", "reason": message}))
