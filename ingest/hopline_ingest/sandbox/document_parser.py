"""Parsing of files into documents, in processes with limited resources."""

from __future__ import annotations

from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from hopline.errors import DocumentError
from hopline_ingest.formats.file_types import check_file
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.formats.pdf.page_content import PageContent, PdfOutline
from hopline_ingest.sandbox.limits import ASSEMBLY_SECONDS, DOCUMENT_SECONDS, OPENING_SECONDS, ParserLimits
from hopline_ingest.sandbox.parser_processes import ParserProcessPool, ParsingStopped, ProcessDied
from hopline_ingest.sandbox.pdf_job import OnPage, PdfJob, split_page_ranges
from hopline_ingest.sandbox.tasks import AssemblyTask, Failed, FileTask, Task

if TYPE_CHECKING:
    from hopline.config import Settings

T = TypeVar("T")


class DocumentParser:
    """Parses files in separate processes; a context manager.

        with DocumentParser(load_settings(), processes=2) as parser:
            document = parser.parse(Path("report.pdf"), "report.pdf")

    `parse` is thread-safe. The pages of one PDF are distributed over all processes, and assembled in one of them.
    """

    def __init__(self, settings: Settings, *, processes: int = 2) -> None:
        self._limits = ParserLimits(settings.parse_memory_mb, settings.max_pages, settings.max_file_mb)
        self._processes = ParserProcessPool(processes)
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="parsing")

    def __enter__(self) -> Self:
        self._processes.start_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Terminate the processes; a `parse` call in progress raises `ParsingStopped`."""
        self._processes.close()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def parse(self, path: Path, name: str, on_page: OnPage | None = None) -> ParsedDocument:
        """Parse a file into a document.

        ``name`` is the user's name of the file; its suffix determines the format. ``on_page`` is called,
        from any thread, with the number of parsed pages and the total.

        Raises:
            DocumentError: the file cannot be parsed; the message gives the reason for the user.
            ParsingStopped: `close` was called meanwhile.
        """
        file_type = check_file(path, name, max_mb=self._limits.max_file_mb)
        if file_type == "jsonl":
            raise DocumentError(f"{name} is a JSONL file of passages and is not parsed as a document")
        if file_type == "pdf":
            return self._parse_pdf(str(path), name, on_page)
        document = self._run_single(
            FileTask("document", str(path), name, self._limits), ParsedDocument, DOCUMENT_SECONDS
        )
        if on_page:
            on_page(len(document.pages), len(document.pages))
        return document

    def _parse_pdf(self, path: str, name: str, on_page: OnPage | None) -> ParsedDocument:
        outline = self._run_single(FileTask("open", path, name, self._limits), PdfOutline, OPENING_SECONDS)
        if outline.pages > self._limits.max_pages:
            raise DocumentError(
                f"the PDF has {outline.pages:,} pages; the limit is {self._limits.max_pages:,} (HOPLINE_MAX_PAGES)"
            )
        job = PdfJob(self._processes, FileTask("pages", path, name, self._limits), outline.pages, on_page)
        try:
            parsed = list(self._threads.map(job.parse_pages, split_page_ranges(outline.pages, self._processes.count)))
        except CancelledError:
            raise ParsingStopped from None
        pages = [page for part in parsed for page in part]
        _require_parsed_page(pages)
        assembly = AssemblyTask(name, self._limits, outline, tuple(pages))
        return self._run_single(
            assembly, ParsedDocument, ASSEMBLY_SECONDS, failure="the pages of the PDF cannot be assembled"
        )

    def _run_single(
        self, task: Task, result_type: type[T], seconds: float, *, failure: str = "the file cannot be parsed"
    ) -> T:
        """Return the single result of a task; after a crash it is retried once in a new process.

        Raises:
            DocumentError: the task failed; ``failure`` says what failed if the process cannot.
            ParsingStopped: the processes were terminated.
        """
        try:
            answers = list(self._processes.run(task, seconds))
        except ProcessDied:
            try:
                answers = list(self._processes.run(task, seconds))
            except ProcessDied as error:
                raise DocumentError(f"{failure}: {error}") from error
        for answer in answers:
            if isinstance(answer, Failed):
                raise DocumentError(answer.reason)
            if isinstance(answer, result_type):
                return answer
        raise DocumentError(f"{failure}: the parser process returned no result")


def _require_parsed_page(pages: list[PageContent]) -> None:
    """Raise `DocumentError` unless at least one page was parsed."""
    if not any(page.read for page in pages):
        reason = pages[0].warnings[0].partition(": ")[2]
        raise DocumentError(f"no page of the PDF could be parsed; the first page: {reason}")
