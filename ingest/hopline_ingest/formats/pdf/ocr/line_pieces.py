"""Splitting of a recognised line at the gaps between cells, which are measured in its image."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from statistics import median
from typing import Any

import numpy as np

from hopline_ingest.formats.pdf.ocr.engine import RecognizedText
from hopline_ingest.formats.pdf.tables.grids import NUMERIC

_GAP = 1.2  # of the height of the image; a wider gap separates cells
_NUMBER_GAP = 0.6  # likewise, beside a number; the words of a justified line may be so far apart
_WIDE_BLANK = 1.25  # of the widest blank between two words of the line, likewise
_MIN_BLANKS = 3  # in a line any of whose missing blanks are found
_MISSING_BLANK = 0.8  # of the middle width of the blanks of a line
_BEARING = 0.04  # likewise; a character is wider by it, on both sides, than what is printed
_EDGE = 0.12  # of the height; above and below it are parts of other lines, and rules
_RULE_SHARE = 0.97  # of the height; letters are not as high as the image of their line
_UNDERLINE_SHARE = 0.8  # of the width
_FAINT = 0.03  # of the height; a column with fewer dark pixels is blank


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a line, and the left and right side of each of its characters, as shares of the line's width."""

    text: str
    lefts: tuple[float, ...]
    rights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A blank part of the image of a line, in pixels from its left side; ``ruled`` if a vertical rule is in it."""

    left: int
    right: int
    ruled: bool

    @property
    def width(self) -> int:
        """The distance between its sides."""
        return self.right - self.left


def split_text(recognized: RecognizedText, crop: Any) -> list[TextPiece]:
    """Split the text of a line at wide gaps and at vertical rules; ``crop`` is its upright image."""
    text = " ".join(recognized.text.split())
    gaps = find_gaps(crop)
    height, width = crop.shape[:2]
    if not gaps or len(text.replace(" ", "")) != len(recognized.centres):
        return [spread_text(text)]
    text = _insert_blanks(text, gaps, [share * width for share in recognized.centres])
    letters = [index for index, character in enumerate(text) if character != " "]
    centres = dict(zip(letters, (share * width for share in recognized.centres), strict=True))
    words = [range(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    between = [_find_widest(gaps, centres[before[-1]], centres[after[0]]) for before, after in pairwise(words)]
    sides = [gaps[0], *between, gaps[-1]]
    pieces = []
    first = 0
    for number in [*_find_cell_sides([text[word.start : word.stop] for word in words], between, height), len(words)]:
        run = list(zip(words[first:number], pairwise(sides[first : number + 1]), strict=True))
        pieces.append(_build_piece(text, centres, run, (height, width)))
        first = number
    return pieces


def _insert_blanks(text: str, gaps: Sequence[Gap], centres: Sequence[float]) -> str:
    """Insert the blanks that the model left out: "by1.5metres", where the words are apart in the image.

    In a line with few blanks, one is only missing between a number and a word, or before "&". ``centres`` are those of
    the characters that are no blanks, in pixels.
    """
    words = text.split()
    starts = set(accumulate(map(len, words)))
    widths = [_find_widest(gaps, before, after).width for before, after in pairwise(centres)]
    between = [width for number, width in enumerate(widths, start=1) if number in starts]
    if not between:
        return text
    least = _MISSING_BLANK * median(between)
    letters = "".join(words)
    is_short = len(between) < _MIN_BLANKS
    parts = [
        f" {after}"
        if number in starts or (width >= least and (not is_short or _changes_kind(before, after)))
        else after
        for number, (width, (before, after)) in enumerate(zip(widths, pairwise(letters), strict=True), start=1)
    ]
    return letters[:1] + "".join(parts)


def _changes_kind(before: str, after: str) -> bool:
    """Whether a number, a word or "&" begins behind another of them: "22November", "Vale& Sons"."""
    return (before.isdigit() and after.isalpha()) or (before.isalpha() and after == "&")


def spread_text(text: str) -> TextPiece:
    """Return the text of a whole line, with characters that are equally wide."""
    lefts = tuple(index / len(text) for index in range(len(text)))
    return TextPiece(text, lefts, (*lefts[1:], 1.0))


def _find_widest(gaps: Sequence[Gap], left: float, right: float) -> Gap:
    """Return the widest gap between two letters, preferably with a rule; an empty one where their ink touches."""
    inside = [gap for gap in gaps[1:-1] if left < (gap.left + gap.right) / 2 < right]
    middle = round((left + right) / 2)
    return max(inside, key=lambda gap: (gap.ruled, gap.width), default=Gap(middle, middle, ruled=False))


def _find_cell_sides(words: Sequence[str], between: Sequence[Gap], height: int) -> list[int]:
    """Return the numbers of the words that begin a cell; the words of a justified line may be far apart."""
    is_number = [bool(NUMERIC.fullmatch(word)) for word in words]
    beside = [first or second for first, second in pairwise(is_number)]
    widest = max((gap.width for gap, number in zip(between, beside, strict=True) if not number), default=0)
    least = max(_NUMBER_GAP * height, _WIDE_BLANK * widest)
    return [
        position
        for position, (gap, number) in enumerate(zip(between, beside, strict=True), start=1)
        if gap.ruled or gap.width >= (least if number else _GAP * height)
    ]


def _build_piece(
    text: str, centres: Mapping[int, float], words: Sequence[tuple[range, tuple[Gap, Gap]]], shape: tuple[int, int]
) -> TextPiece:
    """Build a piece of words, each with the gaps beside it; sides between letters are midway between their centres.

    ``shape`` is the height and the width of the image.
    """
    height, width = shape
    bearing = _BEARING * height
    lefts: list[float] = []
    rights: list[float] = []
    for word, (before, after) in words:
        start, end = before.right - min(bearing, before.width / 4), after.left + min(bearing, after.width / 4)
        if lefts:  # the blank before the word
            lefts.append(rights[-1])
            rights.append(start)
        middles = [(centres[index] + centres[index + 1]) / 2 for index in word[:-1]]
        middles = [min(max(middle, start), end) for middle in middles]
        lefts += [start, *middles]
        rights += [*middles, end]
    part = text[words[0][0].start : words[-1][0].stop]
    return TextPiece(part, tuple(side / width for side in lefts), tuple(side / width for side in rights))


def find_gaps(crop: Any) -> list[Gap]:
    """Return the gaps between what is printed in an image of a line, and its margins; none if nothing is printed."""
    height, width = crop.shape[:2]
    ink = find_ink(crop)
    rules = ink.mean(axis=0) >= _RULE_SHARE
    inner = ink[round(_EDGE * height) : height - round(_EDGE * height)]
    inner = inner[inner.mean(axis=1) < _UNDERLINE_SHARE]
    columns = np.flatnonzero((inner.sum(axis=0) > _FAINT * height) & ~rules).tolist()
    if not columns:
        return []
    sides = [(last + 1, following) for last, following in pairwise([-1, *columns, width])]
    gaps = [Gap(left, right, bool(rules[left:right].any())) for left, right in sides]
    return [gaps[0], *(gap for gap in gaps[1:-1] if gap.width), gaps[-1]]


def find_ink(image: Any) -> Any:
    """Return which pixels of an image of a line are printed: the darker ones, or the lighter ones of a dark cell."""
    import cv2

    grey = image if image.ndim == 2 else cv2.cvtColor(np.ascontiguousarray(image[:, :, :3]), cv2.COLOR_BGR2GRAY)
    _, light = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    ink = light == 0
    return ink if ink.mean() <= 0.5 else ~ink
