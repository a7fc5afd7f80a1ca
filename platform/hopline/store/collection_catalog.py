"""Lookup of collections by name: their ids, their documents, and the scope of a search within one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import to_rows
from hopline.flow.services import NO_DOCUMENT, Scope
from hopline.ids import collection_id
from hopline.records import Collection, check_collection_name
from hopline.store.document_metadata import DocumentFields, MetadataReader, find_matching_documents

if TYPE_CHECKING:
    from hopline.store.graph import Store

COLLECTION_ADVICE: Final = "there is none yet: add documents to create it"  # if no collection exists


@dataclass(frozen=True, slots=True)
class _CollectionRecord:
    """Id of a collection, whether it exists, its extraction model, and its documents that are being removed."""

    id: str
    exists: bool = False
    extraction_model: str = ""
    hidden: tuple[str, ...] = ()


class CollectionCatalog:
    """Looks up collections and their documents by name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._metadata = MetadataReader(store)

    def list_collections(self) -> list[Collection]:
        """List every collection, ordered by name."""
        columns = self._store.read("documents/collections")
        return [Collection(*values) for values in zip(*columns.values(), strict=True)]

    def get_id(self, collection: str) -> str:
        """Return the id of the collection with this name, or the id that a new one would get; renaming keeps the id."""
        return self._look_up(collection).id

    def require_id(self, collection: str) -> str:
        """Return the id of an existing collection, by its name.

        Raises:
            UnknownName: there is no such collection.
        """
        return self._look_up_existing(collection).id

    def resolve_scope(self, collection: str, documents: Sequence[str] = (), filter: str = "") -> Scope:
        """Resolve the names of a collection and of some of its documents to the scope of a search; no documents: all.

        With a ``filter`` (`hopline.metadata.filter_parser`), only documents that match it are searched; if none does,
        nothing is (`Scope.is_empty`).

        Raises:
            UsageError: the filter cannot be read.
            UnknownName: there is no such collection or document, or no document has a key of the filter.
        """
        record = self._look_up_existing(collection)
        ids = self.resolve_document_ids(collection, documents) if documents else ()
        if isinstance(filter, str) and not filter.strip():
            return Scope(record.id, ids, record.hidden)
        matching = tuple(document.id for document in find_matching_documents(self._metadata, record.id, filter))
        chosen = tuple(set(ids).intersection(matching)) if documents else matching
        if chosen:
            return Scope(record.id, chosen, record.hidden)
        searched = "none of the chosen documents" if documents else f"no document of the collection {collection!r}"
        return Scope(record.id, (NO_DOCUMENT,), record.hidden, f"{searched} matches the filter {filter}")

    def find_documents(self, collection: str, filter: str = "") -> list[DocumentFields]:
        """Find the documents of a collection that match a filter, all for an empty one, with their metadata.

        Raises:
            UsageError: the filter cannot be read.
            UnknownName: there is no such collection, or no document has a key of the filter.
        """
        return find_matching_documents(self._metadata, self.require_id(collection), filter)

    def get_extraction_model(self, collection: str, default: str) -> str:
        """Return the extraction model of a collection ("": rules), or ``default`` where it does not exist."""
        record = self._look_up(collection)
        return record.extraction_model if record.exists else default

    def resolve_document_ids(self, collection: str, names: Sequence[str]) -> tuple[str, ...]:
        """Resolve the names or ids of documents of a collection to their ids.

        Raises:
            UnknownName: there is no such collection or document.
        """
        id = self.require_id(collection)
        columns = self._store.read("documents/document_names", {"collection": id, "names": list(names)})
        known = {*columns["id"], *columns["name"]}
        for name in names:
            if name not in known:
                existing = self._store.read(
                    "documents/documents", {"collection": id, "text": "", "within": None, "skip": 0, "limit": 50}
                )
                raise UnknownName("document", name, existing["name"], advice="the collection has no documents")
        return tuple(columns["id"])

    def rename(self, collection: str, to: str) -> None:
        """Rename a collection; its id and its contents stay the same.

        Raises:
            UnknownName: there is no such collection.
            UsageError: another collection has this name, or the name is not valid.
        """
        check_collection_name(to)
        id = self.require_id(collection)
        if to == collection:
            return
        [row] = self._store.write(("ingest/rename_collection", {"id": id, "name": to}))
        if not row["name"]:
            raise UsageError(f"there is a collection called {to!r} already; choose another name, or remove that one")

    def _look_up_existing(self, collection: str) -> _CollectionRecord:
        record = self._look_up(collection)
        if not record.exists:
            known = [existing.name for existing in self.list_collections()]
            raise UnknownName("collection", collection, known, advice=COLLECTION_ADVICE)
        return record

    def _look_up(self, collection: str) -> _CollectionRecord:
        """Find the record of the collection with this name; one that is being removed no longer exists."""
        check_collection_name(collection)
        nth = 0
        while True:
            id = collection_id(collection, nth)
            rows = to_rows(self._store.read("documents/collection", {"name": collection, "id": id}))
            by_name = {row["name"]: row for row in rows}
            if collection in by_name:
                row = by_name[collection]
                return _CollectionRecord(row["id"], not row["removed"], row["extraction_model"], tuple(row["hidden"]))
            if not rows:
                return _CollectionRecord(id)
            nth += 1  # this id belongs to a collection that was renamed
