"""Parquet files, one for each kind of node and type of relationship; needs PyArrow (``hopline[export]``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from hopline.exchange.rows import PropertyColumn, list_node_tables, list_relationship_tables

ROWS: Final = 1000  # rows that are in memory
_TYPES: Final = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def convert(source: Path, target: Path) -> None:
    """Write the folder ``source`` as Parquet files into ``target``."""
    for nodes in list_node_tables(source):
        fields = [*map(_build_field, nodes.columns), pa.field("labels", pa.list_(pa.string()))]
        fields += [pa.field(name, pa.list_(pa.float32())) for name in nodes.vectors]
        _write(target / f"{nodes.kind.file}.parquet", pa.schema(fields), nodes.read())
    (target / "relationships").mkdir()
    for table in list_relationship_tables(source):
        ends = [pa.field(name, pa.string()) for name in ("source", "target")]
        rows = ({"source": row["source"], "target": row["target"], **row["properties"]} for row in table.read())
        schema = pa.schema([*ends, *map(_build_field, table.columns)])
        _write(target / "relationships" / f"{table.kind.type}.parquet", schema, rows)


def _build_field(column: PropertyColumn) -> pa.Field[Any]:
    kind = _TYPES[column.type]
    return pa.field(column.name, pa.list_(kind) if column.is_list else kind)


def _write(path: Path, schema: pa.Schema, rows: Iterable[Mapping[str, Any]]) -> None:
    iterator = iter(rows)
    with pq.ParquetWriter(path, schema) as writer:
        while part := list(islice(iterator, ROWS)):
            writer.write_table(pa.Table.from_pylist(part, schema=schema))
