"""Programs over the rows and columns that the cell selector finds likeliest.

They combine a few rows with a few columns: cells that are looked up, operations over two cells or several of a row, and
comparisons that are answered by yes or no.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Final

from hopline.tables.cell_selection import CellSelection
from hopline.tables.programs import Operand, Program, Result, Selection, aggregate, divide, list_operands
from hopline.tables.question import BoundMatch, TableQuestion
from hopline.tables.series import LIKELY
from hopline.tables.structure import is_sum_label
from hopline.tables.typed_table import Column, TypedTable, split_words
from hopline.text.values import SCALES, find_scale, is_year

SELECTED_ROWS: Final = 3  # of which one is meant, and pairs of them
SELECTED_COLUMNS: Final = 4  # likewise
MAX_TOTALS: Final = 2  # rows of totals, the last ones, with which a row is paired
MAX_SELECTED: Final = 12  # rows that are meant together


def select_scored(selection: CellSelection | None, totals: Iterable[int] = ()) -> Iterator[Selection]:
    """Select the rows with the highest scores: each, pairs of them, and all that are rather asked for than not.

    Each is paired with the ``totals`` as well, of which it may be a share.
    """
    if selection is None:
        return
    ranked = selection.rank_rows()
    likely = [row for row in ranked if selection.rows[row] > LIKELY]
    groups: list[tuple[int, ...]] = [(row,) for row in ranked[:SELECTED_ROWS]]
    pairs = [*combinations(ranked[:SELECTED_ROWS], 2), *product(ranked[:SELECTED_ROWS], sorted(totals)[-MAX_TOTALS:])]
    groups += list(dict.fromkeys(tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1]))
    if 2 < len(likely) <= MAX_SELECTED:
        groups.append(tuple(sorted(likely)))
    yield from (Selection("selected", rows) for rows in groups)


def operate_on_columns(question: TableQuestion, table: TypedTable) -> Iterator[Program]:
    """Enumerate the programs over several columns of one of the likeliest rows, and the comparisons."""
    scores = question.selection
    if scores is None:
        return
    ranked = [column for column in _rank_columns(scores, table) if column.index >= table.label_columns]
    columns = ranked[:SELECTED_COLUMNS]
    likely = [column for column in columns if scores.columns[column.index] > LIKELY]
    numeric = table.numeric_columns
    sums = [column for column in numeric if column not in columns and any(map(is_sum_label, column.path))]
    pairs = [
        sorted(pair, key=_get_index) for pair in [*combinations(columns, 2), *product(columns, sums[-MAX_TOTALS:])]
    ]
    for row in scores.rank_rows()[:SELECTED_ROWS]:
        selection = Selection("selected", (row,))
        for chosen in unique_groups(columns[:2], columns[:3], likely):
            yield from _list_columns(selection, chosen, table)
        for chosen in unique_groups(numeric, columns[:3], likely, _span(columns[:2], numeric)):
            yield from _aggregate_columns(selection, chosen, table)
        for first, second in pairs:
            operands = list_operands((row,), (first, second), table)
            if len(operands) == 2:
                are_years = all(is_year(text) for text, _ in operands)  # only their difference means something
                for operation, value, formula in combine(operands, is_fall=question.is_fall):
                    if operation == "difference" or not are_years:
                        yield Program(operation, selection, first, (value,), formula, (second,))


def _rank_columns(scores: CellSelection, table: TypedTable) -> list[Column]:
    """Return the columns that were scored, the likeliest first; a table without rows has none."""
    return [table.columns[index] for index in scores.rank_columns() if index < len(table.columns)]


def combine(operands: Sequence[Operand], *, is_fall: bool) -> Iterator[Result]:
    """Yield the operations over two numbers, with their result and formula: both orders of ratios and of changes."""
    first, second = operands
    yield from aggregate(operands)
    yield from divide(first, second, is_fall=is_fall)
    yield from divide(second, first, is_fall=is_fall)


def unique_groups(*groups: Sequence[Column]) -> list[list[Column]]:
    """Return the groups of several columns, in the order of the table, each once."""
    ordered = [sorted(group, key=_get_index) for group in groups if len(group) > 1]
    return [group for n, group in enumerate(ordered) if group not in ordered[:n]]


def _get_index(column: Column) -> int:
    return column.index


def _span(ends: Sequence[Column], columns: Iterable[Column]) -> list[Column]:
    """Return the columns from one to another: "from 2019 to 2023"."""
    indices = [column.index for column in ends]
    return [column for column in columns if min(indices) <= column.index <= max(indices)] if indices else []


def _list_columns(selection: Selection, columns: Sequence[Column], table: TypedTable) -> Iterator[Program]:
    """The values of several columns of a row."""
    [row] = selection.rows
    values = tuple(table.get_text(row, column.index) for column in columns)
    if all(values):
        yield Program("list columns", selection, columns[0], values, others=tuple(columns[1:]))


def _aggregate_columns(selection: Selection, columns: Sequence[Column], table: TypedTable) -> Iterator[Program]:
    """The sum, average, range, largest and smallest value of a series of more than two columns of a row."""
    operands = list_operands(selection.rows, columns, table)
    if len(operands) != len(columns) or len(operands) < 3:
        return
    for operation, value, formula in aggregate(operands):
        yield Program(operation, selection, columns[0], (value,), formula, tuple(columns[1:]))
    for operation, choose in (("highest value", max), ("lowest value", min)):
        index = operands.index(choose(operands, key=lambda operand: operand[1]))
        others = tuple(column for column in columns if column != columns[index])
        yield Program(operation, selection, columns[index], (operands[index][0],), others=others)


def compare_scored(question: TableQuestion, table: TypedTable) -> Iterator[Program]:
    """Compare two cells of a likely row or column, or a cell with the bound of the question, for "yes" or "no".

    The question says that the first cell is larger, or smaller, than the second one.
    """
    scores = question.selection
    if scores is None:
        return
    rows = scores.rank_rows()[:SELECTED_ROWS]
    columns = _rank_columns(scores, table)[:SELECTED_COLUMNS]
    if question.bound:
        yield from _compare_with_bound(question.bound, rows, columns, table)
    if not question.direction:
        return
    sign = 1 if question.direction == "large" else -1
    pairs = [(row, row, *pair) for row in rows for pair in permutations(columns, 2)]
    pairs += [(*pair, column, column) for column in columns for pair in permutations(rows, 2)]
    for first_row, second_row, first, second in pairs:
        operands = [*list_operands((first_row,), (first,), table), *list_operands((second_row,), (second,), table)]
        if len(operands) < 2 or all(question.repeats(text) for text, _ in operands):
            continue
        (left, a), (right, b) = operands
        relation = "=" if a == b else ">" if a > b else "<"
        selection = Selection("selected", tuple(dict.fromkeys((first_row, second_row))))
        others = (second,) if second != first else ()
        answer = "yes" if sign * (a - b) > 0 else "no"
        yield Program("compare", selection, first, (answer,), f"{left} {relation} {right}", others)


def _compare_with_bound(
    match: BoundMatch, rows: Sequence[int], columns: Sequence[Column], table: TypedTable
) -> Iterator[Program]:
    for row, column in product(rows, columns):
        factor = SCALES.get(find_scale(column.header) or match.scale, 1) if match.bound.has_scale else 1
        for text, key in list_operands((row,), (column,), table):
            answer = "yes" if match.bound.includes_number(key * factor) else "no"
            yield Program("compare", Selection("selected", (row,), bound=match), column, (answer,), text)


def is_mentioned_first(program: Program, question: TableQuestion, table: TypedTable) -> bool | None:
    """Return whether the question names the first operand of a comparison before the second one; None if unknown."""
    rows, columns = program.selection.rows, program.columns
    if len(rows) == 2:
        labels = [frozenset(split_words(" ".join(cell.text for cell in table.rows[row].labels))) for row in rows]
    elif len(columns) == 2:
        labels = [column.words for column in columns]
    else:
        return None
    positions = []
    for own, other in (labels, labels[::-1]):
        position = next((n for n, word in enumerate(question.words) if word in own and word not in other), None)
        if position is None:
            return None
        positions.append(position)
    return positions[0] < positions[1]
