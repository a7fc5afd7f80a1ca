"""Reading order of the blocks of a page. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hopline_ingest.formats.pdf.page_content import Rect

_MIN_GUTTER = 4.0  # points between columns


def find_reading_order(rects: Sequence[Rect], *, leftwards: bool = False) -> list[int]:
    """Return the indices of ``rects`` in reading order: down each column, columns from left to right.

    A block that spans two columns divides them: everything above it comes first, everything below it after.
    ``leftwards`` puts the right column first.
    """
    return _order_numbers(list(range(len(rects))), rects, leftwards=leftwards)


def _order_numbers(numbers: list[int], rects: Sequence[Rect], *, leftwards: bool) -> list[int]:
    if len(numbers) < 2:
        return numbers
    gutter = _find_gutter([rects[number] for number in numbers])
    if gutter is None:
        return sorted(numbers, key=lambda n: (round(rects[n][1]), rects[n][0]))
    spanning = sorted((n for n in numbers if rects[n][0] < gutter < rects[n][2]), key=lambda n: _find_middle(rects[n]))
    bands: list[list[int]] = [[] for _ in range(len(spanning) + 1)]
    for number in numbers:
        if number not in spanning:
            bands[sum(_find_middle(rects[wide]) < _find_middle(rects[number]) for wide in spanning)].append(number)
    order: list[int] = []
    for index, band in enumerate(bands):
        left = [n for n in band if rects[n][2] <= gutter]
        right = [n for n in band if rects[n][0] >= gutter]
        sides = (right, left) if leftwards else (left, right)
        for side in sides:
            order.extend(_order_numbers(side, rects, leftwards=leftwards))
        order.extend(spanning[index : index + 1])
    return order


def _find_gutter(rects: Sequence[Rect]) -> float | None:
    """Find the x between two columns, or ``None`` for a single column.

    It is the gap with the most height for which blocks are side by side, less the height for which a block that
    crosses the gap is beside another one: a title above two columns crosses their gap and is beside nothing.
    """
    best: tuple[float, float] | None = None
    edges = sorted({side for rect in rects for side in (rect[0], rect[2])})
    for low, high in pairwise(edges):
        if high - low < _MIN_GUTTER:
            continue
        x = (low + high) / 2
        sides = [rect for rect in rects if rect[2] <= x], [rect for rect in rects if rect[0] >= x]
        crossing = [rect for rect in rects if rect[0] < x < rect[2]]
        gain = _sum_shared_height(*sides) - _sum_shared_height(crossing, [*sides[0], *sides[1]])
        if gain > 0 and (best is None or gain > best[0]):
            best = gain, x
    return best[1] if best else None


def _sum_shared_height(left: Sequence[Rect], right: Sequence[Rect]) -> float:
    """Return the height in points for which left and right blocks are side by side."""
    return sum(max(0.0, min(a[3], b[3]) - max(a[1], b[1])) for a in left for b in right)


def _find_middle(rect: Rect) -> float:
    return (rect[1] + rect[3]) / 2
