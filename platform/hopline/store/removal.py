"""Removing documents and collections: marked first and hidden from then on, then deleted in batches.

A removal that was cut off is finished by whoever comes next: the worker, or whoever adds under the same name. Every
batch makes sure, within its transaction, that the mark is still there, so that nothing added later is deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hopline.types.entity_kinds import UNNAMED_KINDS

if TYPE_CHECKING:
    from hopline.store.graph import Store

_EVIDENCE: Final = 500  # of a document, a transaction: its entities and neighbours are marked too
_NODES: Final = 2000  # of a collection, a transaction
_DOCUMENTS: Final = 20  # with their pages, a transaction
_SETTLED: Final = 2000  # entities a transaction
_PENDING: Final = 1000
# Files of rows and documents come first: whoever is writing to one holds a lock on it, and finds it gone afterwards.
_OF_A_COLLECTION: Final = (
    ("removal/collection_corpora", _NODES),
    ("removal/collection_documents", _NODES),
    ("removal/collection_triples", _NODES),
    ("removal/collection_evidence", _NODES),
    ("removal/collection_entities", _NODES),
    ("removal/collection_pages", _DOCUMENTS),
)


def remove_documents(store: Store, ids: Sequence[str]) -> int:
    """Remove documents by id, with what only they put into the graph; returns how many there were."""
    marked = [id for id in ids if store.write(("removal/mark_document", {"id": id}))[0]["id"]]
    finish_documents(store, marked)
    return len(marked)


def remove_collection(store: Store, id: str) -> None:
    """Remove a collection by id, with all that is in it."""
    if store.write(("removal/mark_collection", {"id": id}))[0]["id"]:
        finish_collection(store, id)


def finish_documents(store: Store, ids: Sequence[str]) -> None:
    """Delete documents that are marked to be removed; those that are not are left alone."""
    for id in ids:
        _repeat(store, "removal/document_evidence", id, _EVIDENCE)
        _repeat(store, "removal/document_pages", id, _NODES)
        store.write(("removal/document", {"id": id}))
    if ids:
        settle_entities(store)


def finish_collection(store: Store, id: str) -> None:
    """Delete a collection that is marked to be removed; one that is not is left alone."""
    for statement, limit in _OF_A_COLLECTION:
        _repeat(store, statement, id, limit)
    store.write(("removal/collection", {"id": id}))


def finish_removal(store: Store, collection: str, documents: Sequence[str]) -> None:
    """Finish the removal of a collection, or of some documents, if one was begun."""
    if store.columns("removal/pending_collection", {"id": collection})["id"]:
        finish_collection(store, collection)
    pending = store.columns("removal/pending_documents", {"ids": list(documents)})["id"] if documents else []
    finish_documents(store, pending)


def finish_removals(store: Store) -> bool:
    """Finish what others began to remove; returns whether there was anything."""
    pending = store.columns("removal/pending", {"limit": _PENDING})
    for id, kind in zip(pending["id"], pending["kind"], strict=True):
        if kind == "collection":
            finish_collection(store, id)
    finish_documents(store, [id for id, kind in zip(pending["id"], pending["kind"], strict=True) if kind == "document"])
    return bool(pending["id"])


def remove_orphans(store: Store) -> int:
    """Delete evidence whose document is not there, and triples and entities that wait and lead from nothing."""
    removed = 0
    for statement in ("removal/orphans", "removal/orphan_nodes"):
        while count := store.write((statement, {"limit": _EVIDENCE}))[0]["removed"][0]:
            removed += count
    return removed


def settle_entities(store: Store) -> int:
    """Give entities that wait for it the name, kind and aliases that their mentions say; returns their number."""
    given = {"limit": _SETTLED, "common": sorted(UNNAMED_KINDS), "embedding": store.embedding}
    settled = 0
    while count := store.write(("ingest/settle_entities", given))[0]["settled"][0]:
        settled += count
    return settled


def _repeat(store: Store, statement: str, id: str, limit: int) -> None:
    while store.write((statement, {"id": id, "limit": limit}))[0]["removed"][0]:
        pass
