"""A triple that is left out because it is wrong: what its correction stores, and the rows that restore it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hopline.ids import stable_id, triple_id
from hopline.records import UNNAMED_KINDS
from hopline.store.lucene import add_folded_words

STATEMENT_PROPERTIES: Final = ("collection", "document", "evidence", "subject", "predicate", "object", "pages")
TRIPLE_PROPERTIES: Final = (
    *("collection", "document", "evidence", "subject", "predicate", "object"),
    *("text", "search", "start", "end", "confidence"),
)
ENDS: Final = ("subject_id", "subject_name", "object_id", "object_name")

Row = dict[str, Any]


def build_rejection(row: Mapping[str, Any]) -> Row:
    """Return the properties of the correction that leaves out a triple, from a row of ``corrections/triple``."""
    stored = {name: row[name] for name in STATEMENT_PROPERTIES}
    own = {"id": stable_id("correction", row["id"]), "kind": "triple", "original": row["text"], "corrected": ""}
    return {**stored, **own, "boxes": _find_boxes(row)}


def build_triple_row(row: Mapping[str, Any]) -> Row:
    """Return the row of ``ingest/write_triples`` that restores a triple of ``corrections/rejected_triple``."""
    id = triple_id(row["evidence"], row["subject"], row["predicate"], row["object"])
    ends = {name: row[name] for name in ENDS if row[name] is not None}
    properties = {name: row[name] for name in TRIPLE_PROPERTIES}
    return {"id": id, "evidence": row["evidence"], "properties": properties, **ends}


def build_end_rows(row: Mapping[str, Any]) -> list[Row]:
    """Return rows of the subject and the object, where these are entities: they are written if they are gone."""
    rows = [_build_end_row(row, role) for role in ("subject", "object") if row[f"{role}_id"]]
    return sorted(rows, key=lambda end: str(end["id"]))


def _build_end_row(row: Mapping[str, Any], role: str) -> Row:
    name, kind = row[f"{role}_name"] or row[role], row[f"{role}_kind"]
    named = kind not in {*UNNAMED_KINDS, ""}
    known = {"id": row[f"{role}_id"], "collection": row["collection"], "name": name, "kind": kind, "named": named}
    return {**known, "aliases": [], "search": add_folded_words(name)}


def _find_boxes(row: Mapping[str, Any]) -> list[float]:
    """Return the boxes of the sentence of a triple, those of the whole evidence where its lines are not known."""
    boxes = [row["boxes"][n : n + 5] for n in range(0, len(row["boxes"]), 5)]
    lines = [row["lines"][n : n + 2] for n in range(0, len(row["lines"]), 2)]
    if len(lines) == len(boxes):
        pairs = zip(lines, boxes, strict=True)
        boxes = [box for (start, end), box in pairs if start < row["end"] and row["start"] < end]
    return [value for box in boxes for value in box]
