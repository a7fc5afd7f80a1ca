"""Detection of running headers, footers, page numbers, and marks in the margin or behind the text. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from hopline_ingest.formats.pdf.layout.headings import body_size
from hopline_ingest.formats.pdf.page_content import Line, PageContent

_BAND = 0.13  # of the page's height, at its top and bottom
_POSITION_STEP = 0.02  # of the page's height; lines in the same step are at the same position
_MIN_REPEATS = 3  # pages
_MAX_PAGE_GAP = 2  # pages; left and right pages may differ
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")
_NUMBER = re.compile(r"\W*(?:page|seite|p\.)?\W*(?:\d{1,4}|[ivxlcdm]{1,7})(?:\s*(?:of|/|von)\s*\d+)?\W*", re.IGNORECASE)
_MODEL_BAND = 0.075  # of the page's height, for headers and footers of the layout model
_SENTENCE_END = re.compile(r"[^\W\d_]{3,}[.;] +(?:[A-Z]|[a-z]{2,})")  # within a line of running text
_LARGE_SIZE = 1.15  # times the size of the body; such a line is a heading
_MARGIN = 0.09  # of the page's width
_LINES_PER_OUTLIER = 20  # lines; one of so many may be further out than the text
_MIN_WATERMARK_PAGES = 5
_WATERMARK_SHARE = 0.75  # of the pages
_MAX_LISTED = 12
_MAX_LENGTH = 160  # characters of a header of the layout model

LinePosition = tuple[int, int]  # number of the page in the sequence, number of the line on it


def find_headers_and_footers(pages: Sequence[PageContent]) -> set[LinePosition]:
    """Find the lines that are headers, footers, page numbers, or marks that are not part of the text.

    Marks are rotated texts in the margin, and texts at the same position on most pages.
    """
    body = body_size(line for page in pages for line in page.lines)
    return {
        *_find_repeated_lines(pages),
        *_find_page_numbers(pages),
        *_select_model_roles(pages, body),
        *_find_margin_lines(pages),
        *_find_watermarks(pages),
    }


def list_left_out(pages: Sequence[PageContent], positions: Iterable[LinePosition]) -> tuple[str, ...]:
    """List the texts of these lines with the reason, at most `_MAX_LISTED`, without page numbers.

    Texts that differ only in their numbers are listed once.
    """
    texts = (pages[number].lines[index].text for number, index in sorted(positions))
    distinct = drop_repetitions(text for text in texts if not _NUMBER.fullmatch(text))
    return tuple(f"header or footer: {text}" for text in distinct)[:_MAX_LISTED]


def drop_repetitions(texts: Iterable[str]) -> Collection[str]:
    """Return the texts in order, of those that differ only in their numbers the first one."""
    distinct: dict[str, str] = {}
    for text in texts:
        distinct.setdefault(_DIGITS.sub("#", text.lower()), text)
    return distinct.values()


def _list_edge_lines(page: PageContent) -> Iterator[tuple[int, Line]]:
    for index, line in enumerate(page.lines):
        if line.rect[3] < _BAND * page.height or line.rect[1] > (1 - _BAND) * page.height:
            yield index, line


def _find_repeated_lines(pages: Sequence[PageContent]) -> Iterator[LinePosition]:
    """Find lines that neighbouring pages share except for numbers; "PART II" far from "PART I" is a heading."""
    seen: dict[tuple[str, int], list[LinePosition]] = defaultdict(list)
    for number, page in enumerate(pages):
        for index, line in _list_edge_lines(page):
            key = _DIGITS.sub("#", line.text.lower())
            height = round(line.rect[1] / page.height / _POSITION_STEP)
            for row in (height - 1, height, height + 1):
                seen[key, row].append((number, index))
    min_pages = min(_MIN_REPEATS, max(2, len(pages)))
    for positions in seen.values():
        numbers = sorted({number for number, _ in positions})
        close_pages = {number for pair in pairwise(numbers) if pair[1] - pair[0] <= _MAX_PAGE_GAP for number in pair}
        if len(close_pages) >= min_pages:
            yield from positions


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


def _find_watermarks(pages: Sequence[PageContent]) -> Iterator[LinePosition]:
    """Find lines with the same text at the same position on most pages: a watermark, a classification.

    If they make up half of a page or more, they are its text, such as that of a repeated form.
    """
    if len(pages) < _MIN_WATERMARK_PAGES:
        return
    seen: dict[tuple[str, int, int], list[LinePosition]] = defaultdict(list)
    for number, page in enumerate(pages):
        for index, line in enumerate(page.lines):
            x, y = (round(line.rect[side] / page.height / _POSITION_STEP) for side in (0, 1))
            seen[line.text, x, y].append((number, index))
    repeated: dict[int, set[int]] = defaultdict(set)
    for positions in seen.values():
        if len({number for number, _ in positions}) >= _WATERMARK_SHARE * len(pages):
            for number, index in positions:
                repeated[number].add(index)
    for number, indices in repeated.items():
        lines = pages[number].lines
        if 2 * sum(len(lines[index].text) for index in indices) < sum(len(line.text) for line in lines):
            yield from ((number, index) for index in indices)


def _find_page_numbers(pages: Sequence[PageContent]) -> Iterator[LinePosition]:
    """Find page numbers: a number alone on the outermost row."""
    for number, page in enumerate(pages):
        if not page.lines:
            continue
        top = min(line.rect[1] for line in page.lines)
        bottom = max(line.rect[3] for line in page.lines)
        for index, line in _list_edge_lines(page):
            outermost = line.rect[1] - top < line.size or bottom - line.rect[3] < line.size
            if outermost and _NUMBER.fullmatch(line.text):
                yield number, index


def _select_model_roles(pages: Sequence[PageContent], body: float) -> Iterator[LinePosition]:
    """Select headers and footers of the layout model that are at the edge, short, not large and no sentence."""
    for number, page in enumerate(pages):
        for index, line in _list_edge_lines(page):
            small = len(line.text) < _MAX_LENGTH and line.size < _LARGE_SIZE * body
            outermost = line.rect[3] < _MODEL_BAND * page.height or line.rect[1] > (1 - _MODEL_BAND) * page.height
            is_sentence = (
                line.text[:1].islower() or line.text.endswith((",", "-", ";")) or _SENTENCE_END.search(line.text)
            )
            if line.role in {"header", "footer"} and small and outermost and len(pages) > 1 and not is_sentence:
                yield number, index
