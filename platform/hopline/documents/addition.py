"""Adding of files: they are stored and queued for the worker; nothing is parsed here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal
from uuid import uuid4

from hopline.documents.file_store import SUPPORTED_SUFFIXES, document_version, find_files, is_jsonl, store_file
from hopline.errors import EngineError
from hopline.ids import document_id, stable_id
from hopline.store.removal import resume_removal

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.store.graph import Store, Write
    from hopline.types import Collection


Titles = Literal["keep", "ignore", "drop"]
_MAX_ATTEMPTS: Final = 5  # while another process removes what is added


def add_files(
    store: Store,
    settings: Settings,
    paths: Sequence[Path],
    collection: Collection,
    *,
    titles: Titles = "keep",
    max_calls: int | None = None,
) -> tuple[str, ...]:
    """Store the files and queue their documents; returns the ids of the documents and ``.jsonl`` files.

    ``titles`` applies to the rows of ``.jsonl`` files: with ``ignore`` titles are searched but add no ABOUT
    relationships, with ``drop`` they are not searched either. ``max_calls`` is added to the calls
    that the model may make, unless every file is unchanged.
    A new collection gets the extractor of the settings; an existing one retains its own. A removal of the same
    documents that is in progress is finished first.

    Raises:
        UsageError: a path does not exist; nothing is added then.
    """
    found = find_files(paths)
    documents = [_build_document(settings, collection.id, path, name) for path, name in found if not is_jsonl(name)]
    jsonl_files = [_build_jsonl_file(settings, collection.id, path, name) for path, name in found if is_jsonl(name)]
    target = {"collection": collection.id, "name": collection.name, "extraction_model": settings.extraction_model}
    writes: list[Write] = [("ingest/add_documents", {**target, "documents": documents})]
    writes += [("ingest/add_jsonl_file", {**target, **file, "titles": titles}) for file in jsonl_files]
    limit: list[Write] = []
    if max_calls is not None and _has_new_content(store, documents, jsonl_files, titles):
        limit = [build_limit_write("ingest/limit_calls", collection.id, max_calls)]
    ids = tuple(row["id"] for row in [*documents, *jsonl_files])
    _write(store, collection.id, writes, limit, ids)
    return ids


def build_limit_write(statement: str, collection: str, calls: int) -> Write:
    """Build the write that raises the limit of model calls of a collection; repeating it raises the limit once."""
    return statement, {"collection": collection, "calls": calls, "request": uuid4().hex}


def _has_new_content(
    store: Store, documents: Sequence[dict[str, Any]], jsonl_files: Sequence[dict[str, Any]], titles: Titles
) -> bool:
    """Return whether a file is new, changed, or failed before, so that it is processed."""
    files = [
        {"id": row["id"], "sha256": row["sha256"], "version": row.get("version", ""), "titles": titles}
        for row in [*documents, *jsonl_files]
        if not row["reason"]
    ]
    return len(store.read("ingest/unchanged_files", {"files": files})["id"]) < len(files)


def _write(store: Store, collection: str, writes: list[Write], limit: list[Write], ids: Sequence[str]) -> None:
    """Write the additions; if they are being removed, finish the removal and write them again."""
    for _ in range(_MAX_ATTEMPTS):
        resume_removal(store, collection, ids)
        added = {id for columns in store.write(*writes, *limit) for id in columns.get("id", ())}
        if added >= set(ids):
            return
        if added:
            limit = []  # it has been written
    raise EngineError(f"another process kept removing the documents ({_MAX_ATTEMPTS} attempts); add them again later")


def _build_document(settings: Settings, collection: str, path: Path, name: str) -> dict[str, Any]:
    row = {"id": document_id(collection, name), "name": name, "sha256": "", "version": "", "reason": ""}
    if not name.lower().endswith(SUPPORTED_SUFFIXES):
        suffix = Path(name).suffix or "no file extension"
        return row | {"reason": f"unsupported file type ({suffix}); supported: {' '.join(SUPPORTED_SUFFIXES)}"}
    try:
        sha256 = store_file(settings.files, path)
        return row | {"sha256": sha256, "version": document_version(sha256)}
    except OSError as error:
        return row | {"reason": f"cannot copy the file: {error.strerror or error}"}


def _build_jsonl_file(settings: Settings, collection: str, path: Path, name: str) -> dict[str, Any]:
    row = {"id": stable_id("corpus", collection, name), "file": name, "sha256": "", "reason": ""}
    try:
        return row | {"sha256": store_file(settings.files, path)}
    except OSError as error:
        return row | {"reason": f"cannot copy the file: {error.strerror or error}"}
