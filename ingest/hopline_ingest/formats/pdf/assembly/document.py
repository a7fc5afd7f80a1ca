"""Assembly of pages into a document: removes headers and footers, joins paragraphs and sections. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from hopline_ingest.chunking import split_passages
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.coverage import warn_of_loss
from hopline_ingest.formats.parsed_document import PageTable, ParsedDocument, ParsedPage
from hopline_ingest.formats.pdf.assembly.tables import AssembledTable, assemble_table
from hopline_ingest.formats.pdf.layout.headers_footers import drop_repetitions, find_headers_and_footers, list_left_out
from hopline_ingest.formats.pdf.layout.headings import SectionPath, body_size, heading_style, is_heading
from hopline_ingest.formats.pdf.layout.page_blocks import is_running_text
from hopline_ingest.formats.pdf.layout.page_labels import find_page_labels
from hopline_ingest.formats.pdf.layout.paragraphs import continues_paragraph, split_paragraphs
from hopline_ingest.formats.pdf.page_content import Line, PageContent, TableContent
from hopline_ingest.formats.pdf.text.paragraph_text import collect_words, join_lines
from hopline_ingest.formats.titles import find_largest_text, is_plausible_title, title_from_name

_NUMBER_OF_EQUATION = re.compile(r"^\(\d+[a-z]?\)\s+")  # in the margin of a line above
_MIN_WORDS = 3  # of a figure whose text is stored
_MIN_LETTERS = 0.25  # of the characters of a figure whose text is stored
_MAX_LABELS = 400  # characters of the labels of a figure that are listed
_WORD = re.compile(r"[^\W\d_]{2,}")

NumberedLine = tuple[int, Line]  # a line with the number of its page


def assemble_document(
    pages: Sequence[PageContent],
    *,
    name: str,
    title: str = "",
    warnings: Sequence[str] = (),
    labels: Sequence[str] = (),
) -> ParsedDocument:
    """Assemble a document from its pages in order.

    ``title`` is the title in the properties of the file, ``name`` the name of the file, ``labels`` those of its
    pages.
    """
    excluded = find_headers_and_footers(pages)
    page_lines = [
        [line for index, line in enumerate(page.lines) if (number, index) not in excluded]
        for number, page in enumerate(pages)
    ]
    all_lines = [line for lines in page_lines for line in lines]
    builder = _Builder(body_size(all_lines), collect_words(all_lines), _choose_title(page_lines, title, name))
    for page, lines in zip(pages, page_lines, strict=True):
        builder.page(page, lines)
    builder.end()
    all_warnings = (*warnings, *(warning for page in pages for warning in page.warnings))
    page_labels = find_page_labels(pages, excluded, labels)
    parsed_pages = tuple(
        ParsedPage(page.number, page.width, page.height, label) for page, label in zip(pages, page_labels, strict=True)
    )
    hidden = drop_repetitions(text for page in pages for text in page.hidden)
    left_out = (*list_left_out(pages, excluded), *hidden, *(text for page in pages for text in page.left_out))
    left_out = tuple(dict.fromkeys((*left_out, *builder.left_out)))
    passages = split_passages(builder.blocks)
    document = ParsedDocument(builder.title, parsed_pages, passages, tuple(builder.tables), all_warnings, left_out)
    return warn_of_loss(document, (text for page in pages for text in page.source))


def _choose_title(page_lines: Sequence[Sequence[Line]], title: str, name: str) -> str:
    first_text = " ".join(line.text for lines in page_lines[:3] for line in lines)
    if is_plausible_title(title, first_text):
        return " ".join(title.split())
    body = body_size(line for lines in page_lines for line in lines)
    return (find_largest_text(page_lines[0], body) if page_lines else "") or title_from_name(name)


class _Builder:
    """Collects blocks and tables of a document page by page."""

    def __init__(self, body: float, words: set[str], title: str) -> None:
        self.title = title
        self.blocks: list[Block] = []
        self.tables: list[PageTable] = []
        self.left_out: list[str] = []
        self._body = body
        self._words = words
        self._sections = SectionPath()
        self._open_paragraph: list[NumberedLine] = []  # the paragraph that the next block may continue
        self._pending_headings: list[tuple[str, list[NumberedLine]]] = []  # headings without text so far
        self._empty_headings: list[NumberedLine] = []  # headings that another one followed without text between
        self._last_table: AssembledTable | None = None  # the table at the end of the previous page

    def page(self, page: PageContent, lines: Sequence[Line]) -> None:
        """Add a page; ``lines`` are its lines without headers and footers."""
        has_titles = any(line.role == "title" for line in lines)
        tables = sorted(page.tables, key=lambda table: table.block)
        last_table = None
        for block, group in groupby(lines, key=lambda line: line.block):
            while tables and tables[0].block <= block:
                last_table = self._add_table(page.number, tables.pop(0))
            self._add_block(page.number, list(group), has_titles=has_titles)
            last_table = self._last_table = None
        for table in tables:
            last_table = self._add_table(page.number, table)
        self._last_table = last_table

    def end(self) -> None:
        """Finish the open paragraph and pending headings."""
        self._close_paragraph()
        self._flush_empty_headings()
        if self._pending_headings:
            lines = [line for _, heading_lines in self._pending_headings for line in heading_lines]
            self.blocks.append(self._build_block(lines, alone=True))

    def _add_block(self, number: int, lines: list[Line], *, has_titles: bool) -> None:
        if lines[0].role == "figure" and not _has_words(lines):
            self.left_out.append(f"labels of a figure: {' '.join(line.text for line in lines)}"[:_MAX_LABELS])
            return
        if lines[0].role in {"caption", "figure"}:
            self._flush_empty_headings()
            rows = [lines] if lines[0].role == "caption" or is_running_text(lines) else [[line] for line in lines]
            alone = len(rows) == 1
            self.blocks += [self._build_block([(number, line) for line in row], alone=alone) for row in rows]
            return
        for paragraph in split_paragraphs(lines):
            lines_with_pages = [(number, line) for line in paragraph]
            first = not self._sections.path and number == 1
            if is_heading(paragraph, self._body, modelled=has_titles, first=first):
                self._add_heading(lines_with_pages)
            elif self._open_paragraph and continues_paragraph(self._open_paragraph[-1][1].text, paragraph[0].text):
                self._open_paragraph.extend(lines_with_pages)
            else:
                self._close_paragraph()
                self._flush_empty_headings()
                self._pending_headings.clear()
                self._open_paragraph = lines_with_pages

    def _add_heading(self, lines_with_pages: list[NumberedLine]) -> None:
        self._close_paragraph()
        text = _NUMBER_OF_EQUATION.sub("", join_lines(lines_with_pages, self._words)[0])
        if not text or text in self.title:
            self._sections.leave()
        else:
            self._sections.enter(text, heading_style(text, [line for _, line in lines_with_pages]))
            self._pending_headings.append((text, lines_with_pages))
        path = self._sections.path
        self._empty_headings += [
            line for heading, lines in self._pending_headings if heading not in path for line in lines
        ]
        self._pending_headings = [(heading, lines) for heading, lines in self._pending_headings if heading in path]

    def _flush_empty_headings(self) -> None:
        """Store headings without text as a passage, as on the cover of a filing, which consists of them."""
        if self._empty_headings:
            self.blocks.append(self._build_block(self._empty_headings, self._sections.path[:-1], alone=True))
            self._empty_headings = []

    def _close_paragraph(self) -> None:
        if self._open_paragraph:
            self.blocks.append(self._build_block(self._open_paragraph))
            self._open_paragraph = []

    def _build_block(
        self, lines_with_pages: Sequence[NumberedLine], section: tuple[str, ...] | None = None, *, alone: bool = False
    ) -> Block:
        """Build a block from lines, in the current section by default."""
        text, lines = join_lines(lines_with_pages, self._words)
        pages = tuple(dict.fromkeys(page for page, _ in lines_with_pages))
        return Block(text, self._sections.path if section is None else section, lines, pages, alone)

    def _add_table(self, number: int, content: TableContent) -> AssembledTable:
        """Add a table; returns it for a continuation on the next page."""
        self._flush_empty_headings()
        self._pending_headings.clear()
        before, self._last_table = self._last_table, None
        assembled = assemble_table(number, content, before, self._sections.path)
        self.tables.append(assembled.table)
        return assembled


def _has_words(lines: Sequence[Line]) -> bool:
    """Return whether the text of a figure has words, rather than the numbers and letters of its axes."""
    words = [word for line in lines for word in _WORD.findall(line.text)]
    letters = sum(map(len, words))
    return len(words) >= _MIN_WORDS and letters > _MIN_LETTERS * sum(len("".join(line.text.split())) for line in lines)
