"""Parsing of one PDF page: text, layout and tables; runs in a parser process."""

from __future__ import annotations

import time
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from hopline_ingest.formats.pdf.frame import Frame, read_frame
from hopline_ingest.formats.pdf.layout.figures import find_figures
from hopline_ingest.formats.pdf.layout.layout_model import LayoutModel
from hopline_ingest.formats.pdf.layout.page_blocks import (
    build_blocks,
    build_plain_blocks,
    drop_rules,
    is_complete,
)
from hopline_ingest.formats.pdf.layout.page_triage import is_plain
from hopline_ingest.formats.pdf.layout.rotation import (
    find_text_rotations,
    rotate_figure_back,
    rotate_line_back,
    rotate_line_upright,
    rotate_table_back,
)
from hopline_ingest.formats.pdf.layout.side_boxes import find_side_boxes, separate_regions
from hopline_ingest.formats.pdf.layout.table_areas import contains, find_table_areas, overlaps
from hopline_ingest.formats.pdf.ocr.scans import OcrReader, is_scan
from hopline_ingest.formats.pdf.page_content import (
    Cells,
    FigureContent,
    Line,
    PageContent,
    Rect,
    TableCandidate,
    TableContent,
    bounding_rect,
)
from hopline_ingest.formats.pdf.page_objects import read_bounds
from hopline_ingest.formats.pdf.tables.camelot_grids import extract_grids
from hopline_ingest.formats.pdf.tables.column_sides import join_header_columns, move_column_sides, split_at_column_sides
from hopline_ingest.formats.pdf.tables.grids import (
    Grid,
    build_gap_grid,
    choose_finest_grid,
    choose_grid,
    extract_cells,
    split_at_repeated_headers,
)
from hopline_ingest.formats.pdf.tables.ruled_cells import build_ruled_cells, encloses_cells
from hopline_ingest.formats.pdf.tables.rules import Lattice, find_lattices, read_edges, read_rules
from hopline_ingest.formats.pdf.tables.spanning_cells import fill_spanning_cells
from hopline_ingest.formats.pdf.tables.titles_notes import drop_closing_sentences, trim_titles_and_notes
from hopline_ingest.formats.pdf.text.annotations import read_annotations
from hopline_ingest.formats.pdf.text.glyphs import MAX_GLYPHS, Glyph, read_glyphs
from hopline_ingest.formats.pdf.text.hidden_text import drop_hidden_text
from hopline_ingest.formats.pdf.text.lines import attach_bullets, attach_values, build_pieces
from hopline_ingest.formats.pdf.text.watermarks import WATERMARK, drop_glyphs, find_watermarks

_CUT_WARNING = "page {} has more than {:,} characters; the rest was left out"
MAX_PICTURES = 200  # of a page
CELL_GAP = 0.65  # in font sizes; a wider gap separates cells; the blanks of a typewriter font are 0.6 wide

Content = tuple[tuple[Line, ...], tuple[TableContent, ...], tuple[FigureContent, ...]]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A PDFium page with its document, number and frame."""

    document: Any
    number: int
    page: Any
    frame: Frame

    @contextmanager
    def rotate(self, turn: int) -> Iterator[Sheet]:
        """Rotate the page so that text turned by ``turn`` is upright; restores the rotation on exit."""
        rotation = self.page.get_rotation()
        self.page.set_rotation((rotation - turn) % 360)
        try:
            yield replace(self, frame=read_frame(self.page))
        finally:
            self.page.set_rotation(rotation)


class PdfPageParser:
    """Parses PDF pages one at a time; its models stay loaded between calls."""

    def __init__(self) -> None:
        self._layout = LayoutModel()
        self._ocr = OcrReader()

    def parse_page(self, document: Any, number: int) -> PageContent:
        """Parse page ``number``, from 1, of a PDFium document."""
        start = time.monotonic()
        page = document[number - 1]
        try:
            sheet = Sheet(document, number, page, read_frame(page))
            text = read_glyphs(page, sheet.frame)
            glyphs, hidden = drop_hidden_text(page, sheet.frame, text.glyphs)
            pieces = build_pieces(glyphs)
            watermarks = find_watermarks(pieces)
            if watermarks:
                glyphs = drop_glyphs(glyphs, watermarks)
                pieces = [piece for piece in pieces if piece not in watermarks]
            annotations = read_annotations(document, page, sheet.frame)
            lines, tables, figures = (
                self._parse_scan(sheet, annotations.lines)
                if is_scan(page, sheet.frame, glyphs)
                else self._parse_text(sheet, glyphs, pieces, annotations.lines)
            )
        finally:
            page.close()
        warnings = (_CUT_WARNING.format(number, MAX_GLYPHS),) if text.is_cut else ()
        width, height = sheet.frame.width, sheet.frame.height
        seconds = time.monotonic() - start
        return PageContent(
            *(number, width, height, lines, tables, warnings),
            seconds=seconds,
            left_out=(*annotations.left_out, *dict.fromkeys(f"{WATERMARK}{line.text}" for line in watermarks)),
            hidden=tuple(_list_hidden(hidden, text.outside)),
            source=tuple(line.text for line in (*pieces, *annotations.lines)),
            figures=figures,
        )

    def _parse_text(
        self, sheet: Sheet, glyphs: Sequence[Glyph | None], pieces: Sequence[Line], values: Sequence[Line]
    ) -> Content:
        """Parse a page with text; rotated content, such as a wide table, follows the upright one.

        ``pieces`` are the pieces of the glyphs, ``values`` the lines of form fields.
        """
        turns, other_turns = find_text_rotations(glyphs)
        lines, tables, figures = self._parse_upright(sheet, *_select_turns(glyphs, pieces, turns), values)
        for turn in other_turns:
            with sheet.rotate(turn) as straight:
                rotated_glyphs = read_glyphs(sheet.page, straight.frame).glyphs
                rotated_glyphs = drop_hidden_text(sheet.page, straight.frame, rotated_glyphs)[0]
                upright = _select_turns(rotated_glyphs, build_pieces(rotated_glyphs), {0})
                rotated_content = self._parse_upright(straight, *upright, ())
            after = 1 + max((line.block for line in lines), default=0)
            lines += tuple(rotate_line_back(line, turn, sheet.frame, after) for line in rotated_content[0])
            tables += tuple(rotate_table_back(table, turn, sheet.frame, after) for table in rotated_content[1])
            figures += tuple(rotate_figure_back(figure, turn, sheet.frame, after) for figure in rotated_content[2])
        return lines, tables, figures

    def _parse_scan(self, sheet: Sheet, values: Sequence[Line] = ()) -> Content:
        """Parse a scanned page by OCR, whatever its rotation; ``values`` are the lines of form fields."""
        lines_of_scan, turn = self._ocr.recognize_lines(sheet.page, sheet.frame)
        lines_of_scan = attach_values(lines_of_scan, values)
        straight = [rotate_line_upright(line, turn, sheet.frame) for line in lines_of_scan]
        with sheet.rotate(turn) as turned:
            regions = self._layout.detect_regions(turned.page, turned.frame.width, turned.frame.height)
        areas = find_table_areas(regions, straight)
        lines, tables = build_blocks(straight, regions, _build_candidates(areas, [(None, None)] * len(areas), straight))
        return (
            tuple(rotate_line_back(line, turn, sheet.frame) for line in lines) if turn else lines,
            tuple(rotate_table_back(table, turn, sheet.frame) for table in tables),
            tuple(rotate_figure_back(figure, turn, sheet.frame) for figure in find_figures(lines, tables, regions)),
        )

    def _parse_upright(
        self, sheet: Sheet, glyphs: Sequence[Glyph | None], pieces: Sequence[Line], values: Sequence[Line]
    ) -> Content:
        """Parse upright text, given as glyphs and as their pieces, and the values of form fields."""
        pieces = attach_values(attach_bullets(drop_rules(pieces)), values)
        if is_plain(pieces):
            return build_plain_blocks(pieces), (), ()
        boxes = find_side_boxes(pieces)
        regions = self._layout.detect_regions(sheet.page, sheet.frame.width, sheet.frame.height)
        regions = separate_regions(regions, boxes)
        cell_pieces = attach_values(build_pieces(glyphs, gap=CELL_GAP, keep_superscripts=True), values)
        rules = read_rules(sheet.page, sheet.frame)
        lattices = find_lattices(read_edges(sheet.page, sheet.frame))
        frames = [lattice.rect for lattice in lattices if encloses_cells(lattice, cell_pieces)]
        areas = [*find_table_areas(regions, cell_pieces, rules, frames), *boxes]
        ruled = _build_ruled_candidates(areas, lattices, cell_pieces)
        areas = [area for area in areas if not any(overlaps(area, candidate.rect) for candidate in ruled)]
        candidates = _build_candidates(areas, _extract_grids(sheet, areas), cell_pieces, rules)
        content = build_blocks(pieces, regions, [*ruled, *candidates])
        lines, tables = content if is_complete(content, pieces) else build_blocks(pieces, (), ())
        return lines, tables, find_figures(lines, tables, regions, _read_pictures(sheet))


def _read_pictures(sheet: Sheet) -> list[Rect]:
    """Read the rectangles of the images on a page, in points from the top left of the page as shown."""
    import pypdfium2.raw as pdfium

    pictures = islice(read_bounds(sheet.page, pdfium.FPDF_PAGEOBJ_IMAGE), MAX_PICTURES)
    return [sheet.frame.map_rect(*bounds) for bounds in pictures]


def _select_turns(
    glyphs: Sequence[Glyph | None], pieces: Sequence[Line], turns: Container[int]
) -> tuple[list[Glyph | None], list[Line]]:
    """Return the glyphs and pieces with one of these rotations."""
    return (
        [glyph for glyph in glyphs if glyph is None or glyph.turn in turns],
        [piece for piece in pieces if piece.turn in turns],
    )


def _list_hidden(hidden: str, outside: str) -> Iterator[str]:
    """List the texts that the page does not show, with the reason, unless they have no letter or digit."""
    for reason, text in (("hidden text", hidden), ("text outside of the page", outside)):
        if any(character.isalnum() for character in text):
            yield f"{reason}: {text}"


def _extract_grids(sheet: Sheet, areas: Sequence[Rect]) -> Sequence[tuple[Grid | None, Grid | None]]:
    """Extract grids with camelot; empty if it fails on a page that PDFium can read."""
    if not areas:
        return ()
    try:
        return extract_grids(sheet.document, sheet.number, areas, sheet.frame.height)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 — a second parser on any file; the grid by gaps remains
        return [(None, None)] * len(areas)


def _build_ruled_candidates(
    areas: Sequence[Rect], lattices: Sequence[Lattice], cell_pieces: Sequence[Line]
) -> list[TableCandidate]:
    """Return the candidates for tables whose cells have rules around them."""
    candidates = []
    for lattice in lattices:
        overlapping = [area for area in areas if overlaps(area, lattice.rect)]
        whole = bounding_rect([lattice.rect, *overlapping])
        others = [other.rect for other in lattices if other is not lattice and not overlaps(other.rect, lattice.rect)]
        within = [line for line in cell_pieces if contains(whole, line.rect)]
        within = [line for line in within if not any(contains(other, line.rect) for other in others)]
        cells = build_ruled_cells(lattice, within)
        if cells:
            candidates.append(_build_candidate(lattice.rect, cells, ruled=bool(overlapping)))
    return candidates


def _build_candidates(
    areas: Sequence[Rect],
    grids: Sequence[tuple[Grid | None, Grid | None]],
    cell_pieces: Sequence[Line],
    rules: Sequence[Rect] = (),
) -> list[TableCandidate]:
    """Return the candidates for tables in each area."""
    candidates: list[TableCandidate] = []
    for area, (stream, lattice) in zip(areas, grids, strict=True):
        within = drop_closing_sentences([line for line in cell_pieces if contains(area, line.rect)])
        camelot_grid = choose_grid(stream, lattice, within)
        grid = choose_finest_grid(within, camelot_grid, build_gap_grid(within))
        if grid is None:
            continue
        ruled = grid is lattice
        trimmed = trim_titles_and_notes(grid, split_at_column_sides(grid, within), rules)
        grid = move_column_sides(join_header_columns(grid, trimmed), trimmed)
        candidates.extend(
            _build_candidate(area, fill_spanning_cells(cells, rules), ruled=ruled)
            for cells in split_at_repeated_headers(extract_cells(grid, trimmed))
        )
    return candidates


def _build_candidate(area: Rect, cells: Cells, *, ruled: bool) -> TableCandidate:
    """Return the candidate of an area, without what is above and below its cells."""
    inner = bounding_rect(cell.rect for row in cells for cell in row if cell.rect)
    return TableCandidate((area[0], max(area[1], inner[1] - 1), area[2], min(area[3], inner[3] + 1)), cells, ruled)
