"""Dashes in the cells of a scanned table, which the detection model leaves out: they mark missing values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.ocr.line_pieces import find_ink
from hopline_ingest.formats.pdf.page_content import Rect

_MIN_WIDTH, _MAX_WIDTH = 0.2, 1.3  # of the height of the lines beside a dash
_MAX_HEIGHT = 0.2  # likewise
_MIN_RATIO = 1.5  # width by height; a point is about as wide as high
_MIN_FILLED = 0.6  # of the rectangle of a dash
_EN_DASH, _EM_DASH = 0.4, 0.65  # likewise; the least width of an en dash and of an em dash
_LEVEL = 0.3  # of the height of a line, at most from its middle to the dash
_ACROSS, _DOWN = 0.4, 0.2  # of the height of a line; nothing else is printed so close to a dash


def find_dashes(image: Any, rects: Sequence[Rect]) -> list[tuple[str, Rect]]:
    """Find the dashes that stand alone, level with a line of text: hyphens, en dashes and em dashes.

    ``rects`` are those of the lines of an upright page, in pixels. The rectangle of a dash is as high as its line.
    """
    import cv2

    ink = find_ink(image).astype(np.uint8)
    for x0, y0, x1, y1 in rects:
        ink[round(y0) : round(y1), round(x0) : round(x1)] = 0
    _, _, parts, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    _, _, widths, heights, areas = parts.T
    flat = parts[(widths >= _MIN_RATIO * heights) & (areas >= _MIN_FILLED * widths * heights)]
    dashes: list[tuple[str, Rect]] = []
    for x, y, width, height, _ in flat.tolist():
        middle = y + height / 2
        beside = [rect for rect in rects if abs(2 * middle - rect[1] - rect[3]) < 2 * _LEVEL * (rect[3] - rect[1])]
        if not beside:
            continue
        line = min(beside, key=lambda rect: max(rect[0] - x - width, x - rect[2]))
        size = line[3] - line[1]
        across, down = round(_ACROSS * size), round(_DOWN * size)
        around = ink[max(0, y - down) : y + height + down, max(0, x - across) : x + width + across]
        is_alone = int(around.sum()) == int(ink[y : y + height, x : x + width].sum())
        if _MIN_WIDTH * size <= width <= _MAX_WIDTH * size and height <= _MAX_HEIGHT * size and is_alone:
            text = "-" if width < _EN_DASH * size else "–" if width < _EM_DASH * size else "—"
            dashes.append((text, (float(x), line[1], float(x + width), line[3])))
    return dashes
