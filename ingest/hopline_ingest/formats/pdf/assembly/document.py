"""Assembly of pages into a document: removes headers and footers, joins paragraphs and sections. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from hopline_ingest.chunking import split_passages
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.coverage import warn_of_loss
from hopline_ingest.formats.figures import have_words
from hopline_ingest.formats.parsed_document import PageFigure, PageTable, ParsedDocument, ParsedPage
from hopline_ingest.formats.pdf.assembly.figures import assemble_figure, collect_labels, select_figures
from hopline_ingest.formats.pdf.assembly.tables import AssembledTable, assemble_table
from hopline_ingest.formats.pdf.layout.headers_footers import drop_repetitions, find_headers_and_footers, list_left_out
from hopline_ingest.formats.pdf.layout.headings import SectionPath, body_size, heading_style, is_heading
from hopline_ingest.formats.pdf.layout.page_blocks import is_running_text
from hopline_ingest.formats.pdf.layout.page_labels import find_page_labels
from hopline_ingest.formats.pdf.layout.paragraphs import continues_paragraph, split_paragraphs
from hopline_ingest.formats.pdf.page_content import FigureContent, Line, PageContent, TableContent
from hopline_ingest.formats.pdf.text.paragraph_text import collect_words, join_lines
from hopline_ingest.formats.titles import find_largest_text, is_plausible_title, is_version_of, title_from_name

_NUMBER_OF_EQUATION = re.compile(r"^\(\d+[a-z]?\)\s+")  # in the margin of a line above
_MAX_LABELS = 400  # characters of the labels of a figure that are listed

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
    figures = select_figures(pages, page_lines)
    for page, lines in zip(pages, page_lines, strict=True):
        of_page = {block: figure for (number, block), figure in figures.items() if number == page.number}
        builder.page(page, lines, of_page)
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
    tables, figures_of_pages = tuple(builder.tables), tuple(builder.figures)
    document = ParsedDocument(
        builder.title, parsed_pages, passages, tables, all_warnings, left_out, figures=figures_of_pages
    )
    return warn_of_loss(document, (text for page in pages for text in page.source))


def _choose_title(page_lines: Sequence[Sequence[Line]], title: str, name: str) -> str:
    """Return the title in the properties if plausible, unless the first page shows another version of it."""
    title = " ".join(title.split())
    first_text = " ".join(line.text for lines in page_lines[:3] for line in lines)
    is_plausible = is_plausible_title(title, first_text)
    if is_plausible and title.lower() in " ".join(first_text.lower().split()):
        return title
    body = body_size(line for lines in page_lines for line in lines)
    shown = find_largest_text(page_lines[0], body) if page_lines else ""
    if is_plausible and not is_version_of(title, shown):
        return title
    return shown or title_from_name(name)


class _Builder:
    """Collects blocks, tables and figures of a document page by page."""

    def __init__(self, body: float, words: set[str], title: str) -> None:
        self.title = title
        self.blocks: list[Block] = []
        self.tables: list[PageTable] = []
        self.figures: list[PageFigure] = []
        self.left_out: list[str] = []
        self._body = body
        self._words = words
        self._sections = SectionPath()
        self._open_paragraph: list[NumberedLine] = []  # the paragraph that the next block may continue
        self._pending_headings: list[tuple[str, list[NumberedLine]]] = []  # headings without text so far
        self._empty_headings: list[NumberedLine] = []  # headings that another one followed without text between
        self._last_table: AssembledTable | None = None  # the table at the end of the previous page

    def page(self, page: PageContent, lines: Sequence[Line], figures: Mapping[int, FigureContent]) -> None:
        """Add a page; ``lines`` are its lines without headers and footers, ``figures`` by the block of their caption.

        Caption and labels are in no passage: a search would find them twice.
        """
        has_titles = any(line.role == "title" for line in lines)
        tables = sorted(page.tables, key=lambda table: table.block)
        last_table = None
        blocks = {block: list(group) for block, group in groupby(lines, key=lambda line: line.block)}
        labels = {block: collect_labels(figure, blocks) for block, figure in figures.items()}
        of_figures = {line.block for lines_of_figure in labels.values() for line in lines_of_figure}
        for block, lines_of_block in blocks.items():
            while tables and tables[0].block <= block:
                last_table = self._add_table(page.number, tables.pop(0))
            if block in figures:
                self._add_figure(page.number, figures[block], lines_of_block, labels[block])
            elif block not in of_figures:
                self._add_block(page.number, lines_of_block, has_titles=has_titles)
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
        if lines[0].role == "figure" and not have_words([line.text for line in lines]):
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

    def _add_figure(self, number: int, content: FigureContent, caption: Sequence[Line], labels: Sequence[Line]) -> None:
        """Add a figure in the current section; a paragraph may continue behind it."""
        self._flush_empty_headings()
        self._pending_headings.clear()
        text, _ = join_lines([(number, line) for line in caption], self._words)
        self.figures.append(assemble_figure(number, content, text, labels, self._sections.path))

    def _add_table(self, number: int, content: TableContent) -> AssembledTable:
        """Add a table; returns it for a continuation on the next page."""
        self._flush_empty_headings()
        self._pending_headings.clear()
        before, self._last_table = self._last_table, None
        assembled = assemble_table(number, content, before, self._sections.path)
        self.tables.append(assembled.table)
        return assembled
