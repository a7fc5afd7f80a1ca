"""Lines of a block into paragraphs, by indents, gaps and bullets. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from hopline_ingest.parse.content import Line
from hopline_ingest.parse.lines import right_to_left

_BULLET = re.compile(r"(?:[•‣▪●○◦■□–—*·➢✓]|\(?[a-zA-Z0-9]{1,3}[.)])\s+\S")
_INDENT = 0.8  # in font sizes
_WIDE_GAP = 0.45  # in font sizes more than the usual gap between lines
_SHORT = 0.85  # of the block's width: a line that ends before may end a paragraph
_ENDS = (".", "!", "?", ":", ";", ".”", '."', "”", ".)")


def paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    """Consecutive lines of one block as its paragraphs."""
    if len(lines) < 2:
        return [list(lines)] if lines else []
    left = _usual([line.rect[0] for line in lines])
    right = max(line.rect[2] for line in lines)
    gap = _usual([b.rect[1] - a.rect[3] for a, b in zip(lines, lines[1:], strict=False)])
    found = [[lines[0]]]
    for before, line in zip(lines, lines[1:], strict=False):
        if _begins(before, line, left, right, gap):
            found.append([line])
        else:
            found[-1].append(line)
    return found


def _begins(before: Line, line: Line, left: float, right: float, gap: float) -> bool:
    size = max(line.size, 1.0)
    if line.rect[1] - before.rect[3] > gap + _WIDE_GAP * size or line.rect[3] < before.rect[1]:
        return True
    if abs(line.size - before.size) > 0.15 * size:
        return True
    short = before.rect[2] < left + _SHORT * (right - left)
    if line.bold != before.bold and (short or before.text.endswith(_ENDS)):
        return True
    if _BULLET.match(line.text):
        return True
    if right_to_left(line.text):
        return before.rect[0] > left + (1 - _SHORT) * (right - left) and before.text.endswith(_ENDS)
    if left - line.rect[0] > _INDENT * size and before.rect[0] - line.rect[0] > _INDENT * size:
        return True  # the first line of an entry with a hanging indent
    indented = line.rect[0] - left > _INDENT * size and before.rect[0] - left <= _INDENT * size
    return (indented and line.rect[0] - left < 6 * size and not _BULLET.match(before.text)) or (
        short and before.text.endswith(_ENDS)
    )


def _usual(values: Sequence[float]) -> float:
    """The most frequent value, to half a point; the smallest of several."""
    counts = Counter(round(value * 2) / 2 for value in values)
    most = max(counts.values())
    return min(value for value, count in counts.items() if count == most)


def goes_on(before: str, after: str) -> bool:
    """Whether a paragraph that a column's or page's end broke goes on with ``after``."""
    if not before or not after:
        return False
    if before.endswith(("-", "\u00ad")):
        return after[0].isalpha()
    return not before.endswith(_ENDS) and (after[0].islower() or after[0] in "(,;" or after[0].isdigit())
