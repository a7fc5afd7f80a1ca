"""Figures of pages with their captions and the text inside of them. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from hopline.records import Box
from hopline_ingest.chunking import LIMIT, count_tokens
from hopline_ingest.formats.figures import build_figure
from hopline_ingest.formats.parsed_document import PageFigure
from hopline_ingest.formats.pdf.layout.captions import read_figure_number
from hopline_ingest.formats.pdf.page_content import FigureContent, Line, PageContent
from hopline_ingest.formats.pdf.text.paragraph_text import join_text

_LIST_ENTRY = re.compile(r"(?:\.\s?){3,}\s*\d+\s*$|\s\d{1,4}\s*$")  # "Figure 1: Output ...... 12"
_MAX_CAPTIONS_ALONE = 2  # of a page; more captions without a figure are a list of figures

BlockPosition = tuple[int, int]  # number of the page, number of the block on it


def select_figures(
    pages: Sequence[PageContent], page_lines: Sequence[Sequence[Line]]
) -> dict[BlockPosition, FigureContent]:
    """Return the figures of a document by the positions of their captions.

    A caption without a figure beside it is left out if it may be an entry of a list of figures: it ends in a number,
    the page has several of these, or another caption has its number.
    """
    figures: dict[BlockPosition, FigureContent] = {}
    alone: list[tuple[BlockPosition, FigureContent, str]] = []
    numbers: Counter[str] = Counter()
    for page, lines in zip(pages, page_lines, strict=True):
        captions = {block: join_text(list(group)) for block, group in groupby(lines, key=lambda line: line.block)}
        for figure in page.figures:
            if (caption := captions.get(figure.caption)) is None:
                continue  # a running header
            numbers[_read_label(caption)] += 1
            if figure.has_region:
                figures[page.number, figure.caption] = figure
            else:
                alone.append(((page.number, figure.caption), figure, caption))
    on_page = Counter(page for (page, _), _, _ in alone)
    figures |= {
        position: figure
        for position, figure, caption in alone
        if numbers[_read_label(caption)] == 1 and on_page[position[0]] <= _MAX_CAPTIONS_ALONE
        if not _LIST_ENTRY.search(caption)
    }
    return figures


def _read_label(caption: str) -> str:
    """Return the first word of a caption and its number: "figure 3" of "Figure 3: Output"."""
    return f"{caption.split(maxsplit=1)[0].rstrip('.').casefold()} {read_figure_number(caption)}"


def assemble_figure(
    page: int, content: FigureContent, caption: str, labels: Sequence[Line], section: tuple[str, ...]
) -> PageFigure:
    """Assemble a figure of a page; its box is the figure with its caption."""
    box = Box(page, *(round(side, 2) for side in content.rect))
    return build_figure(caption, [line.text for line in labels], page=page, section=section, boxes=(box,))


def collect_labels(content: FigureContent, blocks: Mapping[int, Sequence[Line]]) -> list[Line]:
    """Return the lines inside of a figure; none if they are too long for one evidence: they stay running text."""
    lines = [line for block in content.labels for line in blocks.get(block, ())]
    return lines if _count_tokens(lines) <= LIMIT else []


def _count_tokens(lines: Iterable[Line]) -> int:
    return sum(count_tokens(line.text) for line in lines)
