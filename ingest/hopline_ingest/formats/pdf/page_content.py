"""What a reading process sends of one page: lines in reading order, and tables.

Rectangles are (x0, y0, x1, y1) in points from the page's top left corner.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Rect = tuple[float, float, float, float]
Role = Literal["text", "title", "caption", "header", "footer", "figure", "note", "list"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page as it is shown.

    ``lefts`` and ``rights`` are float32, one a character of ``text``: where its glyph stands.
    ``size`` is the font's size in points, ``turn`` how far the line is turned clockwise (0, 90, 180,
    270), ``block`` the number of the block on its page, in
    reading order; lines of one block follow each other.
    """

    text: str
    rect: Rect
    lefts: array[float]
    rights: array[float]
    size: float = 0.0
    bold: bool = False
    turn: int = 0
    role: Role = "text"
    block: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Lines of one block with their role, before the blocks of a page are put in order."""

    role: Role
    lines: tuple[Line, ...]

    @property
    def rect(self) -> Rect:
        """The rectangle around its lines."""
        return around(line.rect for line in self.lines)


@dataclass(frozen=True, slots=True)
class TableContent:
    """A table as it stands on a page; ``block`` is the block of lines before which it is read."""

    rect: Rect
    cells: tuple[tuple[str, ...], ...]
    caption: str = ""
    block: int = 0


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page: its size in points, what stands on it, and what could not be read of it.

    ``read`` is false for a page that was left out; ``warnings`` then say why.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...] = ()
    tables: tuple[TableContent, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    read: bool = True


@dataclass(frozen=True, slots=True)
class PdfOutline:
    """What is known of a PDF once it is open."""

    pages: int
    title: str = ""


def around(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all, of which there is at least one."""
    x0, y0, x1, y1 = zip(*rects, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
