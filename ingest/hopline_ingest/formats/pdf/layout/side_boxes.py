"""Narrow boxes beside running text, such as the box of facts of an encyclopedia's article. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Final

from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.layout.table_areas import contains, overlaps
from hopline_ingest.formats.pdf.page_content import Line, Rect, bounding_rect

MIN_LINES: Final = 5  # that begin at the left side of a box, and of running text beside it
LONG: Final = 40  # characters of a line of running text
MAX_WIDTH: Final = 0.7  # of the lines of running text; a column of text is as wide as the other
_TOLERANCE: Final = 1.5  # points by which the left sides of lines in a box differ
_MAX_LEVEL: Final = (
    0.5  # share of the lines of a box that may be level with a line of the text: more, and it is a table
)
_LEVEL: Final = 0.08  # in font sizes, between the base lines of two lines that are level
_MARGIN: Final = 2.0  # points around the lines of a box


def find_side_boxes(pieces: Sequence[Line]) -> list[Rect]:
    """Find the rectangles of narrow boxes to the right of running text.

    At least `MIN_LINES` lines begin at the left side of a box; running text is beside them, and no line crosses
    that side. The lines of a box are not level with those of the text, as the cells of a table and the lines of two
    columns are.
    """
    upright = [line for line in pieces if line.turn == 0]
    boxes: list[Rect] = []
    for x in sorted({round(line.rect[0]) for line in upright}):
        starting = [line for line in upright if abs(line.rect[0] - x) <= _TOLERANCE]
        if len(starting) < MIN_LINES or any(box[0] - _MARGIN <= x <= box[2] for box in boxes):
            continue
        box = _build_box(x - _TOLERANCE, starting, upright)
        if box is not None:
            boxes.append(box)
    return boxes


def _build_box(x: float, starting: Sequence[Line], lines: Sequence[Line]) -> Rect | None:
    """Return the rectangle of the lines right of ``x``, as high as those that begin there; None if it is no box."""
    top, foot = min(line.rect[1] for line in starting), max(line.rect[3] for line in starting)
    beside = [line for line in lines if line.rect[3] > top and line.rect[1] < foot]
    inside = [line for line in beside if line.rect[0] >= x]
    text = [line for line in beside if line.rect[2] <= x]
    running = [line for line in text if len(line.text) >= LONG]
    is_crossed = len(inside) + len(text) < len(beside)
    if is_crossed or len(running) < MIN_LINES or 2 * len(running) < len(text):
        return None
    width = max(line.rect[2] for line in inside) - x
    if width > MAX_WIDTH * statistics.median(line.rect[2] - line.rect[0] for line in running):
        return None
    level = sum(any(_is_level(line, other) for other in text) for line in inside)
    if level > _MAX_LEVEL * len(inside):
        return None
    x0, y0, x1, y1 = bounding_rect(line.rect for line in inside)
    return x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN


def _is_level(first: Line, second: Line) -> bool:
    return abs(first.rect[3] - second.rect[3]) <= _LEVEL * max(first.size, second.size, 1.0)


def separate_regions(regions: Sequence[Region], boxes: Sequence[Rect]) -> list[Region]:
    """Return the regions without those that cover a part of a box and text beside it, and with one for each box."""
    apart = [
        region
        for region in regions
        if not any(overlaps(region.rect, box) and not contains(box, region.rect) for box in boxes)
    ]
    return [*apart, *(Region("text", box, 1.0) for box in boxes)]
