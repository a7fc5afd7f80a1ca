"""Added files, kept by their sha256 in the home folder."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hopline.errors import UsageError

READABLE: Final = (
    *(".pdf", ".docx", ".pptx", ".html", ".htm", ".epub", ".md", ".markdown", ".txt", ".text"),
    *(".jsonl", ".jsonl.gz"),
)
READER: Final = "3"  # raise it when reading changes: documents are then read anew when added again
_BLOCK: Final = 1 << 20


def is_rows(name: str) -> bool:
    """Whether a file holds rows, each a passage."""
    return name.lower().endswith((".jsonl", ".jsonl.gz"))


def find_files(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    """Files to add with the names they get: a file its own, one in a folder its path within the folder.

    In folders, files of no readable kind and hidden ones are left out.

    Raises:
        UsageError: a path that is not there; names it.
    """
    found = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and _wanted(file.relative_to(path)))
            found += [(file, file.relative_to(path).as_posix()) for file in inside]
        elif path.is_file():
            found.append((path, path.name))
        else:
            raise UsageError(f"no file or folder at {path}")
    return found


def _wanted(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and path.name.lower().endswith(READABLE)


def version_of(sha256: str) -> str:
    """The version of a document: what was read, and by which reader."""
    return f"{sha256}-{READER}"


def kept_path(files: Path, sha256: str, name: str) -> Path:
    """Where a file of these bytes and this name's suffix is kept."""
    return files / sha256[:2] / f"{sha256}{_suffix(name)}"


def keep_file(files: Path, path: Path) -> str:
    """Copy a file into ``files`` unless it is there; returns its sha256.

    The copy appears whole or not at all.
    """
    files.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    unfinished = files / f".{os.getpid()}-{path.name[-60:]}.part"
    try:
        with path.open("rb") as source, unfinished.open("wb") as copy:
            while block := source.read(_BLOCK):
                digest.update(block)
                copy.write(block)
        target = kept_path(files, digest.hexdigest(), path.name)
        target.parent.mkdir(exist_ok=True)
        shutil.move(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
    return digest.hexdigest()


def _suffix(name: str) -> str:
    lower = name.lower()
    return ".jsonl.gz" if lower.endswith(".jsonl.gz") else Path(lower).suffix
