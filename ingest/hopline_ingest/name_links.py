"""MENTIONS edges for literal occurrences of names that other evidence is about.

The names of a batch's evidence are matched with all subjects of the collection; new subjects are matched with the
evidence of earlier batches, which a full-text phrase query finds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from hopline.store.graph import Store
from hopline.store.lucene import build_phrase_query
from hopline.text_encoding import FOLDED_LETTERS
from hopline_ingest.extraction.name_occurrences import candidate_entity_ids, find_occurrences, to_surface_form

_BLOCK: Final = 500  # evidence per transaction, and phrases per query
_NAMES: Final = 10_000  # new names per query
_MAX_EVIDENCE_PER_NAME: Final = 200  # evidence searched for one new name


def update_name_links(store: Store, collection: str, ids: Sequence[str]) -> None:
    """Write the edges for new names of the collection, and all edges of the evidence ``ids``.

    Edges to an entity that was merged are moved to the entity that replaces it.
    """
    _link_new_names(store, collection)
    _link_names(store, collection, ids)
    _move_merged_mentions(store, collection)


def _link_new_names(store: Store, collection: str) -> None:
    """Link new names in the evidence that was related before they were added."""
    [older] = store.read("ingest/has_related_evidence", {"collection": collection})["related"]
    while True:
        columns = store.read("ingest/unlinked_names", {"collection": collection, "limit": _NAMES})
        if not columns["id"]:
            return
        names = _group_by_surface_form(columns["id"], columns["name"])
        phrases = [build_phrase_query(name, collection) for name in names] if older else []
        ids: set[str] = set()
        for start in range(0, len(phrases), _BLOCK):
            parameters = {"phrases": phrases[start : start + _BLOCK], "width": _MAX_EVIDENCE_PER_NAME}
            ids.update(store.read("ingest/passages_with_name", parameters)["id"])
        _link_names(store, collection, sorted(ids))
        store.write(("ingest/finish_name_links", {"entities": columns["id"]}))


def _link_names(store: Store, collection: str, ids: Sequence[str]) -> None:
    """Link this evidence to the subjects of other evidence whose names it contains, replacing earlier links."""
    for start in range(0, len(ids), _BLOCK):
        columns = store.read("retrieval/texts", {"ids": list(ids[start : start + _BLOCK])})
        texts = dict(zip(columns["id"], columns["text"], strict=True))
        entities = {id for text in texts.values() for id in candidate_entity_ids(collection, text).values()}
        columns = store.read("ingest/subjects", {"entities": sorted(entities)})
        _write_links(store, texts, _group_by_surface_form(columns["id"], columns["name"]))


def _write_links(store: Store, texts: Mapping[str, str], names: Mapping[str, list[str]]) -> None:
    rows = [
        {"evidence": id, "entity": entity, "count": len(spans), "spans": [end for span in spans for end in span]}
        for id, text in texts.items()
        for entity, spans in find_occurrences(text, names).items()
    ]
    store.write(("ingest/drop_name_links", {"ids": list(texts)}), ("ingest/link_names", {"mentions": rows}))


def _move_merged_mentions(store: Store, collection: str) -> None:
    merged = store.read("entities/merge_targets", {"collection": collection})["id"]
    if merged:
        store.write(
            ("entities/redirect_edges", {"collection": collection}),
            ("entities/update_names", {"ids": merged, "letters": FOLDED_LETTERS}),
        )


def _group_by_surface_form(ids: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Map the surface form of each name to the ids of its entities."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for id, name in zip(ids, names, strict=True):
        if surface_form := to_surface_form(name):
            groups[surface_form].append(id)
    return groups
