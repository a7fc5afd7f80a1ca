"""Corrections of documents that are parsed again: each is made in the row of the text that it belongs to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hopline.corrections.corrected_passage import PASSAGE_PROPERTIES, correct_passage_text
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

    A correction belongs to the passage with the same original text, or to one whose boxes overlap its own and whose
    text is similar. One that belongs to no passage, or whose words are not there, stays as it is: it no longer applies.
    """
    passages: dict[str, list[Row]] = {}
    for row in rows.passages if corrections else ():
        passages.setdefault(row["properties"]["document"], []).append(row)
    for correction, row in _assign(corrections, passages):
        written = _correct(correction, row)
        if written is not None:
            rows.corrections.append(written)


def _assign(
    corrections: Sequence[Mapping[str, Any]], passages: Mapping[str, Sequence[Row]]
) -> Iterator[tuple[Mapping[str, Any], Row]]:
    """Assign corrections to passages, the most similar texts first; each has at most one of the other."""
    pairs = [
        (score, number, position)
        for number, correction in enumerate(corrections)
        for position, row in enumerate(passages.get(correction["document"], ()))
        if (score := _rate(correction, row)) >= MIN_SIMILARITY
    ]
    assigned: set[tuple[str, int]] = set()
    done: set[int] = set()
    for _, number, position in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        correction = corrections[number]
        passage = (correction["document"], position)
        if number not in done and passage not in assigned:
            done.add(number)
            assigned.add(passage)
            yield correction, passages[correction["document"]][position]


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
    properties = row["properties"]
    text = merge_edits(correction["original"], correction["corrected"], properties["text"])
    if text is None:
        return None
    saved = {name: properties[name] for name in PASSAGE_PROPERTIES if name != "search"} | {"search": row["search"]}
    corrected = correct_passage_text(saved, text)
    row["search"] = corrected.pop("search")
    row["properties"] = {**properties, **corrected, "corrected_at": correction["at"]}
    changed = {
        "original": properties["text"],
        "corrected": text,
        "saved": json.dumps(saved, ensure_ascii=False, sort_keys=True),
        "pages": properties["pages"],
        "boxes": properties["boxes"],
    }
    return {"id": correction["id"], "evidence": row["id"], "version": row["version"], "properties": changed}
