"""Cells of a table that a sentence may compute with: in the rows that it cites or names, and the columns that it names.

A label is named if a text has all of its words, a header also by its year. If columns of one year are named, the same
columns of the year before are meant as well: "Sales rose by 12 in 2023."
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from hopline.results import Citation, Evidence
from hopline.tables.grid import Cell, TableGrid, TableRow
from hopline.tables.structure import ColumnStructure, is_sum_label
from hopline.tables.typed_table import split_words
from hopline.text.values import FIRST_HEADER_YEAR, Number, find_dates, find_leading_number, is_year, parse_number
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
        """The rows that the text names, in the order of the table; of rows with one label, the best by their groups."""
        rows = [row for row in self.grid.list_data_rows() if row.labels and self._names(row.labels[-1].text)]
        scores = {row.start: sum(self._names(cell.text) for cell in (*row.outer, *row.labels)) for row in rows}
        best: dict[str, int] = {}
        for row in rows:
            best[row.labels[-1].text] = max(scores[row.start], best.get(row.labels[-1].text, 0))
        return [row for row in rows if scores[row.start] == best[row.labels[-1].text]]

    @cached_property
    def named_columns(self) -> list[int]:
        """The columns of values that the text names best: by the labels of their path, some of its words, or units."""
        columns = {n: self.grid.columns[n] for n in self._list_value_columns()}
        for rate in (self._rate_label, self._count_words):
            scores = {n: sum(map(rate, item.path)) + self._has_unit(item.unit) for n, item in columns.items()}
            best = max(scores.values(), default=0)
            if best:
                return [n for n, score in scores.items() if score == best]
        return []

    @property
    def stated_columns(self) -> list[int]:
        """The named columns; all columns of values if none is named."""
        return self.named_columns or self.columns

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
        """Yield rows that a whole is the sum of: those of the cited or named groups, and all of them; no totals."""
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

    def list_numbers(self, rows: Iterable[TableRow]) -> list[TableNumber]:
        """Return the numbers of rows in the named columns, or else in all."""
        numbers = (self.find_number(row, n) for row in rows for n in self.stated_columns)
        return [number for number in numbers if number is not None]

    def find_number(self, row: TableRow, column: int) -> TableNumber | None:
        """Return the number of a cell, None if it has none or is a year."""
        cell = row.cells[column] if column < len(row.cells) else None
        number = (parse_number(cell.text) or find_leading_number(cell.text)) if cell is not None else None
        if cell is None or number is None or is_year(cell.text):
            return None
        header = self.grid.columns[column] if column < len(self.grid.columns) else ColumnStructure()
        stated = (cell.text, header.unit, *(label.text for label in row.labels), row.unit)
        return TableNumber(row, column, cell, number, any("%" in text for text in stated))

    def list_wholes(self, column: int) -> Iterator[list[int]]:
        """Yield the columns whose sum is the whole of a column: the totals beside it, or else all columns beside it."""
        path = self.grid.columns[column].path
        beside = [n for n in self._list_value_columns() if self.grid.columns[n].path[:-1] == path[:-1]]
        totals = [n for n in beside if n != column and self.is_total(n)]
        yield from [[n] for n in totals] or [beside]

    def is_total(self, column: int) -> bool:
        """Return whether a column is headed as a sum."""
        path = self.grid.columns[column].path
        return bool(path) and is_sum_label(path[-1])

    def find_year(self, column: int) -> str:
        """Return the only year of a column; "" if it has none or several."""
        return _split_year(self.grid.column(column))[0]

    def are_alike(self, first: int, second: int) -> bool:
        """Return whether two columns are of one year, differ by their year only, or are of no year."""
        (year, header), (other_year, other) = (_split_year(self.grid.column(n)) for n in (first, second))
        return not (year and other_year) or year == other_year or header == other

    def find_row_year(self, row: TableRow) -> str:
        """Return the only year of the label of a row; "" if it has none or several."""
        return _split_year(" ".join(cell.text for cell in row.labels))[0]

    def _list_value_columns(self) -> list[int]:
        rows = self.cited or tuple(self.rows)
        indices = range(self.grid.label_columns, len(self.grid.columns))
        return [n for n in indices if any(self.find_number(row, n) is not None for row in rows)]

    def _find_year_before(self, column: int) -> list[int]:
        year, header = _split_year(self.grid.column(column))
        before = (str(int(year) - 1), header) if year else None
        return [n for n in self._list_value_columns() if _split_year(self.grid.column(n)) == before]

    def _rate_label(self, label: str) -> int:
        """Return 2 if the text has all words of a label, 1 if it has its year, else 0."""
        return 2 if _list_content(label) <= self.words else int(self._names(label))

    def _count_words(self, label: str) -> int:
        """Return how many content words of a label the text has."""
        return len(_list_content(label) & self.words)

    def _has_unit(self, unit: str) -> bool:
        """Return whether the text has the unit of a column, which is no percentage."""
        is_unit = unit not in {"", "%"}
        return is_unit and re.search(rf"(?<!\w){re.escape(unit)}(?!\w)", self.text) is not None

    def _names(self, label: str) -> bool:
        """Whether the text has all words of a label, or the year of a header."""
        content, year = _list_content(label), _split_year(label)[0]
        return bool(content and content <= self.words) or bool(year and year in self.words)


def _list_content(label: str) -> frozenset[str]:
    """Return the words of a label but for function words, remarks in brackets and marks of notes."""
    bare = _MARKS.sub("", _REMARK.sub("", label))
    words = frozenset(split_words(bare))
    content = frozenset(word for word in words if word not in load_function_words()) or words
    return content | frozenset(_LETTER.findall(bare))


@lru_cache(maxsize=2000)
def _split_year(text: str) -> tuple[str, str]:
    """Return the only year of a text, and the text without its dates; "" if it has none or several."""
    spans = [span for span in find_dates(text) if (span.date.year or 0) >= FIRST_HEADER_YEAR]
    rest = text
    for span in reversed(spans):
        rest = rest[: span.start] + rest[span.end :]
    years = {str(span.date.year) for span in spans}
    return (years.pop(), rest) if len(years) == 1 else ("", text)


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


def join_known_text(cells: NamedCells) -> str:
    """Return the text of a table without the rows of values that are neither cited nor named, nor totals."""
    text, known = cells.table.text, {row.start for row in (*cells.cited, *cells.rows, *cells.list_totals())}
    for row in reversed([*cells.grid.list_data_rows()]):
        if row.start not in known:
            text = text[: row.start] + text[row.end :]
    return text


def find_cited_rows(citation: Citation) -> Sequence[TableRow]:
    """Return the rows with values of a table that a citation has, in whole or in part."""
    grid = citation.evidence.grid
    rows = grid.list_data_rows() if grid is not None else ()
    return [row for row in rows if row.start < citation.end and citation.start < row.end]
