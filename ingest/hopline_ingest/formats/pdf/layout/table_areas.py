"""Candidate areas of tables: the layout model's regions, extended, and tables that it did not detect. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from hopline_ingest.formats.pdf.layout.captions import find_side_captions, is_table_caption
from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.page_content import Line, Rect, bounding_rect
from hopline_ingest.formats.pdf.tables.grids import NUMERIC, YEAR
from hopline_ingest.formats.pdf.tables.rules import COLUMN_GAP, join_rules
from hopline_ingest.formats.pdf.text.lines import group_rows, join_pieces, join_rows

_SIDE_GAP = 2.0  # points between a caption in the margin and its table
_MIN_ROWS, _MAX_OTHER_ROWS = 3, 2  # rows of numbers in a table, and other rows between two of them
_CAPTION_REACH = 30.0  # points, above and below the upper side of an area
_CAPTION_GAP = 0.5  # in font sizes, between the lines of a caption
_CELL_GAP = 1.5  # in font sizes, between the cells of a row
_HEADER_GAP = 1.7  # in font sizes, between the header rows of a table
_HEADERS_GAP = 2.2  # likewise, below a row of several headers
_MAX_HEADER_ROWS, _MAX_LABEL_ROWS = 6, 2
_MIN_HEADERS = 4  # texts of a row of headers that the layout model takes for a caption
_OVERHANG = 30.0  # points by which a header may begin left of the numbers below it
_MARGIN = 18.0  # points by which a header may begin or end outside of its column
_OFF_CENTRE = 0.1  # of the width of an area, at least from its middle to that of a header over some columns
_MAX_HEADING = 45  # characters of a column's header
_MAX_RULED_HEADING = 60  # characters of one between rules
_LABELLED_SHARE = 0.6  # of the rows of an area without its first column have a label beside them
_COLUMN_GAP = 30.0  # points, on average between labels and numbers; more than between columns of prose
_RAGGED_WIDTH = 0.75  # of the longest label; labels are shorter on average, lines of prose are not

_SIDE_GUTTER = 5.0  # in font sizes, at least between a table and text beside it
_MIN_VALUES = 4  # rows of a list of labels with one number each
_PROSE_LENGTH = 25  # characters, at least of a line of prose beside such a list
_VALUE_PITCH = 3.0  # in font sizes, at most between two rows of such a list
_ALIGNED = 1.5  # points

_FIELD = re.compile(r"[^\W\d]\s?[:：](?:\s|$|\w)")
_RULE_REACH = 2.0  # points between the ends of the rules of one table
_RULE_INDENT = 30.0  # points, at most from the left end of the rules to the labels
_SIDE_REACH = 6.0  # points between a side of an area and the end of its rules
_HEADER_HEIGHT = 60.0  # points, at most, between a rule over headers and the next one below it
_BAND_HEIGHT = 100.0  # points between two rules of one table
_NUMBERED_SHARE = 0.4  # of the rows of a band
_OUTSIDE_FRAMES = 0.2  # of the texts of an area, at most, are outside of the frame that is the area of its table
_RULED_SHARE = 0.6  # of the rows between rules have several cells


def find_table_areas(
    regions: Sequence[Region], pieces: Sequence[Line], rules: Sequence[Rect] = (), frames: Sequence[Rect] = ()
) -> list[Rect]:
    """Find the rectangles of tables.

    ``pieces`` are split at the gaps between cells, ``rules`` are the horizontal rules of the page, and ``frames`` the
    rectangles of the rules around the cells of tables.
    """
    upright = [line for line in pieces if line.turn == 0]
    side_captions = find_side_captions(upright)
    upright = [line for line in upright if not any(contains(rect, line.rect) for rect in side_captions)]
    areas: list[Rect] = []
    for region in regions:
        if region.kind == "table":
            areas = _add_area(areas, _cut_side_captions(region.rect, side_captions))
    ruled = find_ruled_areas(rules, upright)
    areas = [area for area in areas if sum(overlaps(area, other) for other in ruled) < 2]
    areas.extend(area for area in ruled if not any(overlaps(area, known) for known in areas))
    areas = [_extend_to_header_rules(area, rules, upright) for area in _replace_by_frames(areas, frames, upright)]
    for find_areas in (find_numeric_areas, find_lists_of_values):
        areas.extend(area for area in find_areas(upright) if not any(overlaps(area, known) for known in areas))
    captions = [region.rect for region in regions if region.kind == "table_caption"]
    extended_areas: list[Rect] = []
    for area in areas:
        labelled = _add_label_column(area, upright)
        titles = [rect for rect in captions if not _is_over_columns(rect, labelled, upright)]
        limit = max((rect[3] for rect in [*areas, *titles] if _is_above(rect, area)), default=0.0)
        below = [line for line in upright if _find_middle(line.rect) > limit]
        extended = _remove_caption(_extend_over_cut_pieces(area, below), upright)
        extended = _add_header_rows(_add_label_column(extended, below), below)
        extended_areas = _add_area(extended_areas, _remove_caption(extended, upright))
    return extended_areas


def _replace_by_frames(areas: Sequence[Rect], frames: Sequence[Rect], pieces: Sequence[Line]) -> list[Rect]:
    """Return the areas with the frames of tables for those that have hardly a text outside of these."""
    result: list[Rect] = []
    for area in areas:
        overlapping = [frame for frame in frames if overlaps(area, frame)]
        within = [line for line in pieces if contains(area, line.rect)]
        outside = sum(not any(contains(frame, line.rect) for frame in overlapping) for line in within)
        is_framed = overlapping and outside <= _OUTSIDE_FRAMES * len(within)
        result.extend(new for new in (overlapping if is_framed else [area]) if new not in result)
    return result


def _extend_to_header_rules(area: Rect, rules: Sequence[Rect], pieces: Sequence[Line]) -> Rect:
    """Return an area with the headers above it that have a rule over them, which ends where the area does."""
    for rule in sorted(rules, key=lambda rule: rule[1], reverse=True):
        is_over = area[0] - _SIDE_REACH < rule[0] and abs(rule[2] - area[2]) < _SIDE_REACH
        if not is_over or not 0 < area[1] - rule[1] < _HEADER_HEIGHT:
            continue
        band = (area[0], rule[1], area[2], area[1])
        rows = group_rows(line for line in pieces if contains(band, line.rect))
        is_header = any(len(row) > 1 or row[0].rect[0] > rule[0] > area[0] for row in rows)
        if is_header and all(_is_heading(row, _MAX_RULED_HEADING) and not _has_figures(row) for row in rows):
            area = (area[0], rule[1], area[2], area[3])
    return area


def _is_heading(row: Sequence[Line], longest: int = _MAX_HEADING) -> bool:
    """Return whether a row may be one of the headers of columns: all its texts are short, and none is a caption."""
    return not any(len(line.text) > longest or is_table_caption(line.text) for line in row)


def _has_figures(row: Sequence[Line]) -> bool:
    return any(NUMERIC.fullmatch(line.text) and not YEAR.fullmatch(line.text) for line in row)


def _cut_side_captions(area: Rect, captions: Sequence[Rect]) -> Rect:
    """Return an area without the margin that has the caption of its table."""
    rights = [rect[2] for rect in captions if overlaps(area, rect)]
    return (max([area[0], *rights]) + (_SIDE_GAP if rights else 0), *area[1:])


def _add_area(areas: Sequence[Rect], area: Rect) -> list[Rect]:
    """Add an area; areas that overlap it are joined with it."""
    others = [other for other in areas if not overlaps(area, other)]
    return [*others, bounding_rect([area, *(other for other in areas if overlaps(area, other))])]


def find_ruled_areas(rules: Sequence[Rect], pieces: Sequence[Line]) -> list[Rect]:
    """Find tables with a rule between all rows: rules of equal width, with text in two columns between them.

    The grid of a chart has its labels outside of its rules.
    """
    stacks: list[list[Rect]] = []
    for rule in sorted(join_rules(rules, gap=COLUMN_GAP), key=lambda rule: rule[1]):
        nearest_first = sorted(stacks, key=lambda stack: stack[-1][3], reverse=True)
        stack = next((stack for stack in nearest_first if _continues_stack(stack, rule, pieces)), None)
        if stack is None:
            stacks.append([rule])
        else:
            stack.append(rule)
    areas = []
    for stack in stacks:
        bands = [(above[0], above[3], above[2], below[1]) for above, below in pairwise(stack)]
        filled = [[line for line in pieces if contains(band, line.rect)] for band in bands]
        rows = sum(len(row) > 1 and min(line.rect[0] for line in row) - stack[0][0] < _RULE_INDENT for row in filled)
        if rows >= _MIN_ROWS and rows >= _RULED_SHARE * len(bands):
            areas.append(bounding_rect(stack))
    return [area for area in areas if not _is_part_of_rows(area, areas, pieces)]


def _is_part_of_rows(area: Rect, areas: Sequence[Rect], pieces: Sequence[Line]) -> bool:
    """Return whether most rows of an area go on with a number beside it that is in none of the other ``areas``."""
    rows = group_rows(line for line in pieces if area[1] <= _find_middle(line.rect) <= area[3])
    beside = [
        any(NUMERIC.fullmatch(line.text) and not any(contains(other, line.rect) for other in areas) for line in row)
        for row in rows
    ]
    return sum(beside) > len(rows) / 2


def _continues_stack(stack: Sequence[Rect], rule: Rect, pieces: Sequence[Line]) -> bool:
    """Return whether a rule begins and ends where the last one of a stack above it does, and is near it.

    A rule far below it is part of the stack if many rows between them have a number beside another text, and none is
    a line of prose.
    """
    last = stack[-1]
    if abs(last[0] - rule[0]) >= _RULE_REACH or abs(last[2] - rule[2]) >= _RULE_REACH:
        return False
    if rule[1] - last[3] < _BAND_HEIGHT:
        return True
    band = (last[0], last[3], last[2], rule[1])
    rows = group_rows(line for line in pieces if contains(band, line.rect))
    numbers = min((line.rect[0] for row in rows for line in row if NUMERIC.fullmatch(line.text)), default=0.0)
    if any(len(row) == 1 and row[0].rect[0] < numbers < row[0].rect[2] for row in rows):
        return False
    return sum(len(row) > 1 and _count_numbers(row) > 0 for row in rows) >= _NUMBERED_SHARE * len(rows)


def find_numeric_areas(pieces: Sequence[Line]) -> list[Rect]:
    """Find tables that the model did not detect: consecutive rows with columns of numbers.

    ``pieces`` are split at the gaps between cells. A table has at least three rows with two numbers each; up to two
    rows without numbers, such as headings within the table, may be between them.
    """
    runs: list[list[list[Line]]] = [[]]
    for row in group_rows(line for line in pieces if line.turn == 0):
        if runs[-1] and (_is_lead_in(row, runs[-1]) or not any(map(_is_data_row, [*runs[-1][-_MAX_OTHER_ROWS:], row]))):
            runs.append([])
        elif runs[-1] or _is_data_row(row):
            runs[-1].append(row)
    areas = []
    for run in runs:
        if sum(map(_is_data_row, run)) >= _MIN_ROWS:
            last = max(index for index, row in enumerate(run) if len(row) > 1 and _count_numbers(row))
            areas.append(bounding_rect(line.rect for row in _cut_sides(run[: last + 1]) for line in row))
    return areas


def _cut_sides(rows: Sequence[list[Line]]) -> Sequence[list[Line]]:
    """Return rows without the text that is far beside a table, in less than half of its rows, without numbers.

    One number may be left of the labels, such as that of an axis of a chart.
    """
    pieces = sorted((line for row in rows for line in row), key=lambda line: line.rect[0])
    right = pieces[0].rect[2]
    for line in pieces[1:]:
        if line.rect[0] - right > _SIDE_GUTTER * max(line.size, 1.0):
            left_part = [[piece for piece in row if piece.rect[2] <= right] for row in rows]
            right_part = [[piece for piece in row if piece.rect[2] > right] for row in rows]
            for part, other, most in ((right_part, left_part, 1), (left_part, right_part, 0)):
                if 2 * sum(map(bool, other)) < len(rows) and sum(map(_count_numbers, other)) <= most:
                    return _cut_sides([row for row in part if row])
        right = max(right, line.rect[2])
    return rows


def find_lists_of_values(pieces: Sequence[Line]) -> list[Rect]:
    """Find tables of labels with one number each, below each other, that are aligned at one side.

    Numbers that do not decrease from row to row may be those of pages, as in a table of contents.
    """
    runs: list[list[tuple[Line, Line]]] = []
    for number in sorted(pieces, key=lambda line: line.rect[1]):
        label = _find_label(number, pieces) if NUMERIC.fullmatch(number.text) else None
        if label is None:
            continue
        run = next((run for run in runs if _continues_list(*run[-1], label, number)), None)
        if run is None:
            runs.append([(label, number)])
        else:
            run.append((label, number))
    return [
        bounding_rect(line.rect for pair in run for line in pair)
        for run in runs
        if _are_values([number.text for _, number in run])
    ]


def _find_label(number: Line, pieces: Sequence[Line]) -> Line | None:
    """Return the only other piece in the row of a number, if it is a label to the left, apart from it.

    Lines of prose may be in another column of the page.
    """
    size = max(number.size, 1.0)
    level = [line for line in pieces if line is not number and _is_level(line, number)]
    label = max((line for line in level if line.rect[2] <= number.rect[0]), key=lambda line: line.rect[2], default=None)
    if label is None or any(len(line.text) < _PROSE_LENGTH for line in level if line is not label):
        return None
    is_apart = number.rect[0] - label.rect[2] >= _CELL_GAP * size or label.text.endswith("...")
    is_label = any(map(str.isalpha, label.text)) or bool(YEAR.fullmatch(label.text))
    return label if is_apart and is_label else None


def _continues_list(last_label: Line, last: Line, label: Line, number: Line) -> bool:
    """Return whether a label with its number is the next row of a list."""
    is_aligned = abs(last.rect[2] - number.rect[2]) < _ALIGNED or abs(last.rect[0] - number.rect[0]) < _ALIGNED
    is_near = 0 < number.rect[1] - last.rect[1] < _VALUE_PITCH * max(number.size, 1.0)
    return is_aligned and is_near and abs(last_label.rect[0] - label.rect[0]) < _OVERHANG


def _are_values(texts: Sequence[str]) -> bool:
    """Return whether enough numbers are neither those of pages nor mostly marks for missing numbers."""
    has_digits = [any(map(str.isdigit, text)) for text in texts]
    if len(texts) < _MIN_VALUES or 2 * sum(has_digits) < len(texts):
        return False
    return not all(map(str.isdecimal, texts)) or any(int(a) > int(b) for a, b in pairwise(texts))


def _is_lead_in(row: Sequence[Line], run: Sequence[Sequence[Line]]) -> bool:
    """Return whether a row introduces the next table, "Sales were as follows:", and is no label of this one."""
    numbers = min(line.rect[0] for other in run for line in other if NUMERIC.fullmatch(line.text))
    return len(row) == 1 and row[0].text.endswith(":") and row[0].rect[2] > numbers


def _is_data_row(row: Sequence[Line]) -> bool:
    """Return whether a row has a label and two numbers."""
    return len(row) >= 3 and _count_numbers(row) >= 2


def _count_numbers(row: Sequence[Line]) -> int:
    return sum(bool(NUMERIC.fullmatch(line.text)) for line in row)


def _extend_over_cut_pieces(area: Rect, pieces: Sequence[Line]) -> Rect:
    """Extend an area to the sides of the pieces that are mostly inside it."""
    return bounding_rect([area, *(line.rect for line in pieces if _compute_share(line.rect, area) > 0.5)])


def _add_label_column(area: Rect, pieces: Sequence[Line]) -> Rect:
    """Add the column of labels to the left of an area if the model detected only the numbers.

    Labels are beside most rows and differ in length; lines of a column of prose are of similar length.
    """
    inner = group_rows(line for line in pieces if contains(area, line.rect))
    first = [min(row, key=lambda line: line.rect[0]).text for row in inner]
    if sum(not NUMERIC.fullmatch(text) for text in first) >= _LABELLED_SHARE * len(inner):
        return area
    beside = [
        min(left, key=lambda line: line.rect[0])
        for row in inner
        if (left := [line for line in pieces if line.rect[2] <= area[0] + 2 and _is_level(line, row[0])])
    ]
    if len(beside) < max(_MIN_ROWS, _LABELLED_SHARE * len(inner)):
        return area
    widths = [line.rect[2] - line.rect[0] for line in beside]
    gaps = [area[0] - line.rect[2] for line in beside]
    if sum(widths) > _RAGGED_WIDTH * len(widths) * max(widths) and sum(gaps) < _COLUMN_GAP * len(gaps):
        return area
    return bounding_rect([area, *(line.rect for line in beside)])


def _is_level(a: Line, b: Line) -> bool:
    return abs(a.rect[3] - b.rect[3]) < 0.3 * max(a.size, b.size, 1.0)


def _add_header_rows(area: Rect, pieces: Sequence[Line]) -> Rect:
    """Add the header rows above an area: several short pieces, or a single one above the numbers.

    Up to `_LABEL_ROWS` rows of a single label, "Current assets:", may be between them.
    """
    above = [row for row in group_rows(pieces) if _find_middle(row[0].rect) < area[1] and _is_within_width(row, area)]
    numbers = _find_first_number(area, pieces)
    labels: list[Line] = []
    for row in reversed(above[-_MAX_HEADER_ROWS:]):
        rect = bounding_rect(line.rect for line in row)
        top = min(area[1], *(line.rect[1] for line in labels)) if labels else area[1]
        gap = _HEADER_GAP if len(row) == 1 else _HEADERS_GAP
        if top - rect[3] > gap * row[0].size or not _is_heading(row) or sum(map(_is_field, row)) > 1:
            break
        if len(row) > 1 or rect[0] >= numbers - _OVERHANG:
            area = bounding_rect([area, rect, *(line.rect for line in labels)])
            labels = []
        elif len(labels) == _MAX_LABEL_ROWS:
            break
        else:
            labels.extend(row)
    return area


def _find_first_number(area: Rect, pieces: Sequence[Line]) -> float:
    """Return the left side of the first number in an area, or where numbers would begin without one."""
    within = [line.rect[0] for line in pieces if contains(area, line.rect) and NUMERIC.fullmatch(line.text)]
    return min(within, default=area[0] + (area[2] - area[0]) / 4)


def _is_over_columns(rect: Rect, area: Rect, pieces: Sequence[Line]) -> bool:
    """Return whether a text that the model takes for a caption is a row of headers, or one over some columns.

    Headers are short; a row of them has several texts apart, one over some columns is off-centre.
    """
    texts = [line for line in pieces if contains(rect, line.rect)]
    if not _is_heading(texts):
        return False
    rows = group_rows(texts)
    if max(map(len, rows), default=0) >= _MIN_HEADERS:
        return len(rows) <= _MAX_LABEL_ROWS and not _has_figures(texts)
    off_centre = abs(rect[0] + rect[2] - area[0] - area[2]) / 2
    is_aside = rect[0] >= _find_first_number(area, pieces) - _OVERHANG and rect[2] <= area[2] + _MARGIN
    return len(texts) == 1 and is_aside and off_centre > _OFF_CENTRE * (area[2] - area[0])


def _is_field(line: Line) -> bool:
    """Return whether a piece is a field of a form: "Date: 2021-06-04"."""
    return _FIELD.search(line.text) is not None


def _is_above(rect: Rect, area: Rect) -> bool:
    """Return whether a rectangle ends above the middle of an area, within its width."""
    return rect[3] < _find_middle(area) and rect[1] < area[1] and min(rect[2], area[2]) > max(rect[0], area[0])


def _find_middle(rect: Rect) -> float:
    return (rect[1] + rect[3]) / 2


def _is_within_width(row: Sequence[Line], area: Rect) -> bool:
    """Return whether a row is above or below an area; one of several texts may be wider than the columns below it."""
    if len(row) > 1:
        row = [line for line in row if not area[0] < (line.rect[0] + line.rect[2]) / 2 < area[2]]
    return all(area[0] - _MARGIN <= line.rect[0] and line.rect[2] <= area[2] + _MARGIN for line in row)


def _remove_caption(area: Rect, pieces: Sequence[Line]) -> Rect:
    """Remove from an area the caption with which it begins, or which ends within it.

    The caption is its lines up to the first gap, or the first row of several cells.
    """
    reach = (area[0], area[1] - _CAPTION_REACH, area[2], area[3])
    rows = group_rows(line for line in pieces if contains(reach, line.rect))
    lines = [join_pieces(join_rows(row)) for row in rows]
    start = next((index for index, line in enumerate(lines) if is_table_caption(line.text)), None)
    if start is None or lines[start].rect[1] > area[1] + _CAPTION_REACH:
        return area
    bottom = lines[start].rect[3]
    for number in range(start + 1, len(lines)):
        before, line = lines[number - 1], lines[number]
        if line.rect[1] - before.rect[3] > _CAPTION_GAP * line.size or len(join_rows(rows[number], gap=_CELL_GAP)) > 1:
            break
        bottom = line.rect[3]
    if bottom >= lines[-1].rect[3] or bottom < area[1]:
        return area
    return area[0], bottom + 1, area[2], area[3]


def contains(area: Rect, rect: Rect) -> bool:
    """Return whether the centre of ``rect`` is in ``area``."""
    return area[0] <= (rect[0] + rect[2]) / 2 <= area[2] and area[1] <= (rect[1] + rect[3]) / 2 <= area[3]


def overlaps(a: Rect, b: Rect) -> bool:
    """Return whether two rectangles overlap."""
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def _compute_share(rect: Rect, area: Rect) -> float:
    shared_width = min(rect[2], area[2]) - max(rect[0], area[0])
    shared_height = min(rect[3], area[3]) - max(rect[1], area[1])
    area_of_rect = (rect[2] - rect[0]) * (rect[3] - rect[1])
    overlap = shared_width * shared_height if shared_width > 0 and shared_height > 0 else 0.0
    return overlap / area_of_rect if area_of_rect > 0 else 0.0
