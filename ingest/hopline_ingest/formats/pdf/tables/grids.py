"""Table grids: choice between candidates, extraction of cells, and classification as a table. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from hopline.tables.structure import count_header_rows, is_value_text
from hopline_ingest.formats.pdf.page_content import Cells, Line, Rect, TableCell, bounding_rect
from hopline_ingest.formats.pdf.tables.charts import is_chart
from hopline_ingest.formats.pdf.text.lines import group_rows, join_rows, mark_superscripts
from hopline_ingest.formats.pdf.text.paragraph_text import SOFT

_MARK_BEFORE = re.compile(r"(?:US)?[$€£¥]$")
_MARK_AFTER = re.compile(r"[%)*†‡]+|\)\s*%|bps|x|pts?")
NUMERIC = re.compile(  # a number, a range, or a mark for a missing number
    r"[\s$€£¥%()+\-−–—.,:/*†‡<>~=±\d]*\d[\s$€£¥%()+\-−–—.,:/*†‡<>~=±×\d⁰¹²³⁴-⁹⁺⁻]*|[-−–—]|n/?[am]\.?|"
    r"\[[\d.,]+\s?[-–—,;]\s?[\d.,]+\]",  # an interval
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:19|20)\d\d(?:\s*[-–/]\s*\d{2,4})?")
_MARK_GAP = 0.5  # of the height of a number, at most to the mark of a note
_LEADER = re.compile(  # the dots between a label and its value, and rules that are drawn with characters
    r"\s*(?:\.{4,}|(?:\.\s){3,}(?:\.(?!\d))?|…{2,}|[-_=–—]{4,}|(?:[-_=–—]\s){4,}[-_=–—]?)"
)
_TALL_LINES = 4  # lines in a cell; if many cells have so many, they are columns of prose
_TALL_SHARE = 0.15
_MIN_LINES = 0.8
_DIGIT_SHARE = 0.25
FEW_COLUMNS = 4  # columns
_FEW_ROWS = 3
_FULL_SHARE = 0.8  # of the cells
_NUMBER_SHARE = 0.6  # of the filled cells of a column of numbers
_CLEARLY_MORE = 1.2
SAME_SIDE = 3.0  # points between the left sides of texts of one column
LONG_TEXT = 60  # characters; a cell with more is prose
_PROSE_SHARE = 0.6  # of a table's characters
NOTE = re.compile(r"[*†‡§—#¹²³]|notes?\b|sources?\b|see notes?\b|\(?[a-z0-9]\)\s|\d\s+[A-Z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grid:
    """Boundaries of rows and columns in points from the page's top left, in ascending order.

    ``columns`` has one more number than there are columns, ``rows`` one more than there are rows.
    """

    columns: tuple[float, ...]
    rows: tuple[float, ...]

    @property
    def rect(self) -> Rect:
        """The bounding rectangle."""
        return self.columns[0], self.rows[0], self.columns[-1], self.rows[-1]


def choose_grid(stream: Grid | None, lattice: Grid | None, pieces: Sequence[Line]) -> Grid | None:
    """Choose between the grid by gaps and the grid by rules.

    The rules are preferred if they separate the text about as finely as the gaps: at least four fifths as many lines
    of text as the other grid has filled cells, and few cells of four lines or more; or if nearly all cells have text.
    """
    if stream is None or lattice is None:
        return stream or lattice
    if len(lattice.rows) < 3 or len(lattice.columns) < 3:
        return stream
    ruled = [cell for row in assign_to_cells(lattice, pieces) for cell in row if cell]
    loose = sum(bool(cell) for row in assign_to_cells(stream, pieces) for cell in row)
    lines = sum(len(join_rows(cell)) for cell in ruled)
    tall = sum(len(join_rows(cell)) >= _TALL_LINES for cell in ruled)
    is_fine = lines >= _MIN_LINES * loose and tall < _TALL_SHARE * len(ruled)
    return lattice if is_fine or _is_full(lattice, stream, pieces) else stream


def _is_full(lattice: Grid, stream: Grid, pieces: Sequence[Line]) -> bool:
    """Return whether a grid by rules has three rows, as many columns as the one by gaps, and hardly an empty cell.

    A grid whose cells contain columns of numbers has no rules between its rows.
    """
    cells = [row for row in assign_to_cells(lattice, pieces) if any(row)]
    columns = _find_columns_with_text(cells)
    filled = sum(bool(row[column]) for row in cells for column in columns)
    if any(
        len(cell) >= _FEW_ROWS and all(NUMERIC.fullmatch(line.text) for line in cell) for row in cells for cell in row
    ):
        return False
    is_fine = len(columns) >= max(2, len(_find_columns_with_text(assign_to_cells(stream, pieces))))
    return is_fine and len(cells) >= _FEW_ROWS and filled >= _FULL_SHARE * len(cells) * len(columns)


def _find_columns_with_text(cells: Sequence[Sequence[Sequence[Line]]]) -> list[int]:
    return [index for index, column in enumerate(zip(*cells, strict=True)) if any(column)]


def build_gap_grid(pieces: Sequence[Line]) -> Grid | None:
    """Build a grid from the gaps between columns, for pages where camelot has no text or fails.

    Gaps run through all rows of several pieces from the first one of numbers, or through all rows if few have numbers.
    If most rows have more pieces than there are columns then, at most a quarter may cross a gap. ``None`` without one.
    """
    if not pieces:
        return None
    rows = group_rows(pieces)
    figures = [number for number, row in enumerate(rows) if len(row) > 1 and has_figures(row)]
    if len(figures) >= _FEW_ROWS:
        body = [row for row in rows[figures[0] :] if len(row) > 1]
        typical = sorted(map(len, body))[len(body) // 2]
        gaps = _find_gaps(body, 0)
        for crossed in range(1, len(body) // 4 + 1):
            if len(gaps) + 1 < typical:
                gaps = max(gaps, _find_gaps(body, crossed), key=len)
    else:
        is_short = len(rows) < _FEW_ROWS
        gaps = _find_gaps([[line for line in row if is_short or not _spans_columns(line, pieces)] for row in rows], 0)
    if not gaps:
        return None
    row_rects = [bounding_rect(line.rect for line in row) for row in rows]
    whole = bounding_rect(row_rects)
    middles = [(above[3] + below[1]) / 2 for above, below in pairwise(row_rects)]
    return Grid((whole[0], *gaps, whole[2]), (whole[1], *middles, whole[3]))


def has_figures(row: Sequence[Line]) -> bool:
    """Return whether a row has a number that is no year; a row of years is a header."""
    return any(NUMERIC.fullmatch(line.text) and not YEAR.fullmatch(line.text) for line in row)


def _find_gaps(rows: Sequence[Sequence[Line]], crossed: int) -> list[float]:
    """Return the middles of the gaps between columns, which at most ``crossed`` pieces cross."""
    lefts = [(line.rect[0], 1) for row in rows for line in row]
    rights = [(line.rect[2], -1) for row in rows for line in row]
    gaps = []
    covering, start = 0, inf
    for x, change in sorted([*lefts, *rights]):
        if change == -1 and covering == crossed + 1:
            start = x
        elif change == 1 and covering == crossed and start < x:
            gaps.append((start + x) / 2)
        covering += change
    return gaps


def _spans_columns(line: Line, pieces: Sequence[Line]) -> bool:
    """Return whether a piece is a header of several columns: two pieces of another row are within its width."""
    x0, _, x1, _ = line.rect
    rows_within = group_rows(other for other in pieces if x0 - 1 <= other.rect[0] and other.rect[2] <= x1 + 1)
    return any(len(row) > 1 for row in rows_within)


def assign_to_cells(grid: Grid, pieces: Sequence[Line]) -> list[list[list[Line]]]:
    """Assign each piece of text to the cell with its largest part; rows by columns.

    A piece alone in its row that begins where the labels in the first column do belongs to this column.
    """
    rows: list[list[Line]] = [[] for _ in grid.rows[1:]]
    for piece in pieces:
        middle = (piece.rect[1] + piece.rect[3]) / 2
        rows[max(0, min(len(rows) - 1, bisect_right(grid.rows, middle) - 1))].append(piece)
    pairs = [[(piece, find_column(grid.columns, piece.rect[0], piece.rect[2])) for piece in row] for row in rows]
    labels = [piece.rect[0] for row in pairs if len(row) > 1 for piece, column in row if column == 0]
    cells: list[list[list[Line]]] = []
    for row in pairs:
        cells.append([[] for _ in grid.columns[1:]])
        for piece, column in row:
            is_label = len(row) == 1 and bool(labels) and piece.rect[0] <= min(labels) + SAME_SIDE
            cells[-1][0 if is_label else column].append(piece)
    return cells


def find_column(columns: Sequence[float], x0: float, x1: float) -> int:
    """Return the number of the column that contains the largest part of a range, the first of equal ones."""
    last = len(columns) - 2
    first = max(0, min(last, bisect_left(columns, x0) - 1))
    end = max(first, min(last, bisect_left(columns, x1) - 1))
    parts = [min(x1, columns[n + 1]) - max(x0, columns[n]) for n in range(first, end + 1)]
    return first + parts.index(max(parts))


def extract_cells(grid: Grid, pieces: Sequence[Line]) -> Cells:
    """Extract the cells without empty rows and columns.

    Rows that overlap in height are joined, such as that of a subscript with the row above it, and so are the lines of
    a cell of several lines.
    """
    merged: list[list[list[Line]]] = []
    for row in assign_to_cells(grid, pieces):
        if merged and _overlaps_above(merged[-1], row):
            merged[-1] = [above + below for above, below in zip(merged[-1], row, strict=True)]
        else:
            merged.append(row)
    return clean_cells(_join_continuation_rows([[build_cell(pieces) for pieces in row] for row in merged]))


def split_at_repeated_headers(cells: Cells) -> list[Cells]:
    """Split tables below each other at the header that they share; text between them is dropped.

    Headers that share only their last row begin tables, too: "First quarter" and "Half year", each over 2022 | 2023. A
    last row with a single cell is a header only if the label below it is repeated with it.
    """
    texts = [[cell.text for cell in row] for row in cells]
    count = count_header_rows(texts) if cells else 0
    if not count or count == len(texts):
        return [cells]
    last, below = texts[count - 1], texts[count][0]
    is_single = sum(map(bool, last)) < 2
    if is_single and (not below or last[0]):
        return [cells]
    starts = [0]
    for number in range(count, len(cells) - is_single):
        if texts[number] == last and (not is_single or texts[number + 1][0] == below):
            start = _find_header_start(texts, number, count)
            if start - starts[-1] > count:
                starts.append(start)
    parts = [list(cells[start:end]) for start, end in pairwise([*starts, len(cells)])]
    for part in parts[:-1]:
        while len(part) > count and sum(map(bool, part[-1])) == 1:
            part.pop()
    return [tuple(part) for part in parts]


def _find_header_start(texts: Sequence[Sequence[str]], last: int, count: int) -> int:
    """Find the first row of a header by its last one: at most ``count`` rows, of which none has values."""
    if texts[last - count + 1 : last + 1] == texts[:count]:
        return last - count + 1
    start = last
    while start > last - count + 1 and not any(is_value_text(text) for text in texts[start - 1][1:] if text):
        start -= 1
    return start


def _overlaps_above(above: Sequence[Sequence[Line]], row: Sequence[Sequence[Line]]) -> bool:
    """Return whether a row overlaps the row above in height by more than lines of text do.

    If the row has several cells with text, only columns with text in both rows are compared: a header beside two rows
    of headers overlaps both.
    """
    columns = [column for column in range(len(row)) if above[column] and row[column]]
    if not columns or sum(map(bool, row)) == 1:
        columns = list(range(len(row)))
    upper = [line.rect for column in columns for line in above[column]]
    lower = [line.rect for column in columns for line in row[column]]
    if not upper or not lower:
        return False
    overlap = max(rect[3] for rect in upper) - min(rect[1] for rect in lower)
    return overlap > 0.3 * min(rect[3] - rect[1] for rect in lower)


def _join_continuation_rows(cells: list[list[TableCell]]) -> list[list[TableCell]]:
    """Join rows that continue the cells above with these."""
    rows: list[list[TableCell]] = []
    for row in cells:
        if rows and _continues_row([cell.text for cell in rows[-1]], [cell.text for cell in row]):
            rows[-1] = [
                _merge_cells(above, below, _join_texts(above.text, below.text))
                for above, below in zip(rows[-1], row, strict=True)
            ]
        else:
            rows.append(row)
    return rows


def _continues_row(above: Sequence[str], row: Sequence[str]) -> bool:
    filled = [(up, down) for up, down in zip(above, row, strict=True) if down]
    if not filled:
        return False
    if all(up and not NUMERIC.fullmatch(down) and _continues_text(up, down) for up, down in filled):
        return True
    label_only = bool(above[0]) and not any(above[1:]) and not above[0].endswith((":", "."))
    return label_only and row[0][:1].islower()


def _continues_text(above: str, below: str) -> bool:
    if NOTE.match(below):
        return False
    return above.endswith((SOFT, "-")) or below[0].islower() or below[0] in "(&"


def _join_texts(above: str, below: str) -> str:
    if above.endswith(SOFT):
        return above[:-1] + below
    return f"{above} {below}".strip()


def _merge_cells(first: TableCell, second: TableCell, text: str) -> TableCell:
    """Return a cell with this text and the bounding rectangle of both cells."""
    rects = [cell.rect for cell in (first, second) if cell.rect]
    return TableCell(text, bounding_rect(rects) if rects else None)


def build_cell(pieces: Sequence[Line]) -> TableCell:
    """Build the cell of pieces of text; an empty one of none."""
    return TableCell(join_cell_text(pieces), bounding_rect(piece.rect for piece in pieces)) if pieces else TableCell()


def join_cell_text(pieces: Sequence[Line]) -> str:
    """Return the text of a cell, whose pieces may be in several lines."""
    if len(pieces) < 2:
        return pieces[0].text.strip() if pieces else ""
    text = ""
    for line in join_rows(mark_superscripts(pieces)):
        text = _join_texts(text, line.text)
    return text.strip()


def _clean_text(text: str) -> str:
    """Return the text of a cell without dot leaders and character rules, and with hyphens for soft hyphens."""
    return _LEADER.sub(" ", text).strip().replace(SOFT, "-")


def clean_cells(cells: Sequence[Sequence[TableCell]]) -> Cells:
    """Merge columns of only "$", ")" or "%" into their numbers.

    Dot leaders, character rules, and rows and columns that are empty are removed. A header above the column of a mark
    is moved with it.
    """
    rows = [[TableCell(_clean_text(cell.text), cell.rect) for cell in row] for row in cells]
    width = len(rows[0]) if rows else 0
    units = [_has_words([row[column].text for row in rows if row[column]]) for column in range(width)]
    rows = [_join_marks(row, units) for row in rows if any(row)]
    if not rows:
        return ()
    for column in range(len(rows[0]) - 2, 0, -1):
        if _has_headings_only(rows, column):
            for row in rows:
                row[column + 1] = row[column + 1] or row[column]
                row[column] = TableCell()
    full = [column for column in range(len(rows[0])) if any(row[column] for row in rows)]
    return tuple(tuple(row[column] for column in full) for row in rows)


def _has_words(texts: Sequence[str]) -> bool:
    """Return whether more than half of the texts of a column have letters, as those of a column of units."""
    return 2 * sum(any(map(str.isalpha, text)) for text in texts) > len(texts)


def _join_marks(row: list[TableCell], units: Sequence[bool]) -> list[TableCell]:
    """Join each "$" with the number after it, each ")" or "%" with the number before it, and a ")" with its "(".

    A "%" in a column of ``units`` stays.
    """
    for column in range(len(row) - 1):
        cell = row[column]
        mark = _MARK_BEFORE.search(cell.text)
        following = next((other for other in range(column + 1, min(column + 3, len(row))) if row[other]), 0)
        if not following:
            continue
        after = row[following]
        if mark and NUMERIC.fullmatch(after.text):
            rest, text = cell.text[: mark.start()].rstrip(), mark[0] + after.text
            row[following] = TableCell(text, after.rect) if rest else _merge_cells(cell, after, text)
            row[column] = TableCell(rest, cell.rect) if rest else TableCell()
        elif _belongs_to_text_before(cell, after) and not (after.text == "%" and units[following]):
            row[column], row[following] = _merge_cells(cell, after, cell.text + after.text), TableCell()
    return row


def _belongs_to_text_before(cell: TableCell, mark: TableCell) -> bool:
    """Return whether a cell is the closing bracket, the "%" or the mark of a note of the cell before it.

    A dagger apart from the number before it is a cell of its own.
    """
    if mark.text == ")" and cell.text.count("(") > cell.text.count(")"):
        return True
    if not NUMERIC.fullmatch(cell.text) or not _MARK_AFTER.fullmatch(mark.text):
        return False
    if mark.text[0] not in "*†‡" or cell.rect is None or mark.rect is None:
        return True
    return mark.rect[0] - cell.rect[2] <= _MARK_GAP * (cell.rect[3] - cell.rect[1])


def _has_headings_only(rows: Sequence[Sequence[TableCell]], column: int) -> bool:
    """Return whether a column has only headers of the column to its right, above the first number there."""
    first = next((index for index, row in enumerate(rows) if NUMERIC.fullmatch(row[column + 1].text)), len(rows))
    filled = [index for index, row in enumerate(rows) if row[column]]
    if not filled or first == len(rows):
        return False
    return all(index < first and not rows[index][column + 1] for index in filled)


def is_table(cells: Cells, *, captioned: bool, ruled: bool = False) -> bool:
    """Return whether cells form a table: at least two rows and columns, and numbers, many columns, rules or a caption.

    Columns of prose are no table even with a caption, unless they are ``ruled`` or one of them has numbers. The labels
    of a chart are no table.
    """
    if len(cells) < 2 or len(cells[0]) < 2 or is_chart(cells):
        return False
    if ruled or any(map(_has_numbers, list(zip(*cells, strict=True))[1:])):
        return True
    filled = [cell.text for row in cells for cell in row if cell]
    prose = sum(len(cell) for cell in filled if len(cell) > LONG_TEXT)
    if prose > _PROSE_SHARE * sum(map(len, filled)):
        return False
    numeric = sum(bool(NUMERIC.fullmatch(cell)) for cell in filled)
    return captioned or len(cells[0]) > FEW_COLUMNS or numeric >= _DIGIT_SHARE * len(filled)


def _has_numbers(column: Sequence[TableCell]) -> bool:
    """Return whether at least three cells of a column, and most of those with text, are numbers."""
    filled = [cell.text for cell in column if cell]
    numbers = sum(bool(NUMERIC.fullmatch(text)) for text in filled)
    return numbers >= _FEW_ROWS and numbers >= _NUMBER_SHARE * len(filled) and 2 * len(filled) >= len(column)


def choose_finest_grid(pieces: Sequence[Line], *grids: Grid | None) -> Grid | None:
    """Choose the first of several grids, unless a later one separates its numbers clearly better."""
    best, most = None, 0.0
    for grid in grids:
        cells = [cell for row in assign_to_cells(grid, pieces) for cell in row] if grid else []
        numbers = sum(len(cell) == 1 and bool(NUMERIC.fullmatch(cell[0].text)) for cell in cells)
        if grid and (best is None or numbers > most * _CLEARLY_MORE):
            best, most = grid, numbers
    return best
