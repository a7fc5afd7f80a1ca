"""A table with the rows, columns and values that questions are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Final, Literal

from hopline.tables.grid import Cell, TableGrid, TableRow, has_value
from hopline.tables.structure import ColumnStructure
from hopline.text.values import find_date, find_date_order, find_leading_number
from hopline.text.words import normalize_word, stem

ColumnKind = Literal["number", "date", "text"]

MIN_TYPED: Final = 0.7  # share of the cells with a value of a column that have its kind
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "0123456789" * 2)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’]s)?|\d[\d,]*(?:\.\d+)?")


@lru_cache(maxsize=20_000)
def split_words(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text and its numbers without separators, in order.

    "many" is not shortened to the stem of "men".
    """
    return tuple(word if word[0].isdigit() or word == "many" else stem(word) for word in list_words(text))


def list_words(text: str) -> tuple[str, ...]:
    """Return the words of a text without accents and case, and its numbers without separators, in order."""
    return tuple(word for word, _, _ in locate_words(text))


def locate_words(text: str) -> list[tuple[str, int, int]]:
    """Return the words as `list_words` does, each with its span in the text; raised and lowered digits are digits."""
    return [
        (match[0].replace(",", "") if match[0][0].isdigit() else normalize_word(match[0]), *match.span())
        for match in _WORD.finditer(text.translate(_RAISED))
    ]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, the stems of the header, the kind of its values, and a key that orders each row.

    ``path`` has the texts of its header; ``unit`` and ``scale`` are those that it states, "" if none. The key is the
    amount of a number, or the first day of a date (`hopline.text.values.DayInterval`).
    """

    index: int
    header: str
    words: frozenset[str]
    kind: ColumnKind
    keys: tuple[Decimal | None, ...]
    path: tuple[str, ...] = ()
    unit: str = ""
    scale: str = ""


@dataclass(frozen=True)
class TypedTable:
    """Rows of cells, all of the same length, without the rows of groups; totals are marked.

    A label that stands once for several rows is in each of them. The last column, with an empty header, has the other
    labels of the path of each row, if the table has such labels.
    """

    rows: tuple[TableRow, ...]
    columns: tuple[Column, ...]
    totals: frozenset[int]

    @cached_property
    def items(self) -> tuple[int, ...]:
        """The indices of the rows that are not totals."""
        return tuple(n for n in range(len(self.rows)) if n not in self.totals)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all headers and cells."""
        texts = [column.header for column in self.columns]
        texts += [cell.text for row in self.rows for cell in row.cells]
        return frozenset(word for text in texts for word in split_words(text))

    @cached_property
    def label_columns(self) -> int:
        """The number of the first columns, which have the labels of the rows."""
        return max((len(row.labels) for row in self.rows), default=0)

    @cached_property
    def numeric_columns(self) -> tuple[Column, ...]:
        """The columns of numbers right of the labels."""
        return tuple(column for column in self.columns[self.label_columns :] if column.kind == "number")

    def get_path(self, row: int) -> tuple[str, ...]:
        """Return the labels of a row, the outermost first."""
        return tuple(cell.text for cell in (*self.rows[row].outer, *self.rows[row].labels))

    def get_text(self, row: int, column: int) -> str:
        """Return the text of a cell."""
        return self.rows[row].cells[column].text


def build_typed_table(table: TableGrid) -> TypedTable:
    """Build the rows and columns of a parsed table."""
    width = max((len(row.cells) for row in (*table.head, *table.body)), default=0)
    rows, outer = [], []
    for row in table.list_data_rows():
        cells = (*row.labels, *row.cells[len(row.labels) :])
        padding = (Cell("", row.end, row.end),) * (width - len(cells))
        rows.append(replace(row, cells=(*cells, *padding)))
        outer.append(_unite_cells(row.outer))
    if any(cell.text for cell in outer):
        rows = [replace(row, cells=(*row.cells, cell)) for row, cell in zip(rows, outer, strict=True)]
        width += 1
    texts = [[row.cells[index].text for row in rows] for index in range(width)]
    described = [*table.columns, *[ColumnStructure()] * (width - len(table.columns))]
    columns = tuple(
        replace(
            _build_column(index, table.column(index), texts[index]), path=item.path, unit=item.unit, scale=item.scale
        )
        for index, item in enumerate(described[:width])
    )
    totals = frozenset(n for n, row in enumerate(rows) if row.kind == "total")
    return TypedTable(tuple(rows), columns, totals)


def _unite_cells(cells: Sequence[Cell]) -> Cell:
    """Return the texts of cells in one, with the span of the last."""
    return replace(cells[-1], text=" › ".join(cell.text for cell in cells)) if cells else Cell("", 0, 0)


def _build_column(index: int, header: str, texts: Sequence[str]) -> Column:
    filled = max(1, sum(has_value(text) for text in texts))
    order = find_date_order(texts)
    dates = [find_date(text, order=order) for text in texts]
    if any(date and date.year is not None for date in dates):  # dates without a year cannot be ordered among these
        dates = [date if date and date.year is not None else None for date in dates]
    numbers = [find_leading_number(text) for text in texts]
    days = tuple(Decimal(date.days.first) if date else None for date in dates)
    amounts = tuple(number.amount if number else None for number in numbers)
    kind: ColumnKind = "text"
    if sum(key is not None for key in days) >= MIN_TYPED * filled:
        kind = "date"
    elif sum(key is not None for key in amounts) >= MIN_TYPED * filled:
        kind = "number"
    return Column(index, header, frozenset(split_words(header)), kind, days if kind == "date" else amounts)
