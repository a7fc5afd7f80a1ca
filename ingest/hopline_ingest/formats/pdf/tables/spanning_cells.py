"""Cells that span several columns or rows: their text is repeated in each, so that every cell has its headers. Pure.

A header of several columns is centred above them; a label of several rows is centred beside them or at their top. The
columns or rows are assigned to the cells of one row or column, in order, so that every cell is nearest to the middle of
those that it spans.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from hopline.tables.structure import are_column_numbers
from hopline_ingest.formats.pdf.page_content import Cells, Rect, TableCell, bounding_rect
from hopline_ingest.formats.pdf.tables.grids import NUMERIC
from hopline_ingest.formats.pdf.tables.wrapped_cells import (
    count_header_lines,
    join_header_lines,
    join_lines_between_rules,
    join_wrapped_labels,
    join_wrapped_rows,
)

_UNCOVERED_COST = 0.2  # of a column without a header, in column widths from the middle
_OUTSIDE_COST = 1.0  # of a column below the text of a header that does not span it
_UNEQUAL_COST = 0.1  # of every column that one header spans more than another
_FAR = 0.35  # of a column's width, at most from a header to the middle of its columns
_NEAR = 0.2  # of a column's width, at most from a header to the middle of its only column
_WIDE = 2.0  # of the width of the text in a column; a wider header spans more than this column
_MANY_COLUMNS = 4  # columns
_LEADING = 0.45  # of the height of a line, at most between two lines of a header
_ALIGNED = 1.0  # points between the sides of two lines of a header
_RULE_REACH = 4.0  # points by which the rule below a header may be above its bottom
_OFF_CENTRE = 0.15  # of the width of a rule, at most from its middle to that of the header above it
_CENTRED = 0.05  # of a table's width, at most from its middle to a centred label of a group
_LABELLED_SHARE = 0.9  # of the rows have a second label if the first labels span rows
_SPARSE_SHARE = 2 / 3  # of the rows, at most, have a first label if labels span rows

Interval = tuple[float, float]


def fill_spanning_cells(cells: Cells, rules: Sequence[Rect] = ()) -> Cells:
    """Repeat headers in all columns that they span, and labels in all rows; centred group labels become first cells.

    ``rules`` are the horizontal rules of the page; the rule below a single header shows which columns it spans.
    """
    if len(cells) < 2 or len(cells[0]) < 2:
        return cells
    header_rows = count_header_lines(cells)
    cells = join_wrapped_rows(join_lines_between_rules(cells, header_rows, rules), header_rows)
    rows = [list(row) for row in cells]
    _move_group_labels(rows, header_rows)
    is_numbered = header_rows and are_column_numbers([cell.text for cell in rows[header_rows - 1]])
    named_rows = header_rows - bool(is_numbered)
    ruled = [_find_ruled_spans(rows, number, rules) for number in range(named_rows)]
    for number in range(named_rows):
        _fill_headers(rows, number, named_rows, ruled[number], alone=not any(ruled))
    _fill_label_header(rows, header_rows)
    _fill_labels(rows, header_rows)
    return join_wrapped_labels(join_header_lines(tuple(map(tuple, rows)), header_rows, rules))


def _move_group_labels(rows: list[list[TableCell]], header_rows: int) -> None:
    """Move the label of a group of rows, alone in the middle of the table, to the first column."""
    x0, _, x1, _ = bounding_rect(cell.rect for row in rows for cell in row if cell.rect)
    for row, following in pairwise(rows[header_rows:]):
        filled = [column for column, cell in enumerate(row) if cell]
        if len(filled) != 1 or filled[0] == 0 or sum(map(bool, following)) < 2:
            continue
        cell = row[filled[0]]
        if cell.rect and not NUMERIC.fullmatch(cell.text):
            middle = (cell.rect[0] + cell.rect[2]) / 2
            if abs(middle - (x0 + x1) / 2) <= _CENTRED * (x1 - x0):
                row[0], row[filled[0]] = cell, TableCell()


def _fill_headers(
    rows: list[list[TableCell]], number: int, header_rows: int, ruled: Sequence[range], *, alone: bool
) -> None:
    """Repeat the headers of one row in the columns that they span. The first column is that of the labels.

    ``ruled`` are the columns by the rules below the row. If there are none, and ``alone`` says that no row has such
    rules, columns are assigned by the positions of the headers.
    """
    row = rows[number]
    headers, columns, slots = _find_slots(rows, number)
    if not ruled:
        headers, columns, slots = _leave_out_lowest(rows[number + 1 : header_rows], headers, columns, slots)
    if not headers or len(headers) >= len(columns):
        return
    if number + 1 < header_rows and all(_is_first_line(row[column], rows[number + 1][column]) for column in headers):
        return
    pieces = [_find_extent([row[column].rect], 0) for column in headers]
    repeated = (
        _find_repetition([rows[number + 1][column].text for column in columns]) if number + 1 < header_rows else 0
    )
    apart = [_is_apart(row[column], rows[number + 1 : header_rows]) for column in headers]
    if ruled:
        groups = list(ruled)
    elif alone or any(apart):
        groups = _find_repeated_spans(pieces, slots, repeated)
        if not groups:
            groups = assign_spans(pieces, slots)
            apart = [
                is_apart and all(len({row[columns[slot]].text for slot in group}) == 1 for row in rows[:number])
                for is_apart, group in zip(apart, groups, strict=True)
            ]
            groups = _drop_doubtful(groups, pieces, slots, apart)
    else:
        return
    cells = [row[column] for column in headers]
    for column in headers:
        row[column] = TableCell()
    for cell, group in zip(cells, groups, strict=True):
        for column in group:
            row[columns[column]] = cell


def _is_first_line(upper: TableCell, lower: TableCell) -> bool:
    """Return whether a header is close to the one below it and begins or ends with it: both are lines of one header."""
    if upper.rect is None or lower.rect is None:
        return False
    is_close = lower.rect[1] - upper.rect[3] <= _LEADING * (upper.rect[3] - upper.rect[1])
    return is_close and any(abs(upper.rect[side] - lower.rect[side]) <= _ALIGNED for side in (0, 2))


def _fill_label_header(rows: list[list[TableCell]], header_rows: int) -> None:
    """Repeat the header of the labels above a second column of labels that has no header."""
    header, body = rows[:header_rows], rows[header_rows:]
    second = [row[1].text for row in body if row[1]]
    if not second or any(row[1] for row in header) or any(NUMERIC.fullmatch(text) for text in second):
        return
    if len(second) >= _LABELLED_SHARE * sum(any(row[1:]) for row in body):
        for row in header:
            row[1] = row[0]


def _find_repeated_spans(pieces: Sequence[Interval], slots: Sequence[Interval], repeated: int) -> list[range]:
    """Return the columns of each header if the headers below repeat once for each, and each is above its own."""
    if repeated < 2 or len(slots) != repeated * len(pieces):
        return []
    groups = [range(n * repeated, (n + 1) * repeated) for n in range(len(pieces))]
    pitch = (slots[-1][1] - slots[0][0]) / len(slots) or 1.0
    for piece, group in zip(pieces, groups, strict=True):
        under = slots[group.start : group.stop]
        if min(_measure_distance(piece, under), abs(piece[0] - under[0][0])) > _FAR * pitch:
            return []
    return groups


def _find_slots(rows: Sequence[Sequence[TableCell]], number: int) -> tuple[list[int], list[int], list[Interval]]:
    """Return the columns with a header in a row, those with text below it, and the extent of this text."""
    row = rows[number]
    below = [[other[column].rect for other in rows[number + 1 :]] for column in range(len(row))]
    spans = {column: _find_extent(rects, 0) for column, rects in enumerate(below) if column and any(rects)}
    headers = [column for column, cell in enumerate(row) if column and cell.rect]
    return headers, sorted(spans), [spans[column] for column in sorted(spans)]


def _leave_out_lowest(
    lower: Sequence[Sequence[TableCell]], headers: Sequence[int], columns: Sequence[int], slots: Sequence[Interval]
) -> tuple[list[int], list[int], list[Interval]]:
    """Return headers, columns and their extents without the columns whose only header is in this row.

    ``lower`` are the header rows below it. A header without another one below it spans no other column.
    """
    lowest = {column for column in headers if lower and not any(row[column] for row in lower)}
    others = [(column, slot) for column, slot in zip(columns, slots, strict=True) if column not in lowest]
    return [column for column in headers if column not in lowest], [n for n, _ in others], [slot for _, slot in others]


def _is_apart(header: TableCell, lower: Sequence[Sequence[TableCell]]) -> bool:
    """Return whether a header is farther from the nearest header below its middle than a line of the same header."""
    if header.rect is None:
        return False
    x0, y0, x1, y1 = header.rect
    below = [cell.rect for row in lower for cell in row if cell.rect and cell.rect[0] <= (x0 + x1) / 2 <= cell.rect[2]]
    return min((rect[1] for rect in below), default=-inf) - y1 > _LEADING * (y1 - y0)


def _drop_doubtful(
    groups: Sequence[range], pieces: Sequence[Interval], slots: Sequence[Interval], apart: Sequence[bool]
) -> list[range]:
    """Limit a header to one column if it is above the middle of that column as well as of several.

    Those ``apart`` from the headers below them are no lines of these, and are not limited. A header spans several
    columns if another header of its row certainly does and every column has one, if it is much wider than the text
    below it or above the middle of more than one column, if all headers span equally many, or if it is the only header
    of at least `_MANY_COLUMNS` columns.
    """
    sizes = {len(group) for group in groups}
    covered = sum(map(len, groups)) == len(slots)
    if covered and len(sizes) == 1 and (len(groups) > 1 or len(slots) >= _MANY_COLUMNS):
        return list(groups)
    pitch = (slots[-1][1] - slots[0][0]) / len(slots) or 1.0
    result: list[range] = []
    for group, piece, is_apart in zip(groups, pieces, apart, strict=True):
        if is_apart:
            result.append(group)
            continue
        nearest = min(group, key=lambda slot: _measure_distance(piece, [slots[slot]]))
        over = sum(piece[0] <= (low + high) / 2 <= piece[1] for low, high in slots[group.start : group.stop])
        low, high = slots[nearest]
        is_narrow = over < 2 and piece[1] - piece[0] <= _WIDE * max(high - low, 1.0)
        is_single = is_narrow and _measure_distance(piece, [slots[nearest]]) <= _NEAR * pitch
        result.append(range(nearest, nearest + 1) if is_single else group)
    return list(groups) if covered and any(len(group) > 1 for group in result) else result


def _find_ruled_spans(rows: Sequence[Sequence[TableCell]], number: int, rules: Sequence[Rect]) -> list[range]:
    """Return the columns of each header by the rules below its row; none if no rule is below a single header.

    A header without its own rule has the nearest column. A rule that is also below the labels belongs to all headers,
    and so does one below whose middle or left side no header is.
    """
    row = rows[number]
    headers, columns, slots = _find_slots(rows, number)
    if not headers or len(headers) >= len(columns):
        return []
    pieces = [_find_extent([row[slot].rect], 0) for slot in headers]
    labels = [other[0].rect for other in rows if other[0].rect]
    left = min((rect[2] for rect in labels), default=-inf)
    bottoms = [_find_extent([row[slot].rect], 1)[1] for slot in headers]
    body_top = min((cell.rect[3] for other in rows[number + 1 :] for cell in other if cell.rect), default=inf)
    middles = [(low + high) / 2 for low, high in slots]
    spans: dict[int, range] = {}
    for x0, y0, x1, _ in rules:
        over = [n for n, piece in enumerate(pieces) if x0 <= (piece[0] + piece[1]) / 2 <= x1]
        under = [n for n, middle in enumerate(middles) if x0 <= middle <= x1]
        over = [n for n in over if _is_aligned(pieces[n], (x0, x1))]
        if len(over) == 1 and bottoms[over[0]] - _RULE_REACH <= y0 < body_top and under and x0 > left:
            spans.setdefault(over[0], range(under[0], under[-1] + 1))
    if not any(len(group) > 1 for group in spans.values()):
        return []
    used = {n for group in spans.values() for n in group}
    groups = []
    for n, piece in enumerate(pieces):
        free = [slot for slot in range(len(slots)) if slot not in used]
        if n not in spans and not free:
            return []
        nearest = min(free, key=lambda slot: _measure_distance(piece, [slots[slot]]), default=0)
        groups.append(spans.get(n, range(nearest, nearest + 1)))
        used.update(groups[-1])
    return groups


def _is_aligned(header: Interval, rule: Interval) -> bool:
    """Return whether a header is above the middle of a rule, or begins with it."""
    width = rule[1] - rule[0]
    return abs(sum(header) - sum(rule)) / 2 <= _OFF_CENTRE * width or abs(header[0] - rule[0]) <= _RULE_REACH


def _fill_labels(rows: list[list[TableCell]], header_rows: int) -> None:
    """Repeat the first label of rows in the others that it spans, if a second column has a label for each."""
    body = [row for row in rows[header_rows:] if sum(map(bool, row)) > 1]
    if len(rows[0]) < 3 or len(body) < 4:
        return
    second = [row[1].text for row in body]
    if sum(map(bool, second)) < _LABELLED_SHARE * len(body) or any(NUMERIC.fullmatch(text) for text in second if text):
        return
    repeated = _find_repetition(second)
    if repeated > 1 and all(any(row[0] for row in body[n : n + repeated]) for n in range(0, len(body), repeated)):
        for first in range(0, len(body), repeated):
            label = _join_cells([row[0] for row in body[first : first + repeated] if row[0]])
            for row in body[first : first + repeated]:
                row[0] = label
        return
    labelled = [number for number, row in enumerate(body) if row[0].rect]
    if not 2 <= len(labelled) <= _SPARSE_SHARE * len(body):
        return
    extents = [_find_extent([cell.rect for cell in row], 1) for row in body]
    labels = [body[number][0] for number in labelled]
    middle = assign_spans([_find_extent([label.rect], 1) for label in labels], extents)
    top = [range(a, b) for a, b in pairwise([*labelled, len(body)])]
    covered = sum(map(len, middle)) == len(body)
    centred = covered and (
        labelled[0] > 0 or any(label not in group for label, group in zip(labelled, middle, strict=True))
    )
    for label, group in zip(labels, middle if centred else top, strict=True):
        for number in group:
            body[number][0] = label


def _join_cells(cells: Sequence[TableCell]) -> TableCell:
    rects = [cell.rect for cell in cells if cell.rect]
    return TableCell(" ".join(cell.text for cell in cells), bounding_rect(rects) if rects else None)


def _find_extent(rects: Sequence[Rect | None], axis: int) -> Interval:
    """Return the smallest and largest x (axis 0) or y (1) of rectangles, of which at least one is not ``None``."""
    present = [rect for rect in rects if rect]
    return min(rect[axis] for rect in present), max(rect[axis + 2] for rect in present)


def _find_repetition(texts: Sequence[str]) -> int:
    """Return the length of the sequence of different texts that a list repeats at least twice; 0 if there is none."""
    for length in range(2, len(texts) // 2 + 1):
        is_repeated = len(texts) % length == 0 and all(text == texts[n % length] for n, text in enumerate(texts))
        if is_repeated and texts[0] and len(set(texts[:length])) == length:
            return length
    return 0


def assign_spans(pieces: Sequence[Interval], slots: Sequence[Interval]) -> list[range]:
    """Assign at least one slot to each piece, adjacent slots in order; slots may remain unassigned.

    Minimizes the distances between each piece and its slots, in widths of a slot, plus a cost for every unassigned
    slot, for every slot that is in the middle of a piece but not assigned to it, and for unequal numbers of slots.
    ``pieces`` and ``slots`` are in ascending order, and there are at least as many slots as pieces.
    """
    assignments = [_assign_by_size(pieces, slots, size) for size in range(1, len(slots) // len(pieces) + 2)]
    return min(assignments, key=lambda assignment: assignment[0])[1]


def _assign_by_size(pieces: Sequence[Interval], slots: Sequence[Interval], size: int) -> tuple[float, list[range]]:
    """Return the cost and the slots of each piece, by dynamic programming, if most pieces have ``size`` slots."""
    pitch = (slots[-1][1] - slots[0][0]) / len(slots) or 1.0
    best: list[list[tuple[float, int]]] = [[(_UNCOVERED_COST * n, 0) for n in range(len(slots) + 1)]]
    for (
        piece
    ) in pieces:  # row[n]: cost on the first n slots, and the first slot of the piece, -1 if slot n is unassigned
        inside = [piece[0] <= (slot[0] + slot[1]) / 2 <= piece[1] for slot in slots]
        row: list[tuple[float, int]] = [(inf, 0)]
        for n in range(1, len(slots) + 1):
            choices = [(row[n - 1][0] + _UNCOVERED_COST, -1)]
            for first in range(n):
                distance = _measure_distance(piece, slots[first:n]) / pitch
                if distance > _FAR and n - first > 1:
                    continue
                cost = distance + _UNEQUAL_COST * abs(n - first - size)
                cost += _OUTSIDE_COST * (sum(inside[:first]) + sum(inside[n:]))
                choices.append((best[-1][first][0] + cost, first))
            row.append(min(choices))
        best.append(row)
    groups: list[range] = []
    n = len(slots)
    for row in reversed(best[1:]):
        while row[n][1] == -1:
            n -= 1
        groups.append(range(row[n][1], n))
        n = row[n][1]
    return best[-1][-1][0], groups[::-1]


def _measure_distance(piece: Interval, slots: Sequence[Interval]) -> float:
    """Return the distance of the middles of a piece and its slots; a single slot may be aligned with either side."""
    low, high = slots[0][0], slots[-1][1]
    middle = abs(piece[0] + piece[1] - low - high) / 2
    return middle if len(slots) > 1 else min(middle, abs(piece[0] - low), abs(piece[1] - high))
