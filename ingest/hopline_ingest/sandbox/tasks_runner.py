"""What a reading process does with a task."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hopline.errors import DocumentError
from hopline_ingest.formats.file_types import kind_of
from hopline_ingest.formats.parsed_document import ParsedDocument
from hopline_ingest.formats.pdf.file import open_pdf, outline
from hopline_ingest.formats.pdf.page import PdfReader
from hopline_ingest.formats.pdf.page_content import PageContent, PdfOutline
from hopline_ingest.formats.text import read_plain
from hopline_ingest.sandbox.limits import CPU_SECONDS_A_DOCUMENT, CPU_SECONDS_A_PAGE, limit_cpu, limit_memory
from hopline_ingest.sandbox.tasks import Failed, Task

_MEMORY = ("bad_alloc", "bad allocation", "failed to allocate", "insufficient memory", "out of memory")
_LONGEST = 160


class Worker:
    """Answers tasks; keeps the last PDF and the models open."""

    def __init__(self) -> None:
        self._reader = PdfReader()
        self._open: tuple[str, Any] | None = None

    def answers(self, task: Task) -> Iterator[PdfOutline | PageContent | ParsedDocument | Failed]:
        """The answers to one task, in order.

        Raises:
            MemoryError: the limit is reached; this process should not go on.
        """
        limit_memory(task.limits.memory_mb)
        limit_cpu(CPU_SECONDS_A_PAGE)
        try:
            if task.kind == "document":
                yield _document(task)
            elif task.kind == "open":
                yield outline(self._pdf(task.path))
            else:
                yield from self._pages(task)
        except DocumentError as error:
            yield Failed(str(error))
        except Exception as error:  # noqa: BLE001 — whatever a parser raises is this file's fault
            yield Failed(_told(error))

    def _pages(self, task: Task) -> Iterator[PageContent | Failed]:
        document = self._pdf(task.path)
        for number in task.pages:
            limit_cpu(CPU_SECONDS_A_PAGE)
            try:
                yield self._reader.page(document, number)
            except Exception as error:  # noqa: BLE001 — one page that a parser cannot read, the others go on
                yield Failed(_told(error), page=number)

    def _pdf(self, path: str) -> Any:
        if self._open is None or self._open[0] != path:
            if self._open is not None:
                self._open[1].close()
                self._open = None
            self._open = path, open_pdf(path)
        return self._open[1]


def _document(task: Task) -> ParsedDocument:
    limit_cpu(CPU_SECONDS_A_DOCUMENT)
    if kind_of(task.name) == "text":
        return read_plain(Path(task.path).read_bytes(), task.name)
    from hopline_ingest.formats.office import read_office

    return read_office(task.path, task.name)


def _told(error: Exception) -> str:
    """An error of a parser in one line.

    Raises:
        MemoryError: that is what it was, though a library says so in its own way.
    """
    text = str(error)
    if isinstance(error, MemoryError) or any(mark in text.lower() for mark in _MEMORY):
        raise MemoryError from error
    first = next((line for line in text.splitlines() if line.strip()), type(error).__name__)
    return first.strip()[:_LONGEST]
