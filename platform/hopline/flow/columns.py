"""Results of the graph: named columns of equal length, and their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def to_rows(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Convert columns to rows, each a dict by column name, in order."""
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
