"""Conversion of parsed documents into the rows that the Cypher statements write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from itertools import pairwise
from typing import Any

from hopline.bibliography import convert_to_metadata, encode_bibliography, select_entries
from hopline.ids import page_id, text_ids
from hopline.metadata.values import encode_metadata
from hopline.records import Box
from hopline.store.lucene import add_folded_words
from hopline.tables.grid import join_cells
from hopline.text_encoding import clean_text
from hopline_ingest.formats.parsed_document import PageFigure, PageTable, ParsedDocument, ParsedPassage

Row = dict[str, Any]


@dataclass(slots=True)
class DocumentRows:
    """Rows of one or more documents, one list per statement."""

    documents: list[Row] = field(default_factory=list)
    pages: list[Row] = field(default_factory=list)
    passages: list[Row] = field(default_factory=list)
    tables: list[Row] = field(default_factory=list)
    figures: list[Row] = field(default_factory=list)
    order: list[Row] = field(default_factory=list)
    corrections: list[Row] = field(default_factory=list)

    def add(self, document: str, parsed: ParsedDocument, *, collection: str, version: str) -> None:
        """Add a parsed document; characters that cannot be encoded and control characters are replaced."""
        parsed = _clean_texts(parsed)
        scope = {"document": document, "collection": collection}
        pages = {page.number: page_id(document, page.number) for page in parsed.pages}
        self.pages += [
            {"id": pages[p.number], "document": document, "version": version, **asdict(p)} for p in parsed.pages
        ]
        labels = {page.number: page.label for page in parsed.pages}
        ids = text_ids("passage", document, (p.text for p in parsed.passages))
        for ordinal, (id, passage) in enumerate(zip(ids, parsed.passages, strict=True)):
            properties = scope | _passage_properties(passage, ordinal) | _label_pages(passage.pages, labels)
            search = build_search_text(passage.title or parsed.title, passage.section, "", passage.text)
            self.passages.append(_evidence_row(id, [pages[n] for n in passage.pages], search, version, properties))
        self.order += [{"first": a, "second": b} for a, b in pairwise(ids)]
        ids = text_ids("table", document, (table.text for table in parsed.tables))
        for ordinal, (id, table) in enumerate(zip(ids, parsed.tables, strict=True)):
            search = build_search_text(parsed.title, table.section, table.caption, join_cells(table.cells))
            properties = scope | _table_properties(table, ordinal) | _label_pages((table.page,), labels)
            self.tables.append(_evidence_row(id, [pages[table.page]], search, version, properties))
        ids = text_ids("figure", document, (figure.text for figure in parsed.figures))
        for ordinal, (id, figure) in enumerate(zip(ids, parsed.figures, strict=True)):
            search = build_search_text(parsed.title, figure.section, "", figure.text)
            properties = scope | _figure_properties(figure, ordinal) | _label_pages((figure.page,), labels)
            self.figures.append(_evidence_row(id, [pages[figure.page]], search, version, properties))
        self.documents.append(_document_row(document, parsed, version))


def _clean_texts(value: Any) -> Any:
    """Clean every text of a document or of a part of it; the length, and so every span, is unchanged."""
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field_.name: _clean_texts(getattr(value, field_.name)) for field_ in fields(value)})
    if isinstance(value, tuple):
        return tuple(map(_clean_texts, value))
    return clean_text(value) if isinstance(value, str) else value


def build_search_text(title: str, section: Sequence[str], caption: str, text: str) -> str:
    """Return the text of an evidence that is indexed for full-text search; it is embedded without its folded words."""
    return add_folded_words("\n".join(part for part in (title, " › ".join(section), caption, text) if part))


def _label_pages(pages: Sequence[int], labels: Mapping[int, str]) -> Row:
    """Return the labels of pages as a property; an empty list if none has one, which replaces earlier ones."""
    shown = [labels.get(number, "") for number in pages]
    return {"page_labels": shown if any(shown) else []}


def _document_row(id: str, parsed: ParsedDocument, version: str) -> Row:
    labels = [page.label for page in parsed.pages]
    return {
        "id": id,
        "title": parsed.title,
        "pages": len(parsed.pages),
        "passages": len(parsed.passages),
        "tables": len(parsed.tables),
        "figures": len(parsed.figures),
        "warnings": list(parsed.warnings),
        "left_out": list(parsed.left_out),
        "version": version,
        "page_labels": labels if any(labels) else [],
        "metadata": encode_metadata(dict(parsed.metadata)),
        "stated": encode_metadata(convert_to_metadata(parsed.bibliography)),
        "bibliography": encode_bibliography(parsed.bibliography),
        "authors": [entry.value for entry in select_entries(parsed.bibliography, "authors")],
    }


def _evidence_row(id: str, pages: list[str], search: str, version: str, properties: Row) -> Row:
    return {"id": id, "pages": pages, "search": search, "version": version, "properties": properties}


def _passage_properties(passage: ParsedPassage, ordinal: int) -> Row:
    facts = {}
    if passage.facts is not None:
        facts = {"given": json.dumps(asdict(passage.facts), ensure_ascii=False)}
    return facts | {
        "ordinal": ordinal,
        "text": passage.text,
        "section": list(passage.section),
        "pages": list(passage.pages),
        "boxes": _flatten_boxes(passage.boxes),
        "lines": _flatten_spans(passage.lines),
        "sentences": _flatten_spans(passage.sentences),
        "source_id": passage.source_id,
    }


def _table_properties(table: PageTable, ordinal: int) -> Row:
    return {
        "ordinal": ordinal,
        "page": table.page,
        "pages": [table.page],
        "caption": table.caption,
        "number": table.number,
        "cells": json.dumps(table.cells, ensure_ascii=False),
        "structure": json.dumps(table.structure.to_dict(), ensure_ascii=False),
        "markdown": table.markdown,
        "text": table.text,
        "section": list(table.section),
        "boxes": _flatten_boxes(table.boxes),
        "lines": _flatten_spans(table.lines),
        "sentences": [],
        "source_id": "",
    }


def _figure_properties(figure: PageFigure, ordinal: int) -> Row:
    return {
        "ordinal": ordinal,
        "pages": [figure.page],
        "caption": figure.caption,
        "number": figure.number,
        "text": figure.text,
        "section": list(figure.section),
        "boxes": _flatten_boxes(figure.boxes),
        "lines": [],
        "sentences": _flatten_spans(figure.sentences),
        "source_id": "",
    }


def _flatten_spans(spans: Iterable[tuple[int, int]]) -> list[int]:
    return [end for span in spans for end in span]


def _flatten_boxes(boxes: Iterable[Box]) -> list[float]:
    return [value for box in boxes for value in (float(box.page), box.x0, box.y0, box.x1, box.y1)]
