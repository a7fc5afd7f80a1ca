"""The tree of a docling document into blocks and tables. Pure."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hopline.types import Box
from hopline_ingest.formats.block import Block, BlockLine
from hopline_ingest.formats.parsed_document import ParsedPage, ParsedTable
from hopline_ingest.formats.pdf.layout.captions import is_table_caption, table_number
from hopline_ingest.formats.pdf.layout.headings import Sections, Style
from hopline_ingest.formats.pdf.page_content import Rect
from hopline_ingest.formats.pdf.tables.grids import markdown
from hopline_ingest.formats.titles import sensible

Item = Mapping[str, Any]
_EMU = 12_700  # a point in the unit of slides
_LOOKED_AT = 60  # texts
_TOO_TIGHT = re.compile(r"\s+([.,;:!?)\]}”’])")
_LEFT_OUT = {"furniture", "background", "invisible"}
_HEADINGS = {"title", "section_header"}


@dataclass(frozen=True, slots=True)
class Told:
    """What a document holds, in order; ``title`` is what it calls itself, or empty."""

    title: str
    pages: tuple[ParsedPage, ...]
    blocks: tuple[Block, ...]
    tables: tuple[ParsedTable, ...]


def told_by(document: Item, *, title: str = "", sure: bool = True) -> Told:
    """The blocks and tables of a document in docling's wire format.

    ``title`` is from the file's properties; unless ``sure``, it counts where the text shows its
    words, as editors put a template's there. Slides have pages with places in points; other formats
    have one page and none.
    """
    sizes = {int(number): page["size"] for number, page in document.get("pages", {}).items()}
    pages = tuple(
        ParsedPage(number, size["width"] / _EMU, size["height"] / _EMU) for number, size in sorted(sizes.items())
    )
    shown = " ".join(item["text"] for item in document["texts"][:_LOOKED_AT])
    walk = _Walk(document, (title if sure or sensible(title, shown) else "") or _named(document))
    walk.children(document["body"])
    walk.end()
    return Told(walk.title, pages or (ParsedPage(1),), tuple(walk.blocks), tuple(walk.tables))


def _named(document: Item) -> str:
    """What an HTML page has as its title, else the first heading of the highest kind."""
    titles = [item for item in document["texts"] if item["label"] == "title"]
    first = next((item for item in titles if item["content_layer"] == "furniture"), titles[0] if titles else None)
    return " ".join(first["text"].split()) if first else ""


class _Walk:
    """Walks the tree and holds what it found."""

    def __init__(self, document: Item, title: str) -> None:
        self.title = title
        self.blocks: list[Block] = []
        self.tables: list[ParsedTable] = []
        self._document = document
        self._sections = Sections()
        self._bare: list[Block] = []  # headings under which nothing stands yet
        self._captions = {ref["$ref"] for table in document["tables"] for ref in table.get("captions", ())}

    def children(self, parent: Item) -> None:
        for ref in parent.get("children", ()):
            self._item(ref["$ref"], self._at(ref["$ref"]))

    def end(self) -> None:
        self.blocks.extend(self._bare)
        self._bare.clear()

    def _at(self, ref: str) -> Item:
        _, kind, index = ref.split("/")
        found: Item = self._document[kind][int(index)]
        return found

    def _item(self, ref: str, item: Item) -> None:
        label = item.get("label")
        if item.get("content_layer") in _LEFT_OUT or ref in self._captions:
            return
        if ref.startswith("#/tables/"):
            self._table(item)
        elif label == "inline":
            self._text(item, self._inline(item))
            return
        elif label in _HEADINGS:
            self._heading(item, _plain(item["text"]))
        elif item.get("text"):
            self._text(item, _plain(item["text"]))
        self.children(item)

    def _inline(self, item: Item) -> str:
        """A sentence in parts of several styles, as one text."""
        parts = [self._at(ref["$ref"]).get("text", "") for ref in item["children"]]
        return _plain(_TOO_TIGHT.sub(r"\1", " ".join(part for part in parts if part)))

    def _heading(self, item: Item, text: str) -> None:
        if not text:
            return
        if text == self.title:
            self._sections.leave()
            return
        level = 0 if item["label"] == "title" else int(item.get("level") or 1)
        self._bare.append(_block(item, text, self._sections.path, alone=True))
        self._sections.enter(text, Style(100.0 - level, bold=False, caps=False))

    def _text(self, item: Item, text: str) -> None:
        if text:
            self._bare.clear()
            self.blocks.append(_block(item, text, self._sections.path, alone=item.get("label") == "caption"))

    def _table(self, item: Item) -> None:
        grid = [[_plain(cell.get("text", "")) for cell in row] for row in item["data"].get("grid", ())]
        cells = tuple(tuple(row) for row in grid if any(row))
        if not cells:
            return
        self._bare.clear()
        caption = " ".join(_plain(self._at(ref["$ref"])["text"]) for ref in item.get("captions", ()))
        if not caption and self.blocks and is_table_caption(self.blocks[-1].text):
            caption = self.blocks.pop().text
        page, rect = _place(item)
        boxes = (Box(page, *rect),) if rect else ()
        self.tables.append(
            ParsedTable(
                page, caption, table_number(caption), cells, markdown(cells), section=self._sections.path, boxes=boxes
            )
        )


def _block(item: Item, text: str, section: tuple[str, ...], *, alone: bool = False) -> Block:
    page, rect = _place(item)
    lines = tuple(_lines(text, page, rect)) if rect else ()
    return Block(text, section, lines, (page,), alone)


def _lines(text: str, page: int, rect: Rect) -> Iterator[BlockLine]:
    """The whole text in the one place that is known of it."""
    lefts, rights = array("f", [rect[0]]) * len(text), array("f", [rect[2]]) * len(text)
    yield BlockLine((0, len(text)), page, rect, lefts, rights)


def _place(item: Item) -> tuple[int, Rect | None]:
    """The page of an item, and where on it, in points; a format without places has page 1."""
    if not item.get("prov"):
        return 1, None
    where = item["prov"][0]
    box = where["bbox"]
    rect = tuple(round(box[side] / _EMU, 2) for side in ("l", "t", "r", "b"))
    return where["page_no"], (rect[0], rect[1], rect[2], rect[3]) if rect[2] > rect[0] else None


def _plain(text: str) -> str:
    """Text with single blanks and nothing that is not shown."""
    return " ".join("".join(c if c.isprintable() or c.isspace() else " " for c in text).split())
