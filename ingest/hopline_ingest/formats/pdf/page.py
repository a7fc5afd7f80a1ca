"""Parsing of one PDF page: text, layout and tables; runs in a parser process."""

from __future__ import annotations

import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from hopline_ingest.formats.pdf.layout.layout_model import LayoutModel
from hopline_ingest.formats.pdf.layout.page_blocks import (
    Content,
    build_blocks,
    build_plain_blocks,
    drop_rules,
    is_complete,
)
from hopline_ingest.formats.pdf.layout.page_triage import is_plain
from hopline_ingest.formats.pdf.layout.rotation import (
    find_text_rotations,
    rotate_line_back,
    rotate_line_upright,
    rotate_table_back,
)
from hopline_ingest.formats.pdf.layout.side_boxes import find_side_boxes, separate_regions
from hopline_ingest.formats.pdf.layout.table_areas import contains, find_table_areas
from hopline_ingest.formats.pdf.ocr.scans import OcrReader, is_scan
from hopline_ingest.formats.pdf.page_content import Line, PageContent, Rect, TableCandidate, bounding_rect
from hopline_ingest.formats.pdf.tables.camelot_grids import extract_grids
from hopline_ingest.formats.pdf.tables.grids import (
    Grid,
    build_gap_grid,
    choose_finest_grid,
    choose_grid,
    drop_closing_sentences,
    extract_cells,
    join_header_columns,
    move_column_sides,
    split_at_column_sides,
    split_at_repeated_headers,
    trim_titles_and_notes,
)
from hopline_ingest.formats.pdf.tables.rules import read_rules
from hopline_ingest.formats.pdf.tables.spanning_cells import fill_spanning_cells
from hopline_ingest.formats.pdf.text.annotations import read_annotations
from hopline_ingest.formats.pdf.text.glyphs import MAX_GLYPHS, Frame, Glyph, page_frame, read_glyphs
from hopline_ingest.formats.pdf.text.lines import attach_bullets, attach_values, build_pieces

_CUT = "page {} has more than {:,} characters; the rest was left out"
_CELL_GAP = 0.6  # in font sizes: wider, and what follows stands in another cell


@dataclass(frozen=True, slots=True)
class Sheet:
    """A PDFium page with its document, number and frame."""

    document: Any
    number: int
    page: Any
    frame: Frame

    @contextmanager
    def rotated(self, turn: int) -> Iterator[Sheet]:
        """Rotate the page so that text turned by ``turn`` is upright; restores the rotation on exit."""
        rotation = self.page.get_rotation()
        self.page.set_rotation((rotation - turn) % 360)
        try:
            yield replace(self, frame=page_frame(self.page))
        finally:
            self.page.set_rotation(rotation)


class PdfPageParser:
    """Parses PDF pages one at a time; its models stay loaded between calls."""

    def __init__(self) -> None:
        self._layout = LayoutModel()
        self._text = OcrReader()

    def parse_page(self, document: Any, number: int) -> PageContent:
        """Parse page ``number``, from 1, of a PDFium document."""
        begun = time.monotonic()
        page = document[number - 1]
        try:
            sheet = Sheet(document, number, page, page_frame(page))
            shown, cut = read_glyphs(page, sheet.frame)
            annotations = read_annotations(document, page, sheet.frame)
            lines, tables = (
                self._scanned(sheet, annotations.lines)
                if is_scan(page, sheet.frame, shown)
                else self._set(sheet, shown, annotations.lines)
            )
        finally:
            page.close()
        warnings = (_CUT.format(number, MAX_GLYPHS),) if cut else ()
        width, height = sheet.frame.width, sheet.frame.height
        seconds = time.monotonic() - begun
        return PageContent(
            *(number, width, height, lines, tables, warnings),
            seconds=seconds,
            left_out=annotations.left_out,
            source=tuple(line.text for line in build_pieces(shown)) + tuple(line.text for line in annotations.lines),
        )

    def _set(self, sheet: Sheet, shown: Sequence[Glyph | None], values: Sequence[Line] = ()) -> Content:
        """Parse a page of text; rotated content, such as a wide table, follows the upright one.

        ``values`` are the lines of form fields.
        """
        kept, apart = find_text_rotations(shown)
        lines, tables = self._upright(sheet, shown, kept, values)
        for turn in apart:
            with sheet.rotated(turn) as straight:
                more = self._upright(straight, read_glyphs(sheet.page, straight.frame)[0], {0})
            after = 1 + max((line.block for line in lines), default=0)
            lines += tuple(rotate_line_back(line, turn, sheet.frame, after) for line in more[0])
            tables += tuple(rotate_table_back(table, turn, sheet.frame, after) for table in more[1])
        return lines, tables

    def _scanned(self, sheet: Sheet, values: Sequence[Line] = ()) -> Content:
        """Parse a scanned page by OCR, whatever its rotation; ``values`` are the lines of form fields."""
        found, turn = self._text.recognise_lines(sheet.page, sheet.frame)
        found = attach_values(found, values)
        straight = [rotate_line_upright(line, turn, sheet.frame) for line in found]
        with sheet.rotated(turn) as turned:
            regions = self._layout.detect_regions(turned.page, turned.frame.width, turned.frame.height)
        areas = find_table_areas(regions, straight)
        lines, tables = build_blocks(straight, regions, _candidates(areas, [(None, None)] * len(areas), straight))
        return (
            tuple(rotate_line_back(line, turn, sheet.frame) for line in lines) if turn else lines,
            tuple(rotate_table_back(table, turn, sheet.frame) for table in tables),
        )

    def _upright(
        self, sheet: Sheet, shown: Sequence[Glyph | None], kept: Container[int], values: Sequence[Line] = ()
    ) -> Content:
        """Parse the text with one of the rotations ``kept``, and the values of form fields."""
        shown = [glyph for glyph in shown if glyph is None or glyph.turn in kept]
        found = attach_values(attach_bullets(drop_rules(build_pieces(shown))), values)
        if is_plain(found):
            return build_plain_blocks(found), ()
        boxes = find_side_boxes(found)
        regions = self._layout.detect_regions(sheet.page, sheet.frame.width, sheet.frame.height)
        regions = separate_regions(regions, boxes)
        cut = attach_values(build_pieces(shown, gap=_CELL_GAP), values)
        areas = [*find_table_areas(regions, cut), *boxes]
        rules = read_rules(sheet.page, sheet.frame) if areas else []
        content = build_blocks(found, regions, _candidates(areas, _grids(sheet, areas), cut, rules))
        return content if is_complete(content, found) else build_blocks(found, (), ())


def _grids(sheet: Sheet, areas: Sequence[Rect]) -> Sequence[tuple[Grid | None, Grid | None]]:
    """Extract grids with camelot; empty if it fails on a page that PDFium can read."""
    if not areas:
        return ()
    try:
        return extract_grids(sheet.document, sheet.number, areas, sheet.frame.height)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 — a second parser on any file; the gaps alone will do
        return [(None, None)] * len(areas)


def _candidates(
    areas: Sequence[Rect],
    found: Sequence[tuple[Grid | None, Grid | None]],
    cut: Sequence[Line],
    rules: Sequence[Rect] = (),
) -> list[TableCandidate]:
    """Return the candidates for tables in each area."""
    candidates: list[TableCandidate] = []
    for area, (stream, lattice) in zip(areas, found, strict=True):
        within = drop_closing_sentences([line for line in cut if contains(area, line.rect)])
        chosen = choose_grid(stream, lattice, within)
        grid = choose_finest_grid(within, chosen, build_gap_grid(within))
        if grid is None:
            continue
        ruled = grid is lattice
        kept = trim_titles_and_notes(grid, split_at_column_sides(grid, within))
        grid = move_column_sides(join_header_columns(grid, kept), kept)
        for cells in split_at_repeated_headers(extract_cells(grid, kept)):
            inner = bounding_rect(cell.rect for row in cells for cell in row if cell.rect)
            rect = (area[0], max(area[1], inner[1] - 1), area[2], min(area[3], inner[3] + 1))
            candidates.append(TableCandidate(rect, fill_spanning_cells(cells, rules), ruled))
    return candidates
