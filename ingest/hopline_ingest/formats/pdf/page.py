"""One page of a PDF: text, layout, tables; runs in a reading process."""

from __future__ import annotations

import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from hopline_ingest.formats.pdf.layout.layout_model import LayoutModel
from hopline_ingest.formats.pdf.layout.page_blocks import Content, blocks, is_whole, plain_blocks, without_rules
from hopline_ingest.formats.pdf.layout.page_triage import is_plain
from hopline_ingest.formats.pdf.layout.rotation import back, back_table, turns, upright
from hopline_ingest.formats.pdf.layout.table_areas import holds, table_areas
from hopline_ingest.formats.pdf.ocr.scans import TextReader, is_scan
from hopline_ingest.formats.pdf.page_content import Line, PageContent, Rect, around
from hopline_ingest.formats.pdf.tables.camelot_grids import grids
from hopline_ingest.formats.pdf.tables.grids import Cells, Grid, better, cells_of, finest, gap_grid, proper
from hopline_ingest.formats.pdf.text.glyphs import MAX_GLYPHS, Frame, Glyph, frame_of, glyphs
from hopline_ingest.formats.pdf.text.lines import pieces, with_bullets

_CUT = "page {} has more than {:,} characters; the rest was left out"
_CELL_GAP = 0.6  # in font sizes: wider, and what follows stands in another cell


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of PDFium's, its document and number, and how it lies."""

    document: Any
    number: int
    page: Any
    frame: Frame

    @contextmanager
    def turned(self, turn: int) -> Iterator[Sheet]:
        """The sheet with what is turned by ``turn`` upright; afterwards it lies as before."""
        rotation = self.page.get_rotation()
        self.page.set_rotation((rotation - turn) % 360)
        try:
            yield replace(self, frame=frame_of(self.page))
        finally:
            self.page.set_rotation(rotation)


class PdfReader:
    """Reads pages of PDFs one after another; keeps its models between calls."""

    def __init__(self) -> None:
        self._layout = LayoutModel()
        self._text = TextReader()

    def page(self, document: Any, number: int) -> PageContent:
        """Page ``number``, from 1, of PDFium's document."""
        begun = time.monotonic()
        page = document[number - 1]
        try:
            sheet = Sheet(document, number, page, frame_of(page))
            shown, cut = glyphs(page, sheet.frame)
            lines, tables = self._scanned(sheet) if is_scan(page, sheet.frame, shown) else self._set(sheet, shown)
        finally:
            page.close()
        warnings = (_CUT.format(number, MAX_GLYPHS),) if cut else ()
        width, height = sheet.frame.width, sheet.frame.height
        return PageContent(number, width, height, lines, tables, warnings, time.monotonic() - begun)

    def _set(self, sheet: Sheet, shown: Sequence[Glyph | None]) -> Content:
        """A page of text; what is set sideways on it, such as a wide table, is read after what is not."""
        kept, apart = turns(shown)
        lines, tables = self._upright(sheet, shown, kept)
        for turn in apart:
            with sheet.turned(turn) as straight:
                more = self._upright(straight, glyphs(sheet.page, straight.frame)[0], {0})
            after = 1 + max((line.block for line in lines), default=0)
            lines += tuple(back(line, turn, sheet.frame, after) for line in more[0])
            tables += tuple(back_table(table, turn, sheet.frame, after) for table in more[1])
        return lines, tables

    def _scanned(self, sheet: Sheet) -> Content:
        """A page that is a picture, read upright whichever way it lies."""
        found, turn = self._text.lines(sheet.page, sheet.frame)
        straight = [upright(line, turn, sheet.frame) for line in found]
        with sheet.turned(turn) as turned:
            regions = self._layout.regions(turned.page, turned.frame.width, turned.frame.height)
        areas = table_areas(regions, straight)
        lines, tables = blocks(straight, regions, _candidates(areas, [(None, None)] * len(areas), straight))
        return (
            tuple(back(line, turn, sheet.frame) for line in lines) if turn else lines,
            tuple(back_table(table, turn, sheet.frame) for table in tables),
        )

    def _upright(self, sheet: Sheet, shown: Sequence[Glyph | None], kept: Container[int]) -> Content:
        """What is set with one of the turns ``kept`` on a page."""
        shown = [glyph for glyph in shown if glyph is None or glyph.turn in kept]
        found = with_bullets(without_rules(pieces(shown)))
        if is_plain(found):
            return plain_blocks(found), ()
        regions = self._layout.regions(sheet.page, sheet.frame.width, sheet.frame.height)
        cut = pieces(shown, gap=_CELL_GAP)
        areas = table_areas(regions, cut)
        content = blocks(found, regions, _candidates(areas, _grids(sheet, areas), cut))
        return content if is_whole(content, found) else blocks(found, (), ())


def _grids(sheet: Sheet, areas: Sequence[Rect]) -> Sequence[tuple[Grid | None, Grid | None]]:
    """What camelot finds; nothing where it cannot read a page that PDFium could."""
    if not areas:
        return ()
    try:
        return grids(sheet.document, sheet.number, areas, sheet.frame.height)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 — a second parser on any file; the gaps alone will do
        return [(None, None)] * len(areas)


def _candidates(
    areas: Sequence[Rect], found: Sequence[tuple[Grid | None, Grid | None]], cut: Sequence[Line]
) -> list[tuple[Rect, Cells]]:
    """What may be tables: where they stand, and their cells."""
    candidates = []
    for area, (stream, lattice) in zip(areas, found, strict=True):
        within = [line for line in cut if holds(area, line.rect)]
        grid = finest(within, better(stream, lattice, within), gap_grid(within))
        if grid is None:
            continue
        kept = proper(grid, within)
        inner = around(line.rect for line in kept)
        rect = (area[0], max(area[1], inner[1] - 1), area[2], min(area[3], inner[3] + 1))
        candidates.append((rect, cells_of(grid, kept)))
    return candidates
