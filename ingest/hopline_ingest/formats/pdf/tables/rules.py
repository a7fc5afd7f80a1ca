"""Horizontal rules drawn on a PDF page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from hopline_ingest.formats.pdf.frame import Frame
from hopline_ingest.formats.pdf.page_content import Rect
from hopline_ingest.formats.pdf.page_objects import read_bounds

MAX_PATHS = 20_000  # of a page
_MAX_HEIGHT = 2.5  # points; a higher object is a box
_MIN_WIDTH = 8.0  # points; a shorter object is a dash
_GAP = 1.5  # points between parts of one rule; less than between the rules below two headers
_LEVEL = 1.5  # points between the heights of parts of one rule


def read_rules(page: Any, frame: Frame) -> list[Rect]:
    """Read the horizontal rules of a PDFium page, in points from the top left of the page as shown."""
    import pypdfium2.raw as pdfium

    paths = islice(read_bounds(page, pdfium.FPDF_PAGEOBJ_PATH), MAX_PATHS)
    return join_rules(frame.map_rect(*bounds) for bounds in paths)


def join_rules(rects: Iterable[Rect]) -> list[Rect]:
    """Join the parts of each rule, which may be drawn cell by cell; drops other rectangles. Pure."""
    parts = [rect for rect in rects if rect[3] - rect[1] <= _MAX_HEIGHT and rect[2] - rect[0] >= _MIN_WIDTH]
    levels: list[list[Rect]] = []
    for rect in sorted(parts, key=lambda rect: rect[1]):
        if levels and rect[1] - levels[-1][0][1] <= _LEVEL:
            levels[-1].append(rect)
        else:
            levels.append([rect])
    return [rule for level in levels for rule in _join_level(level)]


def _join_level(level: Sequence[Rect]) -> list[Rect]:
    rules: list[Rect] = []
    for rect in sorted(level):
        if rules and rect[0] - rules[-1][2] <= _GAP:
            x0, y0, x1, y1 = rules[-1]
            rules[-1] = (x0, min(y0, rect[1]), max(x1, rect[2]), max(y1, rect[3]))
        else:
            rules.append(rect)
    return rules
