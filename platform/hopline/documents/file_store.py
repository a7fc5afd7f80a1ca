"""Store of added files, by their SHA-256, in the home folder."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hopline.atomic_files import TEMPORARY, create_temporary_file, move_into_place
from hopline.errors import UsageError
from hopline.records import SkippedFile
from hopline.text_encoding import clean_name

SUPPORTED_SUFFIXES: Final = (
    *(".pdf", ".docx", ".pptx", ".xlsx", ".odt", ".odp", ".ods", ".csv", ".tsv", ".html", ".htm", ".epub", ".eml"),
    *(".md", ".markdown", ".txt", ".text", ".jsonl", ".jsonl.gz"),
)
PARSER_VERSION: Final = "5"  # increase it when parsing changes: documents that are added again are then parsed again
_MAX_ATTEMPTS: Final = 3
_LEFTOVER_SECONDS: Final = 24 * 3600  # older unfinished copies belong to no running process


def is_jsonl(name: str) -> bool:
    """Return whether a file is ``.jsonl`` or ``.jsonl.gz``: one passage a row."""
    return name.lower().endswith((".jsonl", ".jsonl.gz"))


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to add. ``name`` is its file name, or its path within a folder that was given."""

    path: Path
    name: str


def find_files(paths: Iterable[Path]) -> list[FoundFile]:
    """Return the files to add, each once; names of files from different folders may be equal.

    Unsupported and hidden files in folders are skipped.

    Raises:
        UsageError: a path does not exist.
    """
    files: dict[Path, FoundFile] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(
                file for file in path.rglob("*") if file.is_file() and _is_supported(file.relative_to(path))
            )
            names = [(file, file.relative_to(path).as_posix()) for file in inside]
        elif path.is_file():
            names = [(path, path.name)]
        else:
            raise UsageError(f"no such file or folder: {path}")
        for file, name in names:
            files.setdefault(file.parent.resolve() / file.name, FoundFile(file, clean_name(name)))
    return list(files.values())


def find_skipped_files(paths: Iterable[Path]) -> tuple[SkippedFile, ...]:
    """Return the files in the given folders that are not added because of their type; hidden ones are not listed."""
    skipped = {}
    for folder in (path for path in paths if path.is_dir()):
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            relative = file.relative_to(folder)
            if not _is_hidden(relative) and not _is_supported(relative):
                skipped[encode_path(file)] = SkippedFile(clean_name(str(file)), describe_unsupported(file.name))
    return tuple(skipped.values())


def describe_unsupported(name: str) -> str:
    """Return why a file of this name cannot be added, with the supported file types."""
    suffix = Path(name).suffix or "no file extension"
    return f"unsupported file type ({suffix}); supported: {' '.join(SUPPORTED_SUFFIXES)}"


def encode_path(path: Path) -> str:
    """Return the absolute path of a file as text that a database can store; equal only for equal paths."""
    return str(path.parent.resolve() / path.name).encode("utf-8", "backslashreplace").decode("utf-8")


def number_name(name: str, number: int) -> str:
    """Return the name of the nth of several files with one name: "report.pdf", "report (2).pdf", and so on."""
    end = len(name) - len(_get_suffix(name))
    return name if number == 1 else f"{name[:end]} ({number}){name[end:]}"


def _is_supported(path: Path) -> bool:
    return not _is_hidden(path) and path.name.lower().endswith(SUPPORTED_SUFFIXES)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def document_version(sha256: str) -> str:
    """Return the version of a document: the hash of its file and the version of the parser."""
    return f"{sha256}-{PARSER_VERSION}"


def get_stored_path(files: Path, sha256: str, name: str) -> Path:
    """Return the path of a stored file by its hash and the extension of its name."""
    return files / sha256[:2] / f"{sha256}{_get_suffix(name)}"


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


def _get_suffix(name: str) -> str:
    lower = name.lower()
    return ".jsonl.gz" if lower.endswith(".jsonl.gz") else Path(lower).suffix
