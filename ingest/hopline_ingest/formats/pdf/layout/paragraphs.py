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
_WIDE_GAP = 0.45  # in font sizes, above the usual gap between lines
_CENTRED = 6.0  # in font sizes; a line with a larger indent is centred
_SIZE_TOLERANCE = 0.15  # of a font's size
_FULL_WIDTH = 0.85  # of the block's width; a shorter line may end a paragraph
_ENDS = (".", "!", "?", ":", ";", ".”", '."', "”", ".)")


def split_paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Split the consecutive lines of a block into paragraphs."""
    if not lines:
        return []
    column = _Column.measure(lines)
    paragraphs = [[lines[0]]]
    for before, line in pairwise(lines):
        if column.begins_paragraph(before, line):
            paragraphs.append([line])
        else:
            paragraphs[-1].append(line)
    return paragraphs


@dataclass(frozen=True, slots=True)
class _Column:
    """Left and right side of a block and the usual gap between its lines, in points."""

    left: float
    right: float
    gap: float

    @classmethod
    def measure(cls, lines: Sequence[Line]) -> _Column:
        gaps = [line.rect[1] - before.rect[3] for before, line in pairwise(lines)]
        return cls(
            _find_mode([line.rect[0] for line in lines]),
            max(line.rect[2] for line in lines),
            _find_mode(gaps) if gaps else 0.0,
        )

    def begins_paragraph(self, before: Line, line: Line) -> bool:
        """Return whether ``line`` begins a paragraph."""
        size = max(line.size, 1.0)
        is_apart = line.rect[1] - before.rect[3] > self.gap + _WIDE_GAP * size or line.rect[3] < before.rect[1]
        if is_apart or abs(line.size - before.size) > _SIZE_TOLERANCE * size or _BULLET.match(line.text):
            return True
        ends_sentence = before.text.endswith(_ENDS)
        is_short = self._is_short(before)
        return (
            (line.bold != before.bold and (is_short or ends_sentence))
            or self._is_indented(before, line)
            or (is_short and ends_sentence)
        )

    def _is_short(self, line: Line) -> bool:
        """Return whether a line ends well before the side of its column; on the left for right-to-left text."""
        slack = (1 - _FULL_WIDTH) * (self.right - self.left)
        if is_right_to_left(line.text):
            return line.rect[0] > self.left + slack
        return line.rect[2] < self.right - slack

    def _is_indented(self, before: Line, line: Line) -> bool:
        """Return whether a line is indented, or has a hanging indent."""
        step = _INDENT * max(line.size, 1.0)
        indent, indent_before = line.rect[0] - self.left, before.rect[0] - self.left
        if is_right_to_left(line.text):
            return False
        is_hanging = indent < -step and indent_before - indent > step
        return is_hanging or (
            step < indent < _CENTRED * line.size and indent_before <= step and not _BULLET.match(before.text)
        )


def _find_mode(values: Sequence[float]) -> float:
    """Return the most frequent value, rounded to half a point; the smallest of several."""
    counts = Counter(round(value * 2) / 2 for value in values)
    most = max(counts.values())
    return min(value for value, count in counts.items() if count == most)


def continues_paragraph(before: str, after: str) -> bool:
    """Return whether ``after`` continues a paragraph that the end of a column or page interrupts."""
    if not before or not after:
        return False
    if before.endswith(("-", "\u00ad")):
        return after[0].isalpha()
    return not before.endswith(_ENDS) and (after[0].islower() or after[0] in "(,;" or after[0].isdigit())
