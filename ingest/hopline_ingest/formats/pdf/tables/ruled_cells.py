"""Cells of a table with rules around each of them, some of which span several rows or columns. Pure.

The heights of the horizontal rules and the positions of the vertical ones divide the table into a lattice. Adjacent
parts of it without a rule between them are one box, whose text belongs to all rows and columns that it spans.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from hopline.tables.structure import is_value_text
from hopline_ingest.formats.pdf.page_content import Cells, Line, Rect, TableCell
from hopline_ingest.formats.pdf.tables.column_sides import split_at_column_sides
from hopline_ingest.formats.pdf.tables.grids import (
    NUMERIC,
    Grid,
    build_cell,
    clean_cells,
)
from hopline_ingest.formats.pdf.tables.rules import Lattice
from hopline_ingest.formats.pdf.tables.titles_notes import is_title
from hopline_ingest.formats.pdf.text.lines import group_rows, join_rows

_SAME = 3.0  # points between the parts of a double rule
_COVERED = 0.6  # of the side of a cell has a rule
_CROSSING = 3.0  # points by which a text may be outside of its box
_MAX_CROSSING = 0.03  # of the texts may cross rules
_LEADING = 1.0  # of the size of a font, at most between two lines of a cell
_LARGER = 1.1  # of the size of the largest other text, at least, is that of a title
_MIN_ROWS, _MIN_COLUMNS = 3, 2
_MIN_BOXES = 6  # with text

Interval = tuple[float, float]
Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Box:
    """Rows and columns of the lattice without rules between them."""

    rows: range
    columns: range


def encloses_cells(lattice: Lattice, pieces: Sequence[Line]) -> bool:
    """Return whether rules are those around the cells of a table: few texts cross them, many boxes have a text.

    No box has several numbers side by side.
    """
    xs, ys, boxes = _read_boxes(lattice)
    if not boxes:
        return False
    texts, crossing = _fill(boxes, [piece for piece in pieces if _is_inside(piece, lattice.rect)], xs, ys)
    rows, columns = len({box.rows.start for box in texts}), len({box.columns.start for box in texts})
    if rows < _MIN_ROWS or columns < _MIN_COLUMNS or len(texts) < _MIN_BOXES or crossing > _MAX_CROSSING:
        return False
    return not any(_count_figures(row) > 1 for lines in texts.values() for row in group_rows(lines))


def build_ruled_cells(lattice: Lattice, pieces: Sequence[Line]) -> Cells | None:
    """Build the cells of a table from the rules around them; ``None`` if not all texts are in boxes of their own.

    ``pieces`` are those within the lattice and in the area of its table. Texts outside of the rules are left
    out, and so are titles: long or large texts in first rows of one box. A box over all columns labels a group.
    """
    xs, ys, boxes = _read_boxes(lattice)
    if not boxes:
        return None
    grid = Grid(tuple(xs), tuple(ys))
    parts = split_at_column_sides(grid, pieces)
    if _has_rows_outside(parts, grid.rect):
        return None
    texts, crossing = _fill(boxes, [piece for piece in parts if _is_inside(piece, grid.rect)], xs, ys)
    if crossing > _MAX_CROSSING or len(texts) < _MIN_BOXES:
        return None
    if not any(len(box.rows) > 1 or len(box.columns) > 1 for box in texts):
        return None
    if any(_has_values_of_several_cells(box, lines) for box, lines in texts.items()):
        return None
    cells = _fill_boxes(boxes, texts, ys, len(xs) - 1)
    above = [piece for piece in parts if (piece.rect[1] + piece.rect[3]) / 2 < ys[0]]
    has_header = cells and not any(is_value_text(cell.text) for cell in cells[0][1:])
    return cells if has_header or not any(len(row) > 1 for row in group_rows(above)) else None


def _read_boxes(lattice: Lattice) -> tuple[list[float], list[float], dict[Position, _Box]]:
    """Return the positions of the rules and the box of each row and column: none if there are too few rules."""
    horizontal, vertical = _list_positions(lattice.horizontal, 1), _list_positions(lattice.vertical, 0)
    ys, xs = _merge_positions(horizontal), _merge_positions(vertical)
    is_table = len(ys) > _MIN_ROWS and len(xs) > _MIN_COLUMNS
    return xs, ys, _find_boxes(xs, ys, horizontal, vertical) if is_table else {}


def _fill(
    boxes: dict[Position, _Box], pieces: Sequence[Line], xs: Sequence[float], ys: Sequence[float]
) -> tuple[dict[_Box, list[Line]], float]:
    """Return the texts of each box that has one, and the share of the texts that are partly outside of theirs."""
    texts: dict[_Box, list[Line]] = {}
    for piece in pieces:
        texts.setdefault(boxes[_locate(piece, xs, ys)], []).append(piece)
    crossing = sum(_crosses(piece, box, xs) for box, lines in texts.items() for piece in lines)
    return texts, crossing / max(1, len(pieces))


def _crosses(piece: Line, box: _Box, xs: Sequence[float]) -> bool:
    """Return whether a text is partly outside of its box."""
    return piece.rect[0] < xs[box.columns.start] - _CROSSING or piece.rect[2] > xs[box.columns.stop] + _CROSSING


def _list_positions(rules: Iterable[Rect], axis: int) -> list[tuple[float, Interval]]:
    """Return the position and the extent of rules: horizontal ones for axis 1, vertical ones for 0."""
    return [((rule[axis] + rule[axis + 2]) / 2, (rule[1 - axis], rule[3 - axis])) for rule in rules]


def _merge_positions(rules: Iterable[tuple[float, Interval]]) -> list[float]:
    """Return the positions of rules in ascending order, one for the parts of a double rule."""
    groups: list[list[float]] = []
    for position, _ in sorted(rules):
        if groups and position - groups[-1][-1] <= _SAME:
            groups[-1].append(position)
        else:
            groups.append([position])
    return [(group[0] + group[-1]) / 2 for group in groups]


def _find_boxes(
    xs: Sequence[float],
    ys: Sequence[float],
    horizontal: Sequence[tuple[float, Interval]],
    vertical: Sequence[tuple[float, Interval]],
) -> dict[Position, _Box]:
    """Return the box of each row and column of the lattice."""
    rows, columns = len(ys) - 1, len(xs) - 1
    below = [[_is_ruled(horizontal, ys[row], (xs[n], xs[n + 1])) for n in range(columns)] for row in range(1, rows)]
    right = [[_is_ruled(vertical, xs[column], (ys[n], ys[n + 1])) for column in range(1, columns)] for n in range(rows)]
    boxes = {
        (row, column): _Box(range(row, row + 1), range(column, column + 1))
        for row, column in product(range(rows), range(columns))
    }
    for row, column in product(range(rows), range(columns)):
        if row + 1 < rows and not below[row][column]:
            _join(boxes, (row, column), (row + 1, column))
        if column + 1 < columns and not right[row][column]:
            _join(boxes, (row, column), (row, column + 1))
    return boxes


def _is_ruled(rules: Iterable[tuple[float, Interval]], position: float, side: Interval) -> bool:
    """Return whether rules at a position cover most of the side of a cell."""
    low, end = side
    covered = 0.0
    for at, (start, stop) in sorted(rules, key=lambda rule: rule[1]):
        if abs(at - position) <= _SAME and min(stop, end) > max(start, low):
            covered += min(stop, end) - max(start, low)
            low = min(stop, end)
    return covered >= _COVERED * (side[1] - side[0])


def _join(boxes: dict[Position, _Box], a: Position, b: Position) -> None:
    """Join two boxes, and those that are then within the same rectangle."""
    group = {boxes[a], boxes[b]}
    if len(group) == 1:
        return
    while True:
        rows = range(min(box.rows.start for box in group), max(box.rows.stop for box in group))
        columns = range(min(box.columns.start for box in group), max(box.columns.stop for box in group))
        within = {boxes[position] for position in product(rows, columns)}
        if within == group:
            break
        group = within
    box = _Box(rows, columns)
    for position in product(rows, columns):
        boxes[position] = box


def _is_inside(piece: Line, rect: Rect) -> bool:
    x, y = (piece.rect[0] + piece.rect[2]) / 2, (piece.rect[1] + piece.rect[3]) / 2
    return rect[0] <= x <= rect[2] and rect[1] <= y <= rect[3]


def _has_rows_outside(pieces: Sequence[Line], rect: Rect) -> bool:
    """Return whether text is beside the rules, or a row with several numbers below them."""
    outside = [piece for piece in pieces if not _is_inside(piece, rect)]
    beside = any(rect[1] <= (piece.rect[1] + piece.rect[3]) / 2 <= rect[3] for piece in outside)
    below = [piece for piece in outside if piece.rect[1] > rect[3] - _CROSSING]
    return beside or any(_count_figures(row) > 1 for row in group_rows(below))


def _locate(piece: Line, xs: Sequence[float], ys: Sequence[float]) -> Position:
    """Return the row and column of the lattice with the middle of a text."""
    column = bisect_right(xs, (piece.rect[0] + piece.rect[2]) / 2) - 1
    row = bisect_right(ys, (piece.rect[1] + piece.rect[3]) / 2) - 1
    return max(0, min(row, len(ys) - 2)), max(0, min(column, len(xs) - 2))


def _count_figures(pieces: Iterable[Line]) -> int:
    return sum(bool(NUMERIC.fullmatch(piece.text)) for piece in pieces)


def _has_values_of_several_cells(box: _Box, lines: Sequence[Line]) -> bool:
    """Return whether a box has numbers side by side, texts far below each other, or only numbers in one row.

    The numbers in a box of several rows of the lattice belong to one row each.
    """
    rows = group_rows(lines)
    if any(_count_figures(row) > 1 for row in rows):
        return True
    for above, below in pairwise(rows):
        gap = min(line.rect[1] for line in below) - max(line.rect[3] for line in above)
        if gap > _LEADING * max(line.size for line in below) and not _count_numbers(lines):
            return True
    return len(box.rows) == 1 and _count_numbers(lines) > 1


def _count_numbers(lines: Sequence[Line]) -> int:
    """Return the number of lines of a box if all of them are numbers, 0 otherwise."""
    rows = join_rows(lines)
    return len(rows) if all(NUMERIC.fullmatch(line.text) for line in rows) else 0


def _fill_boxes(
    boxes: dict[Position, _Box], texts: dict[_Box, list[Line]], ys: Sequence[float], width: int
) -> Cells | None:
    """Return the cells of a lattice with the text of each box in all of them; rows and columns are not repeated."""
    height = len(ys) - 1
    rows = _select_lines([[boxes[row, column] for column in range(width)] for row in range(height)], texts)
    columns = _select_lines([[boxes[row, column] for row in range(height)] for column in range(width)], texts)
    sizes = [line.size for box, lines in texts.items() if box.rows.start > min(rows, default=0) for line in lines]
    while rows and len({boxes[rows[0], column] for column in columns}) == 1:
        title = texts[boxes[rows[0], columns[0]]]
        if not is_title(build_cell(title).text) and title[0].size <= _LARGER * max(sizes, default=0.0):
            break
        rows = rows[1:]
    if len(rows) < _MIN_ROWS or len(columns) < _MIN_COLUMNS:
        return None
    cells = []
    for number, row in enumerate(rows):
        filled = [_build_cell(boxes[row, column], texts, row, ys) for column in columns]
        if number and _is_group_row([boxes[row, column] for column in columns], texts):
            filled = [filled[-1], *[TableCell()] * (len(columns) - 1)]
        cells.append(filled)
    return clean_cells(cells)


def _is_group_row(row: Sequence[_Box], texts: Container[_Box]) -> bool:
    """Return whether a row has one box over all columns, except those whose box continues below it."""
    inner = next((n for n, box in enumerate(row) if len(box.rows) == 1), 0)
    return len(set(row[inner:])) == 1 and row[-1] in texts and len(row) - inner > 1 and len(row[-1].rows) == 1


def _build_cell(box: _Box, texts: dict[_Box, list[Line]], row: int, ys: Sequence[float]) -> TableCell:
    """Return the cell of a box in a row; several numbers in a box of several rows belong to one row each."""
    lines = texts.get(box, [])
    if _count_numbers(lines) > 1:
        lines = [line for line in lines if ys[row] <= (line.rect[1] + line.rect[3]) / 2 < ys[row + 1]]
    return build_cell(lines)


def _select_lines(lines: Sequence[Sequence[_Box]], texts: dict[_Box, list[Line]]) -> list[int]:
    """Return the numbers of the rows, or of the columns, without those whose texts are all in others, too."""
    selected = list(range(len(lines)))
    for number in range(len(lines)):
        others = {box for other in selected if other != number for box in lines[other]}
        if all(box in others for box in lines[number] if box in texts):
            selected.remove(number)
    return selected
