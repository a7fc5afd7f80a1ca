"""Atomic replacement of files, and reading of text files that may be gzipped."""

from __future__ import annotations

import gzip
import os
import secrets
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from hopline.errors import UsageError

TEMPORARY: Final = ".part"  # suffix of unfinished files


def write_text_atomically(path: Path, text: str) -> None:
    """Write a file atomically: a reader sees the old text or the new."""
    replace_file(path, lambda fresh: fresh.write_text(text, "utf-8"))


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Replace ``path`` atomically by a new file in the same folder that ``write`` fills.

    Each call has a temporary file of its own, so threads and processes may replace one file at the same time:
    the last one wins.
    """
    with create_temporary_file(path.parent) as fresh:
        write(fresh)
        move_into_place(fresh, path)


@contextmanager
def create_temporary_file(folder: Path) -> Iterator[Path]:
    """Create a new, empty file in ``folder``; it is removed at the end of the block unless it was moved away."""
    fresh = folder / f".{secrets.token_hex(16)}{TEMPORARY}"
    fresh.touch(exist_ok=False)
    try:
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def move_into_place(fresh: Path, path: Path) -> None:
    """Rename a finished file to ``path``, in the same folder; its bytes are flushed to the disk before the rename."""
    with fresh.open("rb+") as file:
        os.fsync(file.fileno())
    fresh.replace(path)
    with suppress(OSError):  # Windows cannot open a folder
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_lines(path: Path) -> Iterator[str]:
    """Read the lines of a UTF-8 text file, with their line ends; a file whose name ends in .gz is decompressed.

    Raises:
        UsageError: the file does not exist, is truncated, or is not text.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            yield from file
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read as lines of text: {error}") from error
