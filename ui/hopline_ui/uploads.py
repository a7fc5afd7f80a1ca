"""Add uploaded files to a collection by way of a temporary folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from hopline.client import Hopline
from hopline.documents.estimate import Estimate
from hopline.documents.progress import Batch

MAX_NAME_BYTES = 120


def add_files(hop: Hopline, files: Sequence[BinaryIO], collection: str, *, max_calls: int | None = None) -> Batch:
    """Add uploaded files under their own names; a file replaces the document of its name, if there is one.

    Files of a folder keep their paths within it; several files of one name are numbered. ``max_calls``: see
    `DocumentLibrary.add`.
    """
    with write_files(files) as paths:
        return hop.documents.add(paths, collection=collection, max_calls=max_calls, uploaded=True)


def estimate_files(hop: Hopline, files: Sequence[BinaryIO], collection: str) -> Estimate:
    """Estimate the processing of uploaded files in a collection."""
    with write_files(files) as paths:
        return hop.documents.estimate(paths, collection)


@contextmanager
def write_files(files: Sequence[BinaryIO]) -> Iterator[list[Path]]:
    """Write uploads to a temporary folder; yields the files, or the one folder if a folder was uploaded."""
    with tempfile.TemporaryDirectory(prefix="hopline-") as root:
        paths: list[Path] = []
        used_names: set[str] = set()
        is_folder = False
        for file in files:
            *folders, last = file.name.split("/")
            if folders and any(part.startswith(".") for part in (*folders, last)):
                continue  # hidden: `hopline add` skips these as well
            is_folder = is_folder or bool(folders)
            name = "/".join([*map(clean_name, folders[1:]), clean_name(last)])
            path = Path(root, make_unique(name, used_names))
            path.parent.mkdir(parents=True, exist_ok=True)
            file.seek(0)
            with path.open("wb") as target:
                shutil.copyfileobj(file, target)
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
