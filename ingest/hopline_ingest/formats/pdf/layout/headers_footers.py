"""Running heads, feet and page numbers: what repeats over pages and belongs to none. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
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
_LARGE = 1.15  # than the body: a heading at the top of a page
_LONGEST = 160  # characters of a running head that the layout model alone found

Place = tuple[int, int]  # number of the page in the sequence, number of the line on it


def furniture(pages: Sequence[PageContent]) -> set[Place]:
    """Where the lines stand that are no part of the text."""
    body = body_size(line for page in pages for line in page.lines)
    return {*_repeated(pages), *_numbers(pages), *_seen_by_model(pages, body)}


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
    """What the layout model calls a header or footer, where it stands at the edge, is short and not set large."""
    for number, page in enumerate(pages):
        for index, line in _edge_lines(page):
            small = len(line.text) < _LONGEST and line.size < _LARGE * body
            outermost = line.rect[3] < _EDGE * page.height or line.rect[1] > (1 - _EDGE) * page.height
            if line.role in {"header", "footer"} and small and outermost and len(pages) > 1:
                yield number, index
