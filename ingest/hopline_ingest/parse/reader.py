"""The reader: files into documents, in limited processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from hopline.config import Settings
from hopline.errors import DocumentError
from hopline_ingest.parse.assemble import assemble
from hopline_ingest.parse.content import PageContent, PdfOutline
from hopline_ingest.parse.kinds import check_file
from hopline_ingest.parse.limits import DOCUMENT_SECONDS, OPENING_SECONDS, PAGE_SECONDS, Limits
from hopline_ingest.parse.parsed import ParsedDocument
from hopline_ingest.parse.processes import ProcessDied, Processes
from hopline_ingest.parse.tasks import Failed, Task

OnPage = Callable[[int, int], None]  # pages done, pages in all
_RANGE = 12  # pages at most of one task


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
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes. What is being read fails."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._processes.close()

    def read(self, path: Path, name: str, on_page: OnPage | None = None) -> ParsedDocument:
        """The document that a file holds.

        ``name`` is what the user calls it; its suffix says what it is. ``on_page`` is told, from
        any thread, how many of how many pages are done.

        Raises:
            DocumentError: it cannot be read; the message says why, in words for the user.
        """
        kind = check_file(path, name, max_mb=self._limits.max_file_mb)
        if kind == "rows":
            raise DocumentError(f"{name} holds rows, which `rows` reads")
        if kind == "pdf":
            return self._pdf(str(path), name, on_page)
        found = self._one(Task("document", str(path), name, self._limits), DOCUMENT_SECONDS)
        assert isinstance(found, ParsedDocument)
        if on_page:
            on_page(len(found.pages), len(found.pages))
        return found

    def _pdf(self, path: str, name: str, on_page: OnPage | None) -> ParsedDocument:
        outline = self._one(Task("open", path, name, self._limits), OPENING_SECONDS)
        assert isinstance(outline, PdfOutline)
        if outline.pages > self._limits.max_pages:
            raise DocumentError(
                f"the PDF has {outline.pages:,} pages; the limit is {self._limits.max_pages:,} (HOPLINE_MAX_PAGES)"
            )
        progress = _Progress(outline.pages, on_page)
        tasks = [
            Task("pages", path, name, self._limits, numbers) for numbers in ranges(outline.pages, self._processes.count)
        ]
        ranges_read = self._threads.map(lambda task: self._range(task, progress), tasks)
        pages = [page for found in ranges_read for page in found]
        if all(not page.lines and page.warnings for page in pages):
            raise DocumentError(f"no page of the PDF could be read: {pages[0].warnings[0]}")
        return assemble(pages, name=name, title=outline.title)

    def _one(self, task: Task, seconds: float) -> object:
        """The one answer to a task."""
        try:
            answers = list(self._processes.ask(task, seconds))
        except ProcessDied as error:
            raise DocumentError(f"the file cannot be read within its limits of memory and time: {error}") from error
        failed = next((answer for answer in answers if isinstance(answer, Failed)), None)
        if failed:
            raise DocumentError(failed.reason if failed.final else f"the file cannot be read: {failed.reason}")
        return answers[0]

    def _range(self, task: Task, progress: _Progress) -> list[PageContent]:
        """The pages of a task. One that ends its process is tried once more, alone, then skipped."""
        found: dict[int, PageContent] = {}
        tried: set[int] = set()
        while missing := [number for number in task.pages if number not in found]:
            alone = missing[:1] if missing[0] in tried else missing
            reason = ""
            try:
                for answer in self._processes.ask(_pages(task, alone), PAGE_SECONDS):
                    if isinstance(answer, Failed):
                        reason = answer.reason
                        if not answer.page:
                            break
                        answer = _unread(answer.page, answer.reason)
                    found[answer.number] = answer
                    progress.step()
            except ProcessDied as error:
                reason = str(error)
            if missing[0] not in found and missing[0] in tried:
                found[missing[0]] = _unread(missing[0], reason)
                progress.step()
            tried.add(next((number for number in alone if number not in found), missing[0]))
        return [found[number] for number in task.pages]


def _pages(task: Task, numbers: Sequence[int]) -> Task:
    return Task(task.kind, task.path, task.name, task.limits, tuple(numbers))


def _unread(number: int, reason: str) -> PageContent:
    return PageContent(number, 0.0, 0.0, warnings=(f"page {number} could not be read: {reason}",))


def ranges(pages: int, processes: int) -> Iterable[tuple[int, ...]]:
    """Page numbers from 1 in ranges, at least two a process where there are enough pages."""
    size = max(1, min(_RANGE, -(-pages // (2 * processes))))
    return [tuple(range(first, min(first + size, pages + 1))) for first in range(1, pages + 1, size)]


class _Progress:
    def __init__(self, total: int, on_page: OnPage | None) -> None:
        self._total, self._done = total, 0
        self._on_page = on_page
        self._lock = Lock()

    def step(self) -> None:
        with self._lock:
            self._done += 1
            if self._on_page:
                self._on_page(self._done, self._total)
