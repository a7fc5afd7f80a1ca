"""OCR of scanned pages by PP-OCR, whose models are in the wheel of rapidocr."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.page_content import Line, Rect
from hopline_ingest.formats.pdf.text.glyphs import Frame, Glyph
from hopline_ingest.sandbox.limits import MAX_PIXELS, suspend_memory_limit

_DPI = 200
_CERTAIN = 0.5
_MARGIN = 0.1
_LEAST_TEXT = 25  # characters: a page that has more is not taken for a picture
_STAMP = 200  # characters: a stamp or a running head on a page that is a picture
_PICTURE = 0.5  # of the page that its pictures cover
_MOST_OBJECTS = 500
_TALL = 1.5  # a line higher than that, by its width, is set sideways
_VOTES = 5  # lines that say which side of the page is up


def is_scan(page: Any, frame: Frame, glyphs: Sequence[Glyph | None]) -> bool:
    """Whether a page is a scan: images with little or no readable text of their own."""
    shown = [glyph.text for glyph in glyphs if glyph is not None and not glyph.text.isspace()]
    readable = sum(character.isalnum() for character in shown)
    if readable * 2 < len(shown):
        return _pictures(page, frame) > _PICTURE
    if len(shown) >= _STAMP:
        return False
    return _pictures(page, frame) > (0.0 if len(shown) < _LEAST_TEXT else _PICTURE)


def _pictures(page: Any, frame: Frame) -> float:
    """How much of a page its pictures cover, at most 1."""
    import pypdfium2.raw as pdfium

    covered = 0.0
    for count, found in enumerate(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3)):
        if count > _MOST_OBJECTS:
            break
        x0, y0, x1, y1 = frame.rect(*found.get_bounds())
        across, down = min(x1, frame.width) - max(x0, 0.0), min(y1, frame.height) - max(y0, 0.0)
        covered += max(0.0, across) * max(0.0, down)
    return min(1.0, covered / max(1.0, frame.width * frame.height))


class OcrReader:
    """Recognises text in images; the models are loaded on first use."""

    def __init__(self) -> None:
        self._engine: Any = None

    def recognise_lines(self, page: Any, frame: Frame) -> tuple[list[Line], int]:
        """Recognise the lines of a page, unordered, and their clockwise rotation: 0, 90, 180 or 270."""
        if self._engine is None:
            with suspend_memory_limit():
                self._engine = _load()
        scale = render_scale(frame, _DPI / 72)
        image = page.render(scale=scale, may_draw_forms=False).to_numpy()
        found = self._engine(image, use_det=True, use_cls=True, use_rec=True)  # it keeps what it was last told
        if found.boxes is None or found.txts is None:
            return [], 0
        rects = [_rect(box) for box in found.boxes]
        zipped = zip(rects, found.txts, found.scores, strict=True)
        kept = [(rect, text) for rect, text, score in zipped if score >= _CERTAIN and text.strip()]
        turn = self._turn(image, [rect for rect, _ in kept])
        return [_line(tuple(side / scale for side in rect), text, turn) for rect, text in kept], turn

    def _turn(self, image: Any, rects: Sequence[Rect]) -> int:
        """How far most lines of an image are turned; asks the model for the longest."""
        longest = sorted(rects, key=lambda rect: -max(rect[2] - rect[0], rect[3] - rect[1]))[:_VOTES]
        votes: Counter[int] = Counter()
        for rect in longest:
            x0, y0, x1, y1 = (max(0, round(side)) for side in rect)
            tall = (y1 - y0) > _TALL * (x1 - x0)
            crop = np.rot90(image[y0:y1, x0:x1]) if tall else image[y0:y1, x0:x1]
            answer = self._engine(np.ascontiguousarray(crop), use_det=False, use_cls=True, use_rec=False)
            flipped = bool(answer.cls_res) and answer.cls_res[0][0] == "180"
            votes[(90 if tall else 0) + (180 if flipped else 0)] += 1
        return votes.most_common(1)[0][0] if votes else 0


def _load() -> Any:
    import cv2
    from rapidocr import RapidOCR

    cv2.setNumThreads(1)
    threads = "EngineConfig.onnxruntime.{}_op_num_threads"
    engine = RapidOCR(
        params={threads.format("intra"): 1, threads.format("inter"): 1, "Global.log_level": "critical"},
    )
    blank = np.full((64, 64, 3), 255, np.uint8)  # it loads each model when that is first used
    engine(blank, use_det=True, use_cls=False, use_rec=False)
    engine(blank, use_det=False, use_cls=True, use_rec=True)
    return engine


def render_scale(frame: Frame, wanted: float) -> float:
    """Return the pixels per point: as wanted, or fewer if the page would have too many pixels."""
    return min(wanted, math.sqrt(MAX_PIXELS / max(1.0, frame.width * frame.height)))


def _rect(box: Any) -> Rect:
    """The rectangle around a box of four corners."""
    across, down = [float(corner[0]) for corner in box], [float(corner[1]) for corner in box]
    return min(across), min(down), max(across), max(down)


def _line(rect: Any, text: str, turn: int) -> Line:
    """A line whose characters share its width evenly, which is all that is known of them."""
    text = " ".join(text.split())
    x0, y0, x1, y1 = _cut(rect, turn)
    step = (x1 - x0) / len(text)
    lefts = array("f", (x0 + index * step for index in range(len(text))))
    rights = array("f", (x0 + (index + 1) * step for index in range(len(text))))
    size = (y1 - y0) if turn in {0, 180} else (x1 - x0)
    return Line(text, (x0, y0, x1, y1), lefts, rights, size=size, turn=turn)


def _cut(rect: Any, turn: int) -> Rect:
    """A detected box as high as its line: the model draws it a tenth too far on either side."""
    x0, y0, x1, y1 = rect
    across, down = (0.0, _MARGIN * (y1 - y0)) if turn in {0, 180} else (_MARGIN * (x1 - x0), 0.0)
    return x0 + across, y0 + down, x1 - across, y1 - down
