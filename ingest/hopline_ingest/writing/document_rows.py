"""From what was read to the rows that the statements write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from itertools import pairwise
from typing import Any

from hopline.ids import page_id, text_ids
from hopline.surrogates import replace_surrogates
from hopline.types import Box
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPassage, ParsedTable

Row = dict[str, Any]


@dataclass(slots=True)
class Rows:
    """Rows of one or many documents, one list a statement."""

    documents: list[Row] = field(default_factory=list)
    pages: list[Row] = field(default_factory=list)
    passages: list[Row] = field(default_factory=list)
    tables: list[Row] = field(default_factory=list)
    order: list[Row] = field(default_factory=list)

    def add(self, document: str, parsed: ParsedDocument, *, collection: str, version: str) -> None:
        """Add one document that was read; text that cannot be encoded is replaced."""
        parsed = _encodable(parsed)
        place = {"document": document, "collection": collection}
        pages = {page.number: page_id(document, page.number) for page in parsed.pages}
        self.pages += [
            {"id": pages[p.number], "document": document, "version": version, **asdict(p)} for p in parsed.pages
        ]
        ids = text_ids("passage", document, (p.text for p in parsed.passages))
        for ordinal, (id, passage) in enumerate(zip(ids, parsed.passages, strict=True)):
            properties = place | _passage(passage, ordinal)
            search = searched(passage.title or parsed.title, passage.section, "", passage.text)
            self.passages.append(_row(id, [pages[n] for n in passage.pages], search, version, properties))
        self.order += [{"first": a, "second": b} for a, b in pairwise(ids)]
        ids = text_ids("table", document, (_table_text(t) for t in parsed.tables))
        for ordinal, (id, table) in enumerate(zip(ids, parsed.tables, strict=True)):
            search = searched(parsed.title, table.section, table.caption, _cells_text(table))
            self.tables.append(_row(id, [pages[table.page]], search, version, place | _table(table, ordinal)))
        self.documents.append(_document(document, parsed, version))


def _encodable(value: Any) -> Any:
    """A document, or a part of it, with U+FFFD in place of what UTF-8 cannot encode; spans stay where they are."""
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{one.name: _encodable(getattr(value, one.name)) for one in fields(value)})
    if isinstance(value, tuple):
        return tuple(map(_encodable, value))
    return replace_surrogates(value) if isinstance(value, str) else value


def searched(title: str, section: Sequence[str], caption: str, text: str) -> str:
    """What full text and the embedder see of a passage or table."""
    return "\n".join(part for part in (title, " › ".join(section), caption, text) if part)


def _document(id: str, parsed: ParsedDocument, version: str) -> Row:
    return {
        "id": id,
        "title": parsed.title,
        "pages": len(parsed.pages),
        "passages": len(parsed.passages),
        "tables": len(parsed.tables),
        "warnings": list(parsed.warnings),
        "version": version,
    }


def _row(id: str, pages: list[str], search: str, version: str, properties: Row) -> Row:
    return {"id": id, "pages": pages, "search": search, "version": version, "properties": properties}


def _passage(passage: ParsedPassage, ordinal: int) -> Row:
    given = {}
    if passage.given is not None:
        given = {"given": json.dumps(asdict(passage.given), ensure_ascii=False)}
    return given | {
        "ordinal": ordinal,
        "text": passage.text,
        "section": list(passage.section),
        "pages": list(passage.pages),
        "boxes": _flat_boxes(passage.boxes),
        "lines": _flat(passage.lines),
        "sentences": _flat(passage.sentences),
        "source_id": passage.source_id,
    }


def _table(table: ParsedTable, ordinal: int) -> Row:
    return {
        "ordinal": ordinal,
        "page": table.page,
        "pages": [table.page],
        "caption": table.caption,
        "number": table.number,
        "cells": json.dumps(table.cells, ensure_ascii=False),
        "markdown": table.markdown,
        "text": _table_text(table),
        "section": list(table.section),
        "boxes": _flat_boxes(table.boxes),
        "lines": [],
        "sentences": [],
        "source_id": "",
    }


def _table_text(table: ParsedTable) -> str:
    return "\n".join(part for part in (table.caption, table.markdown) if part)


def _cells_text(table: ParsedTable) -> str:
    return "\n".join(" ".join(cell for cell in row if cell) for row in table.cells)


def _flat(spans: Iterable[tuple[int, int]]) -> list[int]:
    return [end for span in spans for end in span]


def _flat_boxes(boxes: Iterable[Box]) -> list[float]:
    return [value for box in boxes for value in (float(box.page), box.x0, box.y0, box.x1, box.y1)]
