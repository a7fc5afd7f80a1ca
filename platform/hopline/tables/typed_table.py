"""A table with the rows, columns and values that questions are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from hopline.nlp.stemmer import normalize_word, stem
from hopline.tables.grid import Cell, TableGrid, TableRow
from hopline.tables.values import read_date, read_leading_number

ColumnKind = Literal["number", "date", "text"]

MIN_TYPED: Final = 0.7  # share of the filled cells of a column that have its kind
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’]s)?|\d[\d,]*(?:\.\d+)?")
_TOTAL: Final = re.compile(r"\b(?:totals?|average|mean|sum|overall|subtotal)\b", re.IGNORECASE)


@lru_cache(maxsize=20_000)
def split_words(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text and its numbers without separators, in order."""
    return tuple(word if word[0].isdigit() else stem(word) for word in list_words(text))


def list_words(text: str) -> tuple[str, ...]:
    """Return the words of a text without accents and case, and its numbers without separators, in order."""
    return tuple(word.replace(",", "") if word[0].isdigit() else normalize_word(word) for word in _WORD.findall(text))


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, the stems of the header, the kind of its values, and a number that orders each row."""

    index: int
    header: str
    words: frozenset[str]
    kind: ColumnKind
    keys: tuple[float | None, ...]


@dataclass(frozen=True)
class TypedTable:
    """Rows of cells, all of the same length, without the labels of groups; totals are marked.

    The last column has the label of the group of each row, with an empty header, if the table has such labels.
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

    def get_text(self, row: int, column: int) -> str:
        """Return the text of a cell in one line."""
        return " ".join(self.rows[row].cells[column].text.split())


def build_typed_table(table: TableGrid) -> TypedTable:
    """Build the rows and columns of a parsed table."""
    width = max((len(row.cells) for row in (*table.head, *table.body)), default=0)
    rows, groups, group = [], [], Cell("", 0, 0)
    for row in table.body:
        filled = [cell for cell in row.cells if cell.text]
        if len(filled) == 1 and len(row.cells) > 1 and row.cells[0].text:
            group = filled[0]
        elif filled:
            padding = (Cell("", row.end, row.end),) * (width - len(row.cells))
            rows.append(TableRow(row.start, row.end, (*row.cells, *padding)))
            groups.append(group)
    if any(label.text for label in groups):
        pairs = zip(rows, groups, strict=True)
        rows = [TableRow(row.start, row.end, (*row.cells, label)) for row, label in pairs]
        width += 1
    columns = tuple(_build_column(index, table.column(index), rows) for index in range(width))
    totals = frozenset(n for n, row in enumerate(rows) if _is_total(row))
    return TypedTable(tuple(rows), columns, totals)


def _build_column(index: int, header: str, rows: Sequence[TableRow]) -> Column:
    texts = [row.cells[index].text for row in rows]
    filled = max(1, sum(bool(text) for text in texts))
    dates = [read_date(text) for text in texts]
    numbers = [read_leading_number(text) for text in texts]
    kind: ColumnKind = "text"
    if sum(key is not None for key in dates) >= MIN_TYPED * filled:
        kind = "date"
    elif sum(key is not None for key in numbers) >= MIN_TYPED * filled:
        kind = "number"
    keys = tuple(dates if kind == "date" else numbers)
    return Column(index, header, frozenset(split_words(header)), kind, keys)


def _is_total(row: TableRow) -> bool:
    return any(_TOTAL.match(cell.text) for cell in row.cells[:2])
