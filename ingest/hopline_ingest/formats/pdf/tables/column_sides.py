"""Sides between the columns of a grid: needless ones are removed, others moved, and pieces split at them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from hopline.tables.structure import count_header_rows
from hopline_ingest.formats.pdf.page_content import Line, bounding_rect
from hopline_ingest.formats.pdf.tables.grids import (
    NUMERIC,
    SAME_SIDE,
    YEAR,
    Grid,
    assign_to_cells,
    find_column,
    has_figures,
    join_cell_text,
)
from hopline_ingest.formats.pdf.text.lines import cut_line, group_rows

WORD_GAP = 1.8  # in font sizes, between the words of a justified header
_WIDE_BLANK = 1.25  # of the widest other blank
_WORD_BLANK = 0.33  # in font sizes, the blank between two words of a sentence
_EQUAL = 1.05  # ratio of the widths of the characters of a typewriter font
_TYPED_BLANK = 1.5  # of the width of a character


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
    first = next((n for n, row in enumerate(rows) if len(row) > 1 and has_figures(row)), len(rows))
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
        find_column(grid.columns, min(piece.lefts[start:end]), max(piece.rights[start:end]))
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
    return any(min(rect[2], header.rect[2]) - max(rect[0], header.rect[0]) > SAME_SIDE for rect in beside)
