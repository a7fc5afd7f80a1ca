"""Import of an exported folder as a new collection: all of it or nothing.

The collection is hidden while it is written, in transactions of limited size. Its nodes wait for no work until the last
transaction, which adds the labels of waiting work and shows the collection. An import that fails removes what it has
written; one whose process was killed is removed by the next import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hopline.documents.file_store import store_file
from hopline.errors import UsageError
from hopline.exchange.folder_export import OpenHome
from hopline.exchange.folder_reader import ExportedFolder
from hopline.exchange.graph_reader import NodeRow
from hopline.exchange.id_mapping import IdMapping
from hopline.exchange.layout import (
    COLLECTION,
    DOCUMENTS,
    ENTITIES,
    FIGURES,
    JSONL_FILES,
    NODE_KINDS,
    PAGES,
    PASSAGES,
    REFERENCES,
    RELATIONSHIP_KINDS,
    TABLES,
    TRIPLES,
    Manifest,
    NodeKind,
    RelationshipKind,
)
from hopline.ids import collection_id
from hopline.store.graph import Write
from hopline.store.removal import delete_marked_collection, resume_removal
from hopline.store.schema import get_vector_property

if TYPE_CHECKING:
    from hopline.store.graph import Store

T = TypeVar("T")

BATCH: Final = 500  # nodes per transaction
_RELATIONSHIPS: Final = 2000  # per transaction
_ABANDONED_SECONDS: Final = 1800.0  # after its last write, an import counts as abandoned
_CREATE_NODES: Final = "exchange/create_nodes"
_CREATE: Final = {
    JSONL_FILES: "exchange/create_documents",
    DOCUMENTS: "exchange/create_documents",
    PAGES: "exchange/create_pages",
    TRIPLES: "exchange/create_triples",
    REFERENCES: "exchange/create_references",
}
_SET_STATES: Final = {
    DOCUMENTS: "exchange/set_states_document",
    JSONL_FILES: "exchange/set_states_jsonl_file",
    PASSAGES: "exchange/set_states_evidence",
    TABLES: "exchange/set_states_evidence",
    FIGURES: "exchange/set_states_evidence",
    ENTITIES: "exchange/set_states_entity",
    TRIPLES: "exchange/set_states_triple",
}


@dataclass(frozen=True, slots=True)
class ImportedCollection:
    """An imported collection. ``embeds``: its vectors are computed by the worker; ``notice`` says why, or is empty."""

    name: str
    id: str
    documents: int = 0
    passages: int = 0
    tables: int = 0
    entities: int = 0
    triples: int = 0
    embeds: bool = False
    notice: str = ""


def import_folder(home: OpenHome, folder: ExportedFolder, name: str) -> ImportedCollection:
    """Create a collection of this name from a folder.

    Raises:
        UsageError: there is a collection of this name, or the folder is damaged.
    """
    store, embedder, manifest = home.store, home.embedder, folder.manifest
    _remove_abandoned(store)
    resume_removal(store, manifest.id, ())
    target = _choose_id(store, manifest.id, name)
    if not store.write(("exchange/begin_import", {"id": target, "name": name}))[0]["id"]:
        raise UsageError(f"there is a collection called {name!r} already; choose another name, or remove that one")
    with _remove_on_failure(store, target):
        for original in folder.list_originals():
            store_file(home.files, original)
        embeds = manifest.embedder != embedder
        writer = _GraphWriter(store, folder, IdMapping(manifest.id, target), embeds=embeds)
        if not embeds:
            ensure_vector_indexes(store, folder, embedder)
        writer.write_nodes(frozenset() if embeds else _list_vector_names(folder, embedder))
        writer.write_relationships()
        writer.finish(name)
    return describe_import(manifest, name, target, embedder)


def describe_import(manifest: Manifest, name: str, id: str, embedder: str) -> ImportedCollection:
    """Return what was imported from a folder with this manifest, as the collection of this name and id."""
    counts = {kind: manifest.counts.get(kind, 0) for kind in ("documents", "passages", "tables", "entities", "triples")}
    notice = _describe_embedding(manifest.embedder, embedder)
    return ImportedCollection(name, id, **counts, embeds=manifest.embedder != embedder, notice=notice)


def _choose_id(store: Store, id: str, name: str) -> str:
    """Choose the id of the collection: that of the folder, or a new one if it is in use."""
    nth, chosen = 0, id
    while store.read("exchange/collection_ids", {"id": chosen})["id"]:
        chosen = collection_id(name, nth)
        nth += 1
    return chosen


def _remove_abandoned(store: Store) -> None:
    for id in store.write(("exchange/drop_abandoned_imports", {"seconds": _ABANDONED_SECONDS}))[0]["id"]:
        delete_marked_collection(store, id)


@contextmanager
def _remove_on_failure(store: Store, id: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        if store.write(("exchange/drop_import", {"id": id}))[0]["id"]:
            delete_marked_collection(store, id)
        raise


def ensure_vector_indexes(store: Store, folder: ExportedFolder, embedder: str) -> None:
    """Create the vector indexes for the vectors that the passages of a folder have."""
    for node in folder.read_nodes(PASSAGES, frozenset({get_vector_property(embedder)})):
        for vector in node.vectors.values():
            store.ensure_vector_indexes(len(vector))
            return


def _list_vector_names(folder: ExportedFolder, embedder: str) -> frozenset[str]:
    names = {Path(path).name.split(".")[1] for path in folder.manifest.files if path.startswith("vectors/")}
    return frozenset(name for name in names if name == get_vector_property(embedder) or name.startswith("themes_"))


def _describe_embedding(exported: str, embedder: str) -> str:
    if exported == embedder:
        return ""
    reason = (
        f"the folder has vectors of {exported}, and the embedder is {embedder}"
        if exported
        else "the folder has no vectors"
    )
    return f"{reason}: the worker computes the vectors of {embedder}, and the collection is complete when it is done"


def _split(rows: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(rows)
    while part := list(islice(iterator, size)):
        yield part


def _to_parameters(kind: NodeKind, node: NodeRow) -> dict[str, Any]:
    vectors = [[*pair] for pair in node.vectors.items()]
    return {"labels": list(kind.labels), "properties": node.properties, "vectors": vectors}


class _GraphWriter:
    """Writes the rows of a folder; every transaction checks that the import was not given up as abandoned."""

    def __init__(self, store: Store, folder: ExportedFolder, mapping: IdMapping, *, embeds: bool) -> None:
        self._store = store
        self._folder = folder
        self._mapping = mapping
        self._embeds = embeds
        self._states: dict[NodeKind, list[dict[str, Any]]] = {}
        self._root: NodeRow | None = None

    def write_nodes(self, vectors: frozenset[str]) -> None:
        """Write all nodes but the collection's, with their vectors of these properties."""
        for kind in NODE_KINDS:
            nodes = (self._mapping.map_node(kind, node) for node in self._folder.read_nodes(kind, vectors))
            if kind is COLLECTION:
                self._root = next(nodes, None)
                if self._root is None or next(nodes, None) is not None or self._root.id != self._mapping.new:
                    raise UsageError(f"{self._folder.path / 'collection.jsonl'} does not have one collection")
                continue
            for part in _split(nodes, BATCH):
                self._write_nodes(kind, part)

    def _write_nodes(self, kind: NodeKind, nodes: list[NodeRow]) -> None:
        self._check_collection(kind, nodes)
        rows = [_to_parameters(kind, node) for node in nodes]
        statement = _CREATE.get(kind, _CREATE_NODES)
        parameters: dict[str, Any] = {"rows": rows}
        if statement != _CREATE_NODES:
            parameters["collection"] = self._mapping.new
        self._write(statement, parameters, len(rows), kind.file)
        states = [{"id": node.id, "labels": list(node.states)} for node in nodes if node.states]
        if states:
            self._states.setdefault(kind, []).extend(states)

    def _check_collection(self, kind: NodeKind, nodes: list[NodeRow]) -> None:
        for node in nodes:
            if kind is not PAGES and node.properties.get("collection") != self._mapping.new:
                raise UsageError(f"{kind.file}: {node.id} is of another collection")

    def write_relationships(self) -> None:
        """Write the relationships that are not created with their nodes."""
        for kind in RELATIONSHIP_KINDS:
            if not kind.statement or (kind.type == "SIMILAR" and self._embeds):
                continue  # the worker computes the neighbours of new vectors
            for part in _split(self._folder.read_relationships(kind), _RELATIONSHIPS):
                self._write_relationships(kind, part)

    def _write_relationships(self, kind: RelationshipKind, part: list[Any]) -> None:
        mapped = [self._mapping.map_relationship(row) for row in part]
        rows = [{"source": row.source, "target": row.target, "properties": row.properties} for row in mapped]
        self._write(
            kind.statement, {"type": kind.type, "collection": self._mapping.new, "rows": rows}, len(rows), kind.type
        )

    def _write(self, statement: str, parameters: dict[str, Any], expected: int, source: str) -> None:
        touched, written = self._store.write(self._touch(), (statement, parameters))
        if not touched["id"]:
            raise UsageError("the import took too long between two writes and was removed; start it again")
        if sum(written["created"]) != expected:
            raise UsageError(f"{self._folder.path} is damaged: a row of {source} refers to a node that is not there")

    def _touch(self) -> Write:
        return ("exchange/touch_import", {"id": self._mapping.new})

    def finish(self, name: str) -> None:
        """Add the labels of waiting work and show the collection, in one transaction."""
        if self._root is None:
            raise UsageError(f"{self._folder.path} has no collection")
        labels = ["ToEmbed"] if self._embeds else []
        states: list[Write] = [
            (_SET_STATES[kind], {"rows": part}) for kind, rows in self._states.items() for part in _split(rows, 5000)
        ]
        show_collection(self._store, self._root, name, labels, states)


def show_collection(
    store: Store, root: NodeRow, name: str, labels: Iterable[str] = (), before: Iterable[Write] = ()
) -> None:
    """Show an imported collection under this name, with the labels of its waiting work, after other writes.

    Raises:
        UsageError: another collection got the name meanwhile.
    """
    properties = {**root.properties, "name": name}
    waiting = sorted({*root.states, *labels})
    finish: Write = ("exchange/finish_import", {"id": root.id, "properties": properties, "labels": waiting})
    if not store.write(*before, finish)[-1]["id"]:
        raise UsageError(f"another collection got the name {name!r} meanwhile; choose another name")
