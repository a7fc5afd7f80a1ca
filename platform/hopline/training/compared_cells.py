"""The cells that a question compares, found from the labels that answer it.

Data sets give the label with the largest or smallest value as the cell of the answer, but not the values that are
compared. They are sought: the rows beside the row of the answer and the column in which it is extreme, or the columns
beside that of the answer and the row in which it is extreme.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from hopline.tables.cell_selection import Cells, list_data_rows
from hopline.tables.structure import TableStructure
from hopline.text.values import find_leading_number
from hopline.text.words import find_content_words

SIGNS: Final = {"argmax": 1, "argmin": -1}  # of the values of which the largest is sought
MAX_EXPLANATIONS: Final = 3  # that are equally likely; of more than these, none is believed

Selected = tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True, slots=True)
class ComparedCells:
    """Rows and columns whose cells are compared, and how many words of the question name what they have in common."""

    shared: int
    rows: frozenset[int]
    columns: frozenset[int]


def find_compared_cells(
    question: str, cells: Cells, structure: TableStructure, targets: Iterable[Sequence[int]], operation: str
) -> Selected:
    """Return the rows and columns of the cells that a question compares; empty sets if that is not clear.

    ``targets`` are the cells of the labels that answer the question, those with the largest ("argmax") or the smallest
    values ("argmin"); of other operations, it is not known which values are right.
    """
    if operation not in SIGNS:
        return frozenset(), frozenset()
    positions = [(row, column) for row, column in targets]
    data = list_data_rows(cells, structure)
    words = find_content_words(question)
    numbers = _read_numbers(cells, structure, data, SIGNS[operation])
    explanations: list[ComparedCells] = []
    if positions and all(row in data and column < structure.label_columns for row, column in positions):
        answers = {row for row, _ in positions}
        explanations = list(_compare_rows(answers, data, structure, numbers, words))
    elif all(row < structure.header_rows for row, _ in positions) and len(positions) == 1:
        [(row, column)] = positions
        explanations = list(_compare_columns(cells[row][column], data, structure, numbers, words))
    most = max((item.shared for item in explanations), default=0)
    best = [item for item in explanations if item.shared == most]
    if len(best) > MAX_EXPLANATIONS:
        return frozenset(), frozenset()
    return frozenset().union(*(item.rows for item in best)), frozenset().union(*(item.columns for item in best))


def _read_numbers(
    cells: Cells, structure: TableStructure, data: Sequence[int], sign: int
) -> dict[tuple[int, int], float]:
    """The numbers of the cells right of the labels, multiplied by ``sign``."""
    columns = range(structure.label_columns, len(structure.columns))
    leading = {(row, column): find_leading_number(cells[row][column]) for row in data for column in columns}
    return {position: sign * float(number.amount) for position, number in leading.items() if number}


def _compare_rows(
    answers: AbstractSet[int],
    data: Sequence[int],
    structure: TableStructure,
    numbers: Mapping[tuple[int, int], float],
    words: Collection[str],
) -> Iterator[ComparedCells]:
    """The columns in which the answers have larger numbers than the other rows of their group.

    Of these, only the rows that the question names are compared, if it names several.
    """
    paths = {row: structure.rows[row].path for row in data}
    outer = paths[min(answers)][:-1]
    group = [row for row in data if paths[row][:-1] == outer and structure.rows[row].kind != "total"]
    named = [row for row in group if _share(paths[row][-1:], words)]
    if answers < set(named):
        group = named  # "women or men"
    for column in range(structure.label_columns, len(structure.columns)):
        values = {row: numbers[row, column] for row in {*group, *answers} if (row, column) in numbers}
        if _are_largest(answers, values):
            shared = _share(structure.columns[column].path, words)
            yield ComparedCells(shared, frozenset(values), frozenset({column}))


def _compare_columns(
    label: str,
    data: Sequence[int],
    structure: TableStructure,
    numbers: Mapping[tuple[int, int], float],
    words: Collection[str],
) -> Iterator[ComparedCells]:
    """The rows in which a column with the label has a larger number than all columns that differ in it only."""
    paths = [column.path for column in structure.columns]
    for column, path in enumerate(paths):
        if label not in path or column < structure.label_columns:
            continue
        level = path.index(label)
        rest = (*path[:level], *path[level + 1 :])
        beside = [n for n, other in enumerate(paths) if (*other[:level], *other[level + 1 :]) == rest and other]
        for row in data:
            values = {n: numbers[row, n] for n in beside if (row, n) in numbers}
            if _are_largest({column}, values):
                shared = _share(structure.rows[row].path, words) + _share(rest, words)
                yield ComparedCells(shared, frozenset({row}), frozenset(values))


def _are_largest(answers: Collection[int], values: Mapping[int, float]) -> bool:
    """Return whether all answers have values, and larger ones than the others, of which there is one at least."""
    others = [value for n, value in values.items() if n not in answers]
    return bool(others) and all(n in values for n in answers) and min(values[n] for n in answers) > max(others)


def _share(path: Iterable[str], words: Collection[str]) -> int:
    """The number of words of a path that are among others."""
    return len(find_content_words(" ".join(path)).intersection(words))
