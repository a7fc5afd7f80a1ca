"""Files written whole or not at all, and files of text read whether they are packed or not."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from hopline.errors import UsageError


def replace_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: a reader sees the old text or the new."""
    replace(path, lambda fresh: fresh.write_text(text, "utf-8"))


def replace(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` make a new file beside ``path``, which it then takes the place of."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(fresh)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


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
