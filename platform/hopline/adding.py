"""Adding: files are kept, documents that wait are written; nothing is read here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hopline.files import READABLE, find_files, is_rows, keep_file, kept_path, version_of
from hopline.ids import document_id, stable_id

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.store.graph import Store
    from hopline.types import Collection


Titles = Literal["keep", "ignore", "drop"]


def add_files(
    store: Store,
    settings: Settings,
    paths: Sequence[Path],
    collection: Collection,
    *,
    titles: Titles = "keep",
    max_calls: int | None = None,
) -> tuple[str, ...]:
    """Keep the files and write what waits; returns the ids of documents and files of rows.

    ``titles`` is about those of rows: ``ignore`` searches them but says of no passage that it is about its
    title, ``drop`` leaves them out of what is searched too. ``max_calls`` is how often reading may call the model.

    Raises:
        UsageError: a path that is not there; nothing is added then.
    """
    found = find_files(paths)
    rows = [_document(settings, collection.id, path, name) for path, name in found if not is_rows(name)]
    corpora = [_corpus(settings, collection.id, path, name) for path, name in found if is_rows(name)]
    named = {"collection": collection.id, "name": collection.name}
    store.write(
        ("ingest/add_documents", {**named, "documents": rows}),
        *(("ingest/add_corpus", {**named, **corpus, "titles": titles}) for corpus in corpora),
        *([] if max_calls is None else [("ingest/cap_calls", {"collection": collection.id, "calls": max_calls})]),
    )
    return tuple(row["id"] for row in [*rows, *corpora])


def _document(settings: Settings, collection: str, path: Path, name: str) -> dict[str, Any]:
    row = {"id": document_id(collection, name), "name": name, "sha256": "", "version": "", "reason": ""}
    if not name.lower().endswith(READABLE):
        kind = Path(name).suffix or "files without a suffix"
        return row | {"reason": f"{kind} cannot be read; these can: {' '.join(READABLE)}"}
    try:
        sha256 = keep_file(settings.files, path)
        return row | {"sha256": sha256, "version": version_of(sha256)}
    except OSError as error:
        return row | {"reason": f"the file cannot be copied: {error.strerror or error}"}


def _corpus(settings: Settings, collection: str, path: Path, name: str) -> dict[str, Any]:
    sha256 = keep_file(settings.files, path)
    with kept_path(settings.files, sha256, name).open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return {"id": stable_id("corpus", collection, name), "file": name, "sha256": sha256, "rows": _lines(path, packed)}


def _lines(path: Path, packed: bool) -> int:  # noqa: FBT001 — one flag, named at its only call
    import gzip

    try:
        with gzip.open(path) if packed else path.open("rb") as file:
            return sum(1 for line in file if line.strip())
    except (OSError, EOFError):
        return 0  # the worker says what is wrong with it
