"""The reader: files into documents, in limited processes."""

from __future__ import annotations

from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from hopline.errors import DocumentError
from hopline_ingest.formats.file_types import check_file
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.formats.pdf.assembly.document import assemble
from hopline_ingest.formats.pdf.page_content import PageContent, PdfOutline
from hopline_ingest.sandbox.limits import DOCUMENT_SECONDS, OPENING_SECONDS, Limits
from hopline_ingest.sandbox.pdf_job import Job, OnPage, ranges
from hopline_ingest.sandbox.processes import ProcessDied, Processes, ReadingStopped
from hopline_ingest.sandbox.tasks import Failed, Task

if TYPE_CHECKING:
    from hopline.config import Settings

T = TypeVar("T")


class Reader:
    """Reads files in processes of their own; a context manager.

        with Reader(load_settings(), processes=2) as reader:
            document = reader.read(Path("report.pdf"), "report.pdf")

    `read` may be called from several threads. The pages of one PDF are spread over all processes.
    """

    def __init__(self, settings: Settings, *, processes: int = 2) -> None:
        self._limits = Limits(settings.parse_memory_mb, settings.max_pages, settings.max_file_mb)
        self._processes = Processes(processes)
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="reading")

    def __enter__(self) -> Self:
        self._processes.warm()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; a `read` that is on its way raises `ReadingStopped`."""
        self._processes.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def read(self, path: Path, name: str, on_page: OnPage | None = None) -> ParsedDocument:
        """The document that a file holds.

        ``name`` is what the user calls it; its suffix says what it is. ``on_page`` is told, from
        any thread, how many of how many pages are done.

        Raises:
            DocumentError: it cannot be read; the message says why, in words for the user.
            ReadingStopped: `close` was called meanwhile.
        """
        kind = check_file(path, name, max_mb=self._limits.max_file_mb)
        if kind == "rows":
            raise DocumentError(f"{name} holds rows, each a passage; they are added as such")
        if kind == "pdf":
            return self._pdf(str(path), name, on_page)
        found = self._one(Task("document", str(path), name, self._limits), ParsedDocument, DOCUMENT_SECONDS)
        if on_page:
            on_page(len(found.pages), len(found.pages))
        return found

    def _pdf(self, path: str, name: str, on_page: OnPage | None) -> ParsedDocument:
        outline = self._one(Task("open", path, name, self._limits), PdfOutline, OPENING_SECONDS)
        if outline.pages > self._limits.max_pages:
            raise DocumentError(
                f"the PDF has {outline.pages:,} pages; the limit is {self._limits.max_pages:,} (HOPLINE_MAX_PAGES)"
            )
        job = Job(self._processes, Task("pages", path, name, self._limits), outline.pages, on_page)
        try:
            read = list(self._threads.map(job.read, ranges(outline.pages, self._processes.count)))
        except CancelledError:
            raise ReadingStopped from None
        pages = [page for found in read for page in found]
        _check_any(pages)
        return assemble(pages, name=name, title=outline.title)

    def _one(self, task: Task, wanted: type[T], seconds: float) -> T:
        """The one answer to a task; a process that dies of it is given one more try."""
        try:
            answers = list(self._processes.ask(task, seconds))
        except ProcessDied:
            try:
                answers = list(self._processes.ask(task, seconds))
            except ProcessDied as error:
                raise DocumentError(f"the file cannot be read: it {error}") from error
        for answer in answers:
            if isinstance(answer, Failed):
                raise DocumentError(answer.reason)
            if isinstance(answer, wanted):
                return answer
        raise DocumentError("the file cannot be read: the reading process gave no answer")


def _check_any(pages: list[PageContent]) -> None:
    """Make sure that at least one page was read."""
    if not any(page.read for page in pages):
        reason = pages[0].warnings[0].partition(": ")[2]
        raise DocumentError(f"no page of the PDF could be read; the first: {reason}")
