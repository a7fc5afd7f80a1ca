"""Documents as the graph has them: listing, counting, one by its id, their files and their progress."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hopline.bibliography import decode_bibliography
from hopline.documents.file_store import get_stored_path
from hopline.documents.progress import DocumentProgress
from hopline.errors import UnknownName
from hopline.flow.columns import to_rows
from hopline.records import Collection, Document, DocumentCounts
from hopline.store.document_metadata import combine_stored_layers

if TYPE_CHECKING:
    from hopline.store.graph import Store

ID_ADVICE: Final = "pass the id of a document, as `hop.documents.list` returns it"
FILE_ADVICE: Final = f"{ID_ADVICE}; rows of .jsonl files have no file"
_PAGE: Final = 5000  # documents a query


def list_documents(
    store: Store,
    collection: Collection,
    *,
    text: str = "",
    within: Sequence[str] | None = None,
    start: int = 0,
    limit: int | None = None,
) -> list[Document]:
    """Return documents of a collection by name; see `hopline.documents.library.DocumentLibrary.list`."""
    documents: list[Document] = []
    while limit is None or len(documents) < limit:
        size = _PAGE if limit is None else min(limit - len(documents), _PAGE)
        page: dict[str, Any] = {"collection": collection.id, "text": text.lower(), "within": within}
        page |= {"skip": start + len(documents), "limit": size}
        columns = store.read("documents/documents", page)
        documents += [_to_document(row, collection.name) for row in to_rows(columns)]
        if len(columns["id"]) < size:
            break
    return documents


def count_documents(
    store: Store, collection: str, *, text: str = "", within: Sequence[str] | None = None
) -> DocumentCounts:
    """Count the documents of a collection, by its id, that have ``text`` in their names, titles or authors.

    ``within`` are ids of documents; the others are not counted.
    """
    parameters = {"collection": collection, "text": text.lower(), "within": within}
    [row] = to_rows(store.read("documents/document_counts", parameters))
    return DocumentCounts(**row)


def get_document(store: Store, id: str) -> Document:
    """Return a document by its id.

    Raises:
        UnknownName: no such document.
    """
    rows = to_rows(store.read("documents/document", {"id": id}))
    if not rows:
        raise UnknownName("document", id, advice=ID_ADVICE)
    return _to_document(rows[0], rows[0]["collection"])


def get_document_file(store: Store, files: Path, id: str) -> Path:
    """Return the path of the stored file of a document; ``files`` is the folder of the file store.

    Raises:
        UnknownName: no such document, or it came from a ``.jsonl`` file and has no file of its own.
    """
    columns = store.read("documents/document", {"id": id})
    if not columns["id"] or not columns["sha256"][0]:
        raise UnknownName("document with a file", id, advice=FILE_ADVICE)
    return get_stored_path(files, columns["sha256"][0], columns["name"][0])


def read_document_progress(store: Store, ids: Sequence[str]) -> dict[str, DocumentProgress]:
    """Return the progress of documents by their ids; unknown ids are omitted."""
    rows = to_rows(store.read("documents/document_progress", {"ids": [*ids]}))
    return {row.pop("id"): DocumentProgress(**row) for row in rows}


def _to_document(row: dict[str, Any], collection: str) -> Document:
    return Document(
        id=row["id"],
        name=row["name"],
        collection=collection,
        title=row["title"] or "",
        sha256=row["sha256"] or "",
        state=row["state"] or "waiting",
        reason=row["reason"] or "",
        pages=row["pages"] or 0,
        passages=row["passages"] or 0,
        tables=row["tables"] or 0,
        warnings=tuple(row["warnings"] or ()),
        left_out=tuple(row["left_out"] or ()),
        path=row["path"],
        metadata=combine_stored_layers(row["metadata"]),
        bibliography=decode_bibliography(row["bibliography"]),
    )
