"""Messages exchanged with a parser process: tasks and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hopline_ingest.formats.pdf.page_content import PageContent, PdfOutline
from hopline_ingest.sandbox.limits import ParserLimits

OUT_OF_MEMORY = 3  # exit status of a process that reached its memory limit: its state can no longer be trusted


@dataclass(frozen=True, slots=True)
class FileTask:
    """One task on one file: ``open`` a PDF, parse ``pages`` of it, or parse a ``document`` of another format."""

    kind: Literal["open", "pages", "document"]
    path: str
    name: str
    limits: ParserLimits
    pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AssemblyTask:
    """Assembly of the parsed pages of a PDF, in order, into a document; ``name`` is the user's name of the file."""

    name: str
    limits: ParserLimits
    outline: PdfOutline
    pages: tuple[PageContent, ...]


Task = FileTask | AssemblyTask


@dataclass(frozen=True, slots=True)
class Failed:
    """Reason why a task failed, as a message for the user; ``page`` is the failed page, 0 for the whole task."""

    reason: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """Last message of a task, with the resident memory of the process in megabytes."""

    resident_mb: int
