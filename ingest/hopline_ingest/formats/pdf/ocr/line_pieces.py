"""Splitting of a recognised line at the gaps between cells, which are measured in its image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.ocr.engine import RecognizedText
from hopline_ingest.formats.pdf.tables.grids import NUMERIC

_GAP = 1.2  # of the height of the image; a wider gap separates cells
_NUMBER_GAP = 0.6  # likewise, beside a number; the words of a justified line may be so far apart
_WIDE_BLANK = 1.25  # of the widest blank between two words of the line, likewise
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


@dataclass(frozen=True, slots=True)
class Gap:
    """A blank part of the image of a line, in pixels from its left side; ``ruled`` if a vertical rule is in it."""

    left: int
    right: int
    ruled: bool


def split_text(recognized: RecognizedText, crop: Any) -> list[TextPiece]:
    """Split the text of a line at wide gaps and at vertical rules; ``crop`` is its upright image."""
    text = " ".join(recognized.text.split())
    gaps = find_gaps(crop)
    letters = [index for index, character in enumerate(text) if character != " "]
    if not gaps or len(letters) != len(recognized.centres):
        return [TextPiece(text, 0.0, 1.0)]
    height, width = crop.shape[:2]
    numbers = np.searchsorted([(gap.left + gap.right) / 2 / width for gap in gaps], recognized.centres)
    parts: list[tuple[Gap, TextPiece]] = []  # each with the gap before it
    for number, (before, after) in enumerate(pairwise(gaps), start=1):
        indices = [index for index, where in zip(letters, numbers, strict=True) if where == number]
        if indices:
            part = text[indices[0] : indices[-1] + 1]
            parts.append((before, TextPiece(part, before.right / width, after.left / width)))
    return _join_words(parts, height)


def _join_words(parts: Sequence[tuple[Gap, TextPiece]], height: int) -> list[TextPiece]:
    """Join the parts of a line that no cell side separates; the words of a justified line may be far apart."""
    is_number = [bool(NUMERIC.fullmatch(part.text)) for _, part in parts]
    beside = [first or second for first, second in pairwise(is_number)]
    blanks = [gap.right - gap.left for gap, _ in parts[1:]]
    widest = max((blank for blank, number in zip(blanks, beside, strict=True) if not number), default=0)
    pieces = [parts[0][1]]
    for (gap, part), blank, number in zip(parts[1:], blanks, beside, strict=True):
        least = max(_NUMBER_GAP * height, _WIDE_BLANK * widest) if number else _GAP * height
        if gap.ruled or blank >= least:
            pieces.append(part)
        else:
            pieces[-1] = TextPiece(f"{pieces[-1].text} {part.text}", pieces[-1].left, part.right)
    return pieces


def find_gaps(crop: Any) -> list[Gap]:
    """Return the gaps of an image of a line that may separate cells, and the margins; none if nothing is printed."""
    height, width = crop.shape[:2]
    ink = find_ink(crop)
    rules = ink.mean(axis=0) >= _RULE_SHARE
    inner = ink[round(_EDGE * height) : height - round(_EDGE * height)]
    inner = inner[inner.mean(axis=1) < _UNDERLINE_SHARE]
    columns = np.flatnonzero((inner.sum(axis=0) > _FAINT * height) & ~rules).tolist()
    if not columns:
        return []
    sides = pairwise([-1, *columns, width])
    gaps = [Gap(last + 1, following, bool(rules[last + 1 : following].any())) for last, following in sides]
    inside = [gap for gap in gaps[1:-1] if gap.ruled or gap.right - gap.left >= _NUMBER_GAP * height]
    return [gaps[0], *inside, gaps[-1]]


def find_ink(image: Any) -> Any:
    """Return which pixels of an image of a line are printed: the darker ones, or the lighter ones of a dark cell."""
    import cv2

    grey = image if image.ndim == 2 else cv2.cvtColor(np.ascontiguousarray(image[:, :, :3]), cv2.COLOR_BGR2GRAY)
    _, light = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    ink = light == 0
    return ink if ink.mean() <= 0.5 else ~ink
