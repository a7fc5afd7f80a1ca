"""Splitting of a recognised line at the gaps between cells, which are measured in its image."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.ocr.engine import RecognizedText

_GAP = 0.6  # of the height of the image; a wider gap separates cells
_EDGE = 0.12  # of the height; above and below it are parts of other lines, and rules
_RULE_SHARE = 0.97  # of the height; letters are not as high as the image of their line
_UNDERLINE_SHARE = 0.8  # of the width
_FAINT = 0.03  # of the height; a column with fewer dark pixels is blank


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a line, and its sides as shares of the width of the line's image."""

    text: str
    left: float
    right: float


def split_text(recognized: RecognizedText, crop: Any) -> list[TextPiece]:
    """Split the text of a line at wide gaps and at vertical rules; ``crop`` is its upright image."""
    text = " ".join(recognized.text.split())
    stretches = find_stretches(crop)
    letters = [index for index, character in enumerate(text) if character != " "]
    if not stretches or len(letters) != len(recognized.centres):
        return [TextPiece(text, 0.0, 1.0)]
    middles = [(before[1] + after[0]) / 2 for before, after in pairwise(stretches)]
    numbers = np.searchsorted(middles, recognized.centres)  # of the stretch of each letter
    pieces = []
    for number, (left, right) in enumerate(stretches):
        indices = [index for index, where in zip(letters, numbers, strict=True) if where == number]
        if indices:
            pieces.append(TextPiece(text[indices[0] : indices[-1] + 1], left, right))
    return pieces


def find_stretches(crop: Any) -> list[tuple[float, float]]:
    """Return the sides of what is printed between wide gaps and vertical rules, as shares of the width."""
    height, width = crop.shape[:2]
    ink = find_ink(crop)
    rules = ink.mean(axis=0) >= _RULE_SHARE
    inner = ink[round(_EDGE * height) : height - round(_EDGE * height)]
    inner = inner[inner.mean(axis=1) < _UNDERLINE_SHARE]
    filled = (inner.sum(axis=0) > _FAINT * height) & ~rules
    columns = np.flatnonzero(filled)
    if not len(columns):
        return []
    last = columns[np.flatnonzero(np.diff(columns) > 1)].tolist()
    following = columns[np.flatnonzero(np.diff(columns) > 1) + 1].tolist()
    gaps = [
        (end + 1, start)
        for end, start in zip(last, following, strict=True)
        if start - end - 1 >= _GAP * height or rules[end + 1 : start].any()
    ]
    sides = [int(columns[0]), *(side for gap in gaps for side in gap), int(columns[-1]) + 1]
    return [(left / width, right / width) for left, right in zip(sides[::2], sides[1::2], strict=True)]


def find_ink(image: Any) -> Any:
    """Return which pixels of an image of a line are printed: the darker ones, or the lighter ones of a dark cell."""
    import cv2

    grey = image if image.ndim == 2 else cv2.cvtColor(np.ascontiguousarray(image[:, :, :3]), cv2.COLOR_BGR2GRAY)
    _, light = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    ink = light == 0
    return ink if ink.mean() <= 0.5 else ~ink
