"""The documents of a fake client."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from hopline.documents.addition import Titles
from hopline.documents.document_queries import FILE_ADVICE, ID_ADVICE
from hopline.documents.estimate import Estimate
from hopline.documents.foreign_documents import build_document_files
from hopline.documents.library import DocumentLibrary, Paths, to_paths
from hopline.documents.memory_files import MemoryFiles, write_files
from hopline.documents.outline import OutlineItem
from hopline.documents.page_images import has_page_images, render_page
from hopline.documents.pages import DocumentPage, TextMatch, match_texts
from hopline.documents.progress import Batch, DocumentProgress, Failure, ProcessingWarning, Progress
from hopline.documents.source_files import SourceFile, find_files, find_skipped_files
from hopline.documents.text_files import build_text_files
from hopline.errors import UnknownName
from hopline.metadata.facets import Facet, compute_facets
from hopline.metadata.filter_expression import matches
from hopline.metadata.filter_parser import parse_filter
from hopline.metadata.values import Metadata, MetadataChange, check_metadata, combine_layers
from hopline.records import Box, Document, DocumentCounts, FileChange, SkippedFile
from hopline.testing.answers import make_document
from hopline.testing.state import AddedFile, FakeState, record_calls


class FakeBatch(Batch):
    """A batch that is processed at once; it has the failures and warnings of `FakeState`."""

    def __init__(
        self,
        state: FakeState,
        files: tuple[FileChange, ...],
        skipped: tuple[SkippedFile, ...] = (),
        invalid: tuple[Failure, ...] = (),
    ) -> None:
        self.state = state
        self._invalid = invalid
        self.files = files
        self.missing = state.missing
        self.skipped = skipped
        self.waited = False

    def progress(self) -> Progress:
        """All documents are processed, but for those that failed."""
        failed = len(self.failures)
        return Progress(len(self.ids), len(self.ids) - failed, failed, passages=12, done=self.waited)

    def wait(self, *, progress: bool = False, timeout: float | None = None) -> FakeBatch:
        """Return at once, or raise KeyboardInterrupt where `FakeState.interrupt` is set."""
        if self.state.interrupt:
            raise KeyboardInterrupt
        self.waited = True
        return self

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Invalid items, and the failures that the test has set."""
        return (*self._invalid, *self.state.failures)

    @property
    def warnings(self) -> tuple[ProcessingWarning, ...]:
        """The warnings that the test has set."""
        return self.state.warnings


class FakeDocumentLibrary(DocumentLibrary):
    """`hop.documents` of a fake client. Added files wait in the state that the test finds them in."""

    part = "documents."

    def __init__(self, state: FakeState) -> None:
        self.state = state

    @property
    def worker_notice(self) -> str:
        """The notice that the test has set."""
        return self.state.worker_notice

    @record_calls
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
        """Note the files and list them as waiting, with the metadata; a file replaces the document of its name."""
        files = self._note(find_files(to_paths(paths)), collection, metadata, uploaded=uploaded)
        return FakeBatch(self.state, files, () if uploaded else find_skipped_files(to_paths(paths)))

    @record_calls
    def add_texts(
        self,
        texts: Sequence[str],
        titles: Sequence[str | None] | None = None,
        metadata: Sequence[Mapping[str, Any]] | None = None,
        collection: str = "default",
        *,
        max_calls: int | None = None,
    ) -> Batch:
        """Note the file of each text and list it as waiting."""
        return self._add_in_memory(build_text_files(texts, titles, metadata), collection, max_calls)

    @record_calls
    def add_documents(
        self, documents: Iterable[Any], collection: str = "default", *, max_calls: int | None = None
    ) -> Batch:
        """Note the file of each document and list it as waiting."""
        return self._add_in_memory(build_document_files(documents), collection, max_calls)

    def _add_in_memory(self, prepared: MemoryFiles, collection: str, max_calls: int | None) -> Batch:
        with write_files(prepared.files) as sources:
            return FakeBatch(
                self.state, self._note(sources, collection, None, uploaded=True), invalid=prepared.failures
            )

    def _note(
        self, sources: Sequence[SourceFile], collection: str, metadata: MetadataChange | None, *, uploaded: bool
    ) -> tuple[FileChange, ...]:
        added = combine_layers(check_metadata(metadata or {}))
        documents = self.state.documents.setdefault(collection, [])
        known = {document.name for document in documents}
        files = []
        for file in sources:
            self.state.added.append(AddedFile(collection, file.name, file.path.read_bytes()))
            document = make_document(collection, file.name, state="waiting", pages=0, passages=0, metadata=added)
            documents[:] = [*(other for other in documents if other.id != document.id), document]
            change: Literal["replaced", "new"] = "replaced" if file.name in known else "new"
            files.append(FileChange(document.id, file.name, "" if uploaded else str(file.path), change))
        return tuple(files)

    @record_calls
    def batch(self, ids: Sequence[str], collection: str = "default") -> Batch:
        """A batch of the documents of the collection that have one of these ids."""
        documents = self.state.documents_of(collection)
        files = tuple(FileChange(document.id, document.name) for document in documents if document.id in ids)
        return FakeBatch(self.state, files)

    @record_calls
    def estimate(self, paths: Paths, collection: str = "default") -> Estimate:
        """The estimate that the test has set."""
        return self.state.estimate(to_paths(paths))

    @record_calls
    def progress(self, collection: str = "default") -> Progress:
        """The progress that the test has set."""
        return self.state.progress

    @record_calls
    def list(
        self,
        collection: str = "default",
        *,
        text: str = "",
        filter: str = "",
        start: int = 0,
        limit: int | None = None,
    ) -> Sequence[Document]:
        """The documents of a collection, by name, or a part of them."""
        documents = sorted(self._match(collection, text, filter), key=lambda document: document.name)
        return documents[start : None if limit is None else start + limit]

    @record_calls
    def count(self, collection: str = "default", *, text: str = "", filter: str = "") -> DocumentCounts:
        """The number of documents of a collection, also by state."""
        states = Counter(document.state for document in self._match(collection, text, filter))
        return DocumentCounts(states.total(), states["ready"], states["waiting"], states["failed"])

    @record_calls
    def facets(self, collection: str = "default", *, filter: str = "", limit: int = 20) -> Sequence[Facet]:
        """The facets of the documents of a collection."""
        return compute_facets((document.metadata for document in self._match(collection, "", filter)), limit=limit)

    @record_calls
    def set_metadata(self, document: str, metadata: MetadataChange, *, collection: str = "default") -> Document:
        """Set keys of the metadata of a document, by its name or id."""
        change = check_metadata(metadata)
        documents = self.state.documents_of(collection)
        for index, listed in enumerate(documents):
            if document in (listed.id, listed.name):
                documents[index] = replace(listed, metadata=combine_layers(listed.metadata, change))
                return documents[index]
        raise UnknownName("document", document, [listed.name for listed in documents])

    @record_calls
    def get(self, document: str) -> Document:
        """A document by its id."""
        for listed in chain.from_iterable(self.state.documents.values()):
            if listed.id == document:
                return listed
        raise UnknownName("document", document, advice=ID_ADVICE)

    @record_calls
    def remove(self, document: str | None = None, *, collection: str = "default") -> int:
        """Remove a document, by name or id, or a collection."""
        documents = self.state.documents_of(collection)
        if document is None:
            return len(self.state.documents.pop(collection))
        remaining = [listed for listed in documents if document not in (listed.id, listed.name)]
        if len(remaining) == len(documents):
            raise UnknownName("document", document, [listed.name for listed in documents])
        self.state.documents[collection] = remaining
        return len(documents) - len(remaining)

    @record_calls
    def extract_again(
        self, collection: str = "default", *, model: bool | None = None, max_calls: int | None = None
    ) -> int:
        """The number of passages of the collection."""
        return sum(document.passages for document in self.state.documents_of(collection))

    @record_calls
    def retry(
        self,
        document: str | None = None,
        *,
        collection: str = "default",
        passages: bool = True,
        max_calls: int | None = None,
    ) -> int:
        """Let failed documents wait again; returns their number."""
        documents = self.state.documents_of(collection)
        failed = [
            listed.id for listed in documents if listed.state == "failed" and document in (None, listed.id, listed.name)
        ]
        self.state.documents[collection] = [
            replace(listed, state="waiting", reason="") if listed.id in failed else listed for listed in documents
        ]
        return len(failed)

    @record_calls
    def states(self, documents: Sequence[str]) -> dict[str, DocumentProgress]:
        """The progress of each document that the test has set, or that of a processed one."""
        known = {listed.id: listed for many in self.state.documents.values() for listed in many}
        done = {
            id: DocumentProgress(listed.pages, listed.pages, listed.passages, listed.passages, listed.passages, 7)
            for id, listed in known.items()
        }
        return {id: self.state.document_progress.get(id, done[id]) for id in documents if id in done}

    @record_calls
    def outline(self, document: str) -> tuple[OutlineItem, ...]:
        """The outline that the test has set for a document, or an empty one."""
        return self.state.outlines.get(self.get(document).id, ())

    @record_calls
    def file(self, document: str) -> Path:
        """The file that the test has set for a document."""
        if document not in self.state.files:
            raise UnknownName("document with a file", document, advice=FILE_ADVICE)
        return self.state.files[document]

    @record_calls
    def read_page(self, document: str, page: int, *, start: int = 0, around: str = "") -> DocumentPage:
        """The page that the test has set for a document, or an empty one."""
        if not 1 <= page <= self.get(document).pages:
            raise UnknownName("page", str(page))
        has_image = document in self.state.files and has_page_images(self.state.files[document])
        empty = DocumentPage(document, page, has_image=has_image)
        return next((known for known in self.state.pages.get(document, ()) if known.number == page), empty)

    @record_calls
    def find_pages(self, document: str, text: str) -> tuple[int, ...]:
        """The numbers of the pages of a document with a number or, among those that the test has set, a label."""
        wanted = text.strip().lower()
        numbers = [number for number in range(1, self.get(document).pages + 1) if str(number) == wanted]
        labelled = [page.number for page in self.state.pages.get(document, ()) if page.label.lower() == wanted]
        return tuple(dict.fromkeys([*numbers, *labelled]))

    @record_calls
    def find_text(self, document: str, text: str, *, limit: int = 100) -> tuple[TextMatch, ...]:
        """The matches of a text on the pages that the test has set for a document."""
        pages = self.state.pages.get(self.get(document).id, ())
        evidence = dict.fromkeys(item for page in pages for item in page.evidence)
        return match_texts(evidence, text, limit) if text.strip() else ()

    @record_calls
    def render_page(
        self,
        document: str,
        page: int,
        boxes: Sequence[Box] = (),
        *,
        whole: bool = True,
        colours: Sequence[str] = (),
    ) -> bytes:
        """A page of the file that the test has set; else the eight bytes with which every PNG begins."""
        self.get(document)
        if document in self.state.files and has_page_images(self.state.files[document]):
            return render_page(self.state.files[document], page, boxes, whole=whole, colours=colours)
        return b"\x89PNG\r\n\x1a\n"

    def _match(self, collection: str, text: str, filter: str) -> Iterator[Document]:
        documents = self.state.documents_of(collection)
        expression = parse_filter(filter) if filter.strip() else None
        for document in documents:
            fixed: Metadata = {"document": document.name, "title": document.title, "pages": document.pages}
            if _has_text(document, text) and (
                expression is None or matches(expression, {**fixed, **document.metadata})
            ):
                yield document


def _has_text(document: Document, text: str) -> bool:
    """Return whether the name, the title or an author of a document has a text, in any case."""
    authors = [entry.value for entry in document.bibliography if entry.key == "authors"]
    return any(text.lower() in shown.lower() for shown in (document.name, document.title, *authors))
