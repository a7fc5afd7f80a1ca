"""PP-OCR, whose models are in the wheel of rapidocr: detection of lines of text in an image, and their recognition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hopline_ingest.sandbox.limits import suspend_memory_limit


@dataclass(frozen=True, slots=True)
class RecognizedText:
    """The text of an image of one line, and the model's score, from 0 to 1.

    ``centres`` has the middle of each character that is no blank, as a share of the width of the image.
    """

    text: str
    score: float
    centres: tuple[float, ...]


class OcrEngine:
    """Detects lines of text and recognises them; the models are loaded on first use."""

    def __init__(self) -> None:
        self._models: Any = None

    def detect_boxes(self, image: Any) -> Any:
        """Return the corners of the lines of an image, clockwise from the top left one: (N, 4, 2) in pixels."""
        boxes = self._load()(image, use_det=True, use_cls=False, use_rec=False).boxes  # the options stay set otherwise
        return np.zeros((0, 4, 2), np.float32) if boxes is None else np.asarray(boxes, np.float32)

    def recognize(self, crop: Any) -> RecognizedText:
        """Recognise the text of an image of one upright line; one at a time is faster than lines of unequal widths."""
        image = np.ascontiguousarray(crop)
        result = self._load()(image, use_det=False, use_cls=False, use_rec=True, return_word_box=True)
        if not result.txts:
            return RecognizedText("", 0.0, ())
        return RecognizedText(result.txts[0], float(result.scores[0]), _find_centres(result.word_results[0]))

    def _load(self) -> Any:
        if self._models is None:
            with suspend_memory_limit():
                self._models = _load_models()
        return self._models


def crop_line(image: Any, box: Any) -> Any:
    """Return the part of an image within the four corners of a box, straightened."""
    import cv2

    width = max(1, round(float(max(np.linalg.norm(box[0] - box[1]), np.linalg.norm(box[2] - box[3])))))
    height = max(1, round(float(max(np.linalg.norm(box[0] - box[3]), np.linalg.norm(box[1] - box[2])))))
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(box, np.float32), corners)
    return cv2.warpPerspective(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC)


def _find_centres(words: Any) -> tuple[float, ...]:
    """Return where the model saw the characters of the words of a line, as a share of the width of its image."""
    return tuple((step + 0.5) / words.line_txt_len for steps in words.word_cols for step in steps)


def _load_models() -> Any:
    import cv2
    from rapidocr import RapidOCR

    cv2.setNumThreads(1)
    threads = "EngineConfig.onnxruntime.{}_op_num_threads"
    models = RapidOCR(params={threads.format("intra"): 1, threads.format("inter"): 1, "Global.log_level": "critical"})
    blank = np.full((64, 64, 3), 255, np.uint8)  # each model is loaded on first use
    models(blank, use_det=True, use_cls=False, use_rec=False)
    models(blank, use_det=False, use_cls=False, use_rec=True)
    return models
