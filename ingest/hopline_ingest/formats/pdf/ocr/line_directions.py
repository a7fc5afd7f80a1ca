"""Direction of the lines of a scanned page: each is recognised in the direction in which the model reads it best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.ocr.engine import RecognizedText

_TALL_RATIO = 1.5  # height by width; a line with more is rotated by a quarter
_SHORT = 2.0  # heights of a line; a shorter one may be a single character, which is as high as wide in any direction
_READABLE = 0.85  # score of the lines of a page; 0.65 upside down, 0.97 in the right direction

Recognize = Callable[[Any], RecognizedText]


@dataclass(frozen=True, slots=True)
class DirectedText:
    """The text of a line, its upright image, and the clockwise rotation of the line: 0, 90, 180 or 270."""

    recognized: RecognizedText
    crop: Any
    turn: int


def recognize_directions(crops: Sequence[Any], recognize: Recognize) -> tuple[list[DirectedText], int]:
    """Recognise images of lines, and return the clockwise rotation of most of them: 0, 90, 180 or 270.

    Lines along the longer side of most images are recognised in one direction and, if their scores are low, all of them
    in the opposite one; scores are weighted by length. Every other line is recognised in both directions.
    """
    tall = [_is_tall(crop) for crop in crops]
    lengths = [max(crop.shape[:2]) for crop in crops]
    is_tall_page = 2 * sum(length for length, is_tall in zip(lengths, tall, strict=True) if is_tall) > sum(lengths)
    heights = sorted(min(crop.shape[:2]) for crop, is_tall in zip(crops, tall, strict=True) if is_tall == is_tall_page)
    height = heights[len(heights) // 2] if heights else 0
    along = [is_tall == is_tall_page or length < _SHORT * height for is_tall, length in zip(tall, lengths, strict=True)]
    texts: dict[int, DirectedText] = {}
    for n, crop in enumerate(crops):
        upright = np.rot90(crop) if is_tall_page == along[n] else crop
        texts[n] = DirectedText(recognize(upright), upright, 90 if is_tall_page == along[n] else 0)
    main = {n: text for n, text in texts.items() if along[n]}
    turn = 90 if is_tall_page else 0
    if main and _score(main.values()) < _READABLE:
        flipped = {n: _flip(text, recognize) for n, text in main.items()}
        if _score(flipped.values()) > _score(main.values()):
            texts |= flipped
            turn += 180
    for n, text in texts.items():
        if not along[n]:
            texts[n] = max(text, _flip(text, recognize), key=lambda text: text.recognized.score)
    return [texts[n] for n in range(len(crops))], turn


def _is_tall(crop: Any) -> bool:
    height, width = crop.shape[:2]
    return bool(height > _TALL_RATIO * width)


def _flip(text: DirectedText, recognize: Recognize) -> DirectedText:
    """Recognise a line upside down."""
    crop = np.rot90(text.crop, 2)
    return DirectedText(recognize(crop), crop, (text.turn + 180) % 360)


def _score(texts: Iterable[DirectedText]) -> float:
    """Return the mean score of lines, weighted by their length; 0 without lines."""
    pairs = [(text.recognized.score, int(text.crop.shape[1])) for text in texts]
    return sum(score * length for score, length in pairs) / max(1, sum(length for _, length in pairs))
