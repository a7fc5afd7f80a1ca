"""Documents of a service: `hop.documents` of `hopline.remote.client.RemoteHopline`."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from hopline.documents.addition import Titles
from hopline.documents.document_queries import ID_ADVICE
from hopline.documents.estimate import Estimate
from hopline.documents.foreign_documents import build_document_files
from hopline.documents.library import Paths, to_paths
from hopline.documents.memory_files import MemoryFiles, write_files
from hopline.documents.outline import OutlineItem
from hopline.documents.page_images import check_colours
from hopline.documents.pages import DocumentPage, TextMatch
from hopline.documents.progress import BatchState, DocumentProgress, Failure, ProcessingWarning, Progress
from hopline.documents.side_files import get_side_file
from hopline.documents.source_files import SourceFile, find_files, find_skipped_files
from hopline.documents.text_files import build_text_files
from hopline.errors import UnknownName, UsageError
from hopline.metadata.facets import Facet
from hopline.metadata.values import MetadataChange, check_metadata
from hopline.records import Box, Document, DocumentCounts, FileChange, SkippedFile
from hopline.remote.transport import Transport, decode

_POLL_SECONDS: Final = 0.5
_UPLOAD_FILES: Final = 50  # of one request
_UPLOAD_BYTES: Final = 256 << 20


class RemoteBatch:
    """The files that one call of `RemoteHopline.add` has uploaded; as `hopline.documents.progress.Batch`."""

    def __init__(
        self,
        transport: Transport,
        collection: str,
        files: tuple[FileChange, ...],
        *,
        skipped: tuple[SkippedFile, ...] = (),
        invalid: tuple[Failure, ...] = (),
        show: Callable[[Callable[[], Progress]], None] | None = None,
    ) -> None:
        self.files = files
        self.skipped = skipped
        self._invalid = invalid
        self.missing = ()
        self._transport = transport
        self._collection = collection
        self._show = show

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the documents and ``.jsonl`` files."""
        return tuple(file.id for file in self.files)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The names of the documents whose content was replaced by that of a changed file."""
        return tuple(file.name for file in self.files if file.change == "replaced")

    def progress(self) -> Progress:
        """Return the current progress of the batch."""
        return self._read_state().progress

    def wait(self, *, progress: bool = False, timeout: float | None = None) -> RemoteBatch:
        """Wait until the service has processed all documents; ``progress`` draws progress bars.

        Raises:
            TimeoutError: ``timeout`` seconds passed; the service continues.
        """
        steps = self._watch(timeout)
        if progress and self._show is not None:
            self._show(lambda: next(steps))
        else:
            for _ in steps:
                time.sleep(_POLL_SECONDS)
        return self

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Invalid items, and documents, rows and passages that could not be processed."""
        return (*self._invalid, *self._read_state().failures)

    @property
    def warnings(self) -> tuple[ProcessingWarning, ...]:
        """Warnings of documents that were processed."""
        return self._read_state().warnings

    def _watch(self, timeout: float | None) -> Iterator[Progress]:
        started = time.monotonic()
        while not (now := self.progress()).done:
            yield now
            if timeout is not None and time.monotonic() - started > timeout:
                raise TimeoutError(
                    f"not finished after {timeout:.0f} s: {now.documents_done} of {now.documents} documents are done"
                )
        yield now

    def _read_state(self) -> BatchState:
        body = {"ids": list(self.ids), "collection": self._collection}
        return decode(BatchState, self._transport.post("/progress", body, repeatable=True))


class RemoteDocumentLibrary:
    """The documents of a service; as `hopline.documents.library.DocumentLibrary`."""

    def __init__(self, transport: Transport, show_progress: Callable[[Callable[[], Progress]], None]) -> None:
        self.worker_notice = ""
        self._transport = transport
        self._show_progress = show_progress

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
    ) -> RemoteBatch:
        """Upload files and folders of this machine, and queue them; see `DocumentLibrary.add`.

        The service does not know their paths: a file replaces the document of its name, and files that no longer exist
        are not noticed.

        Raises:
            UsageError: a path does not exist, or ``remove_missing`` is True.
        """
        if remove_missing:
            raise UsageError("a service does not know the paths of uploaded files: remove documents by their names")
        sources = to_paths(paths)
        changes = self._queue(find_files(sources), collection, titles, max_calls, metadata)
        skipped = () if uploaded else find_skipped_files(sources)
        return RemoteBatch(self._transport, collection, changes, skipped=skipped, show=self._show_progress)

    def add_texts(
        self,
        texts: Sequence[str],
        titles: Sequence[str | None] | None = None,
        metadata: Sequence[Mapping[str, Any]] | None = None,
        collection: str = "default",
        *,
        max_calls: int | None = None,
    ) -> RemoteBatch:
        """Upload texts, each as a document, and queue them; see `DocumentLibrary.add_texts`."""
        return self._add_in_memory(build_text_files(texts, titles, metadata), collection, max_calls)

    def add_documents(
        self, documents: Iterable[Any], collection: str = "default", *, max_calls: int | None = None
    ) -> RemoteBatch:
        """Upload documents of other libraries and files in memory; see `DocumentLibrary.add_documents`."""
        return self._add_in_memory(build_document_files(documents), collection, max_calls)

    def _add_in_memory(self, prepared: MemoryFiles, collection: str, max_calls: int | None) -> RemoteBatch:
        with write_files(prepared.files) as sources:
            changes = self._queue(sources, collection, "keep", max_calls)
        return RemoteBatch(self._transport, collection, changes, invalid=prepared.failures, show=self._show_progress)

    def _queue(
        self,
        files: Sequence[SourceFile],
        collection: str,
        titles: Titles,
        max_calls: int | None,
        metadata: MetadataChange | None = None,
    ) -> tuple[FileChange, ...]:
        form: dict[str, Any] = {"collection": collection, "titles": titles, "max_calls": max_calls}
        if metadata:
            form["metadata"] = json.dumps(check_metadata(metadata))
        changes: list[FileChange] = []
        for part in _divide(files):
            added = self._upload("/documents", part, form)
            form.pop("max_calls", None)
            changes += decode(list[FileChange], added["files"])
            self.worker_notice = added["notice"]
        return tuple(changes)

    def batch(self, ids: Sequence[str], collection: str = "default") -> RemoteBatch:
        """Return the batch of files that were added before, by the ids that `RemoteBatch.ids` gave."""
        files = tuple(FileChange(id, "") for id in ids)
        return RemoteBatch(self._transport, collection, files, show=self._show_progress)

    def estimate(self, paths: Paths, collection: str = "default") -> Estimate:
        """Estimate what adding these files would take; they are uploaded for it."""
        estimates = [
            decode(Estimate, self._upload("/estimate", files, {"collection": collection}))
            for files in _divide(find_files(to_paths(paths)))
        ]
        sums: dict[str, Any] = {
            name: sum(getattr(estimate, name) for estimate in estimates)
            for name in ("documents", "pages", "passages", "seconds", "calls", "tokens")
        }
        return Estimate(
            **sums,
            unsupported=tuple(line for estimate in estimates for line in estimate.unsupported),
            protected=tuple(name for estimate in estimates for name in estimate.protected),
        )

    def progress(self, collection: str = "default") -> Progress:
        """Return the progress of a whole collection."""
        return decode(Progress, self._transport.get("/progress", collection=collection))

    def __call__(self, collection: str = "default") -> Sequence[Document]:
        """`list` in short."""
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
        """List the documents of a collection, sorted by name, or a part of them."""
        query = {"collection": collection, "text": text, "filter": filter, "start": start, "limit": limit}
        data = self._transport.get("/documents", **query)
        return decode(tuple[Document, ...], data)

    def count(self, collection: str = "default", *, text: str = "", filter: str = "") -> DocumentCounts:
        """Count the documents of a collection that have ``text`` as `list` does, and that match a filter."""
        query = {"collection": collection, "text": text, "filter": filter}
        return decode(DocumentCounts, self._transport.get("/documents/count", **query))

    def facets(self, collection: str = "default", *, filter: str = "", limit: int = 20) -> Sequence[Facet]:
        """Return the keys of the metadata of a collection, sorted, with their values and numbers of documents."""
        data = self._transport.get("/facets", collection=collection, filter=filter, limit=limit)
        return decode(tuple[Facet, ...], data)

    def set_metadata(self, document: str, metadata: MetadataChange, *, collection: str = "default") -> Document:
        """Set keys of the metadata of a document, by its name or id, and return the document; other keys stay."""
        body = {"document": document, "collection": collection, "metadata": check_metadata(metadata)}
        return decode(Document, self._transport.send("PATCH", "/metadata", {}, json=body))

    def get(self, document: str) -> Document:
        """Return a document by its id."""
        return decode(Document, self._transport.get(f"/documents/{_check_id(document)}"))

    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove one document, by name or id, or the whole collection; returns the number of documents removed."""
        if document is None:
            return int(self._transport.send("DELETE", "/collections", {"collection": collection})["count"])
        query = {"document": document, "collection": collection}
        return int(self._transport.send("DELETE", "/documents", query)["count"])

    def extract_again(
        self, collection: str = "default", *, model: bool | None = None, max_calls: int | None = None
    ) -> int:
        """Extract the entities and triples of a whole collection again; returns its number of passages."""
        body = {"collection": collection, "model": model, "max_calls": max_calls}
        return int(self._transport.post("/extract", body)["count"])

    def retry(
        self,
        document: str | None = None,
        *,
        collection: str = "default",
        passages: bool = True,
        max_calls: int | None = None,
    ) -> int:
        """Process again what failed: one document, by name or id, or all of the collection."""
        body = {"document": document, "collection": collection, "passages": passages, "max_calls": max_calls}
        return int(self._transport.post("/retry", body)["count"])

    def states(self, documents: Sequence[str]) -> dict[str, DocumentProgress]:
        """Return the progress of documents by their ids; unknown ids are omitted."""
        states = self._transport.post("/states", {"ids": list(documents)}, repeatable=True)
        return decode(dict[str, DocumentProgress], states)

    def outline(self, document: str) -> tuple[OutlineItem, ...]:
        """Return the sections of a document, by its id, as a tree with their pages, tables and figures."""
        return decode(tuple[OutlineItem, ...], self._transport.get(f"/documents/{_check_id(document)}/outline"))

    def file(self, document: str) -> Path:
        """Download the file of a document, by the document's id, to a temporary folder; return its path."""
        name = self.get(document).name
        path = Path(tempfile.mkdtemp(prefix="hopline-")) / Path(name).name
        with (
            self._transport.open_download(f"/documents/{_check_id(document)}/file", {}) as parts,
            path.open("wb") as file,
        ):
            file.writelines(parts)
        return path

    def read_page(self, document: str, page: int, *, start: int = 0, around: str = "") -> DocumentPage:
        """Return a page (from 1) of a document, by the document's id: its evidence, and the entities it mentions."""
        path = f"/documents/{_check_id(document)}/pages/{int(page)}"
        return decode(DocumentPage, self._transport.get(path, start=start, around=around))

    def find_pages(self, document: str, text: str) -> tuple[int, ...]:
        """Return the numbers of the pages of a document, by its id, with a number or a printed label such as "iv"."""
        return decode(tuple[int, ...], self._transport.get(f"/documents/{_check_id(document)}/pages", label=text))

    def find_text(self, document: str, text: str, *, limit: int = 100) -> tuple[TextMatch, ...]:
        """Find a text in a document, by its id: at most ``limit`` matches, sorted by page."""
        path = f"/documents/{_check_id(document)}/matches"
        return decode(tuple[TextMatch, ...], self._transport.get(path, text=text, limit=limit))

    def render_page(
        self,
        document: str,
        page: int,
        boxes: Sequence[Box] = (),
        *,
        whole: bool = True,
        colours: Sequence[str] = (),
    ) -> bytes:
        """Return a PNG of a page (from 1) of a PDF or image, by the document's id, with boxes highlighted."""
        chosen = zip(boxes, check_colours(colours, len(boxes)), strict=True)
        marked = [
            ",".join([f"{box.x0},{box.y0},{box.x1},{box.y1}", *filter(None, [colour.removeprefix("#")])])
            for box, colour in chosen
            if box.page == page
        ]
        path = f"/documents/{_check_id(document)}/pages/{int(page)}.png"
        return self._transport.get_bytes(path, boxes=marked, whole=whole)

    def _upload(self, path: str, files: Sequence[tuple[str, Path]], form: dict[str, Any]) -> Any:
        data = {name: str(value) for name, value in form.items() if value is not None}
        with ExitStack() as opened:
            parts = [("files", (name, opened.enter_context(file.open("rb")))) for name, file in files]
            return self._transport.send("POST", path, {}, data=data, files=parts)


def _divide(files: Sequence[SourceFile]) -> Iterator[list[tuple[str, Path]]]:
    """Divide files into uploads of (name, path); those of one name are in one upload, where they get numbers.

    Their names are paths within a folder, as those of an uploaded folder are.
    """
    part: list[tuple[str, Path]] = []
    size = 0
    ordered = sorted(files, key=lambda file: file.name.casefold())
    for _, group in groupby(ordered, key=lambda file: file.name.casefold()):
        named = [named for file in group for named in _list_uploads(file)]
        added = sum(path.stat().st_size for _, path in named)
        if part and (len(part) + len(named) > _UPLOAD_FILES or size + added > _UPLOAD_BYTES):
            yield part
            part, size = [], 0
        part += named
        size += added
    if part:
        yield part


def _list_uploads(file: SourceFile) -> Iterator[tuple[str, Path]]:
    """Yield the name and path of a file, and of the side file with its metadata, if there is one."""
    yield f"upload/{file.name}", file.path
    side = get_side_file(file.path)
    if side.is_file():
        yield f"upload/{get_side_file(Path(file.name)).as_posix()}", side


def _check_id(document: str) -> str:
    """Return the id of a document, which is a part of a path.

    Raises:
        UnknownName: no document can have this id.
    """
    if not isinstance(document, str) or not document.isalnum() or not document.isascii():
        raise UnknownName("document", str(document), advice=ID_ADVICE)
    return document
