"""Parsers of tables that ``tables.py`` compares: each returns the tables of one page of a PDF."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hopline_ingest.formats.pdf.frame import read_frame
from hopline_ingest.formats.pdf.layout.layout_model import LayoutModel
from hopline_ingest.formats.pdf.layout.table_areas import contains, find_table_areas
from hopline_ingest.formats.pdf.ocr.scans import OcrReader, is_scan
from hopline_ingest.formats.pdf.page import PdfPageParser
from hopline_ingest.formats.pdf.page_content import Line, Rect
from hopline_ingest.formats.pdf.text.glyphs import read_glyphs
from hopline_ingest.formats.pdf.text.lines import build_pieces, join_rows

Grid = list[list[str]]

_SLANET_SCALE = 3.0  # pixels per point; the network reduces a table to 488 pixels
_SLANET_MARGIN = 4.0  # points around a table
_CELL_GAP = 0.6  # in font sizes


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that a parser found: its rectangle from the page's top, and its texts."""

    rect: Rect
    grid: Grid


Parser = Callable[[Path, Any, int], tuple[float, list[FoundTable]]]  # height of the page, tables


def parse_by_hopline() -> Parser:
    """The parser of PDF pages."""
    pages = PdfPageParser()

    def parse(_: Path, document: Any, number: int) -> tuple[float, list[FoundTable]]:
        page = pages.parse_page(document, number)
        tables = [FoundTable(table.rect, [[cell.text for cell in row] for row in table.cells]) for table in page.tables]
        return page.height, tables

    return parse


def parse_by_camelot(flavour: str) -> Parser:
    """Camelot with one of its flavours: lattice, stream, network or hybrid."""
    import camelot

    def parse(path: Path, document: Any, number: int) -> tuple[float, list[FoundTable]]:
        height = document[number - 1].get_height()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                page_tables = camelot.read_pdf(str(path), pages=str(number), flavor=flavour, suppress_stdout=True)
            except (ValueError, IndexError, ZeroDivisionError):
                return height, []
        tables = []
        for table in page_tables:
            x0, y0, x1, y1 = table._bbox  # noqa: SLF001 — camelot has no other name for it
            tables.append(FoundTable((x0, height - y1, x1, height - y0), table.df.astype(str).to_numpy().tolist()))
        return height, tables

    return parse


def parse_by_slanet(folder: Path) -> Parser:
    """SLANet-plus, installed in a folder, on the areas and the text of the parser, with the text of spans repeated."""
    sys.path.append(str(folder))
    from rapid_table import RapidTable

    network, layout, ocr = RapidTable(), LayoutModel(), OcrReader()

    def parse(_: Path, document: Any, number: int) -> tuple[float, list[FoundTable]]:
        page = document[number - 1]
        frame = read_frame(page)
        glyphs = read_glyphs(page, frame).glyphs
        if is_scan(page, frame, glyphs):
            pieces = ocr.recognize_lines(page, frame)[0]
        else:
            pieces = build_pieces(glyphs, gap=_CELL_GAP)
        image = page.render(scale=_SLANET_SCALE, may_draw_forms=False).to_numpy()[:, :, :3]
        tables = []
        for area in find_table_areas(layout.detect_regions(page, frame.width, frame.height), pieces):
            inside = [piece for piece in pieces if contains(area, piece.rect)]
            x0, y0 = area[0] - _SLANET_MARGIN, area[1] - _SLANET_MARGIN
            x1, y1 = area[2] + _SLANET_MARGIN, area[3] + _SLANET_MARGIN
            left, top = max(0, round(x0 * _SLANET_SCALE)), max(0, round(y0 * _SLANET_SCALE))
            crop = image[top : round(y1 * _SLANET_SCALE), left : round(x1 * _SLANET_SCALE)].copy()
            grid = _read_structure(network, crop, (left, top), inside) if inside else []
            if len(grid) > 1 and len(grid[0]) > 1:
                tables.append(FoundTable(area, grid))
        return frame.height, tables

    return parse


def _read_structure(network: Any, crop: Any, origin: tuple[int, int], pieces: Sequence[Line]) -> Grid:
    """Return the texts of the cells that the network predicts in the picture of a table, by its nearest cell each."""
    structure, boxes, _ = network.table_structure(crop.copy())
    if not len(boxes):
        return []
    boxes = network.adapt_slanet_plus(crop, boxes)
    rects = [[side * _SLANET_SCALE - origin[axis % 2] for axis, side in enumerate(piece.rect)] for piece in pieces]
    matcher = network.table_matcher
    spans = matcher.decode_logic_points(structure)
    matches = matcher.match_result(rects, boxes)
    height, width = 1 + max(span[1] for span in spans), 1 + max(span[3] for span in spans)
    grid = [[""] * width for _ in range(height)]
    for index, (first_row, last_row, first_column, last_column) in enumerate(spans):
        text = " ".join(line.text for line in join_rows(pieces[n] for n in matches.get(index, ())))
        for row in range(first_row, last_row + 1):
            for column in range(first_column, last_column + 1):
                grid[row][column] = text
    grid = [row for row in grid if any(row)]
    used = [column for column in range(width) if any(row[column] for row in grid)]
    return [[row[column] for column in used] for row in grid]
