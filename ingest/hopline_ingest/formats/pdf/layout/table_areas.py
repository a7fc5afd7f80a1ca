"""Candidate areas of tables: the layout model's regions, extended, and tables that it missed. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from hopline_ingest.formats.pdf.layout.captions import is_table_caption
from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.page_content import Line, Rect, bounding_rect
from hopline_ingest.formats.pdf.tables.grids import NUMERIC
from hopline_ingest.formats.pdf.text.lines import group_rows, join_pieces, join_rows

_LEAST_ROWS, _BARE_ROWS = 3, 2  # rows of numbers that make a table, and others that may stand between
_CAPTION_REACH = 30.0  # points, above and below the upper side of an area
_CAPTION_GAP = 0.5  # in font sizes: more, and the caption has ended
_CELL_GAP = 1.5  # in font sizes, between the cells of a row
_HEAD_GAP = 1.7  # in font sizes, between the rows of a table's head
_HEADS_GAP = 2.2  # likewise, below a row of several headers
_HEAD_ROWS, _LABEL_ROWS = 6, 2
_OVERHANG = 30.0  # points that a heading may begin left of the numbers under it
_MARGIN = 18.0  # points that a header may begin or end outside its column
_HEADING = 45  # characters of a column's heading
_LABELLED = 0.6  # of an area's rows have a label beside them where the area lacks its first column
_COLUMN_GAP = 30.0  # points, on average between labels and numbers; columns of prose stand closer
_RAGGED = 0.75  # labels are on average shorter than that, by the longest; lines of prose are not


def find_table_areas(regions: Sequence[Region], pieces: Sequence[Line]) -> list[Rect]:
    """Find the rectangles of tables. ``pieces`` are split at the gaps between cells."""
    upright = [line for line in pieces if line.turn == 0]
    areas: list[Rect] = []
    for region in regions:
        if region.kind == "table":
            areas = _with(areas, region.rect)
    areas.extend(area for area in find_numeric_areas(upright) if not any(overlaps(area, known) for known in areas))
    captions = [region.rect for region in regions if region.kind == "table_caption"]
    whole: list[Rect] = []
    for area in areas:
        limit = max((rect[3] for rect in [*areas, *captions] if _is_above(rect, area)), default=0.0)
        below = [line for line in upright if _middle(line.rect) > limit]
        grown = _headed(_labelled(_around_cut(area, below), below), below)
        whole = _with(whole, _below_caption(grown, upright))
    return whole


def _with(areas: Sequence[Rect], area: Rect) -> list[Rect]:
    """Areas with one more, those that overlap it joined to it."""
    apart = [other for other in areas if not overlaps(area, other)]
    return [*apart, bounding_rect([area, *(other for other in areas if overlaps(area, other))])]


def find_numeric_areas(pieces: Sequence[Line]) -> list[Rect]:
    """Find tables that the model missed: consecutive rows with columns of numbers.

    Pieces are cut at cells' gaps. Three rows with two numbers each are the least; up to two rows
    without, such as headings within the table, may stand between.
    """
    runs: list[list[list[Line]]] = [[]]
    for row in group_rows(line for line in pieces if line.turn == 0):
        if runs[-1] and (_announces(row, runs[-1]) or not any(map(_numbered, [*runs[-1][-_BARE_ROWS:], row]))):
            runs.append([])
        elif runs[-1] or _numbered(row):
            runs[-1].append(row)
    areas = []
    for run in runs:
        if sum(map(_numbered, run)) >= _LEAST_ROWS:
            last = max(index for index, row in enumerate(run) if len(row) > 1 and _numbers(row))
            areas.append(bounding_rect(line.rect for row in run[: last + 1] for line in row))
    return areas


def _announces(row: Sequence[Line], run: Sequence[Sequence[Line]]) -> bool:
    """Whether a row is a sentence that leads to the next table, "Sales were as follows:", and no label of this one."""
    numbers = min(line.rect[0] for held in run for line in held if NUMERIC.fullmatch(line.text))
    return len(row) == 1 and row[0].text.endswith(":") and row[0].rect[2] > numbers


def _numbered(row: Sequence[Line]) -> bool:
    """Whether a row has a label and two numbers."""
    return len(row) >= 3 and _numbers(row) >= 2


def _numbers(row: Sequence[Line]) -> int:
    return sum(bool(NUMERIC.fullmatch(line.text)) for line in row)


def _around_cut(area: Rect, pieces: Sequence[Line]) -> Rect:
    """An area made as wide and high as the pieces that it cuts through but mostly holds."""
    return bounding_rect([area, *(line.rect for line in pieces if _share(line.rect, area) > 0.5)])


def _labelled(area: Rect, pieces: Sequence[Line]) -> Rect:
    """An area with the column of labels to its left, where the model saw its numbers only.

    Labels stand beside most rows and are ragged; lines of a column of prose are about as long as another.
    """
    inner = group_rows(line for line in pieces if contains(area, line.rect))
    first = [min(row, key=lambda line: line.rect[0]).text for row in inner]
    if sum(not NUMERIC.fullmatch(text) for text in first) >= _LABELLED * len(inner):
        return area
    beside = [
        min(left, key=lambda line: line.rect[0])
        for row in inner
        if (left := [line for line in pieces if line.rect[2] <= area[0] + 2 and _level(line, row[0])])
    ]
    if len(beside) < max(_LEAST_ROWS, _LABELLED * len(inner)):
        return area
    widths = [line.rect[2] - line.rect[0] for line in beside]
    gaps = [area[0] - line.rect[2] for line in beside]
    if sum(widths) > _RAGGED * len(widths) * max(widths) and sum(gaps) < _COLUMN_GAP * len(gaps):
        return area
    return bounding_rect([area, *(line.rect for line in beside)])


def _level(a: Line, b: Line) -> bool:
    return abs(a.rect[3] - b.rect[3]) < 0.3 * max(a.size, b.size, 1.0)


def _headed(area: Rect, pieces: Sequence[Line]) -> Rect:
    """An area with the rows of column headings above it: several short pieces, or one over the numbers.

    Up to `_LABEL_ROWS` rows of one label, "Current assets:", may stand between.
    """
    above = [row for row in group_rows(pieces) if _middle(row[0].rect) < area[1] and _across(row, area)]
    within = [line.rect[0] for line in pieces if contains(area, line.rect) and NUMERIC.fullmatch(line.text)]
    numbers = min(within, default=area[0] + (area[2] - area[0]) / 4)
    labels: list[Line] = []
    for row in reversed(above[-_HEAD_ROWS:]):
        rect = bounding_rect(line.rect for line in row)
        top = min(area[1], *(line.rect[1] for line in labels)) if labels else area[1]
        gap = _HEAD_GAP if len(row) == 1 else _HEADS_GAP
        if top - rect[3] > gap * row[0].size or any(len(line.text) > _HEADING for line in row):
            break
        if len(row) > 1 or rect[0] >= numbers - _OVERHANG:
            area = bounding_rect([area, rect, *(line.rect for line in labels)])
            labels = []
        elif len(labels) == _LABEL_ROWS:
            break
        else:
            labels.extend(row)
    return area


def _is_above(rect: Rect, area: Rect) -> bool:
    """Whether a rectangle ends above the middle of an area, within its width."""
    return rect[3] < _middle(area) and rect[1] < area[1] and min(rect[2], area[2]) > max(rect[0], area[0])


def _middle(rect: Rect) -> float:
    return (rect[1] + rect[3]) / 2


def _across(row: Sequence[Line], area: Rect) -> bool:
    return all(area[0] - _MARGIN <= line.rect[0] and line.rect[2] <= area[2] + _MARGIN for line in row)


def _below_caption(area: Rect, pieces: Sequence[Line]) -> Rect:
    """An area without the caption that it begins with, or that ends within it.

    The caption is its lines up to the first gap, or the first row of several cells.
    """
    reach = (area[0], area[1] - _CAPTION_REACH, area[2], area[3])
    rows = group_rows(line for line in pieces if contains(reach, line.rect))
    lines = [join_pieces(join_rows(row)) for row in rows]
    start = next((index for index, line in enumerate(lines) if is_table_caption(line.text)), None)
    if start is None or lines[start].rect[1] > area[1] + _CAPTION_REACH:
        return area
    foot = lines[start].rect[3]
    for number in range(start + 1, len(lines)):
        before, line = lines[number - 1], lines[number]
        if line.rect[1] - before.rect[3] > _CAPTION_GAP * line.size or len(join_rows(rows[number], gap=_CELL_GAP)) > 1:
            break
        foot = line.rect[3]
    if foot >= lines[-1].rect[3] or foot < area[1]:
        return area
    return area[0], foot + 1, area[2], area[3]


def contains(area: Rect, rect: Rect) -> bool:
    """Whether the centre of ``rect`` is in ``area``."""
    return area[0] <= (rect[0] + rect[2]) / 2 <= area[2] and area[1] <= (rect[1] + rect[3]) / 2 <= area[3]


def overlaps(a: Rect, b: Rect) -> bool:
    """Whether two rectangles overlap."""
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def _share(rect: Rect, area: Rect) -> float:
    across = min(rect[2], area[2]) - max(rect[0], area[0])
    down = min(rect[3], area[3]) - max(rect[1], area[1])
    whole = (rect[2] - rect[0]) * (rect[3] - rect[1])
    return across * down / whole if across > 0 and down > 0 and whole > 0 else 0.0
