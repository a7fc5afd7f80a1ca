"""Uploaded files, which are written to a temporary folder and added from there."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO, Final

MAX_NAME_BYTES: Final = 120


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file: its name, with the folders that were uploaded with it, and its content."""

    name: str
    file: BinaryIO


@contextmanager
def write_uploads(uploads: Sequence[Upload]) -> Iterator[list[Path]]:
    """Write uploads to a temporary folder; yields the files, or the one folder if a folder was uploaded.

    Files of a folder keep their paths within it; several files of one name are numbered. Hidden files of a folder are
    left out, as `hopline add` does.
    """
    with tempfile.TemporaryDirectory(prefix="hopline-") as root:
        paths: list[Path] = []
        used_names: set[str] = set()
        is_folder = False
        for upload in uploads:
            *folders, last = upload.name.split("/")
            if folders and any(part.startswith(".") for part in (*folders, last)):
                continue
            is_folder = is_folder or bool(folders)
            name = "/".join([*map(clean_name, folders[1:]), clean_name(last)])
            path = Path(root, make_unique(name, used_names))
            path.parent.mkdir(parents=True, exist_ok=True)
            upload.file.seek(0)
            with path.open("wb") as target:
                shutil.copyfileobj(upload.file, target)
            paths.append(path)
        yield [Path(root)] if is_folder else paths


def clean_name(name: str) -> str:
    """Return the last part of an uploaded file's name without characters that file systems reject."""
    last = PureWindowsPath(PurePosixPath(name.replace("\x00", "")).name).name
    cleaned = "".join(char for char in last if char.isprintable() and char not in '<>:"|?*').strip(" .")
    stem, dot, suffix = cleaned.rpartition(".")
    while len(cleaned.encode()) > MAX_NAME_BYTES and stem:
        stem = stem[:-1]
        cleaned = f"{stem.rstrip()}{dot}{suffix}"
    return cleaned or "document"


def make_unique(name: str, used_names: set[str]) -> str:
    """Return the name, or "name (2)" where it is taken, ignoring case; adds the result to ``used_names``."""
    stem, dot, suffix = name.rpartition(".") if "." in name else (name, "", "")
    number, unique = 1, name
    while unique.casefold() in used_names:
        number += 1
        unique = f"{stem} ({number}){dot}{suffix}"
    used_names.add(unique.casefold())
    return unique
