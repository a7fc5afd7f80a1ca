"""Tables of a sheet: which cells belong together, and what is a title, a header, a group label or a note.

Empty rows and columns separate blocks of cells. Blocks that share rows or columns are one table if the empty row or
column is there for looks: columns without labels of their own belong to the labels on their left, and rows without a
header of their own to the header above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hopline.tables.structure import INDENT, count_header_rows
from hopline_ingest.formats.spreadsheets.sheets import GridSheet, MergedRange, SheetCell

MAX_GAP: Final = 3  # empty rows or columns within a table
MAX_HEADER_ROWS: Final = 4
MAX_TITLE: Final = 300  # characters; a longer text above a table is no title
MIN_NOTE: Final = 40  # characters of a text alone in a row at the end of a table
_EMPTY: Final = SheetCell("")

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table of a sheet: its title, its rows, those of the header first, and the texts below it.

    Texts that belong to no table are one without rows.
    """

    title: str
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Block:
    """A rectangle of a sheet, by its first and last row and column."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    def unite(self, other: _Block) -> None:
        self.top, self.left = min(self.top, other.top), min(self.left, other.left)
        self.bottom, self.right = max(self.bottom, other.bottom), max(self.right, other.right)


def find_tables(sheet: GridSheet) -> list[SheetTable]:
    """Find the tables of a sheet, from top to bottom."""
    filled = _SheetCells(sheet)
    tables: dict[int, _Block] = {}  # by identity, in the order in which they end
    near: list[_Block] = []  # the last of the tables, to which rows can still belong
    for band in _split_bands(filled):
        top = min(block.top for block in band)
        near = [table for table in near if table.bottom >= top - MAX_GAP - 1]
        for block in _join_columns(filled, band):
            candidates = near
            while above := next(
                (table for table in reversed(candidates) if _belongs_below(filled, table, block)), None
            ):
                del tables[id(above)]
                block.unite(above)
                candidates = [*tables.values()]  # it may begin far above now
            near = [table for table in near if id(table) in tables]
            near.append(block)
            tables[id(block)] = block
    return [_build_table(filled, block) for block in _unite_overlapping([*tables.values()])]


class _SheetCells:
    """The cells of a sheet by row; merged cells are filled with their text."""

    def __init__(self, sheet: GridSheet) -> None:
        self.rows: dict[int, dict[int, SheetCell]] = {}
        self.merged: dict[tuple[int, int], MergedRange] = {}
        for (row, column), cell in sheet.cells.items():
            self.rows.setdefault(row, {})[column] = cell
        for area in sheet.merged:
            filled = sheet.cells.get((area.top, area.left))
            if filled is None:
                continue
            for row in range(area.top, area.bottom + 1):
                for column in range(area.left, area.right + 1):
                    self.rows.setdefault(row, {})[column] = filled
                    self.merged[row, column] = area

    def list_row(self, row: int, left: int, right: int) -> list[SheetCell]:
        """Return the cells of a row from one column to another, `_EMPTY` for those without a text."""
        cells = self.rows.get(row, {})
        return [cells.get(column, _EMPTY) for column in range(left, right + 1)]

    def count_texts(self, row: int, left: int, right: int) -> int:
        """Return how many cells of a row have a text; a merged cell counts once."""
        seen = {self.merged.get((row, column), column) for column in self.rows.get(row, {}) if left <= column <= right}
        return len(seen)

    def has_values(self, block: _Block) -> bool:
        """Return whether a cell of the block has a value."""
        rows = (self.list_row(row, block.left, block.right) for row in range(block.top, block.bottom + 1))
        return any(cell.is_value for row in rows for cell in row)


def _split_bands(cells: _SheetCells) -> Iterator[list[_Block]]:
    """Yield, for each run of rows without an empty one, its blocks: runs of columns without an empty one."""
    rows = sorted(cells.rows)
    first = 0
    for number in range(1, len(rows) + 1):
        if number < len(rows) and rows[number] == rows[number - 1] + 1:
            continue
        band = rows[first:number]
        columns = sorted({column for row in band for column in cells.rows[row]})
        yield [_trim(cells, _Block(band[0], run[0], band[-1], run[-1])) for run in _list_runs(columns)]
        first = number


def _list_runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Yield the runs of consecutive numbers."""
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _trim(cells: _SheetCells, block: _Block) -> _Block:
    """Return a block without empty rows at its top and bottom."""
    rows = [
        row
        for row in range(block.top, block.bottom + 1)
        if any(block.left <= column <= block.right for column in cells.rows.get(row, {}))
    ]
    return _Block(rows[0], block.left, rows[-1], block.right)


def _join_columns(cells: _SheetCells, blocks: Sequence[_Block]) -> list[_Block]:
    """Join blocks beside each other unless the right one has labels of its own."""
    united: list[_Block] = []
    for block in blocks:
        is_near = bool(united) and block.left - united[-1].right <= MAX_GAP + 1
        is_separate = is_near and united[-1].width > 1 and _has_own_labels(cells, block)  # one column may number rows
        if is_near and not is_separate and _share_rows(united[-1], block):
            united[-1].unite(block)
        else:
            united.append(block)
    return united


def _share_rows(left: _Block, right: _Block) -> bool:
    """Return whether a block is beside another one, and not longer below."""
    return right.top <= left.bottom and left.top <= right.bottom and right.bottom <= left.bottom + 1


def _has_own_labels(cells: _SheetCells, block: _Block) -> bool:
    """Return whether the first column of a block names its rows: texts beside values, in most of several rows."""
    if block.width < 2:
        return False
    rows = [cells.list_row(row, block.left, block.right) for row in range(block.top, block.bottom + 1)]
    labelled = [row[0].text and not row[0].is_value and any(cell.text for cell in row[1:]) for row in rows]
    with_values = [row for row in rows if any(cell.is_value for cell in row)]
    if not with_values:
        return len(rows) > 1 and sum(map(bool, labelled)) > len(rows) / 2
    return sum(bool(row[0].text) and not row[0].is_value for row in with_values) > len(with_values) / 2


def _belongs_below(cells: _SheetCells, table: _Block, block: _Block) -> bool:
    """Return whether a block continues a table above it: it has no header of its own, or the table only has one."""
    gap = block.top - table.bottom - 1
    shares_columns = block.left <= table.right and table.left <= block.right
    if not 0 <= gap <= MAX_GAP or not shares_columns:
        return False
    if not cells.has_values(table):
        return _is_header_above(cells, table, block)
    row = cells.rows[block.top]
    columns = [column for column in row if block.left <= column <= block.right]
    if not table.left <= min(columns) or max(columns) > table.right:
        return False
    values = [column for column in columns if row[column].is_value]
    own = [column for column in values if any(cells.rows.get(n, {}).get(column, _EMPTY).is_value for n in _last(table))]
    return bool(own) and len(own) == len(values) and not row[block.left].is_value


def _last(table: _Block) -> range:
    """Return the numbers of the last rows of a table, in which values are compared with those below it."""
    return range(max(table.top, table.bottom - MAX_HEADER_ROWS), table.bottom + 1)


def _is_header_above(cells: _SheetCells, table: _Block, block: _Block) -> bool:
    """Return whether a block without values is the title or header of the block below."""
    counts = [cells.count_texts(row, table.left, table.right) for row in range(table.top, table.bottom + 1)]
    if sum(count > 1 for count in counts) > MAX_HEADER_ROWS or (max(counts) < 2 and block.width == 1):
        return False
    if cells.has_values(block):
        first = cells.list_row(block.top, block.left, block.right)
        return max(counts) < 2 or any(cell.is_value for cell in first)
    is_single_row = max(counts) > 1 and counts[-1] == max(counts)
    return max(counts) < 2 or (is_single_row and (table.left, table.right) == (block.left, block.right))


def _overlap(block: _Block, other: _Block) -> bool:
    return (
        block.left <= other.right
        and other.left <= block.right
        and block.top <= other.bottom
        and other.top <= block.bottom
    )


def _have_overlap(blocks: Sequence[_Block]) -> bool:
    """Return whether two blocks overlap; each is compared with those that reach its first row."""
    reaching: list[_Block] = []
    for block in sorted(blocks, key=lambda block: block.top):
        reaching = [other for other in reaching if other.bottom >= block.top]
        if any(_overlap(block, other) for other in reaching):
            return True
        reaching.append(block)
    return False


def _unite_overlapping(blocks: list[_Block]) -> list[_Block]:
    """Unite blocks of which one covers cells of another, since it has grown."""
    if not _have_overlap(blocks):
        return blocks
    united: list[_Block] = []
    for block in blocks:
        for other in united:
            if _overlap(block, other):
                other.unite(block)
                break
        else:
            united.append(block)
    return _unite_overlapping(united)


def _build_table(cells: _SheetCells, block: _Block) -> SheetTable:
    """Build the table of a block: without empty rows and columns, with titles above and notes below apart."""
    numbers = [row for row in range(block.top, block.bottom + 1) if any(c.text for c in _get_row(cells, block, row))]
    singles = [_get_single_text(cells, block, row) for row in numbers]
    if all(singles) and (len(singles) == 1 or sum(map(len, singles)) >= MIN_NOTE * len(singles)):
        return SheetTable("", (), tuple(singles))
    titles = _list_titles(cells, block, numbers)
    notes = _list_notes(cells, block, numbers[len(titles) :])
    numbers = numbers[len(titles) : len(numbers) - len(notes)]
    columns = [column for column in range(block.left, block.right + 1) if _has_own_text(cells, numbers, column)]
    rows = []
    for row in numbers:
        texts = [cells.rows.get(row, {}).get(column, _EMPTY).text for column in columns]
        area = cells.merged.get((row, columns[0]))
        if len(columns) > 1 and area and area.left <= columns[0] and area.right >= columns[-1]:
            texts = [texts[0], *[""] * (len(texts) - 1)]  # over the whole table: the label of the rows below
        rows.append(texts)
    _fill_headers(rows)
    _indent_labels(rows, [cells.rows.get(row, {}).get(columns[0], _EMPTY) for row in numbers] if columns else [])
    return SheetTable(", ".join(titles), tuple(map(tuple, rows)), tuple(notes))


def _indent_labels(rows: list[list[str]], cells: Sequence[SheetCell]) -> None:
    """Put as many `INDENT` before each label below the header as its indentation has levels."""
    first = count_header_rows(rows)
    levels = sorted({cell.indent for cell in cells[first:] if cell.text})
    for row, cell in zip(rows[first:], cells[first:], strict=True):
        if cell.text and row[0]:
            row[0] = INDENT * levels.index(cell.indent) + row[0]


def _fill_headers(rows: list[list[str]]) -> None:
    """Repeat the headers of several columns that are not merged: above columns with a header of their own each."""
    first = count_header_rows(rows)
    for number, (row, below) in enumerate(pairwise(rows[:first])):
        for column in range(2, len(row)):
            is_under = not row[column] and row[column - 1] and below[column] and below[column - 1]
            if is_under and not any(above[column] for above in rows[:number]):
                row[column] = row[column - 1]


def _has_own_text(cells: _SheetCells, rows: Sequence[int], column: int) -> bool:
    """Return whether a column has a text that is not of a merged cell which begins on its left."""
    for row in rows:
        area = cells.merged.get((row, column))
        if cells.rows.get(row, {}).get(column, _EMPTY).text and (area is None or area.left == column):
            return True
    return False


def _get_row(cells: _SheetCells, block: _Block, row: int) -> list[SheetCell]:
    return cells.list_row(row, block.left, block.right)


def _get_single_text(cells: _SheetCells, block: _Block, row: int) -> str:
    """Return the text of a row that has a single cell, of several columns or merged, "" for other rows."""
    if cells.count_texts(row, block.left, block.right) != 1:
        return ""
    cell = next(cell for cell in _get_row(cells, block, row) if cell.text)
    return "" if cell.is_value else cell.text


def _list_titles(cells: _SheetCells, block: _Block, numbers: Sequence[int]) -> list[str]:
    """Return the texts alone in their rows above the first row with several; none if there is no such row."""
    titles: list[str] = []
    for row in numbers:
        text = _get_single_text(cells, block, row)
        if not text or len(text) > MAX_TITLE:
            break
        titles.append(text)
    return titles if len(titles) < len(numbers) else []


def _list_notes(cells: _SheetCells, block: _Block, numbers: Sequence[int]) -> list[str]:
    """Return the texts alone in their rows at the end of a table, below an empty row or as long as a sentence."""
    notes: list[str] = []
    for before, row in list(pairwise(numbers))[::-1]:
        text = _get_single_text(cells, block, row)
        if not text or not (row > before + 1 or len(text) >= MIN_NOTE or notes):
            break
        notes.insert(0, text)
        if row > before + 1 and not _get_single_text(cells, block, before):
            break
    return notes
