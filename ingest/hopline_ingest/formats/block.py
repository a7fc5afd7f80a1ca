"""A paragraph with the lines that show it: what `hopline_ingest.chunking` packs into passages."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from hopline.types import Box
from hopline_ingest.formats.parsed_document import Span
from hopline_ingest.formats.pdf.page_content import Rect


@dataclass(frozen=True, slots=True)
class BlockLine:
    """A line of a page and the span of its block's text that it shows.

    ``lefts`` and ``rights`` have one x a character of the span, in points.
    """

    span: Span
    page: int
    rect: Rect
    lefts: array[float]
    rights: array[float]

    def box(self, start: int, end: int) -> Box:
        """The part of the line that shows the block's ``text[start:end]``, which lies within the span."""
        first, last = start - self.span[0], end - self.span[0]
        x0 = min(self.lefts[first:last], default=self.rect[0])
        x1 = max(self.rights[first:last], default=self.rect[2])
        return Box(self.page, round(x0, 2), round(self.rect[1], 2), round(x1, 2), round(self.rect[3], 2))


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph. ``alone`` keeps it a passage of its own, as a figure's caption is.

    ``lines`` is empty where a format has no geometry; ``pages`` then says where the text stands.
    """

    text: str
    section: tuple[str, ...] = ()
    lines: tuple[BlockLine, ...] = ()
    pages: tuple[int, ...] = (1,)
    alone: bool = False

    def shown(self, start: int, end: int) -> Iterator[tuple[Span, Box]]:
        """For each line that shows a part of ``text[start:end]``: that part's span, and its box."""
        for line in self.lines:
            first, last = max(line.span[0], start), min(line.span[1], end)
            if first < last:
                yield (first, last), line.box(first, last)
