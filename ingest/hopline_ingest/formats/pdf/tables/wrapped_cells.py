"""Headers and labels of several lines, each of which is a row of the grid, joined into one cell. Pure.

The lines of adjacent headers are at different heights: "Average / amount" is beside "Percent / who / borrowed". Lines
are therefore joined by column: those that are close to each other, span the same columns and have no rule between them.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby, pairwise
from math import inf

from hopline.tables.structure import count_header_rows
from hopline_ingest.formats.pdf.page_content import Cells, Rect, TableCell, bounding_rect
from hopline_ingest.formats.pdf.tables.grids import NUMERIC, YEAR
from hopline_ingest.formats.pdf.tables.rules import COLUMN_GAP, join_rules
from hopline_ingest.formats.pdf.text.paragraph_text import SOFT

_OPEN_RANGE = re.compile(r"\d\s?[-–—]$")
_BRACKETED = re.compile(r"\((?=.*[^\W\d_]).*\)")
_CLOSE = 0.92  # of the distance to the row below
_CLOSER = 0.85  # of the distance of most rows
_LEADING = 0.45  # of the height of a line, at most between two lines of a cell
_RULE_REACH = 2.0  # points by which a rule between two lines may be inside one of them
_WHOLE_WIDTH = 0.9  # of a table
_MIN_BANDS = 3
_BANDED_SHARE = 0.8  # of the bands between rules are one row
_MANY_COLUMNS = 4
_INDENT = 1.5  # points, at least, by which the second line of a label begins right of the first


def count_header_lines(cells: Cells) -> int:
    """Count the rows of a table's header, with the lines of figures that continue the header above them.

    Such lines are the end of a range ("14,999" below "$10,000–"), numbers in brackets with a letter ("(n = 469)"), and
    texts, and figures without a label, that are closer to the line above than to the first row of the body.
    """
    number = count_header_rows([[cell.text for cell in row] for row in cells])
    first = next((n for n, row in enumerate(cells) if n >= number and any(map(_is_figure, row[1:]))), number)
    pitches = [_measure_pitch(*cells[n : n + 2]) for n in range(max(0, number - 1), first)]
    is_close = all(pitch < _CLOSE * pitches[-1] for pitch in pitches[:-1])
    if is_close and all(any(row[1:]) for row in cells[number:first]):
        number = first
    while number < len(cells) - 1:
        if _ends_within_ranges(*cells[number : number + 2]):
            number += 2
        elif number and (
            _ends_within_ranges(*cells[number - 1 : number + 1]) or _is_header_line(*cells[number - 1 : number + 2])
        ):
            number += 1
        else:
            break
    return number


def _ends_within_ranges(row: Sequence[TableCell], following: Sequence[TableCell]) -> bool:
    """Return whether a cell of a row ends with the start of a range, whose end is below it."""
    return any(_OPEN_RANGE.search(cell.text) and below for cell, below in zip(row, following, strict=True))


def _is_figure(cell: TableCell) -> bool:
    return bool(NUMERIC.fullmatch(cell.text)) and not YEAR.fullmatch(cell.text)


def _is_header_line(above: Sequence[TableCell], row: Sequence[TableCell], following: Sequence[TableCell]) -> bool:
    """Return whether a row below a header is a further line of this header."""
    filled = [(up, cell) for up, cell in zip(above[1:], row[1:], strict=True) if cell]
    if not filled or not all(up for up, _ in filled):
        return False
    if all(_BRACKETED.fullmatch(cell.text) for _, cell in filled):
        return True
    before, after = _measure_pitch(above, row), _measure_pitch(row, following)
    return not row[0] and any(following[1:]) and bool(following[0]) and before < _CLOSE * after


def _measure_pitch(upper: Sequence[TableCell], lower: Sequence[TableCell]) -> float:
    """Return the smallest distance of the middles of two cells below each other in two rows; infinite without any."""
    pairs = [(up.rect, low.rect) for up, low in zip(upper, lower, strict=True) if up.rect and low.rect]
    return min(((low[1] + low[3] - up[1] - up[3]) / 2 for up, low in pairs), default=inf)


def join_header_lines(cells: Cells, header_rows: int, rules: Sequence[Rect] = ()) -> Cells:
    """Join the lines of each header in the row of its last line; rows that become empty are removed.

    ``rules`` are the horizontal rules of the page. Headers that span columns are repeated in each of them.
    """
    rows = [list(row) for row in cells]
    heights = [cell.rect[3] - cell.rect[1] for row in rows[:header_rows] for cell in row if cell.rect]
    line = min(heights, default=0.0)
    for number in range(1, header_rows):
        for columns in _list_spans(rows[number]):
            above = _find_row_above(rows, number, columns)
            if above is None:
                continue
            upper, lower = rows[above][columns.start], rows[number][columns.start]
            if _continues_header(upper, lower, line, rules):
                cell = _join_cells(upper, lower)
                for column in columns:
                    rows[above][column], rows[number][column] = TableCell(), cell
    return tuple(tuple(row) for row in rows if any(row))


def _list_spans(row: Sequence[TableCell]) -> Iterator[range]:
    """Yield the columns of each cell of a row that has text; adjacent equal cells are one."""
    start = 0
    for column in range(1, len(row) + 1):
        if column == len(row) or row[column] != row[start]:
            if row[start]:
                yield range(start, column)
            start = column


def _find_row_above(rows: Sequence[Sequence[TableCell]], number: int, columns: range) -> int | None:
    """Return the nearest row above with text in these columns, if this text spans exactly these."""
    above = next((n for n in range(number - 1, -1, -1) if any(rows[n][column] for column in columns)), None)
    return above if above is not None and columns in list(_list_spans(rows[above])) else None


def _continues_header(upper: TableCell, lower: TableCell, line: float, rules: Sequence[Rect]) -> bool:
    """Return whether a header is the next line of the one above it; ``line`` is the height of a line."""
    if upper.rect is None or lower.rect is None or lower.rect[1] - upper.rect[3] > _LEADING * line:
        return False
    middle = (lower.rect[0] + lower.rect[2]) / 2
    top, bottom = upper.rect[3] - _RULE_REACH, lower.rect[1] + _RULE_REACH
    return not any(x0 <= middle <= x1 and top <= y0 and y1 <= bottom for x0, y0, x1, y1 in rules)


def join_lines_between_rules(cells: Cells, header_rows: int, rules: Sequence[Rect]) -> Cells:
    """Join the lines between each two rules over the whole table, if these part nearly all rows of the body.

    Between two rules is then one row: at most one line has figures, or one has a label.
    """
    x0, top, x1, bottom = bounding_rect(cell.rect for row in cells for cell in row if cell.rect)
    whole = [rule for rule in join_rules(rules, gap=COLUMN_GAP) if rule[2] - rule[0] >= _WHOLE_WIDTH * (x1 - x0)]
    heights = sorted(rule[1] for rule in whole if top < rule[1] < bottom)
    bands: list[list[Sequence[TableCell]]] = []
    for _, band in groupby(cells[header_rows:], key=lambda row: bisect(heights, _find_middle(row))):
        bands.append(list(band))
    if len(bands) < _MIN_BANDS or sum(map(_is_one_row, bands)) < _BANDED_SHARE * len(bands):
        return cells
    body = [row for band in bands for row in (_join_lines(band) if _is_one_row(band) else band)]
    return tuple(map(tuple, (*cells[:header_rows], *body)))


def _find_middle(row: Sequence[TableCell]) -> float:
    _, top, _, bottom = bounding_rect(cell.rect for cell in row if cell.rect)
    return (top + bottom) / 2


def _is_one_row(band: Sequence[Sequence[TableCell]]) -> bool:
    """Return whether lines between two rules are those of one row, and close to each other."""
    for column in zip(*band, strict=True):
        for upper, lower in pairwise(cell for cell in column if cell.rect):
            if not _is_close(upper, lower) or upper.text.endswith(":"):
                return False
    with_figures = sum(any(map(_is_figure, row[1:])) for row in band)
    return with_figures == 1 or (with_figures == 0 and sum(bool(row[0]) for row in band) <= 1)


def _is_close(upper: TableCell, lower: TableCell) -> bool:
    """Return whether a text is as far below another one as the next line of a cell, at most."""
    if upper.rect is None or lower.rect is None:
        return False
    return lower.rect[1] - upper.rect[3] <= _LEADING * (lower.rect[3] - lower.rect[1])


def _join_lines(band: Sequence[Sequence[TableCell]]) -> list[list[TableCell]]:
    """Return the row of lines below each other, of which some cells may be empty."""
    columns = [[cell for cell in column if cell] for column in zip(*band, strict=True)]
    return [[reduce(_join_cells, column) if column else TableCell() for column in columns]]


def join_wrapped_rows(cells: Cells, header_rows: int) -> Cells:
    """Join rows that are further lines of a few cells of the row above, which has a text in all columns.

    They have no figures, and are in at most half of the columns.
    """
    rows: list[Sequence[TableCell]] = list(cells[:header_rows])
    for row in cells[header_rows:]:
        if len(rows) > header_rows and _is_further_line(rows[-1], row):
            rows[-1] = [_join_cells(up, low) if low else up for up, low in zip(rows[-1], row, strict=True)]
        else:
            rows.append(row)
    return tuple(map(tuple, rows))


def _is_further_line(above: Sequence[TableCell], row: Sequence[TableCell]) -> bool:
    pairs = [(upper, lower) for upper, lower in zip(above, row, strict=True) if lower]
    is_sparse = len(row) >= _MANY_COLUMNS and all(above) and 2 * len(pairs) <= len(row) and any(row[1:])
    return is_sparse and all(_is_close(*pair) for pair in pairs) and not any(map(_is_figure, row))


def join_wrapped_labels(cells: Cells) -> Cells:
    """Join the second line of a label, alone in its row and indented, with the label above it.

    The label of a group of rows is not indented more than the labels of these rows. First lines of a label, alone in
    their rows, are joined with the last one if they are closer to it than rows are to each other.
    """
    rows: list[tuple[TableCell, ...]] = []
    for row, following in pairwise((*_join_first_lines(cells), ())):
        if rows and _is_second_line(rows[-1], row, following):
            rows[-1] = (_join_cells(rows[-1][0], row[0]), *rows[-1][1:])
        else:
            rows.append(row)
    return tuple(rows)


def _join_first_lines(cells: Cells) -> Cells:
    pitches = sorted(_measure_pitch(upper[:1], lower[:1]) for upper, lower in pairwise(cells) if upper[0] and lower[0])
    if not pitches:
        return cells
    rows: list[tuple[TableCell, ...]] = []
    for row in cells:
        above = rows[-1] if rows else ()
        if above and _is_first_line(above, row, _CLOSER * pitches[len(pitches) // 2]):
            rows[-1] = (_join_cells(above[0], row[0]), *row[1:])
        else:
            rows.append(row)
    return tuple(rows)


def _is_first_line(label: Sequence[TableCell], row: Sequence[TableCell], closest: float) -> bool:
    """Return whether a label alone in its row is the line above that of a row, at a distance of at most ``closest``.

    The text goes on: the first line ends with a comma or a semicolon, or the next one begins with no capital.
    """
    first, second = label[0].rect, row[0].rect
    if first is None or second is None or any(label[1:]) or not any(map(_is_figure, row[1:])):
        return False
    is_close = _measure_pitch(label[:1], row[:1]) <= closest
    goes_on = label[0].text.endswith((",", ";")) or not row[0].text[0].isupper()
    return is_close and goes_on and second[0] > first[0] - _INDENT and not label[0].text.endswith(":")


def _is_second_line(above: Sequence[TableCell], row: Sequence[TableCell], following: Sequence[TableCell]) -> bool:
    first, label = above[0].rect, row[0].rect
    if first is None or label is None or any(row[1:]) or not any(NUMERIC.fullmatch(cell.text) for cell in above[1:]):
        return False
    below = following[0].rect if following else None
    is_close = label[1] - first[3] <= _LEADING * (label[3] - label[1])
    is_indented = first[0] + _INDENT < label[0] < first[2] and (below is None or label[0] > below[0] + _INDENT)
    return is_close and is_indented and not NUMERIC.fullmatch(row[0].text)


def _join_cells(upper: TableCell, lower: TableCell) -> TableCell:
    if upper.text.endswith(SOFT):
        text = upper.text[:-1] + lower.text
    else:
        text = upper.text + ("" if _OPEN_RANGE.search(upper.text) else " ") + lower.text
    return TableCell(text, bounding_rect(cell.rect for cell in (upper, lower) if cell.rect))
