"""The boxes of words within the lines of a passage.

The boxes of lines are stored. Where a word is within its line is estimated from the widths of letters, which are alike
in most typefaces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from hopline.records import Box
from hopline.results.evidence import Evidence

_CLASSES: Final[Mapping[str, float]] = {  # widths in relation to the size of the letters
    "ijl.,;:'|!": 0.25,
    'ftrI()[]{}/\\-"` ': 0.32,
    "cksvxyzJ": 0.5,
    "ABEFKLPSTVXYZ&": 0.67,
    "CDGHNOQRUw": 0.73,
    "mM": 0.84,
    "W@%": 0.93,
    "—…": 1.0,
}
_WIDTHS: Final = {letter: width for letters, width in _CLASSES.items() for letter in letters}
_WIDTH: Final = 0.556  # of all other letters, and of digits
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff]")


def find_word_boxes(evidence: Evidence, start: int, end: int) -> tuple[Box, ...]:
    """Return the boxes of ``text[start:end]``: of a table its cells, of a passage the part of each line.

    Lines that are written from right to left are returned whole. All boxes are returned where lines are unknown.
    """
    if evidence.kind != "passage" or len(evidence.lines) != len(evidence.boxes):
        return evidence.find_boxes(start, end)
    return tuple(
        _clip(box, evidence.text[first:last], start - first, end - first)
        for (first, last), box in zip(evidence.lines, evidence.boxes, strict=True)
        if first < end and start < last
    )


def _clip(box: Box, line: str, start: int, end: int) -> Box:
    """Return the part of the box of a line that shows ``line[start:end]``."""
    shown = line.rstrip()
    total = _measure(shown)
    if not total or _RIGHT_TO_LEFT.search(shown):
        return box
    left, right = (_measure(shown[: max(0, position)]) / total for position in (start, end))
    width = box.x1 - box.x0
    return replace(box, x0=box.x0 + left * width, x1=box.x0 + right * width)


def _measure(text: str) -> float:
    return sum(_WIDTHS.get(letter, _WIDTH) for letter in text)
