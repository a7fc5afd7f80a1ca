"""Cells of a table that a sentence may compute with: in the rows that it cites or names, and the columns that it names.

A label is named if a text has all of its words, a header also by its year. If columns of one year are named, the same
columns of the year before are meant as well: "Sales rose by 12 in 2023."
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hopline.results import Citation, Evidence
from hopline.tables.grid import Cell, TableGrid, TableRow
from hopline.tables.structure import ColumnStructure, is_sum_label
from hopline.tables.typed_table import split_words
from hopline.text.values import FIRST_HEADER_YEAR, Number, find_leading_number, find_years, is_year, parse_number
from hopline.text.words import load_function_words

_REMARK: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_LETTER: Final = re.compile(r"\b[A-Z]\b")  # of "Segment A", which is no article
_MARKS: Final = re.compile(r"[*†‡#]+$")


@dataclass(frozen=True, slots=True)
class TableNumber:
    """A number of a table with its row, column and cell."""

    row: TableRow
    column: int
    cell: Cell
    number: Number
    is_percentage: bool


@dataclass(frozen=True)
class NamedCells:
    """The rows of a table that are ``cited``, and those rows and columns that the words of ``text`` name."""

    table: Evidence
    grid: TableGrid
    cited: tuple[TableRow, ...]
    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of the text, its numbers, and its single capital letters."""
        return frozenset((*split_words(self.text), *_LETTER.findall(self.text)))

    @cached_property
    def rows(self) -> list[TableRow]:
        """The rows that the text names, in the order of the table."""
        return [row for row in self.grid.list_data_rows() if row.labels and self._names(row.labels[-1].text)]

    @cached_property
    def named_columns(self) -> list[int]:
        """The columns of values that the text names best, by the labels of their path."""
        columns = self.grid.columns
        scores = {n: sum(map(self._names, columns[n].path)) for n in self._list_value_columns()}
        best = max(scores.values(), default=0)
        return [n for n, score in scores.items() if score == best] if best else []

    @cached_property
    def columns(self) -> list[int]:
        """The named columns, with those of the year before if they are of one year; all if none is named."""
        named = self.named_columns
        if not named:
            return self._list_value_columns()
        is_of_one_year = len({self.find_year(n) for n in named}) == 1
        before = [other for n in named for other in self._find_year_before(n)] if is_of_one_year else []
        return list(dict.fromkeys((*named, *before)))

    def list_groups(self) -> Iterator[list[TableRow]]:
        """Yield rows that may be summed up: those of the cited or named groups, and all of them; no totals."""
        rows = [row for row in self.grid.list_data_rows() if row.kind == "data"]
        paths = {tuple(cell.text for cell in row.outer): None for row in (*self.cited, *self.rows) if row.outer}
        for row in rows:
            names = tuple(cell.text for cell in row.outer)
            paths |= {names[: n + 1]: None for n, name in enumerate(names) if self._names(name)}
        for path in paths:
            yield [row for row in rows if tuple(cell.text for cell in row.outer[: len(path)]) == path]
        yield rows

    def list_totals(self) -> list[TableRow]:
        """Return the rows of sums."""
        rows = (row for row in self.grid.list_data_rows() if row.kind == "total")
        return [row for row in rows if any(is_sum_label(cell.text) for cell in row.labels)]

    def list_named_numbers(self) -> list[TableNumber]:
        """Return the numbers of the named rows, or else of the cited ones, in the named columns."""
        numbers = (self.find_number(row, n) for row in self.rows or self.cited for n in self.named_columns)
        return [number for number in numbers if number is not None]

    def find_number(self, row: TableRow, column: int) -> TableNumber | None:
        """Return the number of a cell, None if it has none or is a year."""
        cell = row.cells[column] if column < len(row.cells) else None
        number = (parse_number(cell.text) or find_leading_number(cell.text)) if cell is not None else None
        if cell is None or number is None or is_year(cell.text):
            return None
        header = self.grid.columns[column] if column < len(self.grid.columns) else ColumnStructure()
        stated = (cell.text, header.unit, *(label.text for label in row.labels), *self._list_units(row))
        return TableNumber(row, column, cell, number, any("%" in text for text in stated))

    def find_year(self, column: int) -> str:
        """Return the only year of a column; "" if it has none or several."""
        return _find_only_year(self.grid.column(column))

    def are_alike(self, first: int, second: int) -> bool:
        """Return whether two columns are of one year, or differ by their year only."""
        years = self.find_year(first), self.find_year(second)
        return years[0] == years[1] or self.grid.column(first).replace(*years) == self.grid.column(second)

    def find_row_year(self, row: TableRow) -> str:
        """Return the only year of the label of a row; "" if it has none or several."""
        return _find_only_year(" ".join(cell.text for cell in row.labels))

    def _list_units(self, row: TableRow) -> list[str]:
        """Return the cells of a row that are only a percent sign, of a column of units."""
        return [cell.text for cell in row.cells if cell.text == "%"]

    def _list_value_columns(self) -> list[int]:
        rows = self.cited or tuple(self.rows)
        indices = range(self.grid.label_columns, len(self.grid.columns))
        return [n for n in indices if any(self.find_number(row, n) is not None for row in rows)]

    def _find_year_before(self, column: int) -> list[int]:
        header, year = self.grid.column(column), self.find_year(column)
        if not year:
            return []
        before = header.replace(year, str(int(year) - 1))
        return [n for n in self._list_value_columns() if self.grid.column(n) == before]

    def _names(self, label: str) -> bool:
        """Whether the text has all words of a label, or the year of a header."""
        bare = _MARKS.sub("", _REMARK.sub("", label))
        words = frozenset(split_words(bare))
        content = frozenset(word for word in words if word not in load_function_words()) or words
        content |= frozenset(_LETTER.findall(bare))
        years = frozenset(find_years(label, since=FIRST_HEADER_YEAR))
        return bool(content and content <= self.words) or bool(years and years <= self.words)


def _find_only_year(text: str) -> str:
    years = find_years(text, since=FIRST_HEADER_YEAR)
    return years[0] if len(years) == 1 else ""


def list_cited_cells(citations: Iterable[Citation], text: str) -> list[NamedCells]:
    """Return the cells of each table of which rows are cited."""
    rows: dict[str, tuple[Evidence, dict[int, TableRow]]] = {}
    for citation in citations:
        for row in find_cited_rows(citation):
            rows.setdefault(citation.evidence.id, (citation.evidence, {}))[1][row.start] = row
    return [
        NamedCells(table, table.grid, tuple(cited[start] for start in sorted(cited)), text)
        for table, cited in rows.values()
        if table.grid is not None
    ]


def find_cited_rows(citation: Citation) -> Sequence[TableRow]:
    """Return the rows with values of a table that a citation has, in whole or in part."""
    grid = citation.evidence.grid
    rows = grid.list_data_rows() if grid is not None else ()
    return [row for row in rows if row.start < citation.end and citation.start < row.end]
