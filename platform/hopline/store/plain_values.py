"""Conversion of values of the Neo4j driver to values that JSON has."""

from __future__ import annotations

import base64
import math
from typing import Any, Final

VECTOR_PROPERTIES: Final = ("vector_", "themes_")  # of embedders and of topic sets, each followed by a name


def to_plain_value(value: Any, *, vectors: bool = False) -> Any:
    """Convert a value of a result to a JSON-compatible one.

    A node becomes {element_id, labels, properties}, a relationship {element_id, type, start, end, properties} with the
    element ids of its ends, a path {nodes, relationships}. Dates, times and durations are ISO 8601, bytes Base64, NaN
    and infinite numbers texts. Properties with vectors are left out of nodes and maps unless ``vectors``.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if type(value) is dict:
        shown = value if vectors else {key: item for key, item in value.items() if not _is_vector(key, item)}
        return {str(key): to_plain_value(item, vectors=vectors) for key, item in shown.items()}
    if type(value) in {list, tuple, set}:
        return [to_plain_value(item, vectors=vectors) for item in value]
    return _convert_driver_type(value, vectors=vectors)


def _convert_driver_type(value: Any, *, vectors: bool) -> Any:
    from neo4j.graph import Node, Path, Relationship
    from neo4j.spatial import Point

    match value:
        case Node():
            kind: dict[str, Any] = {"labels": sorted(value.labels)}
        case Relationship():
            ends = {"start": value.start_node, "end": value.end_node}
            kind = {"type": value.type, **{end: node and node.element_id for end, node in ends.items()}}
        case Path():
            parts = {"nodes": list(value.nodes), "relationships": list(value.relationships)}
            return to_plain_value(parts, vectors=vectors)
        case Point():
            return {"srid": value.srid, "coordinates": list(value)}
        case bytes() | bytearray():
            return base64.b64encode(value).decode()
        case _:
            return value.iso_format() if hasattr(value, "iso_format") else str(value)
    properties = to_plain_value(dict(value.items()), vectors=vectors)
    return {"element_id": value.element_id, **kind, "properties": properties}


def _is_vector(name: str, value: Any) -> bool:
    return isinstance(value, list) and name.startswith(VECTOR_PROPERTIES)
