"""Adding: files are kept, documents that wait are written; nothing is read here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from hopline.documents.file_store import READABLE, find_files, is_rows, keep_file, version_of
from hopline.errors import EngineError
from hopline.ids import document_id, stable_id
from hopline.store.removal import finish_removal

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.store.graph import Store, Write
    from hopline.types import Collection


Titles = Literal["keep", "ignore", "drop"]
_TRIES: Final = 5  # while somebody else removes what is added


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
    A new collection is extracted as the settings say; one that is there keeps its extractor. What is being removed
    under the same name is removed first.

    Raises:
        UsageError: a path that is not there; nothing is added then.
    """
    found = find_files(paths)
    rows = [_document(settings, collection.id, path, name) for path, name in found if not is_rows(name)]
    corpora = [_corpus(settings, collection.id, path, name) for path, name in found if is_rows(name)]
    named = {"collection": collection.id, "name": collection.name, "extraction_model": settings.extraction_model}
    writes: list[Write] = [("ingest/add_documents", {**named, "documents": rows})]
    writes += [("ingest/add_corpus", {**named, **corpus, "titles": titles}) for corpus in corpora]
    cap: list[Write] = []
    if max_calls is not None:
        cap = [("ingest/cap_calls", {"collection": collection.id, "calls": max_calls})]
    ids = tuple(row["id"] for row in [*rows, *corpora])
    _write(store, collection.id, writes, cap, ids)
    return ids


def _write(store: Store, collection: str, writes: list[Write], cap: list[Write], ids: Sequence[str]) -> None:
    """Write what is added; where that is being removed, finish the removal and write again."""
    for _ in range(_TRIES):
        finish_removal(store, collection, ids)
        added = {id for columns in store.write(*writes, *cap) for id in columns.get("id", ())}
        if added >= set(ids):
            return
        if added:
            cap = []  # it was taken into account
    raise EngineError("what was added is removed again and again by somebody else; try once more when that has ended")


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
    row = {"id": stable_id("corpus", collection, name), "file": name, "sha256": "", "reason": ""}
    try:
        return row | {"sha256": keep_file(settings.files, path)}
    except OSError as error:
        return row | {"reason": f"the file cannot be copied: {error.strerror or error}"}
