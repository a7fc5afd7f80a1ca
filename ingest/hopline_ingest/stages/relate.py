"""SIMILAR edges to the nearest neighbours within a collection, and MENTIONS edges for occurrences of known names.

The names of subjects of other evidence are matched literally (`hopline_ingest.extraction.name_occurrences`): all
names in the evidence of this batch, and new names in the evidence of earlier batches, which a full-text phrase
query finds. Mentions of an entity that was merged are moved to the entity that replaces it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from hopline.store.graph import Store
from hopline.store.lucene import build_phrase_query
from hopline.text_encoding import FOLDED_LETTERS
from hopline_ingest.batch_bisection import process_with_bisection
from hopline_ingest.extraction.name_occurrences import candidate_entity_ids, find_occurrences, to_surface_form
from hopline_ingest.nearest_neighbours import EXACT_UP_TO, NearestNeighbours

BATCH_SIZE: Final = 2000  # evidence per step
_BLOCK: Final = 500
_NAMES: Final = 10_000  # new names per query
_MAX_EVIDENCE_PER_NAME: Final = 200  # evidence searched for one new name


class RelateEvidence:
    """Writes nearest neighbours (`NearestNeighbours`) and mentions of names."""

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
        self._link_new_names(collection)
        self._link_names(ids, collection)
        self._move_merged_mentions(collection)
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

    def _move_merged_mentions(self, collection: str) -> None:
        """Move what was written for merged entities to the entities that replace them."""
        merged = self.store.read("entities/merge_targets", {"collection": collection})["id"]
        if merged:
            self.store.write(
                ("entities/redirect_edges", {"collection": collection}),
                ("entities/update_names", {"ids": merged, "letters": FOLDED_LETTERS}),
            )

    def _link_names(self, ids: Sequence[str], collection: str) -> None:
        """Link this evidence to the subjects of other evidence whose names it contains, replacing earlier links."""
        for start in range(0, len(ids), _BLOCK):
            part = list(ids[start : start + _BLOCK])
            columns = self.store.read("retrieval/texts", {"ids": part})
            texts = dict(zip(columns["id"], columns["text"], strict=True))
            wanted = {id for text in texts.values() for id in candidate_entity_ids(collection, text).values()}
            columns = self.store.read("ingest/subjects", {"entities": sorted(wanted)})
            self._write_name_links(texts, _group_by_surface_form(columns["id"], columns["name"]))

    def _link_new_names(self, collection: str) -> None:
        """Link new names in the evidence that was related before they were added."""
        [older] = self.store.read("ingest/has_related_evidence", {"collection": collection})["related"]
        while True:
            columns = self.store.read("ingest/unlinked_names", {"collection": collection, "limit": _NAMES})
            if not columns["id"]:
                return
            names = _group_by_surface_form(columns["id"], columns["name"])
            phrases = [build_phrase_query(name, collection) for name in names] if older else []
            ids: set[str] = set()
            for start in range(0, len(phrases), _BLOCK):
                parameters = {"phrases": phrases[start : start + _BLOCK], "width": _MAX_EVIDENCE_PER_NAME}
                ids.update(self.store.read("ingest/passages_with_name", parameters)["id"])
            self._link_names(sorted(ids), collection)
            self.store.write(("ingest/finish_name_links", {"entities": columns["id"]}))

    def _write_name_links(self, texts: Mapping[str, str], names: Mapping[str, list[str]]) -> None:
        rows = [
            {"evidence": id, "entity": entity, "count": len(spans), "spans": [end for span in spans for end in span]}
            for id, text in texts.items()
            for entity, spans in find_occurrences(text, names).items()
        ]
        self.store.write(
            ("ingest/drop_name_links", {"ids": list(texts)}),
            ("ingest/link_names", {"mentions": rows}),
        )


def _group_by_surface_form(ids: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Map the surface form of each name to the ids of its entities."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for id, name in zip(ids, names, strict=True):
        if as_written := to_surface_form(name):
            groups[as_written].append(id)
    return groups
