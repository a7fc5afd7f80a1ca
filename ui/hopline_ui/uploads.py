"""Files that were dropped onto the page, on their way to Hopline."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from hopline.client import Estimate, Hopline

LONGEST = 120  # bytes of a file's name that are kept


def add_files(hop: Hopline, files: Sequence[BinaryIO], collection: str, *, max_calls: int | None = None) -> None:
    """Hands uploaded files to Hopline under their own names; two of one name are told apart.

    Files of a folder keep their paths within it. ``max_calls``: see `Hopline.add`.
    """
    with on_disk(files) as paths:
        hop.add(paths, collection=collection, max_calls=max_calls)


def estimate(hop: Hopline, files: Sequence[BinaryIO], collection: str) -> Estimate:
    """What reading uploaded files into a collection would take."""
    with on_disk(files) as paths:
        return hop.estimate(paths, collection)


@contextmanager
def on_disk(files: Sequence[BinaryIO]) -> Iterator[list[Path]]:
    """What was dropped in a folder that is gone afterwards: the files, or the one folder that they came in."""
    with tempfile.TemporaryDirectory(prefix="hopline-") as made:
        paths: list[Path] = []
        taken: set[str] = set()
        inside = False
        for file in files:
            *folders, last = file.name.split("/")
            if folders and any(part.startswith(".") for part in (*folders, last)):
                continue  # hidden, as `hopline add` leaves it out
            inside = inside or bool(folders)
            name = "/".join([*map(safe_name, folders[1:]), safe_name(last)])
            path = Path(made, free_name(name, taken))
            path.parent.mkdir(parents=True, exist_ok=True)
            file.seek(0)
            with path.open("wb") as target:
                shutil.copyfileobj(file, target)
            paths.append(path)
        yield [Path(made)] if inside else paths


def safe_name(name: str) -> str:
    """The last part of an uploaded file's name, without signs that no file may have."""
    last = PureWindowsPath(PurePosixPath(name.replace("\x00", "")).name).name
    kept = "".join(sign for sign in last if sign.isprintable() and sign not in '<>:"|?*').strip(" .")
    stem, dot, suffix = kept.rpartition(".")
    while len(kept.encode()) > LONGEST and stem:
        stem = stem[:-1]
        kept = f"{stem.rstrip()}{dot}{suffix}"
    return kept or "document"


def free_name(name: str, taken: set[str]) -> str:
    """The name, or "name (2)" where it is taken; the result is taken from now on."""
    stem, dot, suffix = name.rpartition(".") if "." in name else (name, "", "")
    number, free = 1, name
    while free.casefold() in taken:
        number += 1
        free = f"{stem} ({number}){dot}{suffix}"
    taken.add(free.casefold())
    return free
