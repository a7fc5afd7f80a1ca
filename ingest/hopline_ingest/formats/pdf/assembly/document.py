"""Assembly of pages into a document: headers and footers removed, paragraphs and sections joined. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from hopline.records import Box
from hopline.tables.grid import count_header_rows
from hopline_ingest.chunking import split_passages
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.coverage import warn_of_loss
from hopline_ingest.formats.markdown_table import render_table
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage, ParsedTable
from hopline_ingest.formats.pdf.layout.captions import table_number
from hopline_ingest.formats.pdf.layout.headers_footers import find_headers_and_footers, list_left_out
from hopline_ingest.formats.pdf.layout.headings import SectionPath, body_size, heading_style, is_heading
from hopline_ingest.formats.pdf.layout.page_blocks import is_running_text
from hopline_ingest.formats.pdf.layout.paragraphs import continues_paragraph, split_paragraphs
from hopline_ingest.formats.pdf.page_content import Cells, Line, PageContent, Rect, TableCell, TableContent
from hopline_ingest.formats.pdf.text.paragraph_text import collect_words, join_lines
from hopline_ingest.formats.titles import find_largest_text, is_plausible_title, title_from_name

_NUMBER_OF_EQUATION = re.compile(r"^\(\d+[a-z]?\)\s+")  # in the margin of a line above
_MIN_WORDS = 3  # of a figure whose text is stored
_MIN_LETTERS = 0.25  # of the characters of a figure whose text is stored
_MAX_LABELS = 400  # characters of the labels of a figure that are listed
_WORD = re.compile(r"[^\W\d_]{2,}")

Placed = tuple[int, Line]  # a line with the number of its page


def assemble_document(
    pages: Sequence[PageContent], *, name: str, title: str = "", warnings: Sequence[str] = ()
) -> ParsedDocument:
    """Assemble a document from its pages in order.

    ``title`` is what the file's properties say; ``name`` is the file's.
    """
    dropped = find_headers_and_footers(pages)
    kept = [
        [line for index, line in enumerate(page.lines) if (number, index) not in dropped]
        for number, page in enumerate(pages)
    ]
    every = [line for lines in kept for line in lines]
    builder = _Builder(body_size(every), collect_words(every), _title(kept, title, name))
    for page, lines in zip(pages, kept, strict=True):
        builder.page(page, lines)
    builder.end()
    noted = (*warnings, *(warning for page in pages for warning in page.warnings))
    shown = tuple(ParsedPage(page.number, page.width, page.height) for page in pages)
    left_out = (*list_left_out(pages, dropped), *(text for page in pages for text in page.left_out))
    left_out = tuple(dict.fromkeys((*left_out, *builder.left_out)))
    passages = split_passages(builder.blocks)
    document = ParsedDocument(builder.title, shown, passages, tuple(builder.tables), noted, left_out)
    return warn_of_loss(document, (text for page in pages for text in page.source))


def _title(kept: Sequence[Sequence[Line]], title: str, name: str) -> str:
    shown = " ".join(line.text for lines in kept[:3] for line in lines)
    if is_plausible_title(title, shown):
        return " ".join(title.split())
    body = body_size(line for lines in kept for line in lines)
    return (find_largest_text(kept[0], body) if kept else "") or title_from_name(name)


class _Builder:
    """Collects blocks and tables of a document page by page."""

    def __init__(self, body: float, words: set[str], title: str) -> None:
        self.title = title
        self.blocks: list[Block] = []
        self.tables: list[ParsedTable] = []
        self.left_out: list[str] = []
        self._body = body
        self._words = words
        self._sections = SectionPath()
        self._open: list[Placed] = []  # the paragraph that the next block may carry on
        self._bare: list[tuple[str, list[Placed]]] = []  # headings under which nothing stands yet
        self._left: list[Placed] = []  # headings that the next one ended before anything stood under them
        self._ends: ParsedTable | None = None  # the table with which the page before ended

    def page(self, page: PageContent, lines: Sequence[Line]) -> None:
        """Add a page; ``lines`` are its lines without headers and footers."""
        modelled = any(line.role == "title" for line in lines)
        tables = sorted(page.tables, key=lambda table: table.block)
        ends = None
        for block, group in groupby(lines, key=lambda line: line.block):
            while tables and tables[0].block <= block:
                ends = self._table(page.number, tables.pop(0))
            self._block(page.number, list(group), modelled=modelled)
            ends = self._ends = None
        for table in tables:
            ends = self._table(page.number, table)
        self._ends = ends

    def end(self) -> None:
        """Finish the open paragraph and pending headings."""
        self._close()
        self._keep_left()
        if self._bare:
            self.blocks.append(self._made([line for _, placed in self._bare for line in placed], alone=True))

    def _block(self, number: int, lines: list[Line], *, modelled: bool) -> None:
        if lines[0].role == "figure" and not _has_words(lines):
            self.left_out.append(f"labels of a figure: {' '.join(line.text for line in lines)}"[:_MAX_LABELS])
            return
        if lines[0].role in {"caption", "figure"}:
            self._keep_left()
            rows = [lines] if lines[0].role == "caption" or is_running_text(lines) else [[line] for line in lines]
            alone = len(rows) == 1
            self.blocks += [self._made([(number, line) for line in row], alone=alone) for row in rows]
            return
        for paragraph in split_paragraphs(lines):
            placed = [(number, line) for line in paragraph]
            first = not self._sections.path and number == 1
            if is_heading(paragraph, self._body, modelled=modelled, first=first):
                self._heading(placed)
            elif self._open and continues_paragraph(self._open[-1][1].text, paragraph[0].text):
                self._open.extend(placed)
            else:
                self._close()
                self._keep_left()
                self._bare.clear()
                self._open = placed

    def _heading(self, placed: list[Placed]) -> None:
        self._close()
        text = _NUMBER_OF_EQUATION.sub("", join_lines(placed, self._words)[0])
        if not text or text in self.title:
            self._sections.leave()
        else:
            self._sections.enter(text, heading_style(text, [line for _, line in placed]))
            self._bare.append((text, placed))
        path = self._sections.path
        self._left += [line for heading, lines in self._bare if heading not in path for line in lines]
        self._bare = [(heading, lines) for heading, lines in self._bare if heading in path]

    def _keep_left(self) -> None:
        """Headings that head nothing are text: the cover of a filing is set in them from top to bottom."""
        if self._left:
            self.blocks.append(self._made(self._left, self._sections.path[:-1], alone=True))
            self._left = []

    def _close(self) -> None:
        if self._open:
            self.blocks.append(self._made(self._open))
            self._open = []

    def _made(self, placed: Sequence[Placed], section: tuple[str, ...] | None = None, *, alone: bool = False) -> Block:
        """The block of some lines; in the section that is open where none is given."""
        text, lines = join_lines(placed, self._words)
        pages = tuple(dict.fromkeys(page for page, _ in placed))
        return Block(text, self._sections.path if section is None else section, lines, pages, alone)

    def _table(self, number: int, table: TableContent) -> ParsedTable:
        """Keep a table; one that carries on the last of the page before has its caption."""
        self._keep_left()
        self._bare.clear()
        before, self._ends = self._ends, None
        caption = table.caption
        if not caption and before and len(before.cells[0]) == len(table.cells[0]):
            caption = before.caption
        rows = table.cells
        if before and _continues_table(before, rows):
            header = before.cells[: count_header_rows(before.cells)]
            rows = (*(tuple(TableCell(text) for text in row) for row in header), *rows)
        cells = tuple(tuple(cell.text for cell in row) for row in rows)
        markdown, spans = render_table(cells)
        shift = len(caption) + 1 if caption else 0
        placed = [
            ((start + shift, end + shift), _box(number, cell.rect))
            for row, places in zip(rows, spans, strict=True)
            for cell, (start, end) in zip(row, places, strict=True)
            if cell and cell.rect
        ]
        found = ParsedTable(
            number,
            caption,
            table_number(caption),
            cells,
            markdown,
            section=self._sections.path,
            boxes=tuple(box for _, box in placed) or (_box(number, table.rect),),
            lines=tuple(span for span, _ in placed),
        )
        self.tables.append(found)
        return found


def _box(page: int, rect: Rect) -> Box:
    return Box(page, *(round(side, 2) for side in rect))


def _has_words(lines: Sequence[Line]) -> bool:
    """Whether the text of a figure has words, rather than the numbers and letters of its axes."""
    words = [word for line in lines for word in _WORD.findall(line.text)]
    letters = sum(map(len, words))
    return len(words) >= _MIN_WORDS and letters > _MIN_LETTERS * sum(len("".join(line.text.split())) for line in lines)


def _continues_table(before: ParsedTable, rows: Cells) -> bool:
    """Whether a table goes on without its header: as many columns, and a first row like the last one before."""
    if len(before.cells[0]) != len(rows[0]) or not count_header_rows(before.cells) < len(before.cells):
        return False
    first, last = ([_get_kind(text) for text in row] for row in ([cell.text for cell in rows[0]], before.cells[-1]))
    return first == last and "number" in first and [cell.text for cell in rows[0]] != list(before.cells[0])


def _get_kind(text: str) -> str:
    """Return "number" for a cell with a digit, "" for an empty one, else "text"."""
    return "number" if any(character.isdigit() for character in text) else "text" if text else ""
