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
EMPTY_LISTS: Final = "empty_lists"  # properties of a node with the label, until `exchange/set_empty_lists` ran
BLANK_LISTS: Final = "blank_lists"
EMPTY_LISTS_LABEL: Final = "EmptyLists"
LIST_DELIMITER: Final = "\u001f"
_ID_SPACES: Final = {
    COLLECTION: "Collection", JSONL_FILES: "Corpus", DOCUMENTS: "Document", PAGES: "Page", PASSAGES: "Evidence",
    TABLES: "Evidence", FIGURES: "Evidence", FEEDBACK: "Feedback",
    ENTITIES: "Entity", MERGED_ENTITIES: "Entity", REJECTED_MERGES: "Refused", TRIPLES: "Triple",
    REFERENCES: "Reference", CORRECTIONS: "Correction", LEARNED: "Learned",
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
    "CORRECTS": ("Correction", "Evidence"),
}


def convert(source: Path, target: Path) -> None:
    """Write the folder ``source`` as CSV files and the file of arguments into ``target``."""
    (target / ARGUMENTS).write_text("\n".join(write_csv_files(source, target)) + "\n", encoding="utf-8")


def write_csv_files(source: Path, target: Path, *, importing: bool = False) -> list[str]:
    """Write the folder ``source`` as CSV files into ``target``; return the arguments of the importer.

    With ``importing``, the collection is hidden like one that is being imported, and a node has the names of the lists
    that the importer leaves out: `EMPTY_LISTS` without elements and `BLANK_LISTS` with one empty text.
    """
    arguments = ["--multiline-fields=true", "--array-delimiter=U+001F"]
    for nodes in list_node_tables(source):
        _write_nodes(nodes, target, importing=importing)
        arguments.append(f"--nodes={nodes.kind.file}-header.csv,{nodes.kind.file}.csv")
    for relationships in list_relationship_tables(source):
        _write_relationships(relationships, target)
        type = relationships.kind.type
        arguments.append(f"--relationships={type}={type}-header.csv,{type}.csv")
    return arguments


def _write_nodes(table: NodeTable, target: Path, *, importing: bool) -> None:
    columns = [column for column in table.columns if column.name != "id"]
    header = [f"id:ID({_ID_SPACES[table.kind]})", *map(_format_column, columns)]
    lists = [column.name for column in columns if column.is_list] if importing else []
    header += [
        *(f"{name}:float[]" for name in table.vectors),
        *([f"{EMPTY_LISTS}:string[]", f"{BLANK_LISTS}:string[]"] if lists else []),
        ":LABEL",
    ]
    _write_header(target / f"{table.kind.file}-header.csv", header)
    with (target / f"{table.kind.file}.csv").open("w", encoding="utf-8", newline="\n") as file:
        for row in table.read():
            labels = [*table.kind.labels, *row.get("labels", ())]
            values = [row["id"], *(row.get(column.name) for column in columns)]
            values += [row.get(name) for name in table.vectors]
            if lists:
                empty = [name for name in lists if row.get(name) == []]
                blank = [name for name in lists if row.get(name) == [""]]
                values += [empty or None, blank or None]
                labels += [EMPTY_LISTS_LABEL] if empty or blank else []
            if importing and table.kind is COLLECTION:
                labels.append("Importing")
            file.write(_format_row([*values, labels]))


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
    if isinstance(value, list) and value and isinstance(value[0], float):  # a vector
        return '"' + LIST_DELIMITER.join(map(repr, value)) + '"'
    text = LIST_DELIMITER.join(map(_format_value, value)) if isinstance(value, list) else _format_value(value)
    return '"' + text.replace('"', '""') + '"'


def _format_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
