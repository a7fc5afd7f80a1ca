"""Reading of a collection from the graph in batches, in an order that depends on its content only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hopline.exchange.layout import (
    COLLECTION,
    CORRECTIONS,
    DOCUMENTS,
    ENTITIES,
    FEEDBACK,
    FIGURES,
    JSONL_FILES,
    LEARNED,
    MERGED_ENTITIES,
    PAGES,
    PASSAGES,
    REFERENCES,
    REJECTED_MERGES,
    RELATIONSHIP_KINDS,
    TABLES,
    TRANSIENT,
    TRIPLES,
    VECTOR_NAME,
    NodeKind,
)
from hopline.flow.columns import to_rows

if TYPE_CHECKING:
    from hopline.store.graph import Store

BATCH: Final = 500  # nodes per query; a query holds them with their relationships and vectors
_DOCUMENTS: Final = 20  # documents per query of pages


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node; ``states`` are its labels of waiting work, ``vectors`` its vectors by property."""

    id: str
    states: tuple[str, ...] = ()
    properties: dict[str, Any] = field(default_factory=dict)
    vectors: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RelationshipRow:
    """A relationship, by the ids of its ends."""

    type: str
    source: str
    target: str
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GraphPart:
    """Nodes of one kind, ordered, with their outgoing relationships, ordered by source, type and target."""

    kind: NodeKind
    nodes: tuple[NodeRow, ...] = ()
    relationships: tuple[RelationshipRow, ...] = ()


_RELATIONSHIPS: Final = {  # statements that read the outgoing relationships of a kind
    DOCUMENTS: "exchange/document_relationships",
    PAGES: "exchange/page_relationships",
    PASSAGES: "exchange/evidence_relationships",
    TABLES: "exchange/evidence_relationships",
    FIGURES: "exchange/evidence_relationships",
    TRIPLES: "exchange/triple_relationships",
    MERGED_ENTITIES: "exchange/merged_entity_relationships",
    CORRECTIONS: "exchange/correction_relationships",
}
_TYPES: Final = frozenset(kind.type for kind in RELATIONSHIP_KINDS)
_PAGED: Final = (  # (statement, kinds of its nodes)
    ("exchange/jsonl_files", (JSONL_FILES,)),
    ("exchange/documents", (DOCUMENTS,)),
    ("exchange/evidence", (PASSAGES, TABLES, FIGURES)),
    ("exchange/entities", (ENTITIES,)),
    ("exchange/merged_entities", (MERGED_ENTITIES,)),
    ("exchange/rejected_merges", (REJECTED_MERGES,)),
    ("exchange/triples", (TRIPLES,)),
    ("exchange/references", (REFERENCES,)),
    ("exchange/corrections", (CORRECTIONS,)),
    ("exchange/feedback", (FEEDBACK,)),
    ("exchange/learned", (LEARNED,)),
)


def read_collection_parts(store: Store, collection: str) -> Iterator[GraphPart]:
    """Read a collection by its id, kind by kind; the parts of one kind are ordered, those of pages by document."""
    yield _build_part(store, COLLECTION, store.read("exchange/collection", {"collection": collection}))
    for statement, kinds in _PAGED:
        for rows in _read_pages(store, statement, collection):
            for kind in kinds:
                part = [row for row in rows if set(kind.labels) <= set(row["labels"])]
                yield _build_part(store, kind, part)
            if kinds == (DOCUMENTS,):
                yield from _read_document_pages(store, [row["id"] for row in rows])


def _read_pages(store: Store, statement: str, collection: str) -> Iterator[list[dict[str, Any]]]:
    after = ""
    while rows := to_rows(store.read(statement, {"collection": collection, "after": after, "limit": BATCH})):
        yield rows
        after = rows[-1]["id"]


def _read_document_pages(store: Store, documents: Sequence[str]) -> Iterator[GraphPart]:
    for start in range(0, len(documents), _DOCUMENTS):
        rows = store.read("exchange/pages", {"ids": documents[start : start + _DOCUMENTS]})
        yield _build_part(store, PAGES, rows)


def _build_part(store: Store, kind: NodeKind, rows: Any) -> GraphPart:
    nodes = tuple(_to_node(kind, row) for row in (rows if isinstance(rows, list) else to_rows(rows)))
    return GraphPart(kind, nodes, _read_relationships(store, kind, [node.id for node in nodes]))


def _to_node(kind: NodeKind, row: dict[str, Any]) -> NodeRow:
    properties, vectors = {}, {}
    for name, value in row["properties"].items():
        if VECTOR_NAME.fullmatch(name) and isinstance(value, list):
            vectors[name] = value
        elif name not in TRANSIENT:
            properties[name] = value
    return NodeRow(row["id"], tuple(sorted(kind.states & set(row["labels"]))), properties, vectors)


def _read_relationships(store: Store, kind: NodeKind, ids: Sequence[str]) -> tuple[RelationshipRow, ...]:
    statement = _RELATIONSHIPS.get(kind)
    if statement is None or not ids:
        return ()
    rows = [
        RelationshipRow(row["type"], row["source"], row["target"], row["properties"])
        for row in to_rows(store.read(statement, {"ids": list(ids)}))
        if row["type"] in _TYPES
    ]
    positions = {id: position for position, id in enumerate(ids)}

    def sort_key(row: RelationshipRow) -> tuple[int, str, str, str]:
        return positions.get(row.source, -1), row.type, row.target, json.dumps(row.properties, sort_keys=True)

    return tuple(sorted(rows, key=sort_key))
