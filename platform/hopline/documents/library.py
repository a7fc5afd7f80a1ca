"""Documents of the graph (``hop.documents``): add, list, retry and remove."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hopline.documents.addition import Titles, add_files, build_limit_write
from hopline.documents.estimate import Estimate, estimate_processing
from hopline.documents.file_store import get_stored_path
from hopline.documents.missing_files import find_missing_files, remove_missing_files
from hopline.documents.progress import Batch, DocumentProgress, Progress, read_collection_progress
from hopline.documents.source_files import find_skipped_files
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import to_rows
from hopline.records import Collection, Document, DocumentCounts
from hopline.store.removal import remove_collection, remove_documents

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.documents.worker_process import WorkerSupervisor
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store, Write

Paths = str | Path | Iterable[str | Path]
ShowProgress = Callable[[Callable[[], Progress]], None]  # draws progress until it is done

ID_ADVICE: Final = "pass the id of a document, as `hop.documents.list` returns it"
FILE_ADVICE: Final = f"{ID_ADVICE}; rows of .jsonl files have no file"
_PAGE: Final = 5000  # documents a query


class DocumentLibrary:
    """Documents of all collections: adding, listing, progress, retrying and removal."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        collections: CollectionCatalog,
        workers: WorkerSupervisor,
        show_progress: ShowProgress | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._collections = collections
        self._workers = workers
        self._show_progress = show_progress

    def add(
        self,
        paths: Paths,
        collection: str = "default",
        *,
        titles: Titles = "keep",
        max_calls: int | None = None,
        uploaded: bool = False,
        remove_missing: bool = False,
    ) -> Batch:
        """Store files and folders and queue them for the worker; returns at once.

        An unchanged file is skipped, a changed one replaces its old version (`Batch.replaced`). Files of one name from
        different folders are kept with numbers: "report.pdf", "report (2).pdf"; if also their content is equal, they
        are one document. The folders of ``uploaded`` files mean nothing: such a file replaces the document of its name.
        ``remove_missing`` removes the documents of `Batch.missing`: files that no longer exist in an added folder.
        Files in folders whose type is not supported are skipped (`Batch.skipped`).

        ``titles`` applies to the rows of ``.jsonl`` files: ``ignore`` searches titles but adds no ABOUT relationships,
        ``drop`` does not search them.
        ``max_calls`` is added to the model calls that extraction may still make for this collection, unless every file
        is unchanged; passages beyond the limit are extracted by rules, marked, and can be retried. None leaves the
        limit unchanged.

        Raises:
            UsageError: a path does not exist, or the limit is invalid.
        """
        _check_max_calls(max_calls)
        id = self._collections.get_id(collection)
        target = Collection(id, collection)
        sources = to_paths(paths)
        files = add_files(
            self._store, self._settings, sources, target, titles=titles, max_calls=max_calls, uploaded=uploaded
        )
        missing = () if uploaded else find_missing_files(self._store, id, sources)
        if remove_missing:
            remove_missing_files(self._store, missing)
        if files:
            self._workers.ensure_running()
        skipped = () if uploaded else find_skipped_files(sources)
        return Batch(
            *(self._store, self._settings, id, files, self._workers),
            missing=missing,
            skipped=skipped,
            show=self._show_progress,
        )

    def estimate(self, paths: Paths, collection: str = "default") -> Estimate:
        """Estimate what adding these files to a collection would take, without adding them.

        ``calls`` are calls of the model that extracts in this collection, chosen when it was created.
        """
        model = self._collections.get_extraction_model(collection, self._settings.extraction_model)
        return estimate_processing(self._settings, to_paths(paths), model)

    def progress(self, collection: str = "default") -> Progress:
        """Return the progress of a whole collection; restarts the worker if it has stopped before the end.

        Raises:
            UnknownName: no such collection.
        """
        state = read_collection_progress(self._store, self._collections.require_id(collection))
        if not state.done:
            self._workers.ensure_running()
        return state

    def __call__(self, collection: str = "default") -> Sequence[Document]:
        """`list` in short: ``hop.documents("loans")``."""
        return self.list(collection)

    def list(
        self, collection: str = "default", *, text: str = "", start: int = 0, limit: int | None = None
    ) -> Sequence[Document]:
        """List the documents of a collection, sorted by name, or a part of them.

        ``text`` is a part of their names, in any case. ``start`` documents are skipped, and at most ``limit`` returned.

        Raises:
            UnknownName: no such collection.
        """
        documents: list[Document] = []
        id = self._collections.require_id(collection)
        while limit is None or len(documents) < limit:
            size = _PAGE if limit is None else min(limit - len(documents), _PAGE)
            page = {"collection": id, "text": text.lower(), "skip": start + len(documents), "limit": size}
            columns = self._store.read("documents/documents", page)
            documents += [_to_document(row, collection) for row in to_rows(columns)]
            if len(columns["id"]) < size:
                break
        return documents

    def count(self, collection: str = "default", *, text: str = "") -> DocumentCounts:
        """Count the documents of a collection whose names contain ``text``, in any case.

        Raises:
            UnknownName: no such collection.
        """
        parameters = {"collection": self._collections.require_id(collection), "text": text.lower()}
        [row] = to_rows(self._store.read("documents/document_counts", parameters))
        return DocumentCounts(**row)

    def get(self, document: str) -> Document:
        """Return a document by its id.

        Raises:
            UnknownName: no such document.
        """
        rows = to_rows(self._store.read("documents/document", {"id": document}))
        if not rows:
            raise UnknownName("document", document, advice=ID_ADVICE)
        return _to_document(rows[0], rows[0]["collection"])

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove one document, by name or id, or the whole collection; returns the number of documents removed.

        It is hidden at once and deleted in batches; the worker finishes an interrupted removal.

        Raises:
            UnknownName: no such document or collection.
        """
        count = self._remove(document, collection)
        self._workers.ensure_running_if_needed()
        return count

    def _remove(self, document: str | None, collection: str) -> int:
        if document is not None:
            return remove_documents(self._store, self._collections.resolve_document_ids(collection, [document]))
        id = self._collections.require_id(collection)
        count = next(known.documents for known in self._collections.list_collections() if known.id == id)
        remove_collection(self._store, id)
        return count

    def extract_again(
        self, collection: str = "default", *, model: bool | None = None, max_calls: int | None = None
    ) -> int:
        """Extract the entities and triples of a whole collection again; returns its number of passages.

        ``model``: extract by the language model of the settings (True) or by rules (False), now and for later
        documents; None retains the extractor of the collection. ``max_calls`` is added to the model calls that
        extraction may still make; cached replies are free.

        Raises:
            UnknownName: no such collection.
            UsageError: ``model`` is True and no model is configured.
        """
        _check_max_calls(max_calls)
        chosen = self._collections.get_extraction_model(collection, "")
        if model is not None:
            chosen = self._settings.model if model else ""
        if model and not chosen:
            raise UsageError("extraction with a language model needs HOPLINE_MODEL, which is not set")
        id = self._collections.require_id(collection)
        writes: list[Write] = []
        if max_calls is not None:
            writes.append(build_limit_write("ingest/limit_calls", id, max_calls))
        parameters = {"collection": id, "extraction_model": chosen}
        *_, queued = self._store.write(*writes, ("ingest/reextract_collection", parameters))
        count = sum(queued["passages"])
        self._workers.ensure_running()
        return count

    def retry(
        self,
        document: str | None = None,
        *,
        collection: str = "default",
        passages: bool = True,
        max_calls: int | None = None,
    ) -> int:
        """Process again what failed: one document, by name or id, or all of the collection.

        These are documents that could not be parsed and, with ``passages``, passages that were extracted with a
        warning. Returns the number of both. ``max_calls`` raises the collection's limit of model calls, if it has one.

        Raises:
            UnknownName: no such document.
        """
        _check_max_calls(max_calls)
        ids = self._collections.resolve_document_ids(collection, [document]) if document is not None else ()
        id = self._collections.require_id(collection)
        target = {"collection": id, "documents": [*ids]}
        writes: list[Write] = [("ingest/retry_documents", target)]
        writes += [("ingest/retry_evidence", {**target, "embedding": self._store.embedding})] if passages else []
        if max_calls is not None:
            writes.append(build_limit_write("ingest/raise_call_limit", id, max_calls))
        failed, *others = self._store.write(*writes)
        count = len(failed["id"]) + sum(sum(row.get("evidence", ())) for row in others)
        if count:
            self._workers.ensure_running()
        return count

    def states(self, documents: Sequence[str]) -> dict[str, DocumentProgress]:
        """Return the progress of documents by their ids; unknown ids are omitted."""
        rows = to_rows(self._store.read("documents/document_progress", {"ids": [*documents]}))
        return {row.pop("id"): DocumentProgress(**row) for row in rows}

    def file(self, document: str) -> Path:
        """Return the path of the stored file of a document, by the document's id.

        Raises:
            UnknownName: no such document, or it came from a ``.jsonl`` file and has no file of its own.
        """
        columns = self._store.read("documents/document", {"id": document})
        if not columns["id"] or not columns["sha256"][0]:
            raise UnknownName("document with a file", document, advice=FILE_ADVICE)
        return get_stored_path(self._settings.files, columns["sha256"][0], columns["name"][0])


def _check_max_calls(max_calls: int | None) -> None:
    if max_calls is not None and (isinstance(max_calls, bool) or not isinstance(max_calls, int) or max_calls < 0):
        raise UsageError(f"max_calls must be a non-negative integer, or None for no change (got {max_calls!r})")


def to_paths(paths: Paths) -> list[Path]:
    """Convert one path, or several, to a list; ``~`` is expanded."""
    listed = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path).expanduser() for path in listed]


def _to_document(row: dict[str, Any], collection: str) -> Document:
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
        left_out=tuple(row["left_out"] or ()),
        path=row["path"],
    )
