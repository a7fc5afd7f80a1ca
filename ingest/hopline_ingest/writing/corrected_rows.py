"""Corrections of documents that are parsed again: each is made in the row of the text that it belongs to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hopline.corrections.corrected_passage import PASSAGE_PROPERTIES, correct_passage_text
from hopline.corrections.corrected_table import (
    TABLE_PROPERTIES,
    TableCorrection,
    correct_table_content,
    merge_table,
    read_table,
)
from hopline.corrections.text_edits import MIN_SIMILARITY, compute_similarity, merge_edits
from hopline.flow.columns import to_rows
from hopline.store.graph import Store
from hopline_ingest.writing.document_rows import DocumentRows, Row


def apply_corrections(store: Store, rows: DocumentRows) -> None:
    """Apply the stored corrections of documents to their rows.

    The documents wait for parsing, so that no correction of them is made or undone meanwhile.
    """
    columns = store.read("ingest/corrections", {"documents": [document["id"] for document in rows.documents]})
    correct_rows(rows, to_rows(columns))


def correct_rows(rows: DocumentRows, corrections: Sequence[Mapping[str, Any]]) -> None:
    """Apply corrections, the newest first, to the rows of their documents.

    A correction belongs to the passage or table with the same original text, or to one whose boxes overlap its own and
    whose text is similar. One that belongs to none, or whose words are not there, stays as it is: it no longer applies.
    """
    for kind, evidence in (("passage", rows.passages), ("table", rows.tables)):
        chosen = [correction for correction in corrections if correction["kind"] == kind]
        for correction, row in _assign(chosen, evidence if chosen else ()):
            written = _correct(correction, row)
            if written is not None:
                rows.corrections.append(written)


def _assign(corrections: Sequence[Mapping[str, Any]], rows: Sequence[Row]) -> Iterator[tuple[Mapping[str, Any], Row]]:
    """Assign corrections to rows, the most similar texts first; each has at most one of the other."""
    pairs = [
        (score, number, position)
        for number, correction in enumerate(corrections)
        for position, row in enumerate(rows)
        if row["properties"]["document"] == correction["document"]
        and (score := _rate(correction, row)) >= MIN_SIMILARITY
    ]
    assigned: set[int] = set()
    done: set[int] = set()
    for _, number, position in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if number not in done and position not in assigned:
            done.add(number)
            assigned.add(position)
            yield corrections[number], rows[position]


def _rate(correction: Mapping[str, Any], row: Row) -> float:
    """Rate how surely a correction belongs to a row: 3 if it did so far, 2 for an equal text, else its similarity.

    0: it is at another place, or of another text.
    """
    properties = row["properties"]
    is_equal = properties["text"] == correction["original"]
    if row["id"] == correction["evidence"] and is_equal:
        return 3.0
    if not _overlaps(correction, properties):
        return 0.0
    return 2.0 if is_equal else compute_similarity(correction["original"], properties["text"])


def _overlaps(correction: Mapping[str, Any], properties: Mapping[str, Any]) -> bool:
    """Whether a box of the correction and one of the row overlap; without boxes, whether both are on one page."""
    boxes, others = (_split_boxes(item["boxes"] or ()) for item in (correction, properties))
    if not boxes or not others:
        return bool({*(correction["pages"] or ())} & {*properties["pages"]})
    return any(
        page == other and x0 < right and left < x1 and y0 < bottom and top < y1
        for page, x0, y0, x1, y1 in boxes
        for other, left, top, right, bottom in others
    )


def _split_boxes(flat: Sequence[float]) -> list[Sequence[float]]:
    return [flat[start : start + 5] for start in range(0, len(flat), 5)]


def _correct(correction: Mapping[str, Any], row: Row) -> Row | None:
    """Correct a row and return the row that links the correction with it; None if the words are not there."""
    names = TABLE_PROPERTIES if correction["kind"] == "table" else PASSAGE_PROPERTIES
    properties = row["properties"]
    saved = {name: properties[name] for name in names if name != "search"} | {"search": row["search"]}
    merged = _merge_table(correction, saved) if correction["kind"] == "table" else _merge_passage(correction, saved)
    if merged is None:
        return None
    corrected, table = merged
    row["search"] = corrected["search"]
    changed = {name: value for name, value in corrected.items() if name != "search"}
    row["properties"] = {**properties, **changed, "corrected_at": correction["at"]}
    stored = {
        "original": saved["text"],
        "corrected": corrected["text"],
        "table": table,
        "saved": json.dumps(saved, ensure_ascii=False, sort_keys=True),
        "pages": properties["pages"],
        "boxes": properties["boxes"],
    }
    return {"id": correction["id"], "evidence": row["id"], "version": row["version"], "properties": stored}


def _merge_passage(correction: Mapping[str, Any], saved: Row) -> tuple[Row, str] | None:
    text = merge_edits(correction["original"], correction["corrected"], saved["text"])
    return None if text is None else (correct_passage_text(saved, text), "")


def _merge_table(correction: Mapping[str, Any], saved: Row) -> tuple[Row, str] | None:
    original = read_table(json.loads(correction["saved"]))
    table = merge_table(original, TableCorrection.from_json(correction["table"]), read_table(saved))
    return None if table is None else (correct_table_content(saved, table), table.to_json())
