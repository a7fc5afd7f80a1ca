"""Conversion of a docling document tree into blocks and tables. Pure."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hopline.types import Box
from hopline_ingest.formats.block import Block, BlockLine
from hopline_ingest.formats.markdown_table import render_table
from hopline_ingest.formats.parsed_document import ParsedPage, ParsedTable
from hopline_ingest.formats.pdf.layout.captions import is_table_caption, table_number
from hopline_ingest.formats.pdf.layout.headings import HeadingStyle, SectionPath
from hopline_ingest.formats.pdf.page_content import Rect
from hopline_ingest.formats.titles import is_plausible_title

Item = Mapping[str, Any]
_EMU = 12_700  # EMU per point, the unit of slides
_TITLE_CHECK_TEXTS = 60  # first texts that a title from the properties is compared with
_SPACE_BEFORE_PUNCTUATION = re.compile(r"\s+([.,;:!?)\]}”’])")
_SKIPPED_LAYERS = {"furniture", "background", "invisible"}
_HEADINGS = {"title", "section_header"}


@dataclass(frozen=True, slots=True)
class DoclingContent:
    """The content of a document in order; ``title`` is its own title, or empty."""

    title: str
    pages: tuple[ParsedPage, ...]
    blocks: tuple[Block, ...]
    tables: tuple[ParsedTable, ...]


def parse_docling_tree(document: Item, *, title: str = "", sure: bool = True) -> DoclingContent:
    """Convert a document in docling's wire format into blocks and tables.

    ``title`` is from the file's properties; unless ``sure``, it is used only if its words occur in the text,
    since editors often store a template's title. Slides have pages with positions in points; other formats
    have one page without positions.
    """
    sizes = {int(number): page["size"] for number, page in document.get("pages", {}).items()}
    pages = tuple(
        ParsedPage(number, size["width"] / _EMU, size["height"] / _EMU) for number, size in sorted(sizes.items())
    )
    shown = " ".join(item["text"] for item in document["texts"][:_TITLE_CHECK_TEXTS])
    walker = _TreeWalker(document, (title if sure or is_plausible_title(title, shown) else "") or _find_title(document))
    walker.walk_children(document["body"])
    walker.finish()
    return DoclingContent(walker.title, pages or (ParsedPage(1),), tuple(walker.blocks), tuple(walker.tables))


def _find_title(document: Item) -> str:
    """Return the title of an HTML page, else the first heading of the highest level."""
    titles = [item for item in document["texts"] if item["label"] == "title"]
    first = next((item for item in titles if item["content_layer"] == "furniture"), titles[0] if titles else None)
    return " ".join(first["text"].split()) if first else ""


class _TreeWalker:
    """Traverses the tree and collects blocks and tables."""

    def __init__(self, document: Item, title: str) -> None:
        self.title = title
        self.blocks: list[Block] = []
        self.tables: list[ParsedTable] = []
        self._document = document
        self._sections = SectionPath()
        self._pending_headings: list[Block] = []  # headings without content so far
        self._caption_refs = {ref["$ref"] for table in document["tables"] for ref in table.get("captions", ())}

    def walk_children(self, parent: Item) -> None:
        for ref in parent.get("children", ()):
            self._visit(ref["$ref"], self._resolve(ref["$ref"]))

    def finish(self) -> None:
        self.blocks.extend(self._pending_headings)
        self._pending_headings.clear()

    def _resolve(self, ref: str) -> Item:
        _, kind, index = ref.split("/")
        item: Item = self._document[kind][int(index)]
        return item

    def _visit(self, ref: str, item: Item) -> None:
        label = item.get("label")
        if item.get("content_layer") in _SKIPPED_LAYERS or ref in self._caption_refs:
            return
        if ref.startswith("#/tables/"):
            self._add_table(item)
        elif label == "inline":
            self._add_text(item, self._join_inline(item))
            return
        elif label in _HEADINGS:
            self._add_heading(item, _clean_text(item["text"]))
        elif item.get("text"):
            self._add_text(item, _clean_text(item["text"]))
        self.walk_children(item)

    def _join_inline(self, item: Item) -> str:
        """Join the parts of a sentence with several styles into one text."""
        parts = [self._resolve(ref["$ref"]).get("text", "") for ref in item["children"]]
        return _clean_text(_SPACE_BEFORE_PUNCTUATION.sub(r"\1", " ".join(part for part in parts if part)))

    def _add_heading(self, item: Item, text: str) -> None:
        if not text:
            return
        if text == self.title:
            self._sections.leave()
            return
        level = 0 if item["label"] == "title" else int(item.get("level") or 1)
        self._pending_headings.append(_build_block(item, text, self._sections.path, alone=True))
        self._sections.enter(text, HeadingStyle(100.0 - level, bold=False, caps=False))

    def _add_text(self, item: Item, text: str) -> None:
        if text:
            self._pending_headings.clear()
            self.blocks.append(_build_block(item, text, self._sections.path, alone=item.get("label") == "caption"))

    def _add_table(self, item: Item) -> None:
        grid = [[_clean_text(cell.get("text", "")) for cell in row] for row in item["data"].get("grid", ())]
        cells = tuple(tuple(row) for row in grid if any(row))
        if not cells:
            return
        self._pending_headings.clear()
        caption = " ".join(_clean_text(self._resolve(ref["$ref"])["text"]) for ref in item.get("captions", ()))
        if not caption and self.blocks and is_table_caption(self.blocks[-1].text):
            caption = self.blocks.pop().text
        page, rect = _locate(item)
        boxes = (Box(page, *rect),) if rect else ()
        self.tables.append(
            ParsedTable(
                page,
                caption,
                table_number(caption),
                cells,
                render_table(cells)[0],
                section=self._sections.path,
                boxes=boxes,
            )
        )


def _build_block(item: Item, text: str, section: tuple[str, ...], *, alone: bool = False) -> Block:
    page, rect = _locate(item)
    lines = tuple(_build_lines(text, page, rect)) if rect else ()
    return Block(text, section, lines, (page,), alone)


def _build_lines(text: str, page: int, rect: Rect) -> Iterator[BlockLine]:
    """Build the only line of a text whose position is known as a whole."""
    lefts, rights = array("f", [rect[0]]) * len(text), array("f", [rect[2]]) * len(text)
    yield BlockLine((0, len(text)), page, rect, lefts, rights)


def _locate(item: Item) -> tuple[int, Rect | None]:
    """Return the page of an item and its rectangle in points; page 1 and None for formats without positions."""
    if not item.get("prov"):
        return 1, None
    provenance = item["prov"][0]
    box = provenance["bbox"]
    rect = tuple(round(box[side] / _EMU, 2) for side in ("l", "t", "r", "b"))
    return provenance["page_no"], (rect[0], rect[1], rect[2], rect[3]) if rect[2] > rect[0] else None


def _clean_text(text: str) -> str:
    """Collapse whitespace and remove non-printable characters."""
    return " ".join("".join(c if c.isprintable() or c.isspace() else " " for c in text).split())
