"""``hop.documents``: the public methods about documents, from adding to removal.

They check names and arguments, call the modules beside this one, and start the worker if it has something to do.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hopline.documents.addition import Titles, add_files
from hopline.documents.call_limit import check_max_calls
from hopline.documents.document_queries import (
    count_documents,
    get_document,
    get_document_file,
    list_documents,
    read_document_progress,
)
from hopline.documents.estimate import Estimate, estimate_processing
from hopline.documents.foreign_documents import build_document_files
from hopline.documents.memory_files import MemoryFiles, write_files
from hopline.documents.missing_files import find_missing_files, remove_missing_files
from hopline.documents.outline import OutlineItem, read_outline
from hopline.documents.page_images import has_page_images, render_page
from hopline.documents.pages import DocumentPage, TextMatch, find_pages, find_text, read_page
from hopline.documents.progress import Batch, DocumentProgress, Progress, read_collection_progress
from hopline.documents.reprocessing import queue_extraction, queue_failures
from hopline.documents.source_files import SourceFile, find_files, find_skipped_files
from hopline.documents.text_files import build_text_files
from hopline.errors import UsageError
from hopline.flow.columns import to_rows
from hopline.metadata.facets import Facet, compute_facets
from hopline.metadata.values import MetadataChange, check_metadata
from hopline.records import Box, Collection, Document, DocumentCounts, FileChange
from hopline.store.document_metadata import LayerChange, write_metadata
from hopline.store.removal import remove_collection, remove_documents

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.documents.worker_process import WorkerSupervisor
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store

Paths = str | Path | Iterable[str | Path]
ShowProgress = Callable[[Callable[[], Progress]], None]  # draws progress until it is done


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

    @property
    def worker_notice(self) -> str:
        """What the user should know of the worker after `add`, `retry` or `extract_again`; "" if nothing.

        These replace a running worker that has other settings than this client. A worker on another machine
        continues with its own, and the notice says what to do.
        """
        return self._workers.notice

    def add(
        self,
        paths: Paths,
        collection: str = "default",
        *,
        titles: Titles = "keep",
        max_calls: int | None = None,
        metadata: MetadataChange | None = None,
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

        ``metadata`` are keys and values for every file of this call: texts, numbers, booleans, dates, or lists of
        these; None removes a key. They replace those that were given before, and those in the file and in its side file
        ``NAME.metadata.json``. An unchanged file is not processed again.

        Raises:
            UsageError: a path does not exist, or the limit, the metadata or a side file is not valid.
        """
        folders = to_paths(paths)
        id = self._collections.get_id(collection)
        files = self._queue(
            find_files(folders), collection, titles=titles, max_calls=max_calls, metadata=metadata, uploaded=uploaded
        )
        missing = () if uploaded else find_missing_files(self._store, id, folders)
        if remove_missing:
            remove_missing_files(self._store, missing)
        skipped = () if uploaded else find_skipped_files(folders)
        return self._make_batch(files, collection, missing=missing, skipped=skipped)

    def add_texts(
        self,
        texts: Sequence[str],
        titles: Sequence[str | None] | None = None,
        metadata: Sequence[Mapping[str, Any]] | None = None,
        collection: str = "default",
        *,
        max_calls: int | None = None,
    ) -> Batch:
        """Queue texts for the worker, each as a document; returns at once.

        A document has the name of its title, or of a hash of its text. A text that was added before changes nothing,
        another text with a title that is known replaces its old version. What is no text is a failure of the batch.
        ``max_calls``: see `add`.

        Raises:
            UsageError: the arguments have different lengths.
        """
        return self._add_in_memory(build_text_files(texts, titles, metadata), collection, max_calls)

    def add_documents(
        self, documents: Iterable[Any], collection: str = "default", *, max_calls: int | None = None
    ) -> Batch:
        """Queue documents of LangChain, LlamaIndex and Haystack, and files in memory, for the worker; returns at once.

        A file is a `NamedBytes` or a tuple (name, bytes), of any supported type; it replaces the document of its name.
        Texts of one source are the parts of one document: pass all of them in one call, since another text of the
        source replaces its old version (`hopline.documents.foreign_documents`). An item that is neither is a failure
        of the batch. ``max_calls``: see `add`.

        Raises:
            UsageError: ``documents`` is no list.
        """
        return self._add_in_memory(build_document_files(documents), collection, max_calls)

    def _add_in_memory(self, prepared: MemoryFiles, collection: str, max_calls: int | None) -> Batch:
        with write_files(prepared.files) as sources:
            files = self._queue(sources, collection, max_calls=max_calls, uploaded=True)
        return self._make_batch(files, collection, invalid=prepared.failures)

    def _queue(
        self,
        sources: Sequence[SourceFile],
        collection: str,
        *,
        titles: Titles = "keep",
        max_calls: int | None,
        metadata: MetadataChange | None = None,
        uploaded: bool,
    ) -> tuple[FileChange, ...]:
        check_max_calls(max_calls)
        target = Collection(self._collections.get_id(collection), collection)
        self._apply_settings(collection, self._settings.extraction_model)
        files = add_files(
            self._store,
            self._settings,
            sources,
            target,
            titles=titles,
            max_calls=max_calls,
            metadata=metadata,
            uploaded=uploaded,
        )
        if files:
            self._workers.ensure_running()
        return files

    def _make_batch(self, files: tuple[FileChange, ...], collection: str, **lists: Any) -> Batch:
        id = self._collections.get_id(collection)
        return Batch(self._store, self._settings, id, files, self._workers, show=self._show_progress, **lists)

    def batch(self, ids: Sequence[str], collection: str = "default") -> Batch:
        """Return the batch of files that were added before, by the ids that `Batch.ids` gave; unknown ids are ignored.

        Raises:
            UnknownName: no such collection.
        """
        id = self._collections.require_id(collection)
        rows = to_rows(self._store.read("documents/files_in_collection", {"collection": id, "ids": list(ids)}))
        files = tuple(FileChange(row["id"], row["name"]) for row in rows)
        return Batch(self._store, self._settings, id, files, self._workers, show=self._show_progress)

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
        return state if state.done else replace(state, worker=self._workers.keep_running())

    def __call__(self, collection: str = "default") -> Sequence[Document]:
        """`list` in short: ``hop.documents("loans")``."""
        return self.list(collection)

    def list(
        self,
        collection: str = "default",
        *,
        text: str = "",
        filter: str = "",
        start: int = 0,
        limit: int | None = None,
    ) -> Sequence[Document]:
        """List the documents of a collection, sorted by name, or a part of them.

        ``text`` is a part of their names, titles or authors, in any case; ``filter`` is a condition on their metadata.
        ``start`` documents are skipped, and at most ``limit`` returned.

        Raises:
            UnknownName: no such collection, or no document has a key of the filter.
            UsageError: the filter cannot be read.
        """
        scope = self._collections.resolve_scope(collection, filter=filter)
        within = scope.documents or None
        listed = Collection(scope.collection, collection)
        return list_documents(self._store, listed, text=text, within=within, start=start, limit=limit)

    def count(self, collection: str = "default", *, text: str = "", filter: str = "") -> DocumentCounts:
        """Count the documents of a collection that have ``text`` as `list` does, and that match a filter.

        Raises:
            UnknownName: no such collection, or no document has a key of the filter.
            UsageError: the filter cannot be read.
        """
        scope = self._collections.resolve_scope(collection, filter=filter)
        return count_documents(self._store, scope.collection, text=text, within=scope.documents or None)

    def facets(self, collection: str = "default", *, filter: str = "", limit: int = 20) -> Sequence[Facet]:
        """Return the keys of the metadata of a collection, sorted, with their values and numbers of documents.

        Of documents that match a filter, if it is given; at most ``limit`` values of each key.

        Raises:
            UnknownName: no such collection, or no document has a key of the filter.
            UsageError: the filter cannot be read, or ``limit`` is not a whole number of at least 1.
        """
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 1:
            raise UsageError(f"limit must be at least 1, a whole number (got {limit!r})")
        matching = self._collections.find_documents(collection, filter)
        return compute_facets((document.metadata for document in matching), limit=limit)

    def set_metadata(self, document: str, metadata: MetadataChange, *, collection: str = "default") -> Document:
        """Set keys of the metadata of a document, by its name or id, and return the document; other keys stay.

        The value None removes a key, also one that was read from the file. Nothing is processed again.

        Raises:
            UnknownName: no such document or collection.
            UsageError: a key or a value is not valid, or the document would have too many keys.
        """
        change = LayerChange(user=check_metadata(metadata))
        [id, *others] = self._collections.resolve_document_ids(collection, [document])
        if others:
            raise UsageError(
                f"several documents are called {document!r}; use the id of one: {', '.join([id, *others])}"
            )
        write_metadata(self._store, {id: change})
        return get_document(self._store, id)

    def get(self, document: str) -> Document:
        """Return a document by its id.

        Raises:
            UnknownName: no such document.
        """
        return get_document(self._store, document)

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
        check_max_calls(max_calls)
        chosen = self._collections.get_extraction_model(collection, "")
        if model is not None:
            chosen = self._settings.model if model else ""
        if model and not chosen:
            raise UsageError("extraction with a language model needs HOPLINE_MODEL, which is not set")
        id = self._collections.require_id(collection)
        self._apply_settings(collection, chosen)
        count = queue_extraction(self._store, id, model=chosen, max_calls=max_calls)
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
        check_max_calls(max_calls)
        ids = self._collections.resolve_document_ids(collection, [document]) if document is not None else ()
        id = self._collections.require_id(collection)
        self._apply_settings(collection)
        count = queue_failures(self._store, id, ids, passages=passages, max_calls=max_calls)
        if count:
            self._workers.ensure_running()
        return count

    def _apply_settings(self, collection: str, model: str = "") -> None:
        """Let the worker have the settings of this client; ``model`` extracts a collection that does not exist yet."""
        extraction_model = self._collections.get_extraction_model(collection, model)
        uses_model = bool(self._settings.model) and extraction_model == self._settings.model
        self._workers.apply_settings(shlex.join(["hopline", "retry", "-c", collection]), wait=uses_model)

    def states(self, documents: Sequence[str]) -> dict[str, DocumentProgress]:
        """Return the progress of documents by their ids; unknown ids are omitted."""
        return read_document_progress(self._store, documents)

    def outline(self, document: str) -> tuple[OutlineItem, ...]:
        """Return the sections of a document, by its id, as a tree with their pages, tables and figures.

        Raises:
            UnknownName: no such document.
        """
        return read_outline(self._store, self.get(document).id)

    def file(self, document: str) -> Path:
        """Return the path of the stored file of a document, by the document's id.

        Raises:
            UnknownName: no such document, or it came from a ``.jsonl`` file and has no file of its own.
        """
        return get_document_file(self._store, self._settings.files, document)

    def read_page(self, document: str, page: int, *, start: int = 0, around: str = "") -> DocumentPage:
        """Return a page (from 1) of a document, by the document's id: its evidence, and the entities it mentions.

        At most `hopline.documents.pages.MAX_EVIDENCE` passages, tables and figures are returned, from ``start``, or
        of a page with more, from the one before the evidence with the id ``around``. A document that is not divided
        into pages has one page.

        Raises:
            UnknownName: no such document, or it has no such page.
        """
        stored = self.get(document)
        has_image = bool(stored.sha256) and has_page_images(self.file(document))
        return read_page(self._store, stored.id, page, start=max(0, start), around=around, has_image=has_image)

    def find_pages(self, document: str, text: str) -> tuple[int, ...]:
        """Return the numbers of the pages of a document, by its id, with a number or a printed label such as "iv".

        The page with this number is first: "3" may be page 3, and page 7, on which 3 is printed.

        Raises:
            UnknownName: no such document.
        """
        return find_pages(self._store, self.get(document).id, text)

    def find_text(self, document: str, text: str, *, limit: int = 100) -> tuple[TextMatch, ...]:
        """Find a text in a document, by its id: at most ``limit`` matches, sorted by page.

        Case and accents are ignored: "zurich" finds "Zürich".

        Raises:
            UnknownName: no such document.
        """
        return find_text(self._store, self.get(document).id, text, limit)

    def render_page(
        self,
        document: str,
        page: int,
        boxes: Sequence[Box] = (),
        *,
        whole: bool = True,
        colours: Sequence[str] = (),
    ) -> bytes:
        """Return a PNG of a page (from 1) of a PDF or image, by the document's id, with boxes highlighted.

        Unless it is ``whole``, the page is cropped to the boxes. ``colours`` are those of the boxes, such as "#0c8599";
        "" is the colour of highlighted text.

        Raises:
            UnknownName: no such document, or it has no file of its own.
            UsageError: its file has no pages that can be shown, or the colours are not as many as the boxes.
            DocumentError: the page cannot be rendered: there is none of this number, or the file is damaged.
        """
        path = self.file(document)
        if not has_page_images(path):
            raise UsageError(f"only pages of PDFs and images can be shown; {self.get(document).name!r} is neither")
        return render_page(path, page, boxes, whole=whole, colours=colours)


def to_paths(paths: Paths) -> list[Path]:
    """Convert one path, or several, to a list; ``~`` is expanded."""
    listed = [paths] if isinstance(paths, str | Path) else paths
    return [Path(path).expanduser() for path in listed]
