"""Lines of the first pages of a document, whatever its format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hopline.records import BibliographicEntry, BibliographicKey, Box
from hopline_ingest.formats.block import Block
from hopline_ingest.formats.pdf.layout.headings import body_size
from hopline_ingest.formats.pdf.page_content import Line, PageContent

MAX_PAGES = 6  # a book has its ISBN on one of its first pages
_MAX_BLOCKS = 60  # of formats without pages
_LARGER = 1.1  # than the body's text: a heading
_MIN_TITLE = 12  # characters of the beginning of a title that is found
_MAX_ZONE = 60  # lines
_MIN_RUNNING = 60  # characters of a line of running text
_TEXT_BEGINS = re.compile(
    r"\W*(?:\d+\.?\s+)?(?:abstract|a b s t r a c t|introduction|contents|table of contents|executive summary|summary|"
    r"preface|foreword|zusammenfassung|résumé)\s*(?:$|[.:—–-])|\W*key\s?words?\b|dear\s|1\.?\s+[A-Z]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FrontLine:
    """A line of a page, or a paragraph of a format without lines.

    ``line`` has the geometry of a page's line, ``boxes`` that of a paragraph as far as it is known; ``size`` is 0 where
    the font is not known.
    """

    text: str
    page: int
    is_heading: bool = False
    size: float = 0.0
    line: Line | None = None
    boxes: tuple[Box, ...] = ()

    def make_entry(
        self, key: BibliographicKey, value: str, start: int = 0, end: int | None = None
    ) -> BibliographicEntry:
        """Make the entry of a value that ``text[start:end]`` states."""
        end = len(self.text) if end is None else end
        return BibliographicEntry(key, value, self.text[start:end], self.page, self._get_boxes(start, end))

    def _get_boxes(self, start: int, end: int) -> tuple[Box, ...]:
        if self.line is None:
            return self.boxes
        x0, y0, x1, y1 = self.line.rect
        if self.line.turn == 0:
            x0 = min(self.line.lefts[start:end], default=x0)
            x1 = max(self.line.rights[start:end], default=x1)
        return (Box(self.page, round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)),)


def list_page_lines(pages: Iterable[PageContent]) -> list[FrontLine]:
    """List the lines of the first pages in reading order, headers and footers among them."""
    first = [page for page in pages if page.number <= MAX_PAGES]
    body = body_size(line for page in first for line in page.lines)
    return [
        FrontLine(line.text, page.number, line.role == "title" or line.size >= _LARGER * body, line.size, line)
        for page in first
        for line in page.lines
    ]


def list_block_lines(title: str, blocks: Sequence[Block]) -> list[FrontLine]:
    """List the title, the first paragraphs and the headings above them."""
    return [FrontLine(title, 1, is_heading=True), *_iterate_blocks(blocks[:_MAX_BLOCKS])]


def _iterate_blocks(blocks: Iterable[Block]) -> Iterator[FrontLine]:
    section: tuple[str, ...] = ()
    for block in blocks:
        for level, heading in enumerate(block.section):
            if section[: level + 1] != block.section[: level + 1]:
                yield FrontLine(heading, block.pages[0], is_heading=True)
        section = block.section
        boxes = tuple(box for _, box in block.line_boxes(0, len(block.text)))
        yield FrontLine(block.text, block.pages[0], boxes=boxes)


def find_title_lines(lines: Sequence[FrontLine], title: str) -> range:
    """Find the indices of the lines that show the title; an empty range before the first line if none do."""
    wanted = _fold(title)
    for first, line in enumerate(lines):
        shown = _fold(line.text)
        if not shown or not wanted.startswith(shown):
            continue
        last = first
        while shown != wanted and last + 1 < len(lines) and wanted.startswith(shown + _fold(lines[last + 1].text)):
            last += 1
            shown += _fold(lines[last].text)
        if len(shown) >= min(len(wanted), max(_MIN_TITLE, len(wanted) // 2)):
            return range(first, last + 1)
    return range(0)


def find_zone(lines: Sequence[FrontLine], title: range) -> list[FrontLine]:
    """Return the lines between the title and the text: of authors, affiliations, dates and the publisher."""
    zone: list[FrontLine] = []
    page = lines[title.start].page if title else 1
    shown = _fold(" ".join(line.text for line in lines[title.start : title.stop]))
    for line in lines[title.stop :]:
        is_section = line.is_heading and line.line is None  # the font of a page's line may be that of the title
        if line.page != page or len(zone) == _MAX_ZONE or is_section or begins_text(line.text):
            break
        if _fold(line.text) != shown:
            zone.append(line)
    return zone


def begins_text(text: str) -> bool:
    """Return whether the text of a document begins with a line: a heading, a salutation, or a part of sentences."""
    return bool(_TEXT_BEGINS.match(text)) or is_running_text(text)


def is_running_text(text: str) -> bool:
    """Return whether a line is a part of sentences: long, with words in lower case."""
    words = re.findall(r"[^\W\d_]+", text)
    return len(text) >= _MIN_RUNNING and sum(word[0].islower() for word in words) >= max(6, len(words) // 2)


def _fold(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())
