"""Files written whole or not at all, and files of text read whether they are packed or not."""

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

TEMPORARY: Final = ".part"  # how the names of unfinished files end


def replace_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: a reader sees the old text or the new."""
    replace(path, lambda fresh: fresh.write_text(text, "utf-8"))


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a new file beside ``path``, which then takes the place of ``path``.

    Each call has a temporary file of its own, so threads and processes may replace one file at the same time:
    the last one wins.
    """
    with temporary_file(path.parent) as fresh:
        write(fresh)
        move_into_place(fresh, path)


@contextmanager
def temporary_file(folder: Path) -> Iterator[Path]:
    """A new, empty file in ``folder`` that nobody else has; removed at the end unless it was moved away."""
    fresh = folder / f".{secrets.token_hex(16)}{TEMPORARY}"
    fresh.touch(exist_ok=False)
    try:
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def move_into_place(fresh: Path, path: Path) -> None:
    """Rename a finished file to ``path``, in the same folder; its bytes are on the disk before its name is."""
    with fresh.open("rb+") as file:
        os.fsync(file.fileno())
    fresh.replace(path)
    with suppress(OSError):  # Windows has no handle of a folder
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a text in UTF-8, with their ends; a name that ends in .gz is unpacked.

    Raises:
        UsageError: the file is not there, cut off, or no text.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            yield from file
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise UsageError(f"{path} cannot be read as lines of text: {error}") from error
