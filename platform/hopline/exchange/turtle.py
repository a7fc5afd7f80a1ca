"""RDF in Turtle: one file ``graph.ttl``, with a small vocabulary.

A node is ``<urn:hopline:ID>``, of the class of its kind (``h:Passage``), with its properties as literals; lists are RDF
collections. A relationship is one statement (``h:mentions``); its properties, vectors and the texts of the full-text
index are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from hopline.exchange.graphml import LEFT_OUT
from hopline.exchange.rows import list_node_tables, list_relationship_tables

FILE: Final = "graph.ttl"
VOCABULARY: Final = "urn:hopline:vocabulary:"
PREDICATES: Final = {
    "HAS_DOCUMENT": "hasDocument", "HAS_PAGE": "hasPage", "HAS_PASSAGE": "hasPassage", "HAS_TABLE": "hasTable",
    "HAS_FIGURE": "hasFigure",
    "NEXT": "next", "MENTIONS": "mentions", "ABOUT": "about", "STATES": "states", "SUBJECT": "hasSubject",
    "OBJECT": "hasObject", "LISTS": "lists", "CITES": "cites", "SIMILAR": "similarTo", "MERGED_INTO": "mergedInto",
    "CORRECTS": "corrects",
}  # fmt: skip
_PREFIXES: Final = f"""@prefix h: <{VOCABULARY}> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

"""
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TO_ESCAPE: Final = re.compile('[\\\\"\x00-\x1f\x7f]')


def convert(source: Path, target: Path) -> None:
    """Write the folder ``source`` as one file into ``target``."""
    with (target / FILE).open("w", encoding="utf-8", newline="\n") as file:
        file.write(_PREFIXES)
        file.writelines(_write_nodes(source))
        file.writelines(_write_relationships(source))


def _write_nodes(source: Path) -> Iterator[str]:
    for table in list_node_tables(source):
        names = [column.name for column in table.columns if column.name not in {"id", *LEFT_OUT}]
        for row in table.read():
            properties = "".join(f" ;\n  h:{name} {_format_value(row[name])}" for name in names if name in row)
            head = f"{_format_node(row['id'])} a h:{table.kind.labels[-1]} ;\n  h:id {_format_value(row['id'])}"
            yield f"{head}{properties} .\n"


def _write_relationships(source: Path) -> Iterator[str]:
    for table in list_relationship_tables(source):
        predicate = PREDICATES[table.kind.type]
        for row in table.read():
            yield f"{_format_node(row['source'])} h:{predicate} {_format_node(row['target'])} .\n"


def _format_node(id: str) -> str:
    return f"<urn:hopline:{quote(id, safe='')}>"


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return f"( {' '.join(map(_format_value, value))} )" if value else "()"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f'"{value!r}"^^xsd:double'
    return '"' + _TO_ESCAPE.sub(lambda match: _ESCAPES.get(match[0], f"\\u{ord(match[0]):04X}"), value) + '"'
