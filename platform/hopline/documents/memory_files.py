"""Files in memory: what a program adds without a file on disk, and why some of it cannot be added."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hopline.documents.progress import Failure
from hopline.documents.source_files import SourceFile, get_suffix
from hopline.text_encoding import clean_name


@dataclass(frozen=True, slots=True)
class NamedBytes:
    """A file in memory: its name, with the extension of a supported type, and its content."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class MemoryFiles:
    """Files that can be added, and a failure for each item that cannot."""

    files: tuple[NamedBytes, ...]
    failures: tuple[Failure, ...] = ()


@contextmanager
def write_files(files: Sequence[NamedBytes]) -> Iterator[list[SourceFile]]:
    """Write files to a temporary folder, which is deleted at the end; yields each with its own name.

    Their names on disk are numbers, so that a name may be long, or have characters that no file system accepts.
    """
    with tempfile.TemporaryDirectory(prefix="hopline-") as folder:
        written = []
        for number, file in enumerate(files):
            path = Path(folder, f"{number}{get_suffix(file.name)}")
            path.write_bytes(file.data)
            written.append(SourceFile(path, clean_name(file.name)))
        yield written
