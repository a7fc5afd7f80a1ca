"""Splitting of a block's lines into paragraphs by indents, gaps and bullets. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hopline_ingest.formats.pdf.page_content import Line
from hopline_ingest.formats.pdf.text.lines import is_right_to_left

_BULLET = re.compile(r"(?:[•‣▪●○◦■□–—*·➢✓]|\(?[a-zA-Z0-9]{1,3}[.)])\s+\S")
_INDENT = 0.8  # in font sizes
_WIDE_GAP = 0.45  # in font sizes more than the usual gap between lines
_CENTRED = 6.0  # in font sizes: further in, and the line is centred
_OTHER_SIZE = 0.15  # of a font's size
_SHORT = 0.85  # of the block's width: a line that ends before may end a paragraph
_ENDS = (".", "!", "?", ":", ";", ".”", '."', "”", ".)")


def split_paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Split the consecutive lines of a block into paragraphs."""
    if not lines:
        return []
    column = _Column.of(lines)
    found = [[lines[0]]]
    for before, line in pairwise(lines):
        if column.begins(before, line):
            found.append([line])
        else:
            found[-1].append(line)
    return found


@dataclass(frozen=True, slots=True)
class _Column:
    """How a block is set: its sides and the usual gap between its lines, in points."""

    left: float
    right: float
    gap: float

    @classmethod
    def of(cls, lines: Sequence[Line]) -> _Column:
        gaps = [line.rect[1] - before.rect[3] for before, line in pairwise(lines)]
        return cls(
            _usual([line.rect[0] for line in lines]), max(line.rect[2] for line in lines), _usual(gaps) if gaps else 0.0
        )

    def begins(self, before: Line, line: Line) -> bool:
        """Whether ``line`` begins a paragraph."""
        size = max(line.size, 1.0)
        apart = line.rect[1] - before.rect[3] > self.gap + _WIDE_GAP * size or line.rect[3] < before.rect[1]
        if apart or abs(line.size - before.size) > _OTHER_SIZE * size or _BULLET.match(line.text):
            return True
        ended = before.text.endswith(_ENDS)
        short = self._is_short(before)
        return (line.bold != before.bold and (short or ended)) or self._indented(before, line) or (short and ended)

    def _is_short(self, line: Line) -> bool:
        """Whether a line ends well before its column does, on the side where it ends."""
        slack = (1 - _SHORT) * (self.right - self.left)
        if is_right_to_left(line.text):
            return line.rect[0] > self.left + slack
        return line.rect[2] < self.right - slack

    def _indented(self, before: Line, line: Line) -> bool:
        """Whether a first line is indented, or hangs out to the left of the lines that follow it."""
        step = _INDENT * max(line.size, 1.0)
        here, there = line.rect[0] - self.left, before.rect[0] - self.left
        if is_right_to_left(line.text):
            return False
        hanging = here < -step and there - here > step
        return hanging or (step < here < _CENTRED * line.size and there <= step and not _BULLET.match(before.text))


def _usual(values: Sequence[float]) -> float:
    """The most frequent value, to half a point; the smallest of several."""
    counts = Counter(round(value * 2) / 2 for value in values)
    most = max(counts.values())
    return min(value for value, count in counts.items() if count == most)


def continues_paragraph(before: str, after: str) -> bool:
    """Whether a paragraph that was broken by the end of a column or page continues with ``after``."""
    if not before or not after:
        return False
    if before.endswith(("-", "\u00ad")):
        return after[0].isalpha()
    return not before.endswith(_ENDS) and (after[0].islower() or after[0] in "(,;" or after[0].isdigit())
