"""Writing of parsed documents: in one transaction or, where a document is too large for one, in several.

In one transaction a new version replaces the old one at once. A large document is written in parts: until the last part
is written, passages of both versions are found. Each part checks that the document still waits for these bytes, so that
a version that is added meanwhile is parsed next, and a document that is removed stays removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hopline.errors import ResourceError
from hopline.store.graph import Store, Write
from hopline_ingest.batch_bisection import process_with_bisection
from hopline_ingest.writing.corrected_rows import apply_corrections
from hopline_ingest.writing.document_rows import DocumentRows, Row

MAX_ROWS: Final = 5000  # pages, passages, tables and figures in one transaction
MAX_CHARACTERS: Final = 16_000_000  # of their texts
PART_ROWS: Final = 500  # of a document that is written in parts, per transaction
PART_CHARACTERS: Final = 1_000_000
_NO_LIMIT: Final = 2**31


def write_documents(store: Store, claim: Sequence[Write], rows: DocumentRows) -> None:
    """Write documents that ``claim`` claims, in one transaction; a document that is too large for one, in parts.

    Their corrections are applied again (`hopline_ingest.writing.corrected_rows`).
    Rows of a large document that cannot be written alone are left out, and a warning of the document counts them.

    Raises:
        ResourceError: several documents are too large for one transaction; they are to be written one by one.
    """
    apply_corrections(store, rows)
    evidence = [*rows.passages, *rows.tables, *rows.figures]
    fits = len(rows.pages) + len(evidence) <= MAX_ROWS and sum(map(_count_characters, evidence)) <= MAX_CHARACTERS
    if fits:
        try:
            store.write(*claim, *_build_writes(rows))
        except ResourceError:
            if len(rows.documents) > 1:
                raise
        else:
            return
    elif len(rows.documents) > 1:
        raise ResourceError(f"{len(rows.documents)} documents are too large for one transaction")
    _LargeDocument(store, claim, rows).write()


def _build_writes(rows: DocumentRows) -> list[Write]:
    """Build the writes that replace the content of documents claimed earlier in the same transaction."""
    documents = {"documents": rows.documents}
    return [
        ("ingest/drop_order", {**documents, "limit": _NO_LIMIT}),
        ("ingest/write_pages", {"pages": rows.pages}),
        ("ingest/write_passages", {"passages": rows.passages}),
        ("ingest/write_tables", {"tables": rows.tables}),
        ("ingest/write_figures", {"figures": rows.figures}),
        ("ingest/write_passage_order", {"pairs": rows.order}),
        ("ingest/write_corrections", {"corrections": rows.corrections}),
        ("ingest/drop_stale_evidence", {**documents, "limit": _NO_LIMIT}),
        ("ingest/drop_stale_pages", documents),
        ("ingest/finish_documents", documents),
    ]


class _LargeDocument:
    """Writes one document in parts."""

    def __init__(self, store: Store, claim: Sequence[Write], rows: DocumentRows) -> None:
        [self._document] = rows.documents
        self._store = store
        self._rows = rows
        self._documents = {"documents": [self._document]}
        self._claim = [("ingest/release_documents", self._documents), *claim]

    def write(self) -> None:
        rows = self._rows
        self._repeat("ingest/drop_order")
        self._write_parts("ingest/write_pages", "pages", rows.pages)
        passages = self._write_parts("ingest/write_passages", "passages", rows.passages)
        tables = self._write_parts("ingest/write_tables", "tables", rows.tables)
        figures = self._write_parts("ingest/write_figures", "figures", rows.figures)
        self._write_parts("ingest/write_passage_order", "pairs", rows.order)
        self._repeat("ingest/drop_stale_evidence")
        finished = {"documents": [_leave_out(self._document, passages, tables, figures)]}
        self._store.write(
            *self._claim,
            ("ingest/write_corrections", {"corrections": rows.corrections}),
            ("ingest/drop_stale_pages", self._documents),
            ("ingest/finish_documents", finished),
        )

    def _repeat(self, statement: str) -> None:
        self._store.write_until_done(statement, self._documents, limit=PART_ROWS, column="dropped", before=self._claim)

    def _write_parts(self, statement: str, parameter: str, rows: Sequence[Row]) -> list[str]:
        """Write rows; return the reason of each that cannot be written."""
        reasons: list[str] = []
        for part in _split_rows(rows):
            process_with_bisection(
                part,
                lambda batch: self._store.write(*self._claim, (statement, {parameter: list(batch)})),
                lambda _, reason: reasons.append(reason),
            )
        return reasons


def _leave_out(document: Row, passages: Sequence[str], tables: Sequence[str], figures: Sequence[str]) -> Row:
    """Return the row of a document without the evidence that cannot be written, with a warning."""
    reasons = [*passages, *tables, *figures]
    if not reasons:
        return document
    count = f"{len(reasons)} {'passage, table or figure' if len(reasons) == 1 else 'passages, tables and figures'}"
    return {
        **document,
        "passages": document["passages"] - len(passages),
        "tables": document["tables"] - len(tables),
        "figures": document["figures"] - len(figures),
        "warnings": [*document["warnings"], f"{count} could not be stored: {reasons[0]}"],
    }


def _split_rows(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Split rows into parts of limited numbers of rows and characters; a part has one row at least."""
    part: list[Row] = []
    characters = 0
    for row in rows:
        size = _count_characters(row)
        if part and (len(part) == PART_ROWS or characters + size > PART_CHARACTERS):
            yield part
            part, characters = [], 0
        part.append(row)
        characters += size
    if part:
        yield part


def _count_characters(row: Row) -> int:
    """Count the characters and the elements of lists in a row of evidence; 0 for other rows."""
    values: list[Any] = [row.get("search", ""), *row.get("properties", {}).values()]
    return sum(len(value) for value in values if isinstance(value, str | list))
