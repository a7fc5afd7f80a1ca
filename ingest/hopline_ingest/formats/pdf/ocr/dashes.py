"""Dashes in the cells of a scanned table, which the detection model leaves out: they mark missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.ocr.line_pieces import find_ink
from hopline_ingest.formats.pdf.page_content import Rect

_MIN_PIXELS = 5
_MIN_WIDTH, _MAX_WIDTH = 0.2, 1.3  # of the height of the lines beside a dash
_MAX_HEIGHT = 0.2  # likewise
_MIN_RATIO = 1.5  # width by height; a point is about as wide as high
_MIN_FILLED = 0.6  # of the rectangle of a dash
_EN_DASH, _EM_DASH = 0.4, 0.65  # likewise; the least width of an en dash and of an em dash
_LEVEL = 0.3  # of the height of a line, at most from its middle to the dash
_ACROSS, _DOWN = (
    0.4,
    0.2,
)  # of the height of a line, at most the width of a dash and half of it; nothing else is so close


def find_marks(image: Any, size: float) -> list[Rect]:
    """Find the flat marks of an image with nothing close to them; all in pixels.

    ``size`` is the height of most lines; the lines of a table may be lower.
    """
    import cv2

    ink = find_ink(image).astype(np.uint8)
    _, _, parts, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    _, _, widths, heights, areas = parts.T
    is_long = (widths >= _MIN_PIXELS) & (widths <= _MAX_WIDTH * size) & (widths >= _MIN_RATIO * heights)
    is_flat = (heights <= _MAX_HEIGHT * size) & (areas >= _MIN_FILLED * widths * heights)
    marks = []
    for x, y, width, height, _ in parts[is_long & is_flat].tolist():
        across, down = min(width, round(_ACROSS * size)), min(width // 2, round(_DOWN * size))
        around = ink[max(0, y - down) : y + height + down, max(0, x - across) : x + width + across]
        if int(around.sum()) == int(ink[y : y + height, x : x + width].sum()):
            marks.append((float(x), float(y), float(x + width), float(y + height)))
    return marks


def choose_dashes(marks: Sequence[Rect], rects: Sequence[Rect]) -> list[tuple[str, Rect]]:
    """Choose the marks that are hyphens, en dashes and em dashes beside a line of an upright page.

    ``rects`` are those of the lines. The rectangle of a dash is as high as the nearest line beside it.
    """
    dashes: list[tuple[str, Rect]] = []
    for x0, y0, x1, y1 in marks:
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        beside = [rect for rect in rects if abs(2 * y - rect[1] - rect[3]) < 2 * _LEVEL * (rect[3] - rect[1])]
        nearest = min(beside, key=lambda rect: max(rect[0] - x, x - rect[2]), default=None)
        if nearest and not nearest[0] <= x <= nearest[2]:
            size = nearest[3] - nearest[1]
            width = (x1 - x0) / size
            text = "-" if width < _EN_DASH else "–" if width < _EM_DASH else "—"
            if _MIN_WIDTH <= width <= _MAX_WIDTH:
                dashes.append((text, (x0, y - size / 2, x1, y + size / 2)))
    return dashes
