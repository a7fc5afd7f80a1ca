"""What reading a document gives: pages, passages and tables, each with its place.

Everything here is plain data and can be pickled. Boxes are in points from the page's top left
corner; spans are half-open character ranges of the text that they belong to.
"""

from __future__ import annotations

from dataclasses import dataclass

from hopline.types import Box

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Given:
    """What a row brings itself, so that nothing need be extracted; ``None``: not given."""

    entities: tuple[str, ...] | None = None
    triples: tuple[tuple[str, str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page by its number, from 1; ``width`` and ``height`` in points, 0 where a format has none."""

    number: int
    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class ParsedPassage:
    """Running text within one section.

    ``boxes`` has one box a line of the page, in reading order, and ``lines`` the span of ``text``
    that each of these boxes shows; both are empty where a format has no geometry. ``title``,
    ``source_id`` and ``given`` are of a row of a ``.jsonl``.
    """

    text: str
    section: tuple[str, ...] = ()
    pages: tuple[int, ...] = (1,)
    boxes: tuple[Box, ...] = ()
    lines: tuple[Span, ...] = ()
    sentences: tuple[Span, ...] = ()
    title: str = ""
    source_id: str = ""
    given: Given | None = None


@dataclass(frozen=True, slots=True)
class ParsedTable:
    """A table of one page; ``number`` is "2" of "Table 2", empty where it has none."""

    page: int
    caption: str = ""
    number: str = ""
    cells: tuple[tuple[str, ...], ...] = ()
    markdown: str = ""
    section: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document as it was read. ``warnings`` say what of it could not be, for the user."""

    title: str
    pages: tuple[ParsedPage, ...] = ()
    passages: tuple[ParsedPassage, ...] = ()
    tables: tuple[ParsedTable, ...] = ()
    warnings: tuple[str, ...] = ()
