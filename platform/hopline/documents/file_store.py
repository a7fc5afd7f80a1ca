"""Store of added files, by their SHA-256, in the home folder."""

from __future__ import annotations

import hashlib
import shutil
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from hopline.atomic_files import TEMPORARY, create_temporary_file, move_into_place
from hopline.documents.source_files import get_suffix

PARSER_VERSION: Final = "10"  # increase it when parsing changes: documents that are added again are then parsed again
_MAX_ATTEMPTS: Final = 3
_LEFTOVER_SECONDS: Final = 24 * 3600  # older unfinished copies belong to no running process


def make_document_version(sha256: str) -> str:
    """Return the version of a document: the hash of its file and the version of the parser."""
    return f"{sha256}-{PARSER_VERSION}"


def get_stored_path(files: Path, sha256: str, name: str) -> Path:
    """Return the path of a stored file by its hash and the extension of its name."""
    return files / sha256[:2] / f"{sha256}{get_suffix(name)}"


def store_file(files: Path, path: Path) -> str:
    """Copy a file into the folder ``files`` unless an intact copy exists; returns its SHA-256.

    The copy is atomic, and its bytes are verified before it appears. A damaged copy is replaced.

    Raises:
        OSError: the file cannot be read or copied, or it changed during every attempt.
    """
    _remove_leftovers(files)
    for _ in range(_MAX_ATTEMPTS):
        sha256 = _compute_sha256(path)
        target = get_stored_path(files, sha256, path.name)
        if _has_hash(target, sha256) or _copy_verified(path, target, sha256):
            return sha256
    raise OSError(f"{path.name} changed during each of {_MAX_ATTEMPTS} copies; add it when it is complete")


def _copy_verified(path: Path, target: Path, sha256: str) -> bool:
    """Copy ``path`` to ``target`` if its hash is still ``sha256``; returns whether it was."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with create_temporary_file(target.parent) as copy:
        shutil.copyfile(path, copy)
        if not _has_hash(copy, sha256):
            return False
        move_into_place(copy, target)
    return True


def _has_hash(path: Path, sha256: str) -> bool:
    return path.is_file() and _compute_sha256(path) == sha256


def _compute_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _remove_leftovers(files: Path) -> None:
    """Remove unfinished copies of processes that were killed; runs once a process."""
    for leftover in files.rglob(f".*{TEMPORARY}"):
        with suppress(OSError):
            if leftover.stat().st_mtime < time.time() - _LEFTOVER_SECONDS:
                leftover.unlink()
