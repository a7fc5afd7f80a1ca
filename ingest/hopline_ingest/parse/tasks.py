"""What a reading process is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hopline_ingest.parse.limits import Limits


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
    """Why a task, or page ``page`` of it, could not be done; ``final``: the file's fault, in words for the user."""

    reason: str
    page: int = 0
    memory: bool = False
    final: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The last answer to a task; how much memory the process then holds."""

    resident_mb: int
