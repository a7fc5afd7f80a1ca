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
from hopline_ingest.formats.pdf.text.lines import cut_line, group_rows, join_rows, mark_superscripts
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
_SAME_SIDE = 3.0  # points between the left sides of texts of one column
WORD_GAP = 1.8  # in font sizes, between the words of a justified header
_WIDE_BLANK = 1.25  # of the widest other blank
_WORD_BLANK = 0.33  # in font sizes, the blank between two words of a sentence
_EQUAL = 1.05  # ratio of the widths of the characters of a typewriter font
_TYPED_BLANK = 1.5  # of the width of a character
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
    figures = [number for number, row in enumerate(rows) if len(row) > 1 and _has_figures(row)]
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


def _has_figures(row: Sequence[Line]) -> bool:
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
    pairs = [[(piece, _find_column(grid.columns, piece.rect[0], piece.rect[2])) for piece in row] for row in rows]
    labels = [piece.rect[0] for row in pairs if len(row) > 1 for piece, column in row if column == 0]
    cells: list[list[list[Line]]] = []
    for row in pairs:
        cells.append([[] for _ in grid.columns[1:]])
        for piece, column in row:
            is_label = len(row) == 1 and bool(labels) and piece.rect[0] <= min(labels) + _SAME_SIDE
            cells[-1][0 if is_label else column].append(piece)
    return cells


def _find_column(columns: Sequence[float], x0: float, x1: float) -> int:
    """Return the number of the column that contains the largest part of a range, the first of equal ones."""
    last = len(columns) - 2
    first = max(0, min(last, bisect_left(columns, x0) - 1))
    end = max(first, min(last, bisect_left(columns, x1) - 1))
    parts = [min(x1, columns[n + 1]) - max(x0, columns[n]) for n in range(first, end + 1)]
    return first + parts.index(max(parts))


def join_header_columns(grid: Grid, pieces: Sequence[Line]) -> Grid:
    """Join columns that contain only parts of a header with the nearest adjacent column.

    The blanks of a justified header, and headers of several columns, create columns without numbers. An empty column
    with its own header, apart from the adjacent ones, stays.
    """
    columns = list(grid.columns)
    while len(columns) > 3:
        current = Grid(tuple(columns), grid.rows)
        rows = assign_to_cells(current, pieces)
        header_rows = _count_header_rows(rows)
        column = next((n for n in range(len(columns) - 1) if _is_part_of_header(rows, n, header_rows)), None)
        if column is None:
            return current
        column_rect = bounding_rect(line.rect for row in rows for line in row[column])
        gaps = []
        for side in (column - 1, column + 1):
            beside = [line.rect for row in rows for line in row[side]] if 0 <= side < len(columns) - 1 else []
            gaps.append(min((max(rect[0] - column_rect[2], column_rect[0] - rect[2]) for rect in beside), default=inf))
        del columns[column if gaps[0] <= gaps[1] else column + 1]
    return Grid(tuple(columns), grid.rows)


def _count_header_rows(rows: Sequence[Sequence[Sequence[Line]]]) -> int:
    return max(1, count_header_rows([[join_cell_text(cell) for cell in row] for row in rows]))


def move_column_sides(grid: Grid, pieces: Sequence[Line]) -> Grid:
    """Move each side between two columns to where it cuts the fewest pieces, between the numbers on its left and right.

    Ties are resolved by the widest gap, of which the side is the middle.
    """
    columns = list(grid.columns)
    for number in range(1, len(columns) - 1):
        rows = assign_to_cells(Grid(tuple(columns), grid.rows), pieces)
        body = rows[_count_header_rows(rows) :]
        left = max((line.rect[2] for row in body for line in row[number - 1]), default=inf)
        right = min((line.rect[0] for row in body for line in row[number]), default=-inf)
        if not columns[number - 1] < left < right < columns[number + 1]:
            continue
        edges = {left, right, *(side for line in pieces for side in line.rect[::2] if left < side < right)}
        choices = []
        for low, high in pairwise(sorted(edges)):
            middle = (low + high) / 2
            choices.append((sum(line.rect[0] < middle < line.rect[2] for line in pieces), low - high, middle))
        cut = sum(line.rect[0] < columns[number] < line.rect[2] for line in pieces)
        fewest, _, middle = min(choices)
        if fewest < cut:
            columns[number] = middle
    return Grid(tuple(columns), grid.rows)


def split_at_column_sides(grid: Grid, pieces: Sequence[Line]) -> list[Line]:
    """Split pieces that contain the texts of several cells, because the gaps between these are narrow.

    These are numbers, several texts of which each but the first begins with one, and texts with a blank between the
    words of each two columns that is wider than their other blanks. The blanks of a header of several columns are
    equally wide. The label of a group, alone in its row below a row of numbers, is not split.
    """
    parts: list[Line] = []
    rows = group_rows(pieces)
    first = next((n for n, row in enumerate(rows) if len(row) > 1 and _has_figures(row)), len(rows))
    labels = [row[0] for row in rows[first:] if len(row) == 1 and not any(map(NUMERIC.fullmatch, row[0].text.split()))]
    for piece in pieces:
        if any(piece is label for label in labels):
            parts.append(piece)
            continue
        blanks = _find_column_blanks(grid, piece)
        if not blanks or piece.turn or not _separates_cells(piece, blanks):
            parts.append(piece)
            continue
        for before, after in pairwise([-1, *blanks, len(piece.text)]):
            parts.append(cut_line(piece, before + 1, after))
    return parts


def _find_column_blanks(grid: Grid, piece: Line) -> list[int]:
    """Return the positions of the blanks of a piece between words of different columns."""
    if not any(piece.rect[0] < side < piece.rect[2] for side in grid.columns[1:-1]):
        return []
    blanks = [position for position, character in enumerate(piece.text) if character == " "]
    columns = [
        _find_column(grid.columns, min(piece.lefts[start:end]), max(piece.rights[start:end]))
        for start, end in pairwise([0, *blanks, len(piece.text)])
    ]
    return [blank for blank, (before, after) in zip(blanks, pairwise(columns), strict=True) if before != after]


def _separates_cells(piece: Line, positions: Sequence[int]) -> bool:
    """Return whether the blanks at these positions of a piece are between cells."""
    gaps = {n: piece.lefts[n + 1] - piece.rights[n - 1] for n, character in enumerate(piece.text) if character == " "}
    narrowest = min(gaps[position] for position in positions)
    following = [piece.text[position + 1 :].split(" ")[0] for position in positions]
    if len(following) > 1 and all(NUMERIC.fullmatch(word) and not YEAR.fullmatch(word) for word in following):
        return True
    others = [gap for position, gap in gaps.items() if position not in positions]
    if others:
        return narrowest > _WIDE_BLANK * max(others)
    return narrowest > _measure_word_blank(piece) or all(NUMERIC.fullmatch(word) for word in piece.text.split(" "))


def _measure_word_blank(piece: Line) -> float:
    """Return the widest blank between two words of a sentence; in a typewriter font it is as wide as a letter."""
    widths = sorted(right - left for left, right in zip(piece.lefts, piece.rights, strict=True))
    is_typewritten = widths[-1] <= _EQUAL * widths[0]
    return _TYPED_BLANK * widths[-1] if is_typewritten else _WORD_BLANK * piece.size


def _is_part_of_header(rows: Sequence[Sequence[Sequence[Line]]], column: int, header_rows: int) -> bool:
    """Return whether a column has text only in header rows, close to the adjacent text or alone in its row.

    Below the header, any but the first column may have texts that are alone in their row, as the labels of groups.
    """
    body = rows[header_rows:]
    if not any(row[column] for row in rows):
        return False
    if any(row[column] and (column == 0 or sum(map(len, row)) > 1) for row in body):
        return False
    if any(NUMERIC.fullmatch(line.text) for row in body for line in row[column]):
        return False
    for row in rows[:header_rows]:
        for line in row[column]:
            others = [other.rect for n, cell in enumerate(row) for other in cell if n != column]
            gap = min((max(rect[0] - line.rect[2], line.rect[0] - rect[2]) for rect in others), default=0.0)
            if gap > WORD_GAP * line.size and not _is_over_texts(line, body, column):
                return False
    return True


def _is_over_texts(header: Line, body: Sequence[Sequence[Sequence[Line]]], column: int) -> bool:
    """Return whether a header is partly over texts of an adjacent column of the body."""
    beside = [line.rect for row in body for n in (column - 1, column + 1) if 0 <= n < len(row) for line in row[n]]
    return any(min(rect[2], header.rect[2]) - max(rect[0], header.rect[0]) > _SAME_SIDE for rect in beside)


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
