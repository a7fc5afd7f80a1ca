"""Cells that span several columns or rows: their text is repeated in each, so that every cell has its headers. Pure.

A header over several columns is centred over them, and a label of several rows beside them or at their top. Which
columns or rows a cell spans is the assignment of all of them to the cells of one row or column, in their order, that
puts every cell nearest to the middle of what it spans.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from hopline.tables.grid import count_header_rows
from hopline_ingest.formats.pdf.page_content import Cells, Rect, TableCell, bounding_rect
from hopline_ingest.formats.pdf.tables.grids import NUMERIC

_UNCOVERED = 0.2  # cost of a column without a header, in widths of a column from the middle
_OUTSIDE = 1.0  # cost of a column below the text of a header that does not span it
_UNEQUAL = 0.1  # cost of every column that one header spans more than another
_FAR = 0.35  # of a column's width: a header is not further from the middle of several columns
_NEAR = 0.2  # of a column's width: a header is no further from the middle of its column
_WIDE = 2.0  # of the width of the text in a column: a header that is wider is not that of this column alone
_MANY = 4  # columns
_RULE_REACH = 4.0  # points that the rule below a header may stand above its foot
_CENTRED = 0.05  # of a table's width: how far from its middle the label of a group stands that is centred
_LABELLED = 0.9  # of the rows have a second label where the first ones span rows
_SPARSE = 2 / 3  # of the rows have a first label at the most where labels span rows

Interval = tuple[float, float]


def fill_spanning_cells(cells: Cells, rules: Sequence[Rect] = ()) -> Cells:
    """Repeat headers in all columns that they span, and labels in all rows; centred group labels become first cells.

    ``rules`` are the horizontal rules of the page: one below a single header says which columns this one spans.
    """
    if len(cells) < 2 or len(cells[0]) < 2:
        return cells
    rows = [list(row) for row in cells]
    head = count_header_rows([[cell.text for cell in row] for row in cells])
    _move_group_labels(rows, head)
    ruled = [_find_ruled_spans(rows, number, rules) for number in range(head)]
    for number in range(head):
        _fill_headers(rows, number, head, ruled[number], alone=not any(ruled))
    _fill_labels(rows, head)
    return tuple(tuple(row) for row in rows)


def _move_group_labels(rows: list[list[TableCell]], head: int) -> None:
    """Move the label of a group of rows, which stands alone in the middle of the table, to the first column."""
    x0, _, x1, _ = bounding_rect(cell.rect for row in rows for cell in row if cell.rect)
    for row, following in pairwise(rows[head:]):
        filled = [place for place, cell in enumerate(row) if cell]
        if len(filled) != 1 or filled[0] == 0 or sum(map(bool, following)) < 2:
            continue
        cell = row[filled[0]]
        if cell.rect and not NUMERIC.fullmatch(cell.text):
            middle = (cell.rect[0] + cell.rect[2]) / 2
            if abs(middle - (x0 + x1) / 2) <= _CENTRED * (x1 - x0):
                row[0], row[filled[0]] = cell, TableCell()


def _fill_headers(rows: list[list[TableCell]], number: int, head: int, ruled: Sequence[range], *, alone: bool) -> None:
    """Repeat the headers of one row in the columns that they span. The first column is that of the labels.

    ``ruled`` are the columns by the rules below the row. If there are none, and the headers stand ``alone``, without
    such rules in any row, they are assigned by their places.
    """
    row = rows[number]
    places, columns, slots = _find_slots(rows, number)
    if not places or len(places) >= len(columns):
        return
    pieces = [_extent([row[place].rect], 0) for place in places]
    repeated = _find_repetition([rows[number + 1][place].text for place in columns]) if number + 1 < head else 0
    if ruled:
        groups = list(ruled)
    elif alone:
        groups = _find_repeated_spans(pieces, slots, repeated)
        groups = groups or _drop_doubtful(assign_spans(pieces, slots), pieces, slots)
    else:
        return
    cells = [row[place] for place in places]
    for place in places:
        row[place] = TableCell()
    for cell, group in zip(cells, groups, strict=True):
        for place in group:
            row[columns[place]] = cell


def _find_repeated_spans(pieces: Sequence[Interval], slots: Sequence[Interval], repeated: int) -> list[range]:
    """The columns of each header where the headers below repeat themselves once for each, and each is over its own."""
    if repeated < 2 or len(slots) != repeated * len(pieces):
        return []
    groups = [range(n * repeated, (n + 1) * repeated) for n in range(len(pieces))]
    pitch = (slots[-1][1] - slots[0][0]) / len(slots) or 1.0
    for piece, group in zip(pieces, groups, strict=True):
        under = slots[group.start : group.stop]
        if min(_distance(piece, under), abs(piece[0] - under[0][0])) > _FAR * pitch:
            return []
    return groups


def _find_slots(rows: Sequence[Sequence[TableCell]], number: int) -> tuple[list[int], list[int], list[Interval]]:
    """The columns with a header in a row, those with text below it, and from where to where this text reaches."""
    row = rows[number]
    below = [[other[place].rect for other in rows[number + 1 :]] for place in range(len(row))]
    spans = {place: _extent(rects, 0) for place, rects in enumerate(below) if place and any(rects)}
    places = [place for place, cell in enumerate(row) if place and cell.rect]
    return places, sorted(spans), [spans[place] for place in sorted(spans)]


def _drop_doubtful(groups: Sequence[range], pieces: Sequence[Interval], slots: Sequence[Interval]) -> list[range]:
    """Leave a header to one column where it stands over the middle of that one as well as of several.

    It spans several if another header of its row surely does and every column has one, if it is much wider than the
    text below it, or stands over the middle of more than one, if all headers span equally many, or if it is the only
    one of at least `_MANY` columns.
    """
    sizes = {len(group) for group in groups}
    covered = sum(map(len, groups)) == len(slots)
    if covered and len(sizes) == 1 and (len(groups) > 1 or len(slots) >= _MANY):
        return list(groups)
    pitch = (slots[-1][1] - slots[0][0]) / len(slots) or 1.0
    kept: list[range] = []
    for group, piece in zip(groups, pieces, strict=True):
        nearest = min(group, key=lambda place: _distance(piece, [slots[place]]))
        over = sum(piece[0] <= (low + high) / 2 <= piece[1] for low, high in slots[group.start : group.stop])
        low, high = slots[nearest]
        narrow = over < 2 and piece[1] - piece[0] <= _WIDE * max(high - low, 1.0)
        single = narrow and _distance(piece, [slots[nearest]]) <= _NEAR * pitch
        kept.append(range(nearest, nearest + 1) if single else group)
    return list(groups) if covered and any(len(group) > 1 for group in kept) else kept


def _find_ruled_spans(rows: Sequence[Sequence[TableCell]], number: int, rules: Sequence[Rect]) -> list[range]:
    """The columns of each header by the rules below its row; none if no rule stands below a single header.

    A header without a rule of its own has the column nearest to it. A rule below the labels too is that of the header.
    """
    row = rows[number]
    places, columns, slots = _find_slots(rows, number)
    if not places or len(places) >= len(columns):
        return []
    pieces = [_extent([row[place].rect], 0) for place in places]
    labels = [other[0].rect for other in rows if other[0].rect]
    left = min((rect[2] for rect in labels), default=-inf)
    feet = [_extent([row[place].rect], 1)[1] for place in places]
    foot = min((cell.rect[3] for other in rows[number + 1 :] for cell in other if cell.rect), default=inf)
    middles = [(low + high) / 2 for low, high in slots]
    found: dict[int, range] = {}
    for x0, y0, x1, _ in rules:
        over = [n for n, piece in enumerate(pieces) if x0 <= (piece[0] + piece[1]) / 2 <= x1]
        under = [n for n, middle in enumerate(middles) if x0 <= middle <= x1]
        if len(over) == 1 and feet[over[0]] - _RULE_REACH <= y0 < foot and under and x0 > left:
            found.setdefault(over[0], range(under[0], under[-1] + 1))
    if not any(len(group) > 1 for group in found.values()):
        return []
    taken = {n for group in found.values() for n in group}
    groups = []
    for n, piece in enumerate(pieces):
        free = [place for place in range(len(slots)) if place not in taken]
        if n not in found and not free:
            return []
        nearest = min(free, key=lambda place: _distance(piece, [slots[place]]), default=0)
        groups.append(found.get(n, range(nearest, nearest + 1)))
        taken.update(groups[-1])
    return groups


def _fill_labels(rows: list[list[TableCell]], head: int) -> None:
    """Repeat the first label of rows in the others that it spans, if a second column has a label for each."""
    body = [row for row in rows[head:] if sum(map(bool, row)) > 1]
    if len(rows[0]) < 3 or len(body) < 4:
        return
    second = [row[1].text for row in body]
    if sum(map(bool, second)) < _LABELLED * len(body) or any(NUMERIC.fullmatch(text) for text in second if text):
        return
    repeated = _find_repetition(second)
    if repeated > 1 and all(any(row[0] for row in body[n : n + repeated]) for n in range(0, len(body), repeated)):
        for first in range(0, len(body), repeated):
            label = _join([row[0] for row in body[first : first + repeated] if row[0]])
            for row in body[first : first + repeated]:
                row[0] = label
        return
    labelled = [number for number, row in enumerate(body) if row[0].rect]
    if not 2 <= len(labelled) <= _SPARSE * len(body):
        return
    extents = [_extent([cell.rect for cell in row], 1) for row in body]
    labels = [body[number][0] for number in labelled]
    middle = assign_spans([_extent([label.rect], 1) for label in labels], extents)
    top = [range(a, b) for a, b in pairwise([*labelled, len(body)])]
    covered = sum(map(len, middle)) == len(body)
    centred = covered and (
        labelled[0] > 0 or any(label not in group for label, group in zip(labelled, middle, strict=True))
    )
    for label, group in zip(labels, middle if centred else top, strict=True):
        for number in group:
            body[number][0] = label


def _join(cells: Sequence[TableCell]) -> TableCell:
    rects = [cell.rect for cell in cells if cell.rect]
    return TableCell(" ".join(cell.text for cell in cells), bounding_rect(rects) if rects else None)


def _extent(rects: Sequence[Rect | None], axis: int) -> Interval:
    """From where to where rectangles reach, across (0) or down (1)."""
    given = [rect for rect in rects if rect]
    return min(rect[axis] for rect in given), max(rect[axis + 2] for rect in given)


def _find_repetition(texts: Sequence[str]) -> int:
    """The length of the sequence of which a list of texts consists, at least twice; 0 if there is none."""
    for length in range(2, len(texts) // 2 + 1):
        if len(texts) % length == 0 and all(texts[n] == texts[n % length] for n in range(len(texts))) and texts[0]:
            return length
    return 0


def assign_spans(pieces: Sequence[Interval], slots: Sequence[Interval]) -> list[range]:
    """Assign adjacent slots to each piece, at least one, in their order; slots may be left over.

    Minimizes the distances between each piece and its slots, in widths of a slot, plus a cost for every slot left over,
    for every slot that is in the middle of a piece but not assigned to it, and for unequal numbers of slots. ``pieces``
    and ``slots`` are in ascending order, and there are at least as many slots as pieces.
    """
    found = [_assign(pieces, slots, size) for size in range(1, len(slots) // len(pieces) + 2)]
    return min(found, key=lambda one: one[0])[1]


def _assign(pieces: Sequence[Interval], slots: Sequence[Interval], size: int) -> tuple[float, list[range]]:
    """The cost and the slots of each piece, by dynamic programming, where most pieces have ``size`` slots."""
    pitch = (slots[-1][1] - slots[0][0]) / len(slots) or 1.0
    best: list[list[tuple[float, int]]] = [[(_UNCOVERED * n, 0) for n in range(len(slots) + 1)]]
    for (
        piece
    ) in pieces:  # row[n]: cost on the first n slots, and the first slot of the piece, -1 if slot n is left over
        inside = [piece[0] <= (slot[0] + slot[1]) / 2 <= piece[1] for slot in slots]
        row: list[tuple[float, int]] = [(inf, 0)]
        for n in range(1, len(slots) + 1):
            choices = [(row[n - 1][0] + _UNCOVERED, -1)]
            for first in range(n):
                distance = _distance(piece, slots[first:n]) / pitch
                if distance > _FAR and n - first > 1:
                    continue
                cost = distance + _UNEQUAL * abs(n - first - size)
                cost += _OUTSIDE * (sum(inside[:first]) + sum(inside[n:]))
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


def _distance(piece: Interval, slots: Sequence[Interval]) -> float:
    """Between the middles of a piece and its slots; a piece over a single one may be aligned with either side."""
    low, high = slots[0][0], slots[-1][1]
    middle = abs(piece[0] + piece[1] - low - high) / 2
    return middle if len(slots) > 1 else min(middle, abs(piece[0] - low), abs(piece[1] - high))
