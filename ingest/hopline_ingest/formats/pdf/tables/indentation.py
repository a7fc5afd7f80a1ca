"""Indentation of the labels of rows, which says what they are a part of. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from hopline_ingest.formats.pdf.page_content import Cells, Rect, TableCell
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

    Labels that are numbers are aligned in another way, and so are centred ones; neither are indented. Nor is the label
    of a sum: a single row with values that is more indented than the rows around it has no parts above it.
    """
    levels_of_rows = [0] * len(cells)
    labels = [(n, row[0]) for n, row in enumerate(cells) if n >= header_rows and row[0] and row[0].rect]
    labels = [(n, cell) for n, cell in labels if not NUMERIC.fullmatch(cell.text)]
    labels = _drop_centred_groups(cells, labels)
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
        levels_of_rows[number] = sum(level <= left for level in levels) - 1
    return _lower_sums(cells, [number for number, _ in labels], levels_of_rows)


def _drop_centred_groups(cells: Cells, labels: Sequence[tuple[int, TableCell]]) -> list[tuple[int, TableCell]]:
    """Return the labels without those of groups that begin right of the labels of all rows with values."""
    last = max((cell.rect[0] for n, cell in labels if cell.rect and any(cells[n][1:])), default=math.inf)
    return [(n, cell) for n, cell in labels if cell.rect and (any(cells[n][1:]) or cell.rect[0] <= last + SAME)]


def _lower_sums(cells: Cells, numbers: Sequence[int], levels: Sequence[int]) -> list[int]:
    """Return the levels of rows, with those of sums as that of the row above; ``numbers`` are the rows with labels.

    Rows of a level are sums if each of them is single, below a less indented row with values, and one is the last of
    the table or of a group. The single part of a row begins with a small letter ("of which new"), or its label is
    repeated in other rows.
    """
    lowered = list(levels)
    for level in range(max(levels), 0, -1):
        rows = [n for n, number in enumerate(numbers) if levels[number] == level]
        texts = [cells[numbers[n]][0].text for n in rows]
        are_labels_of_parts = len(set(texts)) < len(texts) or any(text[0].islower() for text in texts)
        is_last = any(n + 1 == len(numbers) or not any(cells[numbers[n + 1]][1:]) for n in rows)
        if is_last and not are_labels_of_parts and all(_is_single(cells, numbers, levels, n) for n in rows):
            for n in rows:
                lowered[numbers[n]] = lowered[numbers[n - 1]]
    ranks = sorted(set(lowered))
    return [ranks.index(level) for level in lowered]


def _is_single(cells: Cells, numbers: Sequence[int], levels: Sequence[int], n: int) -> bool:
    """Return whether a row with values is between less indented rows, of which the one above it has values, too."""
    around = [levels[number] for number in (*numbers[max(0, n - 1) : n], *numbers[n + 1 : n + 2])]
    has_values = all(any(cells[number][1:]) for number in numbers[max(0, n - 1) : n + 1])
    return n > 0 and has_values and max(around) < levels[numbers[n]]


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
    """Return the left sides of the levels: each is right of all labels of the one before by more than ``same``."""
    ordered = sorted(lefts)
    return ordered[:1] + [left for before, left in pairwise(ordered) if left - before > same]
