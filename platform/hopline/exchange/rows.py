"""Rows of an exported folder for its conversion to other forms; the folder was written by this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hopline.exchange.layout import (
    NODE_KINDS,
    RELATIONSHIP_KINDS,
    NodeKind,
    RelationshipKind,
    get_node_path,
    get_relationship_path,
    get_vector_path,
)
from hopline.exchange.vector_files import ARRAY, read_vectors

TYPE_NAMES: Final = {str: "string", int: "long", float: "double", bool: "boolean"}  # of GraphML and Neo4j's CSV


@dataclass(frozen=True, slots=True)
class PropertyColumn:
    """A property of a kind of node or of a type of relationship: its Python type, and whether it is a list of these."""

    name: str
    type: type
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class NodeTable:
    """The nodes of one kind: their columns, by name, and the properties that are vectors."""

    kind: NodeKind
    columns: tuple[PropertyColumn, ...]
    vectors: tuple[str, ...]
    folder: Path = field(repr=False)

    def read(self) -> Iterator[dict[str, Any]]:
        """Read the rows, with the vectors as lists of numbers, and the labels of waiting work as "labels"."""
        streams = {name: read_vectors(self.folder / get_vector_path(self.kind, name)) for name in self.vectors}
        current = {name: next(stream, None) for name, stream in streams.items()}
        for row in _read_lines(self.folder / get_node_path(self.kind)):
            for name, stream in streams.items():
                if (pair := current[name]) is not None and pair[0] == row["id"]:
                    row[name] = pair[1]
                    current[name] = next(stream, None)
            yield row


@dataclass(frozen=True, slots=True)
class RelationshipTable:
    """The relationships of one type."""

    kind: RelationshipKind
    columns: tuple[PropertyColumn, ...]
    folder: Path = field(repr=False)

    def read(self) -> Iterator[dict[str, Any]]:
        """Read the rows: source, target, properties."""
        for row in _read_lines(self.folder / get_relationship_path(self.kind)):
            yield {"properties": {}, **row}


def list_node_tables(folder: Path) -> Iterator[NodeTable]:
    """List the kinds of nodes that a folder has."""
    for kind in NODE_KINDS:
        columns = _find_columns(_read_lines(folder / get_node_path(kind)))
        if columns:
            files = sorted((folder / "vectors").glob(f"{kind.file}.*{ARRAY}"))
            vectors = tuple(file.name.removeprefix(f"{kind.file}.").removesuffix(ARRAY) for file in files)
            yield NodeTable(kind, tuple(column for column in columns if column.name != "labels"), vectors, folder)


def list_relationship_tables(folder: Path) -> Iterator[RelationshipTable]:
    """List the types of relationships that a folder has."""
    for kind in RELATIONSHIP_KINDS:
        path = folder / get_relationship_path(kind)
        if path.stat().st_size:
            yield RelationshipTable(kind, _find_columns(row.get("properties", {}) for row in _read_lines(path)), folder)


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            yield json.loads(line)


def _find_columns(rows: Iterator[dict[str, Any]]) -> tuple[PropertyColumn, ...]:
    """Find the columns of rows, by name. Whole numbers and others in one column are floats; an empty list has texts."""
    types: dict[str, set[type]] = {}
    lists: set[str] = set()
    for row in rows:
        for name, value in row.items():
            kinds = types.setdefault(name, set())
            if isinstance(value, list):
                lists.add(name)
                kinds.update(map(type, value))
            else:
                kinds.add(type(value))
    return tuple(PropertyColumn(name, _choose_type(types[name]), name in lists) for name in sorted(types))


def _choose_type(types: set[type]) -> type:
    if types == {int, float}:
        return float
    return next(iter(types)) if len(types) == 1 else str
