"""Series of cells that differ in one label, and the programs over them: extremes, sums and averages.

A series is along the rows, in one column ("the five provinces, 2020"), or along the columns, in one row ("women and
men, share of smokers"). Its cells have the same path but for one label. All rows or columns of this kind are one
series, and so are those that the question names, and those that the cell selector rather finds asked for than not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from hopline.tables.cell_selection import LEAST
from hopline.tables.programs import Operand, Program, Selection, aggregate, list_operands
from hopline.tables.question import TableQuestion
from hopline.tables.structure import is_total_label
from hopline.tables.typed_table import Column, TypedTable, split_words

LIKELY: Final = log(0.5)  # log-probability above which a row or column is rather asked for than not
MAX_SERIES: Final = 5  # groups of rows, and groups of columns, with the highest mean score
MAX_LINES: Final = 3  # columns in which rows are compared, and rows in which columns are
MAX_AGGREGATED: Final = 25  # cells of a sum
_BEST: Final = 3  # members whose scores are averaged
EXTREMES: Final = frozenset({"largest row", "smallest row", "largest column", "smallest column"})
HIGHEST: Final = frozenset({"highest value", "lowest value"})

Group = dict[int, str]  # the label of each row or column, in the order of the table


@dataclass(frozen=True, slots=True)
class Series:
    """Cells in one row or column: the label and the number of each, by which they are ordered."""

    labels: Sequence[str]
    operands: Sequence[Operand]
    positions: Sequence[int]

    def rank(self, *, largest: bool) -> list[int]:
        """Return the indices of the cells, that with the largest or the smallest number first."""
        return sorted(range(len(self.operands)), key=lambda n: self.operands[n][1], reverse=largest)


def operate_on_series(question: TableQuestion, table: TypedTable) -> Iterator[Program]:
    """Enumerate the programs over the likeliest series of a table whose rows and columns are scored."""
    scores = question.selection
    if scores is None:
        return
    numeric = {column.index: column for column in table.numeric_columns}
    likeliest = [numeric[index] for index in scores.rank_columns() if index in numeric][:MAX_LINES]
    for rows in _choose_groups({n: table.get_path(n) for n in table.items}, scores.rows, question):
        for column in likeliest:
            yield from _operate_on_rows(rows, column, table, question)
    paths = {index: column.path for index, column in numeric.items()}
    for columns in _choose_groups(paths, scores.columns, question):
        for row in scores.rank_rows()[:MAX_LINES]:
            yield from _operate_on_columns(row, columns, table, question)


def _choose_groups(
    paths: Mapping[int, Sequence[str]], scores: Mapping[int, float], question: TableQuestion
) -> list[Group]:
    """Choose the likeliest groups of rows or columns that differ in one label, totals left out."""
    groups: dict[tuple[int, ...], Group] = {}
    for whole in group_alternatives(paths):
        named = _select_named(whole, question)
        likely = {n: label for n, label in whole.items() if scores.get(n, LEAST) > LIKELY}
        for group in (whole, named, likely):
            if len(group) > 1:
                groups.setdefault(tuple(group), group)
    return sorted(groups.values(), key=lambda group: -average_best(scores.get(n, LEAST) for n in group))[:MAX_SERIES]


def group_alternatives(paths: Mapping[int, Sequence[str]]) -> list[Group]:
    """Group rows or columns whose paths differ in one label, each label once; totals are left out."""
    groups: defaultdict[tuple[int, tuple[str, ...]], Group] = defaultdict(dict)
    for index, path in paths.items():
        for level, label in enumerate(path):
            group = groups[level, (*path[:level], *path[level + 1 :])]
            if label and not is_total_label(label) and label not in group.values():
                group[index] = label
    return [group for group in groups.values() if len(group) > 1]


def _select_named(group: Group, question: TableQuestion) -> Group:
    """Select the labels of which the question has words that not all labels of the group have."""
    words = {n: frozenset(split_words(label)) for n, label in group.items()}
    stated = {question.words[n] for n in question.content} - frozenset.intersection(*words.values())
    return {n: label for n, label in group.items() if words[n] & stated}


def average_best(scores: Iterable[float]) -> float:
    """Return the mean of the highest scores, three at most, which says how likely a long series is."""
    best = sorted(scores, reverse=True)[:_BEST]
    return sum(best) / len(best)


def _operate_on_rows(rows: Group, column: Column, table: TypedTable, question: TableQuestion) -> Iterator[Program]:
    cells = {row: operands[0] for row in rows if (operands := list_operands((row,), (column,), table))}
    series = Series([rows[row] for row in cells], list(cells.values()), list(cells))
    for name, largest in (("largest", True), ("smallest", False)):
        for count, order in _list_extremes(series, question.count, largest=largest):
            ordered = tuple(series.positions[n] for n in order)
            labels = tuple(series.labels[n] for n in order[:count])
            yield Program(f"{name} row", Selection("selected", ordered), column, labels)
        if cells:
            best = series.rank(largest=largest)
            yield Program(
                "highest value" if largest else "lowest value",
                Selection("selected", tuple(series.positions[n] for n in best)),
                column,
                (series.operands[best[0]][0],),
            )
    if 2 < len(cells) == len(rows) <= MAX_AGGREGATED:
        for operation, value, formula in aggregate(series.operands):
            yield Program(operation, Selection("selected", tuple(cells)), column, (value,), formula)


def _operate_on_columns(row: int, columns: Group, table: TypedTable, question: TableQuestion) -> Iterator[Program]:
    items = {
        index: operands[0] for index in columns if (operands := list_operands((row,), (table.columns[index],), table))
    }
    series = Series([columns[index] for index in items], list(items.values()), list(items))
    selection = Selection("selected", (row,))
    for name, largest in (("largest", True), ("smallest", False)):
        for count, order in _list_extremes(series, question.count, largest=largest):
            first, *others = [table.columns[series.positions[n]] for n in order]
            labels = tuple(series.labels[n] for n in order[:count])
            yield Program(f"{name} column", selection, first, labels, others=tuple(others))


def _list_extremes(series: Series, count: int, *, largest: bool) -> Iterator[tuple[int, list[int]]]:
    """Order a series with one and with ``count`` extremes first, unless the next one has the same number or is none."""
    order = series.rank(largest=largest)
    for number in sorted({1, count}):
        if number < len(order) and series.operands[order[number - 1]][1] != series.operands[order[number]][1]:
            yield number, order
