"""Files that were renamed or deleted since their folder was added: their documents are found and can be removed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hopline.documents.source_files import encode_path
from hopline.flow.columns import to_rows
from hopline.records import MissingFile
from hopline.store.removal import delete_marked_documents, remove_documents

if TYPE_CHECKING:
    from hopline.store.graph import Store


def find_missing_files(store: Store, collection: str, paths: Sequence[Path]) -> tuple[MissingFile, ...]:
    """Return the files that were added from the folders among ``paths`` and that no longer exist, by name."""
    folders = [encode_path(path.resolve()) for path in paths if path.is_dir()]
    if not folders:
        return ()
    parameters = {"collection": collection, "folders": [folder.rstrip(os.sep) + os.sep for folder in folders]}
    files = [MissingFile(**row) for row in to_rows(store.read("documents/files_in_folders", parameters))]
    existing = {encode_path(file) for path in paths if files and path.is_dir() for file in path.rglob("*")}
    return tuple(file for file in files if file.path not in existing)


def remove_missing_files(store: Store, files: Sequence[MissingFile]) -> None:
    """Remove the documents of these files; of a ``.jsonl`` file all documents that its rows formed."""
    remove_documents(store, [file.id for file in files if not file.is_jsonl])
    for file in files:
        if file.is_jsonl:
            [marked] = store.write(("removal/mark_jsonl_file", {"id": file.id}))
            delete_marked_documents(store, [id for ids in marked["removed"] for id in ids])
