"""Metadata of documents in the graph: reading, changing, and the documents that match a filter.

A document has layers of metadata, as JSON texts: the properties of its file (``metadata_read``), what its pages state
(``metadata_stated``), its side file (``metadata_side``) and what the user gave (``metadata_given``). Both of the latter
of a ``.jsonl`` file apply to the documents that its rows form. A filter is evaluated here and not in Cypher, where keys
cannot be parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hopline.errors import EngineError, UnknownName, UsageError
from hopline.flow.columns import to_rows
from hopline.metadata.filter_expression import FIXED_FIELDS, Expression, list_keys, matches
from hopline.metadata.filter_parser import parse_filter
from hopline.metadata.values import (
    MAX_KEYS,
    Metadata,
    MetadataChange,
    MetadataValue,
    combine_layers,
    decode_metadata,
    encode_metadata,
)

if TYPE_CHECKING:
    from hopline.store.graph import Store, Write

_MAX_ATTEMPTS: Final = 5  # while other processes change the metadata of the same documents
_KEPT_COLLECTIONS: Final = 4  # whose metadata are kept in memory, about 1 kB a document
_PAGE: Final = 10_000  # documents whose layers are read by one query


@dataclass(frozen=True, slots=True)
class DocumentFields:
    """A document with what a filter can name.

    ``fields`` are its name, title, pages and type, and the metadata, which hide those of the same key.
    """

    id: str
    metadata: Metadata
    fields: Metadata


@dataclass(frozen=True, slots=True)
class LayerChange:
    """A change of the metadata of a document or a ``.jsonl`` file.

    ``side`` replaces the layer of the side file; None leaves it as it is. ``user`` changes keys of the user's layer.
    """

    side: Metadata | None = None
    user: MetadataChange = field(default_factory=dict)


class MetadataReader:
    """Reads what filters can name; keeps it for the collections that were read last, until a document changes.

    Safe to share between threads.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[object, list[DocumentFields]]] = {}

    def read(self, collection: str) -> list[DocumentFields]:
        """Read the documents of a collection, by its id."""
        version = self._store.read("documents/metadata_version", {"collection": collection})
        known = self._known.get(collection)
        if known is not None and known[0] == version:
            return known[1]
        documents = read_document_fields(self._store, collection)
        recent = [*self._known.items()][1 - _KEPT_COLLECTIONS :]
        self._known = {**{id: entry for id, entry in recent if id != collection}, collection: (version, documents)}
        return documents


def read_document_fields(store: Store, collection: str) -> list[DocumentFields]:
    """Read the metadata and the fixed fields of all documents of a collection, by its id."""
    files = {row["id"]: row for row in to_rows(store.read("documents/jsonl_metadata", {"collection": collection}))}
    shared = {
        id: (decode_metadata(file["side"]), decode_metadata(file["given"]), file["name"]) for id, file in files.items()
    }
    columns = store.read("documents/metadata", {"collection": collection})
    documents = []
    for row in zip(*columns.values(), strict=True):
        id, name, title, pages, origin, *layers = row
        file_side, file_user, file = shared.get(origin, ({}, {}, name))
        read, stated, side, user = map(decode_metadata, layers)
        fixed = {"document": name, "title": title, "pages": pages, "type": _list_type_names(file)}
        metadata = combine_layers(read, stated, file_side, file_user, side, user)
        documents.append(DocumentFields(id, metadata, {**fixed, **metadata}))
    return documents


def _list_type_names(name: str) -> tuple[str, ...]:
    """Return the type of a file as a filter may write it: "pdf" and ".pdf"."""
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    return (suffix.removeprefix("."), suffix) if suffix else ("",)


def find_matching_documents(reader: MetadataReader, collection: str, filter: str) -> list[DocumentFields]:
    """Return the documents of a collection, by its id, that match a filter; all for an empty one.

    Raises:
        UsageError: it is not a filter.
        UnknownName: no document has a key of the filter; lists the keys of the collection.
    """
    if not isinstance(filter, str):
        raise UsageError(f"a filter is a text such as 'year >= 2020' (got {filter!r:.80})")
    expression = parse_filter(filter) if filter.strip() else None  # before anything is read
    documents = reader.read(collection)
    if expression is None:
        return documents
    _check_keys(expression, documents)
    return [document for document in documents if matches(expression, document.fields)]


def _check_keys(expression: Expression, documents: Sequence[DocumentFields]) -> None:
    known = {key for document in documents for key in document.metadata}
    for key in list_keys(expression):
        if key.name not in known and key.name not in FIXED_FIELDS:
            names = {*known, *FIXED_FIELDS}
            by_lower_case = {name.lower(): name for name in names}
            closest = get_close_matches(key.name.lower(), by_lower_case, n=1)
            raise UnknownName(
                f"key, at character {key.position + 1} of the filter,",
                key.name,
                names,
                suggestion=by_lower_case[closest[0]] if closest else "",
            )


def combine_stored_layers(layers: Sequence[str | None]) -> dict[str, MetadataValue]:
    """Return the metadata of layers as the graph has them, of which a later one replaces keys of an earlier one."""
    return combine_layers(*map(decode_metadata, layers))


def plan_metadata_writes(store: Store, changes: Mapping[str, LayerChange]) -> tuple[list[Write], set[str]]:
    """Build the write that changes metadata by the id of a document or ``.jsonl`` file; also return the changed ids.

    The write leaves out what another process changes between. Ids that the graph does not have count as new documents.

    Raises:
        UsageError: a document would have too many keys.
    """
    ids = list(changes)
    parts = [ids[start : start + _PAGE] for start in range(0, len(ids), _PAGE)]
    known = {
        row["id"]: row for part in parts for row in to_rows(store.read("documents/metadata_layers", {"ids": part}))
    }
    rows = [row for id, change in changes.items() if (row := _build_row(id, change, known.get(id, {})))]
    write: Write = ("documents/write_metadata", {"rows": rows})
    return [write] if rows else [], {row["id"] for row in rows}


def _build_row(id: str, change: LayerChange, stored: Mapping[str, Any]) -> dict[str, Any] | None:
    """Build the row that writes a change; None if nothing changes."""
    side, known_user = stored.get("side", ""), stored.get("given", "")
    new_side = side if change.side is None else encode_metadata(change.side)
    names = ("read", "stated", "origin_side", "origin_given")
    below = combine_stored_layers([*(stored.get(name) for name in names), new_side])
    user = {**decode_metadata(known_user), **change.user}
    user = {key: value for key, value in user.items() if value is not None or key in below}
    if len(combine_layers(user)) > MAX_KEYS:
        raise UsageError(f"a document may have at most {MAX_KEYS} keys of metadata; remove some, by the value None")
    new_user = encode_metadata(user)
    if (new_side, new_user) == (side, known_user):
        return None
    return {"id": id, "side": new_side, "given": new_user, "known_given": known_user}


def write_metadata(store: Store, changes: Mapping[str, LayerChange]) -> None:
    """Change metadata by the id of a document or ``.jsonl`` file.

    Raises:
        UsageError: a document would have too many keys.
        EngineError: other processes kept changing the same metadata.
    """
    remaining = dict(changes)
    for _ in range(_MAX_ATTEMPTS):
        writes, ids = plan_metadata_writes(store, remaining)
        if not writes:
            return
        updated = set(store.write(*writes)[0]["updated"])
        remaining = {id: change for id, change in remaining.items() if id in ids - updated}
        if not remaining:
            return
    raise EngineError(f"another process kept changing the same metadata ({_MAX_ATTEMPTS} attempts); try again later")
