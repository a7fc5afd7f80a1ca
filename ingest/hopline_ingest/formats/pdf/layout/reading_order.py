"""Reading order of the blocks of a page. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hopline_ingest.formats.pdf.page_content import Rect

_GUTTER = 4.0  # points; less is no gap between columns


def reading_order(rects: Sequence[Rect], *, leftwards: bool = False) -> list[int]:
    """Return the indices of ``rects`` in reading order: down each column, columns from left to right.

    What spans two columns parts them: all above it is read first, all below it after.
    ``leftwards`` reads the right column first.
    """
    return _ordered(list(range(len(rects))), rects, leftwards=leftwards)


def _ordered(numbers: list[int], rects: Sequence[Rect], *, leftwards: bool) -> list[int]:
    if len(numbers) < 2:
        return numbers
    gutter = _gutter([rects[number] for number in numbers])
    if gutter is None:
        return sorted(numbers, key=lambda n: (round(rects[n][1]), rects[n][0]))
    spanning = sorted((n for n in numbers if rects[n][0] < gutter < rects[n][2]), key=lambda n: _middle(rects[n]))
    bands: list[list[int]] = [[] for _ in range(len(spanning) + 1)]
    for number in numbers:
        if number not in spanning:
            bands[sum(_middle(rects[wide]) < _middle(rects[number]) for wide in spanning)].append(number)
    found: list[int] = []
    for index, band in enumerate(bands):
        left = [n for n in band if rects[n][2] <= gutter]
        right = [n for n in band if rects[n][0] >= gutter]
        sides = (right, left) if leftwards else (left, right)
        for side in sides:
            found.extend(_ordered(side, rects, leftwards=leftwards))
        found.extend(spanning[index : index + 1])
    return found


def _gutter(rects: Sequence[Rect]) -> float | None:
    """The x between two columns, or ``None`` where the blocks stand in one.

    Of all gaps the one beside which blocks stand side by side for the most height, less the height
    for which a block that crosses it stands beside one that does not: a title above two columns
    crosses their gap and stands beside nothing.
    """
    best: tuple[float, float] | None = None
    edges = sorted({side for rect in rects for side in (rect[0], rect[2])})
    for low, high in pairwise(edges):
        if high - low < _GUTTER:
            continue
        x = (low + high) / 2
        sides = [rect for rect in rects if rect[2] <= x], [rect for rect in rects if rect[0] >= x]
        crossing = [rect for rect in rects if rect[0] < x < rect[2]]
        gain = _beside(*sides) - _beside(crossing, [*sides[0], *sides[1]])
        if gain > 0 and (best is None or gain > best[0]):
            best = gain, x
    return best[1] if best else None


def _beside(left: Sequence[Rect], right: Sequence[Rect]) -> float:
    """For what height blocks of the left and of the right stand side by side."""
    return sum(max(0.0, min(a[3], b[3]) - max(a[1], b[1])) for a in left for b in right)


def _middle(rect: Rect) -> float:
    return (rect[1] + rect[3]) / 2
