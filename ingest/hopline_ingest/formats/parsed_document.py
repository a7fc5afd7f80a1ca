"""Result of parsing a document: pages, passages, tables and figures with their positions.

Everything here is plain data and can be pickled. Boxes are in points from the page's top left
corner; spans are half-open character ranges of the text that they belong to.
"""

from __future__ import annotations

from dataclasses import dataclass

from hopline.metadata.values import MetadataValue
from hopline.records import BibliographicEntry, Box
from hopline.tables.structure import EMPTY_STRUCTURE, TableStructure

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GivenFacts:
    """Entities and triples that a JSONL row provides, so that none are extracted; ``None`` if it has no such field."""

    entities: tuple[str, ...] | None = None
    triples: tuple[tuple[str, str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page by its number, from 1; ``width`` and ``height`` in points, 0 for formats without a page size.

    ``label`` is the number that is printed on it ("iv", "A-3"); "" for all pages if none differs from the number.
    """

    number: int
    width: float = 0.0
    height: float = 0.0
    label: str = ""


@dataclass(frozen=True, slots=True)
class ParsedPassage:
    """Running text within one section.

    ``boxes`` has one box per line of the page, in reading order, and ``lines`` the span of ``text``
    inside each box; both are empty for formats without geometry. ``title``, ``source_id`` and
    ``facts`` are set for rows of a ``.jsonl``.
    """

    text: str
    section: tuple[str, ...] = ()
    pages: tuple[int, ...] = (1,)
    boxes: tuple[Box, ...] = ()
    lines: tuple[Span, ...] = ()
    sentences: tuple[Span, ...] = ()
    title: str = ""
    source_id: str = ""
    facts: GivenFacts | None = None


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on one page; ``number`` is "2" for "Table 2", empty if it has none.

    ``boxes`` has one box per cell with text, and ``lines`` the span of ``text`` inside each box; where the positions of
    cells are not known, ``boxes`` has the box of the whole table, and ``lines`` is empty. ``structure`` has the kinds
    and paths of the rows in ``cells``, and the paths, units and scales of the columns.
    """

    page: int
    caption: str = ""
    number: str = ""
    cells: tuple[tuple[str, ...], ...] = ()
    markdown: str = ""
    section: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()
    lines: tuple[Span, ...] = ()
    structure: TableStructure = EMPTY_STRUCTURE

    @property
    def text(self) -> str:
        """The caption, if there is one, and the table as Markdown."""
        return "\n".join(part for part in (self.caption, self.markdown) if part)


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A figure on one page; ``number`` is "3" for "Figure 3", "B-2" for "Chart B-2".

    ``text`` is the caption, followed by the lines of text inside of the figure. ``boxes`` has the box of the figure
    with its caption; it is empty for formats without geometry.
    """

    page: int
    caption: str
    number: str = ""
    text: str = ""
    section: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()
    sentences: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A parsed document. ``warnings`` are messages for the user about what could not be parsed.

    ``left_out`` are texts that are in no passage, each once: running headers, footers and marks in the margin.
    ``metadata`` are the keys and values in the file itself, ``bibliography`` what its pages state about the document.
    """

    title: str
    pages: tuple[ParsedPage, ...] = ()
    passages: tuple[ParsedPassage, ...] = ()
    tables: tuple[PageTable, ...] = ()
    warnings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    metadata: tuple[tuple[str, MetadataValue], ...] = ()
    figures: tuple[PageFigure, ...] = ()
    bibliography: tuple[BibliographicEntry, ...] = ()
