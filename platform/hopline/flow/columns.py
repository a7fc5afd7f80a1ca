"""Answers of the graph: named columns of equal length, and their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def rows_of(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """The rows of an answer, each as a dict by column, in order."""
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
