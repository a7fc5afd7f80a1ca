"""Conversion of a docling document tree into blocks, tables and figures. Pure."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from hopline.records import Box
from hopline.tables.captions import read_table_number
from hopline.tables.grid import render_table
from hopline.tables.parts import Rows, split_rows
from hopline.tables.structure import infer_structure, is_value_text
from hopline.text.measures import find_unit
from hopline_ingest.formats.block import Block, BlockLine
from hopline_ingest.formats.figures import build_figure
from hopline_ingest.formats.html_tables import read_mark
from hopline_ingest.formats.normalized_text import normalize_code, normalize_text
from hopline_ingest.formats.parsed_document import PageFigure, PageTable, ParsedPage
from hopline_ingest.formats.pdf.layout.captions import is_figure_caption, is_table_caption
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
    """The content of a document in order; ``title`` is its own title, or empty; ``left_out`` are texts not in it."""

    title: str
    pages: tuple[ParsedPage, ...]
    blocks: tuple[Block, ...]
    tables: tuple[PageTable, ...]
    left_out: tuple[str, ...] = ()
    figures: tuple[PageFigure, ...] = ()


def parse_docling_tree(
    document: Item,
    *,
    title: str = "",
    sure: bool = True,
    is_web_page: bool = False,
    large_tables: Sequence[Rows] = (),
) -> DoclingContent:
    """Convert a document in docling's wire format into blocks, tables and figures.

    ``title`` is from the file's properties; unless ``sure``, it is used only if its words occur in the text,
    since editors often store a template's title. What docling takes for the frame of a web page is text: the page has
    been prepared by `hopline_ingest.formats.html_source`, which has taken the ``large_tables`` out. Slides have pages
    with positions in points; other formats have one page without positions.
    """
    sizes = {int(number): page["size"] for number, page in document.get("pages", {}).items()}
    pages = tuple(
        ParsedPage(number, size["width"] / _EMU, size["height"] / _EMU) for number, size in sorted(sizes.items())
    )
    shown = " ".join(item["text"] for item in document["texts"][:_TITLE_CHECK_TEXTS])
    key = "orig" if is_web_page else "text"  # docling replaces dashes and quotes of web pages, but keeps the original
    title = (title if sure or is_plausible_title(title, shown) else "") or _find_title(document, key)
    walker = _TreeWalker(
        document,
        title,
        text_key=key,
        skips_frame=not is_web_page,
        marks_headers=is_web_page,  # docling marks each first row of DOCX
        large_tables=large_tables,
    )
    walker.walk_children(document["body"])
    walker.finish()
    return DoclingContent(
        walker.title,
        pages or (ParsedPage(1),),
        tuple(walker.blocks),
        tuple(walker.tables),
        tuple(walker.left_out),
        tuple(walker.figures),
    )


def _find_title(document: Item, text_key: str) -> str:
    """Return the title of an HTML page, else the first heading of the highest level."""
    titles = [item for item in document["texts"] if item["label"] == "title"]
    first = next((item for item in titles if item["content_layer"] == "furniture"), titles[0] if titles else None)
    return normalize_text(first[text_key]) if first else ""


class _TreeWalker:
    """Traverses the tree and collects blocks, tables and figures."""

    def __init__(
        self,
        document: Item,
        title: str,
        *,
        text_key: str,
        skips_frame: bool,
        marks_headers: bool,
        large_tables: Sequence[Rows],
    ) -> None:
        self.title = title
        self.blocks: list[Block] = []
        self.tables: list[PageTable] = []
        self.figures: list[PageFigure] = []
        self.left_out: list[str] = []
        self._picture: Item | None = None  # a picture without a caption, directly before the next text
        self._follows_text = False  # whether the last thing was a text, which may be the caption of the next picture
        self._document = document
        self._large_tables = large_tables
        self._marks_headers = marks_headers
        self._text_key = text_key
        self._skipped_layers = _SKIPPED_LAYERS if skips_frame else _SKIPPED_LAYERS - {"furniture"}
        self._sections = SectionPath()
        self._sheet = ""
        self._pending_headings: list[Block] = []  # headings without content so far
        self._title_heading: list[Block] = []
        self._caption_refs = {
            ref["$ref"]
            for kind in ("tables", "pictures")
            for item in document[kind]
            for ref in item.get("captions", ())
        }

    def walk_children(self, parent: Item) -> None:
        for ref in parent.get("children", ()):
            if ref["$ref"] not in self._caption_refs:
                self._visit(ref["$ref"], self._resolve(ref["$ref"]))

    def finish(self) -> None:
        """Store headings without content as text; the title too if the document has nothing else."""
        self.blocks.extend(self._pending_headings)
        if not self.blocks and not self.tables and not self.figures:
            self.blocks.extend(self._title_heading)

    def _resolve(self, ref: str) -> Item:
        _, kind, index = ref.split("/")
        item: Item = self._document[kind][int(index)]
        return item

    def _visit(self, ref: str, item: Item) -> None:
        label = item.get("label")
        if item.get("content_layer") in self._skipped_layers and label != "footnote":
            self._leave_out(item)
        elif ref.startswith("#/tables/"):
            self._add_table(item)
            self._add_nested_tables(item)  # the other children repeat its cells
        elif ref.startswith("#/pictures/"):
            self._add_picture(item)
        elif label == "inline":
            self._add_text(item, self._join_inline(item))
        else:
            self._visit_text(item)
            self.walk_children(item)

    def _visit_text(self, item: Item) -> None:
        text = self._get_text(item)
        if item.get("label") == "sheet":
            self._sheet = normalize_text(item.get("name", ""))
        elif item.get("label") in _HEADINGS:
            self._add_heading(item, text)
        elif item.get("label") == "code":
            self._add_text(item, normalize_code(item.get("text") or ""))
        else:
            self._add_text(item, text)

    def _get_text(self, item: Item) -> str:
        return normalize_text(item.get(self._text_key) or "")

    def _leave_out(self, item: Item) -> None:
        if text := self._get_text(item):
            self.left_out.append(f"header or footer: {text}")
        for ref in item.get("children", ()):
            self._leave_out(self._resolve(ref["$ref"]))

    def _join_inline(self, item: Item) -> str:
        """Join the parts of a sentence with several styles into one text."""
        parts = [self._get_text(self._resolve(ref["$ref"])) for ref in item["children"]]
        return normalize_text(_SPACE_BEFORE_PUNCTUATION.sub(r"\1", " ".join(part for part in parts if part)))

    def _add_heading(self, item: Item, text: str) -> None:
        if not text:
            return
        if text == self.title or item["content_layer"] == "furniture":  # the latter is the title of a web page
            self._sections.leave()
            self._title_heading = [_build_block(item, text, (), alone=True)]
            return
        level = 0 if item["label"] == "title" else int(item.get("level") or 1)
        self._sections.enter(text, HeadingStyle(100.0 - level, bold=False, caps=False))
        self._pending_headings.append(_build_block(item, text, self._sections.path[:-1], alone=True))

    def _close_headings(self) -> None:
        """Store the headings without content that are not in the section path of what follows."""
        self.blocks += [block for block in self._pending_headings if block.text not in self._sections.path]
        self._pending_headings.clear()

    def _add_text(self, item: Item, text: str) -> None:
        mark = read_mark(text) if self._large_tables else None
        if mark and mark[0] < len(self._large_tables):
            self._add_rows(item, self._large_tables[mark[0]], mark[1])
        elif text and self._picture and is_figure_caption(text):
            self._add_figure(self._picture, text)
        elif text:
            self._close_headings()
            self._picture, self._follows_text = None, True
            label = item.get("label")
            block = _build_block(item, text, self._sections.path, alone=label == "caption", is_code=label == "code")
            self.blocks.append(block)

    def _add_picture(self, item: Item) -> None:
        """Add the values of a chart as a table, and another picture with a caption as a figure.

        The caption is marked as such, or is the text before or after the picture if it begins like one.
        """
        chart = (item.get("meta") or {}).get("tabular_chart")
        if chart:
            self._add_table({**item, "data": {"grid": _read_chart_grid(chart["chart_data"])}})
        elif caption := " ".join(self._get_text(self._resolve(ref["$ref"])) for ref in item.get("captions", ())):
            self._add_figure(item, caption)
        elif self._is_below_caption():
            self._add_figure(item, self.blocks.pop().text)
        else:
            self._picture, self._follows_text = item, False
        self.walk_children(item)

    def _is_below_caption(self) -> bool:
        """Return whether the last text is in the current section and begins like the caption of a figure."""
        last = self.blocks[-1] if self._follows_text else None
        return last is not None and last.section == self._sections.path and is_figure_caption(last.text)

    def _add_figure(self, item: Item, caption: str) -> None:
        self._close_headings()
        self._picture, self._follows_text = None, False
        page, rect = _locate(item)
        boxes = (Box(page, *rect),) if rect else ()
        self.figures.append(build_figure(caption, (), page=page, section=self._sections.path, boxes=boxes))

    def _add_table(self, item: Item) -> None:
        caption = " ".join(self._get_text(self._resolve(ref["$ref"])) for ref in item.get("captions", ()))
        grid = item["data"].get("grid", ())
        texts = [[cell.get("text", "") for cell in row] for row in grid]
        header_rows = _count_marked_rows(grid, trusts_first=self._marks_headers)
        self._add_rows(item, texts, caption, header_rows=header_rows)

    def _add_nested_tables(self, item: Item) -> None:
        """Add the tables within the cells of a table."""
        for ref in item.get("children", ()):
            child = self._resolve(ref["$ref"])
            if ref["$ref"].startswith("#/tables/"):
                self._add_table(child)
            self._add_nested_tables(child)

    def _add_rows(
        self, item: Item, texts: Iterable[Iterable[str]], caption: str, *, header_rows: int | None = None
    ) -> None:
        grid = (tuple(map(normalize_text, row)) for row in texts)
        rows = tuple(row for row in grid if any(row))
        if not rows:
            return
        self._close_headings()
        self._picture, self._follows_text = None, False
        if not caption and self.blocks and is_table_caption(self.blocks[-1].text):
            caption = self.blocks.pop().text
        page, rect = _locate(item)
        boxes = (Box(page, *rect),) if rect else ()
        shown = caption or self._sheet
        structure = infer_structure(rows, shown, header_rows, columns_are_certain=True)
        for part in split_rows(rows, structure):
            self.tables.append(
                PageTable(
                    page,
                    " ".join(filter(None, (shown, part.label))),
                    read_table_number(caption),
                    part.rows,
                    render_table(part.rows)[0],
                    section=self._sections.path,
                    boxes=boxes,
                    structure=part.structure,
                )
            )


def _count_marked_rows(grid: Sequence[Sequence[Item]], *, trusts_first: bool) -> int | None:
    """Count the first rows whose cells are marked as headers; None if they may not be all of them, or none.

    A single one is all if it is complete, without cells that span several columns, and has no row of units below it.
    Two cells, of which the second is a value, may be the first row of a list.
    """
    rows = [[normalize_text(cell.get("text", "")) for cell in row] for row in grid]
    filled = [n for n, row in enumerate(rows) if any(row)]
    marks = (all(cell.get("column_header") for cell in grid[n] if cell.get("text")) for n in filled)
    count = len(list(takewhile(bool, marks)))
    if count >= len(filled) or count == 0:
        return None
    if count > 1:
        return count
    header, below = rows[filled[0]], [text for text in rows[filled[1]][1:] if text]
    is_complete = all(header[1:]) and len(set(header)) == len(header)
    is_list = len(header) == 2 and is_value_text(header[1])
    has_units = bool(below) and all(text[0] in "([" or find_unit(text) for text in below)
    return 1 if trusts_first and is_complete and not (is_list or has_units) else None


def _read_chart_grid(data: Item) -> list[list[Item]]:
    """Return the cells of a chart's values in rows and columns."""
    grid: list[list[Item]] = [[{} for _ in range(data["num_cols"])] for _ in range(data["num_rows"])]
    for cell in data["table_cells"]:
        grid[cell["start_row_offset_idx"]][cell["start_col_offset_idx"]] = cell
    return grid


def _build_block(
    item: Item, text: str, section: tuple[str, ...], *, alone: bool = False, is_code: bool = False
) -> Block:
    page, rect = _locate(item)
    lines = tuple(_build_lines(text, page, rect)) if rect else ()
    return Block(text, section, lines, (page,), alone, is_code)


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
