"""Evidence gets SIMILAR edges to its nearest neighbours within the collection, and MENTIONS of names.

Names of what other evidence is about are found as they are written (`hopline_ingest.extraction.name_occurrences`): all
names in the evidence that is related now, and names that are new in the evidence that was related
before, which full text finds by the phrase. What was written for a name that was merged goes to
the one that it is now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from hopline.store.graph import Store
from hopline.store.lucene import phrase
from hopline_ingest.bisection import process_by_halves
from hopline_ingest.extraction.name_occurrences import entity_ids, mentions, written
from hopline_ingest.nearest_neighbours import EXACT_UP_TO, NearestNeighbours

AT_ONCE: Final = 2000  # evidence a step
_BLOCK: Final = 500
_NAMES: Final = 10_000  # new names at once
_SAYING: Final = 200  # evidence that is looked at for one new name


class RelateEvidence:
    """Writes nearest neighbours (`NearestNeighbours`) and mentions of names."""

    name = "relate"

    def __init__(self, store: Store, embedder: str, *, exact_up_to: int = EXACT_UP_TO) -> None:
        self.store = store
        self.embedder = embedder
        self.neighbours = NearestNeighbours(store, embedder, exact_up_to=exact_up_to)

    def step(self) -> bool:
        """Relate some evidence of one collection; False where all is related."""
        columns = self.store.columns("ingest/unrelated", {"limit": AT_ONCE})
        if not columns["ids"]:
            return False
        collection, ids = columns["collection"][0], columns["ids"][0]
        process_by_halves(ids, lambda some: self._relate(collection, some), self._skip)
        return True

    def _relate(self, collection: str, ids: Sequence[str]) -> None:
        self._find_new_names(collection)
        self._find_names(ids, collection)
        self._settle(collection)
        lists = self.neighbours.find(collection, ids)
        waiting = set(ids)
        rows = [
            {
                "id": id,
                "others": [other for other, _ in found],
                "scores": [score for _, score in found],
                "related": id in waiting,
            }
            for id, found in sorted(lists.items())
        ]
        for start in range(0, len(rows), _BLOCK):
            given = {"rows": rows[start : start + _BLOCK], "by": self.embedder}
            self.store.write(("ingest/write_similar", given))

    def _skip(self, id: str, reason: str) -> None:
        told = f"its neighbours could not be found: {reason}"
        self.store.write(("ingest/skip_evidence", {"id": id, "stage": "Unrelated", "reason": told}))

    def _settle(self, collection: str) -> None:
        """What was written for names that were merged goes to the ones that they are now."""
        merged = self.store.columns("merge/roots", {"collection": collection})["id"]
        if merged:
            self.store.write(("merge/settle", {"collection": collection}), ("merge/gather", {"ids": merged}))

    def _find_names(self, ids: Sequence[str], collection: str) -> None:
        """Mentions, in this evidence, of whatever other evidence is about, in place of those found before."""
        for start in range(0, len(ids), _BLOCK):
            part = list(ids[start : start + _BLOCK])
            columns = self.store.columns("read/texts", {"ids": part})
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
            found: set[str] = set()
            for start in range(0, len(phrases), _BLOCK):
                given = {"phrases": phrases[start : start + _BLOCK], "width": _SAYING}
                found.update(self.store.columns("ingest/saying", given)["id"])
            self._find_names(sorted(found), collection)
            self.store.write(("ingest/finish_names", {"entities": columns["id"]}))

    def _link(self, texts: Mapping[str, str], names: Mapping[str, list[str]]) -> None:
        rows = [
            {"evidence": id, "entity": entity, "count": len(spans), "spans": [end for span in spans for end in span]}
            for id, text in texts.items()
            for entity, spans in mentions(text, names).items()
        ]
        self.store.write(
            ("ingest/drop_name_links", {"ids": list(texts)}),
            ("ingest/link_names", {"mentions": rows}),
        )


def _by_writing(ids: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
    """The ids of entities by how a text writes their names."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for id, name in zip(ids, names, strict=True):
        if as_written := written(name):
            found[as_written].append(id)
    return found
