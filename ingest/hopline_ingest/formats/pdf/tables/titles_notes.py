"""Titles above the cells of a table and notes below them, which are within its area but no rows of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import inf

from hopline.tables.structure import is_in_brackets
from hopline_ingest.formats.pdf.page_content import Line, Rect, bounding_rect
from hopline_ingest.formats.pdf.tables.column_sides import WORD_GAP
from hopline_ingest.formats.pdf.tables.grids import (
    FEW_COLUMNS,
    LONG_TEXT,
    NOTE,
    NUMERIC,
    Grid,
    assign_to_cells,
    join_cell_text,
)
from hopline_ingest.formats.pdf.tables.rules import COLUMN_GAP, join_rules
from hopline_ingest.formats.pdf.text.lines import group_rows

_LONG_TITLE = 40  # characters
_MIN_ROWS = 2  # rows that are never titles or notes
_SENTENCE_WORDS = 5  # pieces of a row
_LONG_ROW = 0.35  # of the width of a table
_NOTE_MARK = re.compile(r"[a-z\d*†‡§][.)]?(?:\s|$)")
_RULE_REACH = 4.0  # points by which a rule may be within a row, or end beside the table
_WHOLE_WIDTH = 0.95  # of a table, at least
_OFF_CENTRE = 0.15  # of the width of a rule, at most from its middle to that of the header above it
_BOX_HEIGHT = 2.0  # of the height of a text, at most from the rule above it to its middle


def drop_closing_sentences(pieces: Sequence[Line]) -> list[Line]:
    """Remove the last rows whose pieces are words of a sentence, such as a justified note, with narrow gaps.

    Raised characters of such a row, which group into a row of their own, are removed with it.
    """
    rows = group_rows(pieces)
    top = inf
    while rows and (_is_sentence(rows[-1], pieces) or min(line.rect[3] for line in rows[-1]) > top):
        top = min(line.rect[1] for line in rows.pop())
    return [line for row in rows for line in row]


def _is_sentence(row: Sequence[Line], pieces: Sequence[Line]) -> bool:
    x0, _, x1, _ = bounding_rect(line.rect for line in pieces)
    across = sorted(row, key=lambda line: line.rect[0])
    if len(row) < _SENTENCE_WORDS or across[-1].rect[2] - across[0].rect[0] < _LONG_ROW * (x1 - x0):
        return False
    gap = max(after.rect[0] - before.rect[2] for before, after in pairwise(across))
    numbers = sum(bool(NUMERIC.fullmatch(line.text)) for line in row)
    return gap <= WORD_GAP * max(line.size for line in row) and 2 * numbers <= len(row)


def trim_titles_and_notes(grid: Grid, pieces: Sequence[Line], rules: Sequence[Rect] = ()) -> list[Line]:
    """Remove titles in the first rows and notes in the last rows of a table.

    A title is a row of one piece that is long, in brackets, or apart from the headers by one of the ``rules``. Notes
    are rows with text in a single cell, from the first that is long or has the mark of a note; in a table of many
    columns, also rows of a mark and a long text.
    """
    cells = assign_to_cells(grid, pieces)
    texts = ["".join(join_cell_text(cell) for cell in row) for row in cells]
    whole = join_rules(rules, gap=COLUMN_GAP)
    first, last = 0, len(cells)
    while first < len(cells) - _MIN_ROWS and sum(map(len, cells[first])) <= 1:
        is_apart = texts[first] and any(cells[first + 1]) and _is_parted(first, cells, whole)
        if not (is_title(texts[first]) or is_apart):
            break
        first += 1
    while last > first + _MIN_ROWS and _may_be_note(cells[last - 1]):
        last -= 1
    while last < len(cells) and not _is_note(texts[last]):
        last += 1
    return [piece for row in cells[first:last] for cell in row for piece in cell]


def _is_parted(number: int, cells: Sequence[Sequence[Sequence[Line]]], rules: Sequence[Rect]) -> bool:
    """Return whether a rule parts the only text of a row from the rows below it.

    A rule over the whole table does, except for a header of the columns that is between two such rules. One over the
    columns does if the text is neither above its middle nor begins with it, as the header of these columns would.
    """
    [text] = [line for cell in cells[number] for line in cell]
    left, _, right, _ = bounding_rect(line.rect for row in cells for cell in row for line in cell)
    bottom = min(line.rect[3] for cell in cells[number + 1] for line in cell)
    for rule in rules:
        is_below = text.rect[3] - _RULE_REACH <= rule[1] < bottom - _RULE_REACH
        if not is_below or rule[2] < right - _RULE_REACH:
            continue
        width = rule[2] - rule[0]
        if width >= _WHOLE_WIDTH * (right - left):
            return bool(cells[number][0]) or not any(_is_over(text, rule, other) for other in rules)
        is_aligned = abs(text.rect[0] + text.rect[2] - rule[0] - rule[2]) / 2 <= _OFF_CENTRE * width
        if rule[0] > left and not is_aligned and abs(text.rect[0] - rule[0]) > _RULE_REACH:
            return True
    return False


def _is_over(text: Line, below: Rect, rule: Rect) -> bool:
    """Return whether a rule is close above a text and as wide as the one below it."""
    height = text.rect[3] - text.rect[1]
    is_close = 0 < (text.rect[1] + text.rect[3]) / 2 - rule[3] <= _BOX_HEIGHT * height
    return is_close and rule[2] - rule[0] >= _WHOLE_WIDTH * (below[2] - below[0])


def _may_be_note(row: Sequence[Sequence[Line]]) -> bool:
    filled = [join_cell_text(cell) for cell in row if cell]
    is_marked = len(filled) == 2 and bool(_NOTE_MARK.match(filled[0])) and len(filled[1]) > LONG_TEXT
    return len(filled) <= 1 or (len(row) >= FEW_COLUMNS and is_marked)


def is_title(text: str) -> bool:
    """Return whether the only text of the first row of a table is its title or unit and no header, or empty."""
    return not text or len(text) > _LONG_TITLE or is_in_brackets(text)


def _is_note(text: str) -> bool:
    return len(text) > LONG_TEXT or bool(NOTE.match(text))
