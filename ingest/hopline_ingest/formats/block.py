"""Blocks: paragraphs with their lines on the page, the input of `hopline_ingest.chunking`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from hopline.records import Box
from hopline_ingest.formats.parsed_document import Span
from hopline_ingest.formats.pdf.page_content import Rect


@dataclass(frozen=True, slots=True)
class BlockLine:
    """A line of a page and the span of its block's text that it contains.

    ``lefts`` and ``rights`` hold one x coordinate per character of the span, in points.
    """

    span: Span
    page: int
    rect: Rect
    lefts: array[float]
    rights: array[float]

    def box(self, start: int, end: int) -> Box:
        """Return the bounding box of the block's ``text[start:end]``, which must be within the span."""
        first, last = start - self.span[0], end - self.span[0]
        x0 = min(self.lefts[first:last], default=self.rect[0])
        x1 = max(self.rights[first:last], default=self.rect[2])
        return Box(self.page, round(x0, 2), round(self.rect[1], 2), round(x1, 2), round(self.rect[3], 2))


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph. ``alone`` makes it a passage of its own, such as the caption of a figure.

    Program code (``is_code``) keeps its lines and their indentation.

    ``lines`` is empty for formats without geometry; ``pages`` then gives the pages of the text.
    """

    text: str
    section: tuple[str, ...] = ()
    lines: tuple[BlockLine, ...] = ()
    pages: tuple[int, ...] = (1,)
    alone: bool = False
    is_code: bool = False

    def line_boxes(self, start: int, end: int) -> Iterator[tuple[Span, Box]]:
        """Yield, for each line that contains a part of ``text[start:end]``, the span of the part and its box."""
        for line in self.lines:
            first, last = max(line.span[0], start), min(line.span[1], end)
            if first < last:
                yield (first, last), line.box(first, last)
