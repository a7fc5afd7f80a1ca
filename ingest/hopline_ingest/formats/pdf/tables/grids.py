"""Grids of tables: which of two to take, what stands in their cells, and what is a table at all. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hopline_ingest.formats.pdf.page_content import Line, Rect, around
from hopline_ingest.formats.pdf.text.lines import rows, same_row
from hopline_ingest.formats.pdf.text.paragraph_text import SOFT

Cells = tuple[tuple[str, ...], ...]
_BEFORE = re.compile(r"(?:US)?[$€£¥]$")
_AFTER = re.compile(r"[%)*†‡]+|\)\s*%|bps|x|pts?")
NUMERIC = re.compile(  # a cell that holds a number, a range, or says that there is none
    r"[\s$€£¥%()+\-−–—.,:/*†‡<>~=±\d]*\d[\s$€£¥%()+\-−–—.,:/*†‡<>~=±\d]*|[-−–—]|n/?[am]\.?",
    re.IGNORECASE,
)
_TALL = 4  # lines in a cell: many such cells are columns of prose, not cells
_TALL_SHARE = 0.15
_KEPT_LINES = 0.8
_DIGIT_SHARE = 0.25
_NARROW = 4  # columns
_FEW_ROWS = 3
_TITLE = 40  # characters
_CLEARLY = 1.2
_HEAD = 2  # rows that are never notes
_SENTENCE = 60  # characters; a cell that has more holds prose
_PROSE_SHARE = 0.6  # of a table's characters
_NOTE = re.compile(r"[*†‡§—#¹²³]|note\b|source\b|\(?[a-z0-9]\)\s|\d\s+[A-Z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grid:
    """Where rows and columns lie: sides in points, from the page's top left, in ascending order.

    ``columns`` has one number more than there are columns, ``rows`` one more than there are rows.
    """

    columns: tuple[float, ...]
    rows: tuple[float, ...]

    @property
    def rect(self) -> Rect:
        """The rectangle that it covers."""
        return self.columns[0], self.rows[0], self.columns[-1], self.rows[-1]


def better(stream: Grid | None, lattice: Grid | None, pieces: Sequence[Line]) -> Grid | None:
    """The grid to take of the one that gaps and the one that rules make.

    Rules win where they part the text about as finely as the gaps do: at least four fifths as
    many lines of text as the other has filled cells, and few cells of four lines or more.
    """
    if stream is None or lattice is None:
        return stream or lattice
    if len(lattice.rows) < 3 or len(lattice.columns) < 3:
        return stream
    ruled = [cell for row in placed(lattice, pieces) for cell in row if cell]
    loose = sum(bool(cell) for row in placed(stream, pieces) for cell in row)
    lines = sum(len(rows(cell)) for cell in ruled)
    tall = sum(len(rows(cell)) >= _TALL for cell in ruled)
    return lattice if lines >= _KEPT_LINES * loose and tall < _TALL_SHARE * len(ruled) else stream


def gap_grid(pieces: Sequence[Line]) -> Grid | None:
    """The grid of the gaps that run through all rows: where camelot has no text to go by, or fails.

    ``None`` where there is no gap between columns.
    """
    if not pieces:
        return None
    held = [around(line.rect for line in row) for row in same_row(pieces)]
    parted = sorted(line.rect for line in pieces if len(held) < _FEW_ROWS or not _spans(line, pieces))
    inner = []
    reach = parted[0][2]
    for rect in parted:
        if rect[0] > reach:
            inner.append((reach + rect[0]) / 2)
        reach = max(reach, rect[2])
    if not inner:
        return None
    whole = around(held)
    middles = [(above[3] + below[1]) / 2 for above, below in pairwise(held)]
    return Grid((whole[0], *inner, whole[2]), (whole[1], *middles, whole[3]))


def _spans(line: Line, pieces: Sequence[Line]) -> bool:
    """Whether a piece is a heading over several columns: two pieces of another row stand within its width."""
    x0, _, x1, _ = line.rect
    rows_within = same_row(other for other in pieces if x0 - 1 <= other.rect[0] and other.rect[2] <= x1 + 1)
    return any(len(row) > 1 for row in rows_within)


def placed(grid: Grid, pieces: Sequence[Line]) -> list[list[list[Line]]]:
    """The pieces of text in each cell, rows by columns: each where most of it stands."""
    cells: list[list[list[Line]]] = [[[] for _ in grid.columns[1:]] for _ in grid.rows[1:]]
    for piece in pieces:
        middle = (piece.rect[1] + piece.rect[3]) / 2
        row = max(0, min(len(cells) - 1, sum(side <= middle for side in grid.rows) - 1))
        shares = [min(piece.rect[2], right) - max(piece.rect[0], left) for left, right in pairwise(grid.columns)]
        cells[row][shares.index(max(shares))].append(piece)
    return cells


def cells_of(grid: Grid, pieces: Sequence[Line]) -> Cells:
    """The text of each cell; rows and columns without any are left out.

    Rows that overlap in height are one, as a subscript's is with the row above, and so are the
    lines of a cell that is broken over several.
    """
    merged: list[list[list[Line]]] = []
    for row in placed(grid, pieces):
        if merged and _overlapping(merged[-1], row):
            merged[-1] = [above + below for above, below in zip(merged[-1], row, strict=True)]
        else:
            merged.append(row)
    return tidied(_unbroken([[_text(cell) for cell in row] for row in merged]))


def _overlapping(above: Sequence[Sequence[Line]], row: Sequence[Sequence[Line]]) -> bool:
    """Whether a row reaches into the one above by more than lines of text do."""
    upper = [line.rect for cell in above for line in cell]
    lower = [line.rect for cell in row for line in cell]
    if not upper or not lower:
        return False
    overlap = max(rect[3] for rect in upper) - min(rect[1] for rect in lower)
    return overlap > 0.3 * min(rect[3] - rect[1] for rect in lower)


def _unbroken(texts: list[list[str]]) -> list[list[str]]:
    """Rows that only carry on the cells above joined to them."""
    found: list[list[str]] = []
    for row in texts:
        if found and _carries_on(found[-1], row):
            found[-1] = [_joined(above, below) for above, below in zip(found[-1], row, strict=True)]
        else:
            found.append(row)
    return found


def _carries_on(above: Sequence[str], row: Sequence[str]) -> bool:
    filled = [(up, down) for up, down in zip(above, row, strict=True) if down]
    if not filled:
        return False
    if all(up and not NUMERIC.fullmatch(down) and _continues(up, down) for up, down in filled):
        return True
    label_only = bool(above[0]) and not any(above[1:]) and not above[0].endswith((":", "."))
    return label_only and row[0][:1].islower()


def _continues(above: str, below: str) -> bool:
    if _NOTE.match(below):
        return False
    return above.endswith((SOFT, "-")) or below[0].islower() or below[0] in "(&"


def _joined(above: str, below: str) -> str:
    if above.endswith(SOFT):
        return above[:-1] + below
    return f"{above} {below}".strip()


def _text(pieces: Sequence[Line]) -> str:
    text = ""
    for line in rows(pieces):
        text = _joined(text, line.text)
    return text.strip()


def tidied(texts: Sequence[Sequence[str]]) -> Cells:
    """A table without empty rows and columns, and without columns of mere "$", ")" or "%".

    Such a mark goes to the number that it belongs to; a heading that stands over its mark's column
    goes with it.
    """
    kept = [_marked([text.replace(SOFT, "-") for text in row]) for row in texts if any(row)]
    if not kept:
        return ()
    for column in range(len(kept[0]) - 2, 0, -1):
        if _only_heads(kept, column):
            for row in kept:
                row[column + 1] = row[column + 1] or row[column]
                row[column] = ""
    full = [column for column in range(len(kept[0])) if any(row[column] for row in kept)]
    return tuple(tuple(row[column] for column in full) for row in kept)


def _marked(row: list[str]) -> list[str]:
    """A row with each "$" before its number and each ")" or "%" after it."""
    for column in range(len(row) - 1):
        mark = _BEFORE.search(row[column])
        following = next((other for other in range(column + 1, min(column + 3, len(row))) if row[other]), 0)
        if not following:
            continue
        if mark and NUMERIC.fullmatch(row[following]):
            row[column], row[following] = row[column][: mark.start()].rstrip(), mark[0] + row[following]
        elif NUMERIC.fullmatch(row[column]) and _AFTER.fullmatch(row[following]):
            row[column], row[following] = row[column] + row[following], ""
    return row


def _only_heads(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column has but headings of the one to its right, above where that one's numbers begin."""
    first = next((index for index, row in enumerate(rows) if NUMERIC.fullmatch(row[column + 1])), len(rows))
    filled = [index for index, row in enumerate(rows) if row[column]]
    if not filled or first == len(rows):
        return False
    return all(index < first and not rows[index][column + 1] for index in filled)


def markdown(cells: Cells) -> str:
    """A table in Markdown, its first row as the head."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in cells]
    lines[1:1] = ["|" + " --- |" * len(cells[0])] if cells else []
    return "\n".join(lines)


def is_table(cells: Cells, *, captioned: bool) -> bool:
    """Whether cells make a table: at least two rows and columns; numbers, many columns or a caption.

    Columns of prose are none, whatever names them.
    """
    if len(cells) < 2 or len(cells[0]) < 2:
        return False
    filled = [cell for row in cells for cell in row if cell]
    prose = sum(len(cell) for cell in filled if len(cell) > _SENTENCE)
    if prose > _PROSE_SHARE * sum(map(len, filled)):
        return False
    numeric = sum(bool(NUMERIC.fullmatch(cell)) for cell in filled)
    return captioned or len(cells[0]) > _NARROW or numeric >= _DIGIT_SHARE * len(filled)


def proper(grid: Grid, pieces: Sequence[Line]) -> list[Line]:
    """The pieces of the table proper, without titles in its first rows and notes in its last.

    A title is a long row of one piece. Notes are rows with text in one cell alone, from the first
    that is long or has a note's mark.
    """
    cells = placed(grid, pieces)
    texts = ["".join(_text(cell) for cell in row) for row in cells]
    first, last = 0, len(cells)
    while first < len(cells) - _HEAD and sum(map(len, cells[first])) <= 1 and _is_title(texts[first]):
        first += 1
    while last > first + _HEAD and sum(map(bool, cells[last - 1])) <= 1:
        last -= 1
    while last < len(cells) and not _is_note(texts[last]):
        last += 1
    return [piece for row in cells[first:last] for cell in row for piece in cell]


def _is_title(text: str) -> bool:
    return not text or len(text) > _TITLE


def _is_note(text: str) -> bool:
    return len(text) > _SENTENCE or bool(_NOTE.match(text))


def finest(pieces: Sequence[Line], *grids: Grid | None) -> Grid | None:
    """The first of several grids, unless a later one parts its numbers clearly better."""
    best, most = None, 0.0
    for grid in grids:
        numbers = sum(bool(NUMERIC.fullmatch(cell)) for row in cells_of(grid, pieces) for cell in row) if grid else 0
        if grid and (best is None or numbers > most * _CLEARLY):
            best, most = grid, numbers
    return best
