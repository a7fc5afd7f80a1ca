"""Detection of running headers, footers, page numbers, and marks that are not part of the text. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from hopline_ingest.formats.pdf.layout.deep_headers import count_close_pages, find_deep_headers
from hopline_ingest.formats.pdf.layout.headings import body_size
from hopline_ingest.formats.pdf.layout.page_marks import find_page_marks
from hopline_ingest.formats.pdf.page_content import Line, LinePosition, PageContent
from hopline_ingest.formats.pdf.text.watermarks import WATERMARK

_BAND = 0.13  # of the page's height, at its top and bottom
_POSITION_STEP = 0.02  # of the page's height; lines in the same step are at the same position
_MIN_REPEATS = 3  # pages
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")
_NUMBER = re.compile(r"\W*(?:page|seite|p\.)?\W*(?:\d{1,4}|[ivxlcdm]{1,7})(?:\s*(?:of|/|von)\s*\d+)?\W*", re.IGNORECASE)
_MODEL_BAND = 0.075  # of the page's height, for headers and footers of the layout model
_SENTENCE_END = re.compile(r"[^\W\d_]{3,}[.;] +(?:[A-Z]|[a-z]{2,})")  # within a line of running text
_LARGE_SIZE = 1.15  # times the size of the body; such a line is a heading
_ADJACENT = 0.8  # font sizes from a line to the next one of the same text
_MAX_LISTED = 50
_MAX_LENGTH = 160  # characters of a header of the layout model

EdgeLines = Sequence[Mapping[int, Line]]  # of each page, the lines near its top and bottom by their numbers


def find_headers_and_footers(pages: Sequence[PageContent]) -> set[LinePosition]:
    """Find the lines that are headers, footers, page numbers, or marks that are not part of the text."""
    body = body_size(line for page in pages for line in page.lines)
    edges = [dict(_list_edge_lines(page)) for page in pages]
    repeated = {*_find_repeated_lines(pages, edges), *find_page_marks(pages)}
    positions = repeated - {*_find_text_below_headers(pages, repeated, body)}
    positions |= {*_find_page_numbers(pages, edges), *_select_model_roles(pages, edges, body)}
    return positions | {*find_deep_headers(pages, positions)}


def list_left_out(pages: Sequence[PageContent], positions: Iterable[LinePosition]) -> tuple[str, ...]:
    """List the texts of these lines with the reason, at most `_MAX_LISTED`, without page numbers.

    Texts that differ only in their numbers are listed once.
    """
    watermarks = {text for page in pages for text in page.left_out}
    texts = (pages[number].lines[index].text for number, index in sorted(positions))
    texts = (text for text in texts if f"{WATERMARK}{text}" not in watermarks)
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


def _find_repeated_lines(pages: Sequence[PageContent], edges: EdgeLines) -> Iterator[LinePosition]:
    """Find lines that neighbouring pages share except for numbers; "PART II" far from "PART I" is a heading.

    Numbers that neither count the pages nor come again are content: "Invoice number 7013" below "Invoice number 7020".
    """
    seen: dict[tuple[str, int], list[LinePosition]] = defaultdict(list)
    for number, page in enumerate(pages):
        for index, line in edges[number].items():
            key = _DIGITS.sub("#", line.text.lower())
            height = round(line.rect[1] / page.height / _POSITION_STEP)
            for row in (height - 1, height, height + 1):
                seen[key, row].append((number, index))
    min_pages = min(_MIN_REPEATS, max(2, len(pages)))
    for positions in seen.values():
        if count_close_pages({number for number, _ in positions}) < min_pages:
            continue
        if not _has_content_numbers({number: pages[number].lines[index].text for number, index in positions}):
            yield from positions


def _has_content_numbers(texts: Mapping[int, str]) -> bool:
    """Return whether lines of pages differ in numbers that are neither those of pages nor of chapters."""
    numbers = {page: [int(number) for number in re.findall(r"\d+", text)] for page, text in texts.items()}
    for slot in range(min(map(len, numbers.values()))):
        values = [of_page[slot] for of_page in numbers.values()]
        offsets = [of_page[slot] - page for page, of_page in numbers.items()]
        commonest = max(map(offsets.count, offsets))
        if 2 * len(set(values)) > len(values) and 2 * commonest < len(offsets):
            return True
    return False


def _find_page_numbers(pages: Sequence[PageContent], edges: EdgeLines) -> Iterator[LinePosition]:
    """Find page numbers: a number alone on the outermost row."""
    for number, page in enumerate(pages):
        if not page.lines:
            continue
        top = min(line.rect[1] for line in page.lines)
        bottom = max(line.rect[3] for line in page.lines)
        for index, line in edges[number].items():
            outermost = line.rect[1] - top < line.size or bottom - line.rect[3] < line.size
            if outermost and _NUMBER.fullmatch(line.text):
                yield number, index


def _select_model_roles(pages: Sequence[PageContent], edges: EdgeLines, body: float) -> Iterator[LinePosition]:
    """Select headers and footers of the layout model that are at the edge, short, not large and no sentence."""
    for number, page in enumerate(pages):
        for index, line in edges[number].items():
            small = len(line.text) < _MAX_LENGTH and line.size < _LARGE_SIZE * body
            outermost = line.rect[3] < _MODEL_BAND * page.height or line.rect[1] > (1 - _MODEL_BAND) * page.height
            is_sentence = (
                line.text[:1].islower() or line.text.endswith((",", "-", ";")) or _SENTENCE_END.search(line.text)
            )
            if line.role in {"header", "footer"} and small and outermost and len(pages) > 1 and not is_sentence:
                yield number, index


def _find_text_below_headers(
    pages: Sequence[PageContent], positions: Collection[LinePosition], body: float
) -> Iterator[LinePosition]:
    """Find repeated lines that are text: large ones below the header, and those directly above a line of the text.

    They are headings ("Notes"), and the headers of a table that is set again on each page.
    """
    for number, index in positions:
        page = pages[number]
        line = page.lines[index]
        if line.turn or line.rect[1] > 0.5 * page.height:
            continue
        is_below_header = any(
            other.rect[3] <= line.rect[1] and other.size < line.size and (number, above) in positions
            for above, other in enumerate(page.lines)
        )
        is_heading = is_below_header and line.size >= _LARGE_SIZE * body
        if is_heading or any(
            _is_adjacent(line, other) and (number, below) not in positions for below, other in enumerate(page.lines)
        ):
            yield number, index


def _is_adjacent(line: Line, below: Line) -> bool:
    """Return whether a line is directly below another one, in the same size."""
    gap = below.rect[1] - line.rect[3]
    overlap = min(line.rect[2], below.rect[2]) - max(line.rect[0], below.rect[0])
    return -line.size < 2 * gap < 2 * _ADJACENT * line.size and overlap > 0 and abs(line.size - below.size) < 0.5
