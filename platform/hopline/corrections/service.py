"""``hop.corrections``: correct what was read from documents, list the corrections, and undo them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from hopline.corrections.corrected_passage import PASSAGE_PROPERTIES, correct_passage_text
from hopline.corrections.corrected_table import TABLE_PROPERTIES, TableCorrection, correct_table_content, read_table
from hopline.corrections.rejected_triple import build_end_rows, build_rejection, build_triple_row
from hopline.entities.resolution import ENTITY_ADVICE
from hopline.entities.types import describe_type, list_kinds
from hopline.errors import UnknownName, UsageError
from hopline.flow.columns import to_rows
from hopline.ids import stable_id
from hopline.records import Box, Correction
from hopline.store.entity_update import update_entities
from hopline.text_encoding import FOLDED_LETTERS, clean_name, normalize_text

if TYPE_CHECKING:
    from hopline.store.collection_catalog import CollectionCatalog
    from hopline.store.graph import Store

MAX_TEXT: Final = 20_000  # characters of a corrected text
MAX_AUTHOR: Final = 200
MAX_NAME: Final = 200  # of an entity
EVIDENCE_ADVICE: Final = "pass the id of a passage or table, as `Evidence.id` and `hop.graph.find` have it"
TRIPLE_ADVICE: Final = "pass the id of a triple, as `Triple.id` has it: `hop.graph.get_node(entity).triples`"
CORRECTION_ADVICE: Final = "pass the id of a correction, as `hop.corrections.list` returns it"


class CorrectionService:
    """Corrects passages, tables and entities, leaves out wrong triples, lists corrections, and undoes them.

    A correction is stored beside the evidence, which has the corrected text from then on: it is searched and cited at
    once, and the worker extracts and embeds it. When the document is parsed again, the correction is applied again if
    there is a similar text at its place; else it is listed as one that no longer applies.
    """

    def __init__(self, store: Store, collections: CollectionCatalog, start_worker: Callable[[], object]) -> None:
        """``start_worker`` is called when a corrected text waits for the worker."""
        self._store = store
        self._collections = collections
        self._start_worker = start_worker

    def list(self, collection: str = "default", *, document: str | None = None) -> tuple[Correction, ...]:
        """Return the corrections of a collection, or of one document by its name or id, newest first.

        Raises:
            UnknownName: no such collection or document.
        """
        scope = self._collections.resolve_scope(collection, [document] if document is not None else [])
        parameters = {"collection": scope.collection, "documents": [*scope.documents]}
        return tuple(map(_build_correction, to_rows(self._store.read("corrections/list", parameters))))

    def correct_passage(self, evidence: str, text: str, *, author: str = "") -> Correction:
        """Replace the text of a passage, by its id; a later correction of it replaces this one.

        `undo` restores what was read from the document. ``author`` is the name that is shown with the correction.

        Raises:
            UnknownName: no passage has this id.
            UsageError: the text is empty, is the one that the passage has, or is what was read from the document; or
                the document is being parsed.
        """
        row = self._read_evidence(evidence, "passage")
        text, author = check_text(text), check_author(author)
        saved = _read_saved(row, PASSAGE_PROPERTIES)
        _check_change(text, row["text"], saved["text"], row)
        return self._write(row, saved, correct_passage_text(saved, text), author)

    def correct_table(
        self,
        evidence: str,
        *,
        cells: Sequence[Sequence[str]] | None = None,
        header_rows: int | None = None,
        caption: str | None = None,
        author: str = "",
    ) -> Correction:
        """Replace the cells, the number of header rows or the caption of a table, by its id; None: as it is.

        ``cells`` are the texts of all rows, as `Evidence.cells` has them: as many rows and columns as the table has.
        The structure of rows and columns is inferred again. A later correction of the table replaces this one, with
        what this one has changed. `undo` restores what was read from the document.

        Raises:
            UnknownName: no table has this id.
            UsageError: the cells are not as many, are no texts, or nothing is changed; the number of header rows is not
                between 0 and that of the rows; or the document is being parsed.
        """
        row = self._read_evidence(evidence, "table")
        before, author = read_table(row), check_author(author)
        table = TableCorrection(
            before.cells if cells is None else check_cells(cells, before.cells),
            before.header_rows if header_rows is None else check_header_rows(header_rows, len(before.cells)),
            before.caption if caption is None else check_caption(caption),
        )
        saved = _read_saved(row, TABLE_PROPERTIES)
        _check_change(table, before, read_table(saved), row)
        return self._write(row, saved, correct_table_content(saved, table), author, table.to_json())

    def correct_entity(
        self, entity: str, *, name: str | None = None, type: str | None = None, author: str = ""
    ) -> Correction:
        """Replace the name or the type of an entity, by its id, in every document; None: as it is.

        ``type`` is one of `hopline.entities.types.ENTITY_TYPES`. The name that was read remains an alias. The
        correction stays when documents are added or processed again; a later one replaces it. `undo` restores both as
        they were read.

        Raises:
            UnknownName: no entity that was not merged has this id, or no such type.
            UsageError: nothing is changed, or the name is empty or too long.
        """
        rows = to_rows(self._store.read("corrections/entity", {"id": entity}))
        if not rows:
            raise UnknownName("entity", entity, advice=ENTITY_ADVICE)
        [row] = rows
        author = check_author(author)
        new_name = row["name"] if name is None else check_name(name)
        kind = row["kind"] if type is None or describe_type(row["kind"]) == type else list_kinds([type])[0]
        saved = json.loads(row["saved"]) if row["saved"] else {"name": row["name"], "kind": row["kind"]}
        current, original = (row["name"], row["kind"]), (saved["name"], saved["kind"])
        _check_change((new_name, kind), current, original, row | {"kind": "entity"})
        at = time.time_ns() // 1_000_000
        stored = {
            "id": row["correction"] or stable_id("correction", entity, at),
            "collection": row["collection"],
            "entity": entity,
            "kind": "entity",
            "pages": [],
            "boxes": [],
            "original": _describe_entity(saved["name"], saved["kind"]),
            "corrected": _describe_entity(new_name, kind),
            "saved": json.dumps(saved, ensure_ascii=False, sort_keys=True),
            "name": new_name if new_name != saved["name"] else None,
            "entity_kind": kind if kind != saved["kind"] else None,
            "author": author,
            "at": at,
        }
        if not self._store.write(("corrections/correct_entity", {"entity": entity, "correction": stored}))[0]["id"]:
            raise UnknownName("entity", entity, advice=ENTITY_ADVICE)  # it was merged or removed meanwhile
        self._update_entity(entity)
        return _build_correction(stored | {"evidence": "", "document": "", "document_id": ""})

    def reject_triple(self, triple: str, *, author: str = "") -> Correction:
        """Leave out a triple that is wrong, by its id: no strategy, evidence path or view uses it any more.

        It belongs to its document, passage, subject, predicate and object, so that it stays left out when the document
        is parsed and extracted again. `undo` restores it.

        Raises:
            UnknownName: there is no triple with this id.
            UsageError: the document is being parsed.
        """
        author = check_author(author)
        rows = to_rows(self._store.read("corrections/triple", {"id": triple}))
        if not rows:
            raise UnknownName("triple", triple, advice=TRIPLE_ADVICE)
        [row] = rows
        stored = {**build_rejection(row), "author": author, "at": time.time_ns() // 1_000_000}
        if not self._store.write(("corrections/reject_triple", {"triple": triple, "correction": stored}))[0]["id"]:
            raise UsageError("the document is being parsed again; look at the statement when it is done")
        update_entities(self._store)
        self._start_worker()
        return _build_correction(stored | {"entity": "", "document": row["name"], "document_id": row["document"]})

    def undo(self, correction: str) -> None:
        """Undo a correction, by its id: what it applies to is again as it was read from the document.

        Raises:
            UnknownName: no such correction.
            UsageError: the document is being parsed, or the corrected entity was merged into another since.
        """
        rows = to_rows(self._store.read("corrections/correction", {"id": correction}))
        if not rows:
            raise UnknownName("correction", correction, advice=CORRECTION_ADVICE)
        if rows[0]["entity"]:
            self._undo_entity(correction, rows[0]["entity"])
            return
        if rows[0]["kind"] == "triple":
            self._undo_triple(correction)
            return
        saved = rows[0]["saved"]
        properties = {**json.loads(saved), "corrected_at": None}
        parameters = {"id": correction, "saved": saved, "properties": properties}
        if not self._store.write(("corrections/undo", parameters))[0]["id"]:
            raise UsageError("the document is being parsed again; undo the correction when it is done")
        self._process_again(rows[0]["evidence"])

    def _undo_entity(self, correction: str, entity: str) -> None:
        if not self._store.write(("corrections/undo_entity", {"id": correction}))[0]["id"]:
            raise UsageError("the entity was merged into another since; undo the merge first")
        self._update_entity(entity)

    def _undo_triple(self, correction: str) -> None:
        """Write a triple again that a correction leaves out; the worker embeds it.

        Raises:
            UsageError: the document is being parsed.
        """
        [row] = to_rows(self._store.read("corrections/rejected_triple", {"id": correction}))
        done, *_ = self._store.write(
            ("corrections/undo_triple", {"id": correction}),
            ("ingest/write_entities", {"entities": build_end_rows(row)}),
            ("ingest/write_triples", {"triples": [build_triple_row(row)]}),
            ("entities/redirect_edges", {"collection": row["collection"]}),
        )
        update_entities(self._store)
        if not done["id"]:
            raise UsageError("the document is being parsed again; undo the correction when it is done")
        self._start_worker()

    def _update_entity(self, entity: str) -> None:
        """Compute name, type and aliases of an entity again, and start the worker, which embeds another name."""
        update_entities(self._store)
        self._store.write(("entities/update_names", {"ids": [entity], "letters": FOLDED_LETTERS}))
        self._start_worker()

    def _read_evidence(self, id: str, kind: str) -> dict[str, Any]:
        """Return the properties of evidence of a kind that its correction needs.

        Raises:
            UnknownName: no evidence has this id.
            UsageError: it is of another kind.
        """
        rows = to_rows(self._store.read("corrections/evidence", {"id": id}))
        if not rows:
            raise UnknownName(kind, id, advice=EVIDENCE_ADVICE)
        if rows[0]["kind"] != kind:
            raise UsageError(f"this corrects a {kind}; {id!r} is a {rows[0]['kind']}")
        return rows[0]

    def _write(
        self,
        row: Mapping[str, Any],
        saved: Mapping[str, Any],
        properties: Mapping[str, Any],
        author: str,
        table: str = "",
    ) -> Correction:
        """Store a correction and apply it.

        Raises:
            UsageError: the evidence has changed meanwhile, or its document is being parsed.
        """
        at = time.time_ns() // 1_000_000
        stored = {
            "id": row["correction"] or stable_id("correction", row["id"], at),
            "collection": row["collection"],
            "document": row["document"],
            "kind": row["kind"],
            "pages": row["pages"],
            "boxes": row["boxes"],
            "original": saved["text"],
            "corrected": properties["text"],
            "table": table,
            "saved": json.dumps(saved, ensure_ascii=False, sort_keys=True),
            "author": author,
            "at": at,
        }
        changed = {**properties, "corrected_at": at}
        parameters = {"evidence": row["id"], "search": row["search"], "correction": stored, "properties": changed}
        if not self._store.write(("corrections/correct_evidence", parameters))[0]["id"]:
            raise UsageError("the document is being parsed again, or was corrected meanwhile; look at it and try again")
        self._process_again(row["id"])
        return _build_correction(
            stored | {"evidence": row["id"], "entity": "", "document": row["name"], "document_id": row["document"]}
        )

    def _process_again(self, evidence: str) -> None:
        """Drop what was extracted from the earlier text of evidence, which has other spans, and start the worker."""
        self._store.write(("ingest/drop_extraction", {"ids": [evidence] if evidence else []}))
        self._start_worker()


def check_text(text: object) -> str:
    """Return a corrected text without the whitespace at its ends, in the normal form of all texts.

    Raises:
        UsageError: it is no text, is empty, or is too long.
    """
    if not isinstance(text, str):
        raise UsageError(f"a corrected text is a text; got {text!r:.80}, of type {type(text).__name__}")
    text = normalize_text(text.replace("\r\n", "\n")).strip()
    if not text:
        raise UsageError("a corrected text must not be empty; write what the document has at this place")
    if len(text) > MAX_TEXT:
        raise UsageError(f"a corrected text has at most {MAX_TEXT:,} characters (got {len(text):,})")
    return text


def check_name(name: object) -> str:
    """Return a corrected name as one line.

    Raises:
        UsageError: it is no text, is empty, or is too long.
    """
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
        raise UsageError(f"the name of an entity has from 1 to {MAX_NAME} characters (got {name!r:.80})")
    return " ".join(clean_name(normalize_text(name)).split())


def check_cells(cells: object, before: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return corrected cells in the normal form of all texts.

    Raises:
        UsageError: they are not as many rows of as many texts as the table has.
    """
    rows = cells if isinstance(cells, list | tuple) else ()
    shapes = [len(row) if isinstance(row, list | tuple) else -1 for row in rows]
    if shapes != [*map(len, before)]:
        raise UsageError(f"the table has {len(before)} rows with {[*map(len, before)]} cells; got {shapes}")
    if not all(isinstance(cell, str) for row in rows for cell in row):
        raise UsageError("every cell of a table is a text; an empty one is ''")
    return tuple(tuple(normalize_text(cell.replace("\r\n", "\n")) for cell in row) for row in rows)


def check_header_rows(count: object, rows: int) -> int:
    """Return the number of header rows.

    Raises:
        UsageError: it is no whole number from 0 to that of the rows.
    """
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= rows:
        raise UsageError(f"the number of header rows is a whole number from 0 to {rows} (got {count!r:.80})")
    return count


def check_caption(caption: object) -> str:
    """Return a corrected caption; it may be empty.

    Raises:
        UsageError: it is no text, or is too long.
    """
    if not isinstance(caption, str) or len(caption) > MAX_TEXT:
        raise UsageError(f"a caption is a text of at most {MAX_TEXT:,} characters (got {caption!r:.80})")
    return normalize_text(caption.replace("\r\n", "\n")).strip()


def check_author(author: object) -> str:
    """Return the name of an author as one line.

    Raises:
        UsageError: it is no text, or is too long.
    """
    if not isinstance(author, str) or len(author) > MAX_AUTHOR:
        raise UsageError(f"an author is a name of at most {MAX_AUTHOR} characters (got {author!r:.80})")
    return clean_name(author).strip()


def _read_saved(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the properties of evidence as it was read from the document."""
    saved: dict[str, Any] = json.loads(row["saved"]) if row["saved"] else {name: row[name] for name in names}
    return saved


def _check_change(corrected: object, current: object, original: object, row: Mapping[str, Any]) -> None:
    """Check that a correction changes something.

    Raises:
        UsageError: it does not.
    """
    if corrected == current:
        raise UsageError(f"the correction changes nothing: the {row['kind']} has this content already")
    if corrected == original:
        raise UsageError(f"this is what was read at first; undo the correction {row['correction']} instead")


def _describe_entity(name: str, kind: str) -> str:
    type = describe_type(kind)
    return f"{name} ({type})" if type else name


def _build_correction(row: Mapping[str, Any]) -> Correction:
    flat = row["boxes"] or ()
    boxes = tuple(Box(int(flat[n]), *flat[n + 1 : n + 5]) for n in range(0, len(flat), 5))
    names = ("id", "kind", "evidence", "entity", "original", "corrected", "document", "document_id", "author")
    return Correction(
        **{name: row[name] for name in names}, pages=tuple(row["pages"] or ()), boxes=boxes, at=row["at"] / 1000.0
    )
