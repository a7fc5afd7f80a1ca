"""OCR of scanned pages by PP-OCR, whose models are in the wheel of rapidocr."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.frame import Frame
from hopline_ingest.formats.pdf.page_content import Line, Rect
from hopline_ingest.formats.pdf.page_objects import read_bounds
from hopline_ingest.formats.pdf.text.glyphs import Glyph
from hopline_ingest.sandbox.limits import MAX_PIXELS, suspend_memory_limit

_DPI = 200
_MIN_SCORE = 0.5
_MARGIN = 0.1
_FEW_CHARACTERS = 25  # characters; a page with more is not a scan of a single picture
_STAMP_CHARACTERS = 200  # characters; a scanned page may have a stamp or header of fewer
_PICTURE_SHARE = 0.5  # of the area of a page
_MAX_PICTURES = 500  # of a page
_EVEN = 1.28  # ratio of the heights of lines that may have the same font size
_TALL_RATIO = 1.5  # height by width; a line with more is rotated by a quarter
_VOTES = 5  # lines that are used to detect the rotation of a page


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
    """Recognises text in images; the models are loaded on first use."""

    def __init__(self) -> None:
        self._engine: Any = None

    def recognize_lines(self, page: Any, frame: Frame) -> tuple[list[Line], int]:
        """Recognise the lines of a page, unordered, and their clockwise rotation: 0, 90, 180 or 270."""
        if self._engine is None:
            with suspend_memory_limit():
                self._engine = _load_engine()
        scale = choose_scale(frame, _DPI / 72)
        image = page.render(scale=scale, may_draw_forms=False).to_numpy()
        result = self._engine(image, use_det=True, use_cls=True, use_rec=True)  # the options stay set otherwise
        if result.boxes is None or result.txts is None:
            return [], 0
        rects = [_bound_corners(box) for box in result.boxes]
        zipped = zip(rects, result.txts, result.scores, strict=True)
        texts = [(rect, text) for rect, text, score in zipped if score >= _MIN_SCORE and text.strip()]
        turn = self._detect_rotation(image, [rect for rect, _ in texts])
        lines = [_make_line(tuple(side / scale for side in rect), text, turn) for rect, text in texts]
        return unify_sizes(lines), turn

    def _detect_rotation(self, image: Any, rects: Sequence[Rect]) -> int:
        """Detect the clockwise rotation of most lines of an image, by the model's result for the longest lines."""
        longest = sorted(rects, key=lambda rect: -max(rect[2] - rect[0], rect[3] - rect[1]))[:_VOTES]
        votes: Counter[int] = Counter()
        for rect in longest:
            x0, y0, x1, y1 = (max(0, round(side)) for side in rect)
            is_tall = (y1 - y0) > _TALL_RATIO * (x1 - x0)
            crop = np.rot90(image[y0:y1, x0:x1]) if is_tall else image[y0:y1, x0:x1]
            answer = self._engine(np.ascontiguousarray(crop), use_det=False, use_cls=True, use_rec=False)
            is_flipped = bool(answer.cls_res) and answer.cls_res[0][0] == "180"
            votes[(90 if is_tall else 0) + (180 if is_flipped else 0)] += 1
        return votes.most_common(1)[0][0] if votes else 0


def _load_engine() -> Any:
    import cv2
    from rapidocr import RapidOCR

    cv2.setNumThreads(1)
    threads = "EngineConfig.onnxruntime.{}_op_num_threads"
    engine = RapidOCR(
        params={threads.format("intra"): 1, threads.format("inter"): 1, "Global.log_level": "critical"},
    )
    blank = np.full((64, 64, 3), 255, np.uint8)  # each model is loaded on first use
    engine(blank, use_det=True, use_cls=False, use_rec=False)
    engine(blank, use_det=False, use_cls=True, use_rec=True)
    return engine


def choose_scale(frame: Frame, preferred: float) -> float:
    """Return the preferred number of pixels per point, or fewer if the page would have too many pixels."""
    return min(preferred, math.sqrt(MAX_PIXELS / max(1.0, frame.width * frame.height)))


def _bound_corners(box: Any) -> Rect:
    """Return the bounding rectangle of a box of four corners."""
    xs, ys = [float(corner[0]) for corner in box], [float(corner[1]) for corner in box]
    return min(xs), min(ys), max(xs), max(ys)


def _make_line(rect: Any, text: str, turn: int) -> Line:
    """Build a line whose characters are equally wide, as OCR returns no positions of characters."""
    text = " ".join(text.split())
    x0, y0, x1, y1 = _shrink_box(rect, turn)
    step = (x1 - x0) / len(text)
    lefts = array("f", (x0 + index * step for index in range(len(text))))
    rights = array("f", (x0 + (index + 1) * step for index in range(len(text))))
    size = (y1 - y0) if turn in {0, 180} else (x1 - x0)
    return Line(text, (x0, y0, x1, y1), lefts, rights, size=size, turn=turn)


def unify_sizes(lines: Sequence[Line]) -> list[Line]:
    """Return recognised lines with one size for those that are about as high as most text of the page.

    The box of a line depends on whether it has letters and brackets that reach above or below the others.
    """
    sizes = sorted(line.size for line in lines for _ in line.text)
    body = sizes[len(sizes) // 2] if sizes else 0.0
    return [replace(line, size=body) if body / _EVEN <= line.size <= _EVEN * body else line for line in lines]


def _shrink_box(rect: Any, turn: int) -> Rect:
    """Shrink a detected box to the height of its line: the model's boxes are a tenth too large on both sides."""
    x0, y0, x1, y1 = rect
    inset_x, inset_y = (0.0, _MARGIN * (y1 - y0)) if turn in {0, 180} else (_MARGIN * (x1 - x0), 0.0)
    return x0 + inset_x, y0 + inset_y, x1 - inset_x, y1 - inset_y
