"""Marks on the pages of a document that are not part of its text: in the margin, stamped, or behind the text. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from hopline_ingest.formats.pdf.page_content import LinePosition, PageContent
from hopline_ingest.formats.pdf.text.watermarks import WATERMARK, is_large

_MARGIN: Final = 0.09  # of the page's width
_LINES_PER_OUTLIER: Final = 20  # lines; one of so many may be further out than the text
_MIN_PAGES: Final = 5  # of a document with a text at the same position of most of them
_SHARE: Final = 0.75  # of the pages
_POSITION_STEP: Final = 0.02  # of the page's height; lines in the same step are at the same position
_EDGE: Final = 0.13  # of the page's height, at its top and bottom
_STAMP: Final = re.compile(
    r"(?:this (?:article|content|copy|document|file|pdf)(?: was| has been)? )?"
    r"(?:downloaded|printed|retrieved|provided) (?:from|by|on|at|for|via)\b",
    re.IGNORECASE,
)


def find_page_marks(pages: Sequence[PageContent]) -> set[LinePosition]:
    """Find rotated texts in the margin, stamps of a download, and watermarks."""
    return {*_find_margin_lines(pages), *_find_stamps(pages), *_find_constant_lines(pages), *_find_watermarks(pages)}


def _find_margin_lines(pages: Sequence[PageContent]) -> Iterator[LinePosition]:
    """Find rotated lines left or right of all upright text, such as the mark of a printer or an archive."""
    for number, page in enumerate(pages):
        upright = [line.rect for line in page.lines if line.turn == 0]
        turned = [index for index, line in enumerate(page.lines) if line.turn in {90, 270}]
        if len(upright) <= len(turned):
            continue
        outliers = len(upright) // _LINES_PER_OUTLIER
        left, right = sorted(rect[0] for rect in upright)[outliers], sorted(rect[2] for rect in upright)[-1 - outliers]
        for index in turned:
            rect = page.lines[index].rect
            outermost = rect[2] < _MARGIN * page.width or rect[0] > (1 - _MARGIN) * page.width
            if outermost and (rect[2] <= left or rect[0] >= right):
                yield number, index


def _find_stamps(pages: Sequence[PageContent]) -> Iterator[LinePosition]:
    """Find lines at the edge of a page that say from where, by whom or when it was downloaded."""
    for number, page in enumerate(pages):
        for index, line in enumerate(page.lines):
            at_edge = line.rect[3] < _EDGE * page.height or line.rect[1] > (1 - _EDGE) * page.height
            if at_edge and _STAMP.match(line.text) and any(other.rect[1] != line.rect[1] for other in page.lines):
                yield number, index


def _find_constant_lines(pages: Sequence[PageContent]) -> Iterator[LinePosition]:
    """Find lines with the same text at the same position on most pages: a watermark, a classification.

    If they make up half of a page or more, they are its text, such as that of a repeated form.
    """
    if len(pages) < _MIN_PAGES:
        return
    seen: dict[tuple[str, int, int], list[LinePosition]] = defaultdict(list)
    for number, page in enumerate(pages):
        for index, line in enumerate(page.lines):
            x, y = (round(line.rect[side] / page.height / _POSITION_STEP) for side in (0, 1))
            seen[line.text, x, y].append((number, index))
    repeated: dict[int, set[int]] = defaultdict(set)
    for positions in seen.values():
        if len({number for number, _ in positions}) >= _SHARE * len(pages):
            for number, index in positions:
                repeated[number].add(index)
    for number, indices in repeated.items():
        lines = pages[number].lines
        if 2 * sum(len(lines[index].text) for index in indices) < sum(len(line.text) for line in lines):
            yield from ((number, index) for index in indices)


def _find_watermarks(pages: Sequence[PageContent]) -> Iterator[LinePosition]:
    """Find the large lines with the text of a watermark of another page, which cover no text on theirs."""
    watermarks = {
        text.removeprefix(WATERMARK) for page in pages for text in page.left_out if text.startswith(WATERMARK)
    }
    for number, page in enumerate(pages if watermarks else ()):
        for index, line in enumerate(page.lines):
            if line.text in watermarks and is_large(line, page.lines):
                yield number, index
