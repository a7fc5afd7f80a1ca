"""Ids of an imported collection: those of the folder, or new ones for a copy beside the exported collection."""

from __future__ import annotations

from typing import Any, Final

from hopline.exchange.graph_reader import NodeRow, RelationshipRow
from hopline.exchange.layout import DOCUMENTS, ENTITIES, JSONL_FILES, LEARNED, MERGED_ENTITIES, NodeKind
from hopline.ids import document_id, entity_id, jsonl_file_id, row_document_id, stable_id

_REFERENCES: Final = (
    "document",
    "origin",
    "evidence",
    "was",
    "one",
    "other",
    "entity",
    "subject_id",
    "object_id",
)  # properties that are ids of nodes
_REFERENCE_LISTS: Final = ("gold",)  # properties that are lists of ids of nodes


class IdMapping:
    """Maps the ids of a collection to those of another one; an id that is equal in both stays.

    A document or an entity gets the id that adding it to the new collection would give it, so that a file that is added
    again is recognised. Other nodes get a hash of their earlier id. Nodes have to be mapped before what refers to them.
    Memory: one entry a document and an entity, none if the collections are the same.
    """

    def __init__(self, old: str, new: str) -> None:
        self.old = old
        self.new = new
        self._ids: dict[str, str] = {}

    def map_node(self, kind: NodeKind, node: NodeRow) -> NodeRow:
        """Return a node with its new id and references."""
        if self.old == self.new:
            return node
        id = self._make_id(kind, node.id, node.properties)
        properties = self._map_properties(node.properties) | {"id": id}
        return NodeRow(id, node.states, properties, node.vectors)

    def map_relationship(self, row: RelationshipRow) -> RelationshipRow:
        """Return a relationship with the new ids of its ends."""
        if self.old == self.new:
            return row
        source, target = self._map_id(row.source), self._map_id(row.target)
        return RelationshipRow(row.type, source, target, self._map_properties(row.properties))

    def _map_properties(self, properties: dict[str, Any]) -> dict[str, Any]:
        ids = {name: self._map_id(properties[name]) for name in _REFERENCES if properties.get(name)}
        lists = {name: [*map(self._map_id, properties[name])] for name in _REFERENCE_LISTS if properties.get(name)}
        collection = {"collection": self.new} if properties.get("collection") == self.old else {}
        return {**properties, **ids, **lists, **collection}

    def _map_id(self, id: str) -> str:
        if id == self.old:
            return self.new
        return self._ids.get(id) or stable_id("copy", self.new, id)

    def _make_id(self, kind: NodeKind, id: str, properties: dict[str, Any]) -> str:
        name, title, origin = (str(properties.get(key, "")) for key in ("name", "title", "origin"))
        pairs: list[tuple[str, str]] = []
        if kind is JSONL_FILES:
            pairs = [(jsonl_file_id(self.old, name), jsonl_file_id(self.new, name))]
        elif kind is DOCUMENTS and origin:
            new_origin = self._map_id(origin)
            pairs = [(row_document_id(origin, text), row_document_id(new_origin, text)) for text in (title, name)]
        elif kind is DOCUMENTS:
            pairs = [(document_id(self.old, name), document_id(self.new, name))]
        elif kind in {ENTITIES, MERGED_ENTITIES}:
            names = [name, *properties.get("aliases", ())]  # of a corrected name, the one that was read is an alias
            pairs = [(entity_id(self.old, text), entity_id(self.new, text)) for text in names]
        elif kind is LEARNED:
            pairs = [(f"{self.old}:{name}", f"{self.new}:{name}")]
        new = next((new for old, new in pairs if old == id), self._map_id(id))
        if kind in {JSONL_FILES, DOCUMENTS, ENTITIES, MERGED_ENTITIES}:
            self._ids[id] = new
        return new
