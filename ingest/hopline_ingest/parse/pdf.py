"""One page of a PDF: text, layout, tables; runs in a reading process."""

from __future__ import annotations

import time
from collections.abc import Container, Sequence
from typing import Any

from hopline_ingest.parse.areas import holds, table_areas
from hopline_ingest.parse.content import Line, PageContent, Rect
from hopline_ingest.parse.gate import is_plain
from hopline_ingest.parse.glyphs import MAX_GLYPHS, Frame, Glyph, frame_of, glyphs
from hopline_ingest.parse.grids import Cells, Grid, better, cells_of, foot_of, gap_grid
from hopline_ingest.parse.lines import pieces, with_bullets
from hopline_ingest.parse.page_blocks import Content, blocks, is_whole, plain_blocks, without_rules
from hopline_ingest.parse.regions import LayoutModel
from hopline_ingest.parse.scans import TextReader, is_scan
from hopline_ingest.parse.tables import grids
from hopline_ingest.parse.turning import back, back_table, turns, upright

_CUT = "page {} has more than {:,} characters; the rest was left out"
_CELL_GAP = 0.6  # in font sizes: wider, and what follows stands in another cell


class PdfReader:
    """Reads pages of PDFs one after another; keeps the layout model between calls."""

    def __init__(self) -> None:
        self._layout = LayoutModel()
        self._text = TextReader()

    def page(self, document: Any, number: int) -> PageContent:
        """Page ``number``, from 1.

        Text that is set sideways, a wide table on an upright page, is read with the page turned,
        after the text that is not.
        """
        begun = time.monotonic()
        page = document[number - 1]
        try:
            frame = frame_of(page)
            shown = glyphs(page, frame)
            lines, tables = self._read(document, number, page, frame, shown)
        finally:
            page.close()
        warnings = (_CUT.format(number, MAX_GLYPHS),) if len(shown) >= MAX_GLYPHS else ()
        seconds = time.monotonic() - begun
        return PageContent(number, frame.width, frame.height, lines, tables, warnings, seconds)

    def _read(self, document: Any, number: int, page: Any, frame: Frame, shown: Sequence[Glyph | None]) -> Content:
        if is_scan(page, frame, shown):
            return self._scanned(page, frame)
        kept, apart = turns(shown)
        lines, tables = self._upright(document, number, page, frame, shown, kept)
        for turn in apart:
            more_lines, more_tables = self._turned(document, number, page, turn)
            after = 1 + max((line.block for line in lines), default=0)
            lines += tuple(back(line, turn, frame, after) for line in more_lines)
            tables += tuple(back_table(table, turn, frame, after) for table in more_tables)
        return lines, tables

    def _turned(self, document: Any, number: int, page: Any, turn: int) -> Content:
        rotation = page.get_rotation()
        page.set_rotation((rotation - turn) % 360)
        try:
            frame = frame_of(page)
            shown = glyphs(page, frame)
            return self._upright(document, number, page, frame, shown, {0})
        finally:
            page.set_rotation(rotation)

    def _scanned(self, page: Any, frame: Frame) -> Content:
        """What a page shows that is a picture, read upright whichever way it lies."""
        found, turn = self._text.lines(page, frame)
        rotation = page.get_rotation()
        page.set_rotation((rotation - turn) % 360)
        try:
            whole = frame_of(page)
            straight = [upright(line, turn, frame) for line in found]
            regions = self._layout.regions(page, whole.width, whole.height)
        finally:
            page.set_rotation(rotation)
        areas = table_areas(regions, straight)
        candidates = _candidates(areas, [(None, None)] * len(areas), straight)
        lines, tables = blocks(straight, regions, candidates)
        if not turn:
            return lines, tables
        return (
            tuple(back(line, turn, frame, 0) for line in lines),
            tuple(back_table(table, turn, frame, 0) for table in tables),
        )

    def _upright(
        self, document: Any, number: int, page: Any, frame: Frame, shown: Sequence[Glyph | None], kept: Container[int]
    ) -> Content:
        """What is set with one of the turns ``kept`` on a page."""
        shown = [glyph for glyph in shown if glyph is None or glyph.turn in kept]
        found = with_bullets(without_rules(pieces(shown)))
        if is_plain(found):
            return plain_blocks(found), ()
        regions = self._layout.regions(page, frame.width, frame.height)
        cut = pieces(shown, gap=_CELL_GAP)
        areas = table_areas(regions, cut)
        content = blocks(found, regions, _candidates(areas, _grids(document, number, areas, frame.height), cut))
        return content if is_whole(content, found) else blocks(found, (), ())


def _grids(
    document: Any, number: int, areas: Sequence[Rect], height: float
) -> Sequence[tuple[Grid | None, Grid | None]]:
    """What camelot finds; nothing where it cannot read the page, which PDFium could."""
    if not areas:
        return ()
    try:
        return grids(document, number, areas, height)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 — a parser in Python on any file; the gaps alone will do
        return [(None, None)] * len(areas)


def _candidates(
    areas: Sequence[Rect], found: Sequence[tuple[Grid | None, Grid | None]], cut: Sequence[Line]
) -> list[tuple[Rect, Cells]]:
    """What may be tables: where they stand, and their cells."""
    candidates = []
    for area, (stream, lattice) in zip(areas, found, strict=True):
        within = [line for line in cut if holds(area, line.rect)]
        grid = better(stream, lattice, within) or gap_grid(within)
        if grid is None:
            continue
        foot = foot_of(grid, within)
        proper = [line for line in within if line.rect[1] < foot]
        lowest = max((line.rect[3] for line in proper), default=area[1])
        candidates.append(((area[0], area[1], area[2], min(area[3], lowest + 1)), cells_of(grid, proper)))
    return candidates
