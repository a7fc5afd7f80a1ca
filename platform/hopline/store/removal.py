"""Removal of documents and collections: they are marked first, which hides them, then deleted in batches.

A removal that was interrupted is resumed by the worker, or by the next process that adds under the same name. Every
batch checks within its transaction that the mark still exists, so that nothing added later is deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hopline.store.entity_update import update_entities

if TYPE_CHECKING:
    from hopline.store.graph import Store

_EVIDENCE: Final = 500  # of a document, per transaction: its entities and neighbours are marked too
_NODES: Final = 2000  # of a collection, per transaction
_DOCUMENTS: Final = 20  # with their pages, per transaction
_PENDING: Final = 1000  # interrupted removals per query
# JSONL files and documents come first: a process that writes to one holds a lock on it, and then finds it deleted.
_COLLECTION_BATCHES: Final = (
    ("removal/collection_jsonl_files", _NODES),
    ("removal/collection_documents", _NODES),
    ("removal/collection_triples", _NODES),
    ("removal/collection_evidence", _NODES),
    ("removal/collection_entities", _NODES),
    ("removal/collection_pages", _DOCUMENTS),
)


def remove_documents(store: Store, ids: Sequence[str]) -> int:
    """Remove documents by id, with what only they contributed to the graph; return how many existed."""
    marked = [id for id in ids if store.write(("removal/mark_document", {"id": id}))[0]["id"]]
    delete_marked_documents(store, marked)
    return len(marked)


def remove_collection(store: Store, id: str) -> None:
    """Remove a collection by id, with all its contents."""
    if store.write(("removal/mark_collection", {"id": id}))[0]["id"]:
        delete_marked_collection(store, id)


def delete_marked_documents(store: Store, ids: Sequence[str]) -> None:
    """Delete those of the documents that are marked for removal."""
    for id in ids:
        _run_until_done(store, "removal/document_evidence", id, _EVIDENCE)
        _run_until_done(store, "removal/document_pages", id, _NODES)
        store.write(("removal/document", {"id": id}))
    if ids:
        update_entities(store)


def delete_marked_collection(store: Store, id: str) -> None:
    """Delete a collection if it is marked for removal."""
    for statement, limit in _COLLECTION_BATCHES:
        _run_until_done(store, statement, id, limit)
    store.write(("removal/collection", {"id": id}))


def resume_removal(store: Store, collection: str, documents: Sequence[str]) -> None:
    """Resume the removal of a collection, or of some documents, if one was started."""
    if store.read("removal/pending_collection", {"id": collection})["id"]:
        delete_marked_collection(store, collection)
    pending = store.read("removal/pending_documents", {"ids": list(documents)})["id"] if documents else []
    delete_marked_documents(store, pending)


def resume_removals(store: Store) -> bool:
    """Resume every removal that was interrupted; return whether there was one."""
    pending = store.read("removal/pending", {"limit": _PENDING})
    for id, kind in zip(pending["id"], pending["kind"], strict=True):
        if kind == "collection":
            delete_marked_collection(store, id)
    delete_marked_documents(
        store, [id for id, kind in zip(pending["id"], pending["kind"], strict=True) if kind == "document"]
    )
    return bool(pending["id"])


def remove_orphans(store: Store) -> int:
    """Delete evidence without a document, and marked triples and entities without evidence; return their number."""
    statements = ("removal/orphan_evidence", "removal/orphan_nodes")
    return sum(store.write_until_done(name, {}, limit=_EVIDENCE, column="removed") for name in statements)


def _run_until_done(store: Store, statement: str, id: str, limit: int) -> None:
    store.write_until_done(statement, {"id": id}, limit=limit, column="removed")
