"""Detection of running headers, footers, page numbers, and marks in the margin or behind the text. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from hopline_ingest.formats.pdf.layout.headings import body_size
from hopline_ingest.formats.pdf.page_content import Line, PageContent

_BAND = 0.13  # of the page's height, at its top and at its foot
_NEAR = 0.02  # of the page's height: a running head stands where it stood on the page before
_REPEATS = 3  # pages
_APART = 2  # pages: left and right ones may differ
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")
_NUMBER = re.compile(r"\W*(?:page|seite|p\.)?\W*(?:\d{1,4}|[ivxlcdm]{1,7})(?:\s*(?:of|/|von)\s*\d+)?\W*", re.IGNORECASE)
_EDGE = 0.075  # of the page's height, for what the layout model alone calls a header or footer
_SENTENCE_END = re.compile(r"[^\W\d_]{3,}[.;] +(?:[A-Z]|[a-z]{2,})")  # within a line: it is running text
_LARGE = 1.15  # than the body: a heading at the top of a page
_MARGIN = 0.09  # of the page's width
_OUTLIERS = 20  # one line of so many may stand further out than the text
_MARKED_PAGES = 5
_MOST = 0.75  # of the pages
_LISTED = 12
_LONGEST = 160  # characters of a running head that the layout model alone found

Place = tuple[int, int]  # number of the page in the sequence, number of the line on it


def find_headers_and_footers(pages: Sequence[PageContent]) -> set[Place]:
    """Find the lines that are headers, footers, page numbers, or marks that are not part of the text.

    Marks are texts turned in the margin, and those at one place of most pages.
    """
    body = body_size(line for page in pages for line in page.lines)
    return {*_repeated(pages), *_numbers(pages), *_seen_by_model(pages, body), *_in_margin(pages), *_marks(pages)}


def list_left_out(pages: Sequence[PageContent], places: Iterable[Place]) -> tuple[str, ...]:
    """List the texts at these places with the reason, each once whatever its numbers, without page numbers.

    At most `_LISTED`.
    """
    texts: dict[str, str] = {}
    for number, index in sorted(places):
        text = pages[number].lines[index].text
        if not _NUMBER.fullmatch(text):
            texts.setdefault(_DIGITS.sub("#", text.lower()), text)
    return tuple(f"header or footer: {text}" for text in texts.values())[:_LISTED]


def _edge_lines(page: PageContent) -> Iterator[tuple[int, Line]]:
    for index, line in enumerate(page.lines):
        if line.rect[3] < _BAND * page.height or line.rect[1] > (1 - _BAND) * page.height:
            yield index, line


def _repeated(pages: Sequence[PageContent]) -> Iterator[Place]:
    """Lines that pages near each other share, but for their numbers; "PART II" far from "PART I" is a heading."""
    seen: dict[tuple[str, int], list[Place]] = defaultdict(list)
    for number, page in enumerate(pages):
        for index, line in _edge_lines(page):
            key = _DIGITS.sub("#", line.text.lower())
            height = round(line.rect[1] / page.height / _NEAR)
            for near in (height - 1, height, height + 1):
                seen[key, near].append((number, index))
    least = min(_REPEATS, max(2, len(pages)))
    for places in seen.values():
        numbers = sorted({number for number, _ in places})
        close = {number for pair in pairwise(numbers) if pair[1] - pair[0] <= _APART for number in pair}
        if len(close) >= least:
            yield from places


def _in_margin(pages: Sequence[PageContent]) -> Iterator[Place]:
    """Turned lines that stand wholly left or right of the upright text, such as the mark of a printer or an archive."""
    for number, page in enumerate(pages):
        upright = [line.rect for line in page.lines if line.turn == 0]
        turned = [index for index, line in enumerate(page.lines) if line.turn in {90, 270}]
        if len(upright) <= len(turned):
            continue
        outer = len(upright) // _OUTLIERS
        left, right = sorted(rect[0] for rect in upright)[outer], sorted(rect[2] for rect in upright)[-1 - outer]
        for index in turned:
            rect = page.lines[index].rect
            outermost = rect[2] < _MARGIN * page.width or rect[0] > (1 - _MARGIN) * page.width
            if outermost and (rect[2] <= left or rect[0] >= right):
                yield number, index


def _marks(pages: Sequence[PageContent]) -> Iterator[Place]:
    """Lines with exactly the same text at the same place of most pages: a watermark, a classification.

    Lines that make up half of a page or more are its text, such as that of a form that is repeated.
    """
    if len(pages) < _MARKED_PAGES:
        return
    seen: dict[tuple[str, int, int], list[Place]] = defaultdict(list)
    for number, page in enumerate(pages):
        for index, line in enumerate(page.lines):
            x, y = (round(line.rect[side] / page.height / _NEAR) for side in (0, 1))
            seen[line.text, x, y].append((number, index))
    repeated: dict[int, set[int]] = defaultdict(set)
    for places in seen.values():
        if len({number for number, _ in places}) >= _MOST * len(pages):
            for number, index in places:
                repeated[number].add(index)
    for number, indices in repeated.items():
        lines = pages[number].lines
        if 2 * sum(len(lines[index].text) for index in indices) < sum(len(line.text) for line in lines):
            yield from ((number, index) for index in indices)


def _numbers(pages: Sequence[PageContent]) -> Iterator[Place]:
    """Page numbers: a number alone on the outermost row."""
    for number, page in enumerate(pages):
        if not page.lines:
            continue
        top = min(line.rect[1] for line in page.lines)
        foot = max(line.rect[3] for line in page.lines)
        for index, line in _edge_lines(page):
            outermost = line.rect[1] - top < line.size or foot - line.rect[3] < line.size
            if outermost and _NUMBER.fullmatch(line.text):
                yield number, index


def _seen_by_model(pages: Sequence[PageContent], body: float) -> Iterator[Place]:
    """Yield what the layout model calls a header or footer if it is at the edge, short, not large and no sentence."""
    for number, page in enumerate(pages):
        for index, line in _edge_lines(page):
            small = len(line.text) < _LONGEST and line.size < _LARGE * body
            outermost = line.rect[3] < _EDGE * page.height or line.rect[1] > (1 - _EDGE) * page.height
            is_sentence = (
                line.text[:1].islower() or line.text.endswith((",", "-", ";")) or _SENTENCE_END.search(line.text)
            )
            if line.role in {"header", "footer"} and small and outermost and len(pages) > 1 and not is_sentence:
                yield number, index
