"""GraphML: one file ``graph.graphml`` that NetworkX, Gephi, yEd and igraph read.

A node has its kind as the attribute "kind", a relationship its type as "type". Lists are JSON texts: GraphML has none.
Vectors and the texts of the full-text index are left out.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final
from xml.sax.saxutils import escape, quoteattr

from hopline.exchange.rows import TYPE_NAMES, PropertyColumn, list_node_tables, list_relationship_tables

FILE: Final = "graph.graphml"
LEFT_OUT: Final = frozenset({"search", "labels"})
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEADER: Final = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
"""


def convert(source: Path, target: Path) -> None:
    """Write the folder ``source`` as one file into ``target``; the attributes are declared once all are known."""
    keys: dict[tuple[str, str, str], str] = {}
    body = target / f".{FILE}.body"
    with body.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_write_nodes(source, keys))
        file.writelines(_write_edges(source, keys))
    with (target / FILE).open("w", encoding="utf-8", newline="\n") as file:
        file.write(_HEADER)
        for (owner, name, kind), key in keys.items():
            file.write(f'<key id="{key}" for="{owner}" attr.name={quoteattr(name)} attr.type="{kind}"/>\n')
        file.write('<graph edgedefault="directed">\n')
        _append(body, file)
        file.write("</graph>\n</graphml>\n")
    body.unlink()


def _append(body: Path, file: IO[str]) -> None:
    with body.open(encoding="utf-8", newline="\n") as text:
        shutil.copyfileobj(text, file)


def _write_nodes(source: Path, keys: dict[tuple[str, str, str], str]) -> Iterator[str]:
    for table in list_node_tables(source):
        columns = [column for column in table.columns if column.name not in {"id", *LEFT_OUT}]
        for row in table.read():
            kind = _format_data(keys, "node", PropertyColumn("kind", str), table.kind.labels[-1])
            yield f"<node id={quoteattr(row['id'])}>{kind}{_format_row(keys, 'node', columns, row)}</node>\n"


def _write_edges(source: Path, keys: dict[tuple[str, str, str], str]) -> Iterator[str]:
    number = 0
    for table in list_relationship_tables(source):
        for row in table.read():
            kind = _format_data(keys, "edge", PropertyColumn("type", str), table.kind.type)
            data = _format_row(keys, "edge", table.columns, row["properties"])
            ends = f"source={quoteattr(row['source'])} target={quoteattr(row['target'])}"
            yield f'<edge id="e{number}" {ends}>{kind}{data}</edge>\n'
            number += 1


def _format_row(keys: dict[tuple[str, str, str], str], owner: str, columns: Any, row: Mapping[str, Any]) -> str:
    return "".join(_format_data(keys, owner, column, row[column.name]) for column in columns if column.name in row)


def _format_data(keys: dict[tuple[str, str, str], str], owner: str, column: PropertyColumn, value: Any) -> str:
    kind = "string" if column.is_list else TYPE_NAMES[column.type]
    key = keys.setdefault((owner, column.name, kind), f"d{len(keys)}")
    return f'<data key="{key}">{_format_text(value)}</data>'


def _format_text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})
