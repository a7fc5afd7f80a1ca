"""What a reading process is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hopline_ingest.sandbox.limits import Limits

OUT_OF_MEMORY = 3  # exit status of a process that reached its limit: what it then holds cannot be trusted


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do with one file: ``open`` a PDF, read ``pages`` of it, or a ``document`` of another format."""

    kind: Literal["open", "pages", "document"]
    path: str
    name: str
    limits: Limits
    pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a task, or its page ``page`` alone, could not be done, in words for the user."""

    reason: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """The last answer to a task; how much memory the process then holds."""

    resident_mb: int
