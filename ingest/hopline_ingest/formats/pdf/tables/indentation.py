"""Indentation of the labels of rows, which says what they are a part of. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from hopline_ingest.formats.pdf.page_content import Cells, Rect
from hopline_ingest.formats.pdf.tables.grids import NUMERIC

SAME: Final = 2.0  # points by which labels of one level may differ, at least
SAME_SHARE: Final = 0.3  # of the height of a label: boxes of recognised text begin a little left or right of it
MAX_STEP: Final = 30.0  # points between two levels
MAX_LEVELS: Final = 6
MIN_ROWS: Final = 3  # labels
WIDEST: Final = 0.6  # of the height of a label: the width of its characters, on average at most
CLOSE: Final = 0.75  # points by which the sides or middles of aligned labels differ
MIN_ALIGNED: Final = 2  # other labels
MIN_SHARE: Final = 0.5  # of the labels
MIN_PER_LEVEL: Final = 1.5  # labels, on average: labels that are centred begin anywhere


def find_indentation(cells: Cells, header_rows: int) -> list[int]:
    """Return by how many levels the label of each row of a table is indented: 0 for all if its labels have no levels.

    Labels that are numbers are aligned in another way, and so are centred ones; neither are indented.
    """
    levels_of_rows = [0] * len(cells)
    labels = [(n, row[0]) for n, row in enumerate(cells) if n >= header_rows and row[0] and row[0].rect]
    labels = [(n, cell) for n, cell in labels if not NUMERIC.fullmatch(cell.text)]
    if len(labels) < MIN_ROWS:
        return levels_of_rows
    direction = _find_direction(cells)
    rects = [_cut_leader(cell.text, _turn_upright(cell.rect, direction)) for _, cell in labels if cell.rect]
    lefts = [left for left, _, _, _ in rects]
    same = max(SAME, SAME_SHARE * min(bottom - top for _, top, _, bottom in rects))  # some have several lines
    if _are_aligned_otherwise(rects):
        return levels_of_rows
    levels = _group(lefts, same)
    steps = [after - before for before, after in pairwise(levels)]
    if not steps or len(levels) > MAX_LEVELS or max(steps) > MAX_STEP or len(lefts) < MIN_PER_LEVEL * len(levels):
        return levels_of_rows
    for (number, _), left in zip(labels, lefts, strict=True):
        levels_of_rows[number] = min(range(len(levels)), key=lambda level: abs(levels[level] - left))
    return levels_of_rows


def _find_direction(cells: Cells) -> tuple[int, int]:
    """Return the direction in which the columns of a table follow each other on the page: (1, 0) is to the right."""
    ends = [[cell.rect for cell in row if cell.rect] for row in cells]
    ends = [rects for rects in ends if len(rects) > 1]
    across = sum(rects[-1][0] + rects[-1][2] - rects[0][0] - rects[0][2] for rects in ends)
    down = sum(rects[-1][1] + rects[-1][3] - rects[0][1] - rects[0][3] for rects in ends)
    if abs(across) >= abs(down):
        return (1, 0) if across >= 0 else (-1, 0)
    return (0, 1) if down > 0 else (0, -1)


def _turn_upright(rect: Rect, direction: tuple[int, int]) -> Rect:
    """Return a rectangle of a table as if its columns followed each other to the right."""
    x, y = direction
    corners = [(x * a + y * b, x * b - y * a) for a, b in (rect[:2], rect[2:])]
    (x0, y0), (x1, y1) = corners
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _cut_leader(text: str, rect: Rect) -> Rect:
    """Return the rectangle of a label without the dots behind it, which its text does not have."""
    left, top, right, bottom = rect
    return left, top, min(right, left + WIDEST * (bottom - top) * len(text)), bottom


def _are_aligned_otherwise(rects: Sequence[Rect]) -> bool:
    """Return whether most labels have their middle or right side in common with others that begin elsewhere."""
    aligned = 0
    for left, _, right, _ in rects:
        others = [(first, last) for first, _, last, _ in rects if abs(first - left) > SAME]
        rights = sum(abs(last - right) <= CLOSE for _, last in others)
        middles = sum(abs(first + last - left - right) <= 2 * CLOSE for first, last in others)
        aligned += max(rights, middles) >= MIN_ALIGNED
    return aligned >= MIN_SHARE * len(rects)


def _group(lefts: Sequence[float], same: float) -> list[float]:
    """Return the left sides of the levels: those that differ by more than ``same``."""
    levels: list[float] = []
    for left in sorted(lefts):
        if not levels or left - levels[-1] > same:
            levels.append(left)
    return levels
