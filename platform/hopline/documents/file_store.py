"""Added files, kept by their sha256 in the home folder."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from hopline.atomic_files import TEMPORARY, move_into_place, temporary_file
from hopline.errors import UsageError
from hopline.surrogates import replace_surrogates

READABLE: Final = (
    *(".pdf", ".docx", ".pptx", ".html", ".htm", ".epub", ".md", ".markdown", ".txt", ".text"),
    *(".jsonl", ".jsonl.gz"),
)
READER: Final = "3"  # raise it when reading changes: documents are then read anew when added again
_TRIES: Final = 3
_LEFTOVER_SECONDS: Final = 24 * 3600  # an unfinished copy that is older belongs to no running process


def is_rows(name: str) -> bool:
    """Whether a file holds rows, each a passage."""
    return name.lower().endswith((".jsonl", ".jsonl.gz"))


def find_files(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    """Files to add with the names they get: a file its own, one in a folder its path within the folder.

    In folders, files of no readable kind and hidden ones are left out. A file that is given twice counts once. No two
    files get the same name: of several, the first by its path keeps it, the others are numbered ("report (2).pdf").

    Raises:
        UsageError: a path that is not there; names it.
    """
    found: dict[Path, tuple[Path, str]] = {}
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and _wanted(file.relative_to(path)))
            named = [(file, file.relative_to(path).as_posix()) for file in inside]
        elif path.is_file():
            named = [(path, path.name)]
        else:
            raise UsageError(f"no file or folder at {path}")
        for file, name in named:
            found.setdefault(file.parent.resolve() / file.name, (file, replace_surrogates(name)))
    names = _distinct({place: name for place, (_, name) in found.items()})
    return [(file, names[place]) for place, (file, _) in found.items()]


def _distinct(names: Mapping[Path, str]) -> dict[Path, str]:
    """A name for each file that no other has."""
    taken = set(names.values())
    given: dict[Path, str] = {}
    used: set[str] = set()
    for place in sorted(names):
        name = names[place]
        if name in used:
            suffix = len(name) - len(_suffix(name))
            name = next(new for n in count(2) if (new := f"{name[:suffix]} ({n}){name[suffix:]}") not in taken)
        taken.add(name)
        used.add(name)
        given[place] = name
    return given


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
    """Copy a file into ``files`` unless a sound copy is there; returns its sha256.

    The copy appears whole or not at all, and only after the bytes on the disk were found to have this sha256. A
    damaged copy is replaced.

    Raises:
        OSError: the file cannot be read or copied, or it changes all the time.
    """
    _remove_leftovers(files)
    for _ in range(_TRIES):
        sha256 = _sha256(path)
        target = kept_path(files, sha256, path.name)
        if _holds(target, sha256) or _copied(path, target, sha256):
            return sha256
    raise OSError(f"{path.name} was changed each of the {_TRIES} times that it was copied; add it when it is finished")


def _copied(path: Path, target: Path, sha256: str) -> bool:
    """Copy ``path`` to ``target`` if its bytes are still those of ``sha256``; returns whether they were."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with temporary_file(target.parent) as copy:
        shutil.copyfile(path, copy)
        if not _holds(copy, sha256):
            return False
        move_into_place(copy, target)
    return True


def _holds(path: Path, sha256: str) -> bool:
    return path.is_file() and _sha256(path) == sha256


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def _remove_leftovers(files: Path) -> None:
    """Remove the unfinished copies of processes that were killed; looked for once in each process."""
    for leftover in files.rglob(f".*{TEMPORARY}"):
        with suppress(OSError):
            if leftover.stat().st_mtime < time.time() - _LEFTOVER_SECONDS:
                leftover.unlink()


def _suffix(name: str) -> str:
    lower = name.lower()
    return ".jsonl.gz" if lower.endswith(".jsonl.gz") else Path(lower).suffix
