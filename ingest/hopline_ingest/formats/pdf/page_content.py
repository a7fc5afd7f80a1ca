"""Parsed content of one PDF page: lines in reading order, and tables.

Rectangles are (x0, y0, x1, y1) in points from the page's top left corner.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from hopline.metadata.values import MetadataValue

Rect = tuple[float, float, float, float]
LinePosition = tuple[int, int]  # number of the page in the sequence, number of the line on it
Role = Literal["text", "title", "caption", "header", "footer", "figure", "note", "list"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a displayed page.

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
    """Lines of one block with their role, before the blocks of a page are ordered."""

    role: Role
    lines: tuple[Line, ...]

    @property
    def rect(self) -> Rect:
        """The bounding rectangle of the lines."""
        return bounding_rect(line.rect for line in self.lines)


@dataclass(frozen=True, slots=True)
class TableCell:
    """The text of a cell, and the rectangle of this text; none if the cell is empty."""

    text: str = ""
    rect: Rect | None = None

    def __bool__(self) -> bool:
        return bool(self.text)


Cells = tuple[tuple[TableCell, ...], ...]


@dataclass(frozen=True, slots=True)
class TableCandidate:
    """Cells that may be a table; ``ruled`` if their sides are drawn on the page."""

    rect: Rect
    cells: Cells
    ruled: bool = False


@dataclass(frozen=True, slots=True)
class TableContent:
    """A table of a page; ``block`` is the block of lines that it precedes in reading order."""

    rect: Rect
    cells: Cells
    caption: str = ""
    block: int = 0


@dataclass(frozen=True, slots=True)
class FigureContent:
    """A figure of a page, in ``rect`` with its caption.

    ``caption`` is the number of the block of its caption, ``labels`` are those of the texts inside of the figure.
    ``has_region`` is False if only the caption was found: ``rect`` is then that of the caption.
    """

    rect: Rect
    caption: int
    labels: tuple[int, ...] = ()
    has_region: bool = True


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page: its size in points, its content, and warnings about what could not be parsed.

    ``source`` are the texts of the page before layout analysis. ``left_out`` are texts that are in no line, with the
    reason, and so is ``hidden``, text that the page does not show. ``read`` is false for a page that was left out;
    ``warnings`` then say why.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...] = ()
    tables: tuple[TableContent, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    read: bool = True
    left_out: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    figures: tuple[FigureContent, ...] = ()


@dataclass(frozen=True, slots=True)
class PdfOutline:
    """Number of pages, title and properties of a PDF, and warnings about parts that are not parsed.

    ``labels`` are those of the pages ("iv"), "" for pages without one; empty if no page has one.
    """

    pages: int
    title: str = ""
    warnings: tuple[str, ...] = ()
    properties: tuple[tuple[str, MetadataValue], ...] = ()
    labels: tuple[str, ...] = ()


def bounding_rect(rects: Iterable[Rect]) -> Rect:
    """Return the bounding rectangle of at least one rectangle."""
    x0, y0, x1, y1 = zip(*rects, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
