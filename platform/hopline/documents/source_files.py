"""Files to add: those of the given folders, their types, and their paths as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hopline.documents.images import SUFFIXES as IMAGES
from hopline.documents.side_files import is_side_file
from hopline.errors import UsageError
from hopline.records import SkippedFile
from hopline.text_encoding import clean_name

SUPPORTED_SUFFIXES: Final = (
    *(".pdf", ".docx", ".pptx", ".xlsx", ".xlsm", ".odt", ".odp", ".ods", ".csv", ".tsv", ".html", ".htm", ".epub"),
    *IMAGES,
    *(".eml", ".md", ".markdown", ".txt", ".text", ".jsonl", ".jsonl.gz"),
)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to add. ``name`` is its file name, or its path within a folder that was given."""

    path: Path
    name: str


def find_files(paths: Iterable[Path]) -> list[SourceFile]:
    """Return the files to add, each once; names of files from different folders may be equal.

    Unsupported and hidden files in folders are skipped, and so are side files with metadata.

    Raises:
        UsageError: a path does not exist.
    """
    files: dict[Path, SourceFile] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(
                file for file in path.rglob("*") if file.is_file() and _is_supported(file.relative_to(path))
            )
            names = [(file, file.relative_to(path).as_posix()) for file in inside]
        elif path.is_file():
            names = [] if is_side_file(path) else [(path, path.name)]
        else:
            raise UsageError(f"no such file or folder: {path}")
        for file, name in names:
            files.setdefault(file.parent.resolve() / file.name, SourceFile(file, clean_name(name)))
    return list(files.values())


def find_skipped_files(paths: Iterable[Path]) -> tuple[SkippedFile, ...]:
    """Return the files in the given folders that are not added because of their type; hidden ones are not listed."""
    skipped = {}
    for folder in (path for path in paths if path.is_dir()):
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            relative = file.relative_to(folder)
            if not _is_hidden(relative) and not _is_supported(relative) and not is_side_file(file):
                skipped[encode_path(file)] = SkippedFile(clean_name(str(file)), describe_unsupported(file.name))
    return tuple(skipped.values())


def is_jsonl(name: str) -> bool:
    """Return whether a file is ``.jsonl`` or ``.jsonl.gz``: one passage a row."""
    return name.lower().endswith((".jsonl", ".jsonl.gz"))


def describe_unsupported(name: str) -> str:
    """Return why a file of this name cannot be added, with the supported file types."""
    suffix = Path(name).suffix or "no file extension"
    return f"unsupported file type ({suffix}); supported: {' '.join(SUPPORTED_SUFFIXES)}"


def encode_path(path: Path) -> str:
    """Return the absolute path of a file as text that a database can store; equal only for equal paths."""
    return str(path.parent.resolve() / path.name).encode("utf-8", "backslashreplace").decode("utf-8")


def get_suffix(name: str) -> str:
    """Return the suffix of a file name in lower case: ".pdf", ".jsonl.gz"."""
    lower = name.lower()
    return ".jsonl.gz" if lower.endswith(".jsonl.gz") else Path(lower).suffix


def _is_supported(path: Path) -> bool:
    return not _is_hidden(path) and path.name.lower().endswith(SUPPORTED_SUFFIXES)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
