"""What is in the graph, what could be added, and taking it out again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hopline.documents.file_store import READABLE, find_files, is_rows, kept_path
from hopline.documents.worker_process import run_ingest, worker_runs
from hopline.errors import EngineError, UnknownName, UsageError
from hopline.flow.columns import rows_of
from hopline.ids import collection_id
from hopline.store.removal import remove_collection, remove_documents
from hopline.types import Collection, Document
from hopline.types.collection_names import check_collection

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.flow.services import Scope
    from hopline.neo4j_server import Connection
    from hopline.store.graph import Store, Write

_PAGE: Final = 5000  # documents a query
_SECONDS_A_PAGE: Final = 0.6  # measured on two cores, PDF pages with layout; only for estimates
_SECONDS_A_PASSAGE: Final = 0.03
_TOKENS_A_PASSAGE: Final = 700  # prompt and reply of extraction with a model


@dataclass(frozen=True, slots=True)
class Estimate:
    """What reading files would take. ``calls`` and ``tokens`` are 0 unless a model extracts."""

    documents: int = 0
    pages: int = 0
    passages: int = 0
    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    unsupported: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """How far the reading of one document is. ``passages`` counts tables too, and is 0 until its pages are read.

    ``warned`` passages were read with a ``warning``, of which this is one; they can be tried again.
    """

    pages: int = 0
    pages_done: int = 0
    passages: int = 0
    extracted: int = 0
    embedded: int = 0
    entities: int = 0
    warned: int = 0
    warning: str = ""

    @property
    def share(self) -> float:
        """How much is done, 0 to 1: half is its pages, a quarter entities, a quarter vectors."""
        if self.pages and self.pages_done >= self.pages and not self.passages:
            return 1.0  # nothing stands on its pages
        pages = self.pages_done / self.pages if self.pages else float(self.passages > 0)
        done = (self.extracted + self.embedded) / (2 * self.passages) if self.passages else 0.0
        return 0.5 * min(pages, 1.0) + 0.5 * done


@dataclass(frozen=True, slots=True)
class Status:
    """How Hopline is: the engine as a dict of plain values, and counts over all collections."""

    engine: dict[str, Any] = field(default_factory=dict)
    collections: tuple[Collection, ...] = ()
    waiting: int = 0
    failed: int = 0
    passages: int = 0
    entities: int = 0
    triples: int = 0
    worker: bool = False
    embedder: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """Id of a collection, whether it is there, the model that extracts in it, its documents that are being removed."""

    id: str
    there: bool = False
    extraction_model: str = ""
    hidden: tuple[str, ...] = ()


class Inventory:
    """Questions about the graph that are no retrieval."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def collections(self) -> list[Collection]:
        columns = self._store.columns("read/collections")
        return [Collection(*values) for values in zip(*columns.values(), strict=True)]

    def id_of(self, collection: str) -> str:
        """Id of the collection of this name, or the one that it would get: a renamed one keeps its own."""
        return self._look_up(collection).id

    def known_id(self, collection: str) -> str:
        """Id of a collection that is there, by its name; UnknownName for one that is not."""
        return self._known(collection).id

    def scope(self, collection: str, documents: Sequence[str]) -> Scope:
        """Where a question looks, by names of a collection and, if any, of its documents."""
        from hopline.flow.services import Scope

        found = self._known(collection)
        return Scope(found.id, self.document_ids(collection, documents) if documents else (), found.hidden)

    def extraction_model(self, collection: str, new: str) -> str:
        """The model that extracts in a collection, empty for rules; ``new`` for one that is not there yet."""
        found = self._look_up(collection)
        return found.extraction_model if found.there else new

    def _known(self, collection: str) -> _Place:
        found = self._look_up(collection)
        if not found.there:
            raise UnknownName("collection", collection, (one.name for one in self.collections()))
        return found

    def _look_up(self, collection: str) -> _Place:
        """Where the collection of this name is; one that is being removed is not there any more."""
        check_collection(collection)
        nth = 0
        while True:
            id = collection_id(collection, nth)
            rows = rows_of(self._store.columns("read/collection", {"name": collection, "id": id}))
            by_name = {row["name"]: row for row in rows}
            if collection in by_name:
                row = by_name[collection]
                hidden = tuple(row["hidden"])
                return _Place(row["id"], not row["removed"], row["extraction_model"], hidden)
            if not rows:
                return _Place(id)
            nth += 1  # a renamed one has this id

    def rename(self, collection: str, to: str) -> None:
        """Give a collection another name; its id stays."""
        check_collection(to)
        id = self.known_id(collection)
        if to == collection:
            return
        [row] = self._store.write(("ingest/rename_collection", {"id": id, "name": to}))
        if not row["name"]:
            raise UsageError(f"there is a collection called {to!r} already; choose another name, or remove that one")

    def documents(self, collection: str) -> list[Document]:
        found: list[Document] = []
        id = self.known_id(collection)
        while True:
            given = {"collection": id, "skip": len(found), "limit": _PAGE}
            columns = self._store.columns("read/documents", given)
            found += [_document(row, collection) for row in rows_of(columns)]
            if len(columns["id"]) < _PAGE:
                return found

    def document_ids(self, collection: str, names: Sequence[str]) -> tuple[str, ...]:
        """Ids of documents by name or id; UnknownName for one that is not there."""
        given = {"collection": self.known_id(collection), "names": list(names)}
        columns = self._store.columns("read/document_names", given)
        known = {*columns["id"], *columns["name"]}
        for name in names:
            if name not in known:
                raise UnknownName("document", name, [one.name for one in self.documents(collection)[:50]])
        return tuple(columns["id"])

    def file(self, settings: Settings, document: str) -> Path:
        columns = self._store.columns("read/document", {"id": document})
        if not columns["id"] or not columns["sha256"][0]:
            raise UnknownName("document with a file", document, ())
        return kept_path(settings.files, columns["sha256"][0], columns["name"][0])

    def remove(self, document: str | None, collection: str) -> int:
        if document is not None:
            return remove_documents(self._store, self.document_ids(collection, [document]))
        id = self.known_id(collection)
        count = next(one.documents for one in self.collections() if one.id == id)
        remove_collection(self._store, id)
        return count

    def reread(self, collection: str, extraction_model: str, max_calls: int | None) -> int:
        """Have all of a collection extracted again; returns how many passages there are."""
        id = self.known_id(collection)
        writes: list[Write] = []
        if max_calls is not None:
            writes.append(("ingest/cap_calls", {"collection": id, "calls": max_calls}))
        given = {"collection": id, "extraction_model": extraction_model}
        *_, found = self._store.write(*writes, ("ingest/reread_collection", given))
        return sum(found["passages"])

    def retry(self, document: str | None, collection: str, *, passages: bool, max_calls: int | None) -> int:
        ids = self.document_ids(collection, [document]) if document is not None else ()
        given = {"collection": self.known_id(collection), "documents": list(ids)}
        writes: list[Write] = [("ingest/retry_documents", given)]
        writes += [("ingest/retry_evidence", {**given, "embedding": self._store.embedding})] if passages else []
        if max_calls is not None:
            writes.append(("ingest/change_cap", {"collection": given["collection"], "calls": max_calls}))
        failed, *others = self._store.write(*writes)
        return len(failed["id"]) + sum(sum(found.get("again", ())) for found in others)

    def reading(self, documents: Sequence[str]) -> dict[str, Reading]:
        rows = rows_of(self._store.columns("read/document_progress", {"ids": list(documents)}))
        return {row.pop("id"): Reading(**row) for row in rows}

    def estimate(self, settings: Settings, paths: Sequence[Path], collection: str) -> Estimate:
        found = find_files(paths)
        readable = [str(path) for path, name in found if name.lower().endswith(READABLE)]
        unsupported = [name for path, name in found if not name.lower().endswith(READABLE)]
        try:
            told = json.loads(run_ingest(settings, ["estimate", *readable])) if readable else {}
        except (subprocess.SubprocessError, ValueError) as error:
            raise EngineError(f"the estimate could not be made: {error}") from error
        unsupported += [f"{Path(path).name}: {one['error']}" for path, one in told.items() if "error" in one]
        good = {path: one for path, one in told.items() if "error" not in one}
        pages = sum(one["pages"] for path, one in good.items() if not is_rows(path))
        passages = sum(one["passages"] for one in good.values())
        model = self.extraction_model(collection, settings.extraction_model)
        calls = passages if model and model == settings.model else 0
        seconds = pages * _SECONDS_A_PAGE + passages * _SECONDS_A_PASSAGE
        return Estimate(len(good), pages, passages, seconds, calls, calls * _TOKENS_A_PASSAGE, tuple(unsupported))

    def status(self, settings: Settings, embedder: str, connection: Connection) -> Status:
        from hopline.neo4j_server import status

        engine: dict[str, Any] = {"uri": connection.uri, "private": connection.private, "running": True}
        if connection.private:
            private = status(settings)
            engine |= {
                "pid": private.pid,
                "version": private.version,
                "memory": private.memory,
                "uptime": private.uptime,
                "home": str(private.home),
            }
        row = {name: values[0] for name, values in self._store.columns("read/totals").items()}
        return Status(
            engine=engine,
            collections=tuple(self.collections()),
            waiting=row["waiting"],
            failed=row["failed"],
            passages=row["passages"],
            entities=row["entities"],
            triples=row["triples"],
            worker=worker_runs(self._store),
            embedder=embedder,
            model=settings.model,
        )


def _document(row: dict[str, Any], collection: str) -> Document:
    return Document(
        id=row["id"],
        name=row["name"],
        collection=collection,
        title=row["title"] or "",
        sha256=row["sha256"] or "",
        state=row["state"] or "waiting",
        reason=row["reason"] or "",
        pages=row["pages"] or 0,
        passages=row["passages"] or 0,
        tables=row["tables"] or 0,
        warnings=tuple(row["warnings"] or ()),
    )
