"""CSV files for ``neo4j-admin database import``: a header and a data file for each kind of node and relationship.

``arguments.txt`` has the arguments of the command. Elements of lists are separated by U+001F. A quoted empty text is an
empty text, an empty field no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from hopline.exchange.layout import (
    COLLECTION,
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
    TABLES,
    TRIPLES,
)
from hopline.exchange.rows import (
    TYPE_NAMES,
    NodeTable,
    PropertyColumn,
    RelationshipTable,
    list_node_tables,
    list_relationship_tables,
)

ARGUMENTS: Final = "arguments.txt"
LIST_DELIMITER: Final = "\u001f"
_ID_SPACES: Final = {
    COLLECTION: "Collection", JSONL_FILES: "Corpus", DOCUMENTS: "Document", PAGES: "Page", PASSAGES: "Evidence",
    TABLES: "Evidence", FIGURES: "Evidence", FEEDBACK: "Feedback",
    ENTITIES: "Entity", MERGED_ENTITIES: "Entity", REJECTED_MERGES: "Refused", TRIPLES: "Triple",
    REFERENCES: "Reference", LEARNED: "Learned",
}  # fmt: skip
_ENDS: Final = {
    "HAS_DOCUMENT": ("Collection", "Document"),
    "HAS_PAGE": ("Document", "Page"),
    "STATES": ("Evidence", "Triple"),
    "HAS_PASSAGE": ("Page", "Evidence"),
    "HAS_TABLE": ("Page", "Evidence"),
    "HAS_FIGURE": ("Page", "Evidence"),
    "NEXT": ("Evidence", "Evidence"),
    "MENTIONS": ("Evidence", "Entity"),
    "ABOUT": ("Evidence", "Entity"),
    "SUBJECT": ("Triple", "Entity"),
    "OBJECT": ("Triple", "Entity"),
    "LISTS": ("Evidence", "Reference"),
    "CITES": ("Evidence", "Reference"),
    "SIMILAR": ("Evidence", "Evidence"),
    "MERGED_INTO": ("Entity", "Entity"),
}


def convert(source: Path, target: Path) -> None:
    """Write the folder ``source`` as CSV files and the file of arguments into ``target``."""
    arguments = ["--multiline-fields=true", "--array-delimiter=U+001F"]
    for nodes in list_node_tables(source):
        _write_nodes(nodes, target)
        arguments.append(f"--nodes={nodes.kind.file}-header.csv,{nodes.kind.file}.csv")
    for relationships in list_relationship_tables(source):
        _write_relationships(relationships, target)
        type = relationships.kind.type
        arguments.append(f"--relationships={type}={type}-header.csv,{type}.csv")
    (target / ARGUMENTS).write_text("\n".join(arguments) + "\n", encoding="utf-8")


def _write_nodes(table: NodeTable, target: Path) -> None:
    columns = [column for column in table.columns if column.name != "id"]
    header = [f"id:ID({_ID_SPACES[table.kind]})", *map(_format_column, columns)]
    header += [*(f"{name}:float[]" for name in table.vectors), ":LABEL"]
    _write_header(target / f"{table.kind.file}-header.csv", header)
    with (target / f"{table.kind.file}.csv").open("w", encoding="utf-8", newline="\n") as file:
        for row in table.read():
            labels = [*table.kind.labels, *row.get("labels", ())]
            values = [row["id"], *(row.get(column.name) for column in columns)]
            file.write(_format_row([*values, *(row.get(name) for name in table.vectors), labels]))


def _write_relationships(table: RelationshipTable, target: Path) -> None:
    type = table.kind.type
    start, end = _ENDS[type]
    header = [f":START_ID({start})", f":END_ID({end})", *map(_format_column, table.columns)]
    _write_header(target / f"{type}-header.csv", header)
    with (target / f"{type}.csv").open("w", encoding="utf-8", newline="\n") as file:
        for row in table.read():
            properties: Mapping[str, Any] = row["properties"]
            values = (properties.get(column.name) for column in table.columns)
            file.write(_format_row([row["source"], row["target"], *values]))


def _write_header(path: Path, columns: Iterable[str]) -> None:
    path.write_text(",".join(columns) + "\n", encoding="utf-8")


def _format_column(column: PropertyColumn) -> str:
    return f"{column.name}:{TYPE_NAMES[column.type]}{'[]' if column.is_list else ''}"


def _format_row(values: Iterable[Any]) -> str:
    return ",".join(_format_field(value) for value in values) + "\n"


def _format_field(value: Any) -> str:
    if value is None:
        return ""
    text = LIST_DELIMITER.join(map(_format_value, value)) if isinstance(value, list) else _format_value(value)
    return '"' + text.replace('"', '""') + '"'


def _format_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
