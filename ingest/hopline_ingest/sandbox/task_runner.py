"""Execution of parse tasks inside a parser process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hopline.errors import DocumentError
from hopline_ingest.formats.file_types import detect_file_type
from hopline_ingest.formats.front_matter.bibliography import read_page_bibliography
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.formats.pdf.assembly.document import assemble_document
from hopline_ingest.formats.pdf.file import open_pdf, read_outline
from hopline_ingest.formats.pdf.page import PdfPageParser
from hopline_ingest.formats.pdf.page_content import PageContent, PdfOutline
from hopline_ingest.formats.text import parse_plain_text
from hopline_ingest.sandbox.limits import CPU_SECONDS_PER_DOCUMENT, CPU_SECONDS_PER_PAGE, limit_cpu, limit_memory
from hopline_ingest.sandbox.tasks import AssemblyTask, Failed, FileTask, Task

_MEMORY = ("bad_alloc", "bad allocation", "failed to allocate", "insufficient memory", "out of memory")
_LONGEST = 160


class TaskRunner:
    """Executes tasks; the last PDF and the models stay open between tasks."""

    def __init__(self) -> None:
        self._page_parser = PdfPageParser()
        self._open: tuple[str, Any] | None = None

    def run(self, task: Task) -> Iterator[PdfOutline | PageContent | ParsedDocument | Failed]:
        """Yield the results of one task in order.

        Raises:
            MemoryError: the memory limit is reached; the process must not be used again.
        """
        limit_memory(task.limits.memory_mb)
        limit_cpu(CPU_SECONDS_PER_PAGE)
        try:
            if isinstance(task, AssemblyTask):
                yield _assemble_pages(task)
            elif task.kind == "document":
                yield _parse_document(task)
            elif task.kind == "open":
                yield read_outline(self._open_pdf(task.path))
            else:
                yield from self._parse_pages(task)
        except DocumentError as error:
            yield Failed(str(error))
        except Exception as error:  # noqa: BLE001 — a parser may raise anything on a damaged file
            yield Failed(_describe_error(error))

    def _parse_pages(self, task: FileTask) -> Iterator[PageContent | Failed]:
        document = self._open_pdf(task.path)
        for number in task.pages:
            limit_cpu(CPU_SECONDS_PER_PAGE)
            try:
                yield self._page_parser.parse_page(document, number)
            except Exception as error:  # noqa: BLE001 — a page that fails must not stop the others
                yield Failed(_describe_error(error), page=number)

    def _open_pdf(self, path: str) -> Any:
        if self._open is None or self._open[0] != path:
            if self._open is not None:
                self._open[1].close()
                self._open = None
            self._open = path, open_pdf(path)
        return self._open[1]


def _parse_document(task: FileTask) -> ParsedDocument:
    limit_cpu(CPU_SECONDS_PER_DOCUMENT)
    file_type = detect_file_type(task.name)
    if file_type == "text":
        return parse_plain_text(Path(task.path).read_bytes(), task.name)
    if file_type == "spreadsheet":
        from hopline_ingest.formats.spreadsheets.spreadsheet import parse_spreadsheet

        return parse_spreadsheet(task.path, task.name)
    from hopline_ingest.formats.office import parse_office_file

    return parse_office_file(task.path, task.name)


def _assemble_pages(task: AssemblyTask) -> ParsedDocument:
    limit_cpu(CPU_SECONDS_PER_DOCUMENT)
    try:
        outline = task.outline
        document = assemble_document(
            task.pages, name=task.name, title=outline.title, warnings=outline.warnings, labels=outline.labels
        )
        bibliography = read_page_bibliography(task.pages, document, dict(outline.properties))
        return replace(document, metadata=outline.properties, bibliography=bibliography)
    except Exception as error:
        reason = f"{type(error).__name__}: {_describe_error(error)}"
        raise DocumentError(f"the pages of the PDF cannot be assembled: {reason}") from error


def _describe_error(error: Exception) -> str:
    """Return a parser's error as one line.

    Raises:
        MemoryError: the error reports exhausted memory, in whatever form the library raises it.
    """
    text = str(error)
    if isinstance(error, MemoryError) or any(mark in text.lower() for mark in _MEMORY):
        raise MemoryError from error
    first = next((line for line in text.splitlines() if line.strip()), type(error).__name__)
    return first.strip()[:_LONGEST]
