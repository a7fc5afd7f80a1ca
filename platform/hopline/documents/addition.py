"""Adding of files: they are stored and queued for the worker; nothing is parsed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from hopline.documents.call_limit import build_limit_writes
from hopline.documents.document_names import KnownFile, NamedFile, StoredFile, assign_names
from hopline.documents.file_store import make_document_version, store_file
from hopline.documents.side_files import read_side_file
from hopline.documents.source_files import (
    SUPPORTED_SUFFIXES,
    SourceFile,
    describe_unsupported,
    encode_path,
    is_jsonl,
)
from hopline.errors import EngineError
from hopline.flow.columns import to_rows
from hopline.ids import document_id, jsonl_file_id
from hopline.metadata.values import Metadata, MetadataChange, check_metadata
from hopline.records import FileChange
from hopline.store.document_metadata import LayerChange, plan_metadata_writes, write_metadata
from hopline.store.removal import resume_removal

if TYPE_CHECKING:
    from hopline.config import Settings
    from hopline.records import Collection
    from hopline.store.graph import Store, Write


Titles = Literal["keep", "ignore", "drop"]
_MAX_ATTEMPTS: Final = 5  # while another process removes the same documents, or adds files of the same names


def add_files(
    store: Store,
    settings: Settings,
    sources: Sequence[SourceFile],
    collection: Collection,
    *,
    titles: Titles = "keep",
    max_calls: int | None = None,
    metadata: MetadataChange | None = None,
    uploaded: bool = False,
) -> tuple[FileChange, ...]:
    """Store the files and queue their documents; returns what was added, by name.

    ``titles`` applies to the rows of ``.jsonl`` files: with ``ignore`` titles are searched but add no ABOUT
    relationships, with ``drop`` they are not searched either. ``max_calls`` is added to the calls
    that the model may make, unless every file is unchanged. ``metadata`` changes that of every file; the keys of a side
    file apply unless the user gave them. The paths of ``uploaded`` files are not recorded.
    A new collection gets the extractor of the settings; an existing one retains its own. A removal of the same
    documents that is in progress is finished first.

    Raises:
        UsageError: a side file or the metadata are not valid; nothing is added then.
        EngineError: other processes kept changing the same documents.
    """
    user_metadata = check_metadata(metadata or {})
    waiting = [_store_file(settings, file, read_side_file(file.path), uploaded=uploaded) for file in sources]
    target = {"collection": collection.id, "name": collection.name, "extraction_model": settings.extraction_model}
    limit = build_limit_writes("ingest/limit_calls", collection.id, max_calls)
    added: list[FileChange] = []
    for _ in range(_MAX_ATTEMPTS):
        files = {_get_id(collection.id, file.name): file for file in _name_files(store, collection.id, waiting)}
        resume_removal(store, collection.id, list(files))
        if not _has_new_content(store, files, titles):
            limit = []
        changes = {id: _build_layer_change(named.file, user_metadata) for id, named in files.items()}
        metadata_writes, _ = plan_metadata_writes(store, changes)
        writes = _build_writes(target, files, titles)
        written = {id for columns in store.write(*writes, *metadata_writes, *limit) for id in columns.get("id", ())}
        write_metadata(store, {id: change for id, change in changes.items() if id in written})
        added += [FileChange(id, f.name, f.file.path, f.change) for id, f in files.items() if id in written]
        waiting = [file.file for id, file in files.items() if id not in written]
        if not waiting:
            return tuple(sorted(added, key=lambda file: file.name))
        if written:
            limit = []  # it has been written
    raise EngineError(f"another process kept changing the same documents ({_MAX_ATTEMPTS} attempts); try again later")


def _build_layer_change(file: StoredFile, user_metadata: MetadataChange) -> LayerChange:
    """Build the change of the metadata of a file; an upload without a side file leaves those of an earlier one."""
    return LayerChange(file.side if file.side or file.path else None, user_metadata)


def _store_file(settings: Settings, file: SourceFile, side: Metadata, *, uploaded: bool) -> StoredFile:
    path = "" if uploaded else encode_path(file.path)
    if not file.name.lower().endswith(SUPPORTED_SUFFIXES):
        return StoredFile(file.name, path, reason=describe_unsupported(file.name), side=side)
    try:
        return StoredFile(file.name, path, store_file(settings.files, file.path), side=side)
    except OSError as error:
        return StoredFile(file.name, path, reason=f"cannot copy the file: {error.strerror or error}", side=side)


def _name_files(store: Store, collection: str, files: Sequence[StoredFile]) -> list[NamedFile]:
    def find(*, names: Sequence[str] = (), paths: Sequence[str] = ()) -> list[KnownFile]:
        ids = [_get_id(collection, name) for name in names]
        parameters = {"collection": collection, "ids": ids, "paths": list(paths)}
        return [KnownFile(**row) for row in to_rows(store.read("ingest/known_files", parameters))]

    return assign_names(
        files,
        lambda paths: {file.path: file for file in find(paths=paths)},
        lambda names: {file.name: file for file in find(names=names)},
    )


def _get_id(collection: str, name: str) -> str:
    return jsonl_file_id(collection, name) if is_jsonl(name) else document_id(collection, name)


def _has_new_content(store: Store, files: dict[str, NamedFile], titles: Titles) -> bool:
    """Return whether a file is new, changed, or failed before, so that it is processed."""
    rows = [
        {"id": id, "sha256": named.file.sha256, "version": _get_version(named), "titles": titles}
        for id, named in files.items()
        if not named.file.reason
    ]
    return len(store.read("ingest/unchanged_files", {"files": rows})["id"]) < len(rows)


def _build_writes(target: dict[str, str], files: dict[str, NamedFile], titles: Titles) -> list[Write]:
    documents, writes = [], []
    for id, named in files.items():
        row: dict[str, Any] = {"id": id, "sha256": named.file.sha256, "reason": named.file.reason}
        row |= {"path": named.file.path, "known_path": named.known.path if named.known else ""}
        if is_jsonl(named.name):
            writes.append(("ingest/add_jsonl_file", {**target, **row, "file": named.name, "titles": titles}))
        else:
            documents.append({**row, "name": named.name, "version": _get_version(named)})
    return [("ingest/add_documents", {**target, "documents": documents}), *writes]


def _get_version(named: NamedFile) -> str:
    return make_document_version(named.file.sha256) if named.file.sha256 and not is_jsonl(named.name) else ""
