"""OCR of scanned pages."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.frame import Frame
from hopline_ingest.formats.pdf.ocr.dashes import choose_dashes, find_marks
from hopline_ingest.formats.pdf.ocr.engine import OcrEngine, crop_line
from hopline_ingest.formats.pdf.ocr.line_directions import DirectedText, recognize_directions
from hopline_ingest.formats.pdf.ocr.line_pieces import TextPiece, split_text, spread_text
from hopline_ingest.formats.pdf.ocr.skew import measure_skew, rotate_points
from hopline_ingest.formats.pdf.page_content import Line, Rect
from hopline_ingest.formats.pdf.page_objects import read_bounds
from hopline_ingest.formats.pdf.text.glyphs import Glyph
from hopline_ingest.sandbox.limits import MAX_PIXELS

_DPI = 200
_MIN_SCORE = 0.5
_MARGIN = 0.1
_FEW_CHARACTERS = 25  # characters; a page with more is not a scan of a single picture
_STAMP_CHARACTERS = 200  # characters; a scanned page may have a stamp or header of fewer
_PICTURE_SHARE = 0.5  # of the area of a page
_MAX_PICTURES = 500  # of a page
_EVEN = 1.28  # ratio of the heights of lines that may have the same font size


def is_scan(page: Any, frame: Frame, glyphs: Sequence[Glyph | None]) -> bool:
    """Return whether a page is a scan: images, with little or no readable text as characters."""
    visible = [glyph.text for glyph in glyphs if glyph is not None and not glyph.text.isspace()]
    readable = sum(character.isalnum() for character in visible)
    if readable * 2 < len(visible):
        return _measure_picture_share(page, frame) > _PICTURE_SHARE
    if len(visible) >= _STAMP_CHARACTERS:
        return False
    return _measure_picture_share(page, frame) > (0.0 if len(visible) < _FEW_CHARACTERS else _PICTURE_SHARE)


def _measure_picture_share(page: Any, frame: Frame) -> float:
    """Return the share of a page that pictures cover, at most 1."""
    import pypdfium2.raw as pdfium

    covered = 0.0
    for bounds in islice(read_bounds(page, pdfium.FPDF_PAGEOBJ_IMAGE), _MAX_PICTURES):
        x0, y0, x1, y1 = frame.map_rect(*bounds)
        width, height = min(x1, frame.width) - max(x0, 0.0), min(y1, frame.height) - max(y0, 0.0)
        covered += max(0.0, width) * max(0.0, height)
    return min(1.0, covered / max(1.0, frame.width * frame.height))


class OcrReader:
    """Recognises the text of scanned pages."""

    def __init__(self) -> None:
        self._engine = OcrEngine()

    def recognize_lines(self, page: Any, frame: Frame) -> tuple[list[Line], int]:
        """Recognise the lines of a page, unordered, and their clockwise rotation: 0, 90, 180 or 270.

        A line is split at the gaps that are wide enough to separate the cells of a table. Positions are those on the
        page without its skew.
        """
        scale = choose_scale(frame, _DPI / 72)
        image = page.render(scale=scale, may_draw_forms=False).to_numpy()
        boxes = self._engine.detect_boxes(image)
        texts, turn = recognize_directions([crop_line(image, box) for box in boxes], self._engine.recognize)
        skew, centre = measure_skew(boxes), (image.shape[1] / 2, image.shape[0] / 2)
        straight = rotate_points(boxes, skew, centre)
        lines = [
            line
            for box, text in zip(straight / scale, texts, strict=True)
            if text.recognized.score >= _MIN_SCORE and text.recognized.text.strip()
            for line in _build_lines(box, text, turn)
        ]
        if turn == 0 and len(boxes):
            rects = [_bound_corners(box) for box in straight]
            size = float(np.median([rect[3] - rect[1] for rect in rects]))
            marks = rotate_points(np.array(find_marks(image, size)).reshape(-1, 2, 2), skew, centre).reshape(-1, 4)
            for dash, (x0, y0, x1, y1) in choose_dashes(marks.tolist(), rects):
                corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
                lines.append(_build_line(spread_text(dash), corners / scale, 0, 0))
        return unify_sizes(lines), turn


def choose_scale(frame: Frame, preferred: float) -> float:
    """Return the preferred number of pixels per point, or fewer if the page would have too many pixels."""
    return min(preferred, math.sqrt(MAX_PIXELS / max(1.0, frame.width * frame.height)))


def _build_lines(box: Any, text: DirectedText, turn: int) -> list[Line]:
    """Build the lines of the text in a box of four corners, in points, on a page that is rotated by ``turn``."""
    is_across = (text.turn - turn) % 180 == 90
    pieces = [spread_text(text.recognized.text.strip())] if is_across else split_text(text.recognized, text.crop)
    return [_build_line(piece, box, text.turn, turn) for piece in pieces]


def _build_line(piece: TextPiece, box: Any, direction: int, turn: int) -> Line:
    """Build the line of a part of a box whose text is rotated by ``direction``, on a page rotated by ``turn``."""
    x0, y0, x1, y1 = _shrink_box(_cut_box(box, piece.lefts[0], piece.rights[-1], direction), turn)
    size = (y1 - y0) if turn in {0, 180} else (x1 - x0)
    start, length = piece.lefts[0], max(piece.rights[-1] - piece.lefts[0], 1e-6)
    lefts = array("f", (x0 + (side - start) / length * (x1 - x0) for side in piece.lefts))
    rights = array("f", (x0 + (side - start) / length * (x1 - x0) for side in piece.rights))
    return Line(piece.text, (x0, y0, x1, y1), lefts, rights, size=size, turn=turn)


def _cut_box(box: Any, left: float, right: float, turn: int) -> Rect:
    """Return the bounding rectangle of a part of a box, given as shares of the length of a line rotated by ``turn``."""
    first, second = (1 - right, 1 - left) if turn in {180, 270} else (left, right)
    starts, ends = (box[[0, 3]], box[[1, 2]]) if turn in {0, 180} else (box[[0, 1]], box[[3, 2]])
    return _bound_corners(np.concatenate([starts + (ends - starts) * first, starts + (ends - starts) * second]))


def _bound_corners(corners: Any) -> Rect:
    """Return the bounding rectangle of corners (N, 2)."""
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return x0, y0, x1, y1


def unify_sizes(lines: Sequence[Line]) -> list[Line]:
    """Return recognised lines with one size for those that are about as high as most text of the page.

    The box of a line depends on whether it has letters and brackets that reach above or below the others.
    """
    sizes = sorted(line.size for line in lines for _ in line.text)
    body = sizes[len(sizes) // 2] if sizes else 0.0
    return [replace(line, size=body) if body / _EVEN <= line.size <= _EVEN * body else line for line in lines]


def _shrink_box(rect: Rect, turn: int) -> Rect:
    """Shrink a detected box to the height of its line: the model's boxes are a tenth too large on both sides."""
    x0, y0, x1, y1 = rect
    inset_x, inset_y = (0.0, _MARGIN * (y1 - y0)) if turn in {0, 180} else (_MARGIN * (x1 - x0), 0.0)
    return x0 + inset_x, y0 + inset_y, x1 - inset_x, y1 - inset_y
