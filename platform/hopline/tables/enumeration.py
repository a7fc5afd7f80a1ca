"""Enumeration of the programs over a table that a question may mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Final

from hopline.tables.programs import NOTHING, Program, Selection, aggregate, drop_sign, list_operands
from hopline.tables.question import BoundMatch, CellMatch, TableQuestion
from hopline.tables.scored_programs import combine, compare_scored, operate_on_columns, select_scored
from hopline.tables.series import operate_on_series
from hopline.tables.typed_table import Column, TypedTable
from hopline.text.values import FIRST_HEADER_YEAR, SCALES, Date, find_scale, is_year
from hopline.text.words import read_word_list

MAX_PROGRAMS: Final = 1500
MAX_VALUES: Final = 6  # values of a list as an answer
COUNTS: Final = frozenset({"count", "count difference", "distinct"})
# "how much" asks for an amount, "by how many" for a difference
_COUNTING: Final = frozenset({"many", "number", "often", "times", "count"})
_NEIGHBOURING: Final = frozenset(read_word_list("neighbouring"))  # without these, no row beside another one is meant
_PREFIXES: Final = {"all": "", "filter": "filtered ", "both": "filtered "}  # of a superlative over a selection
MAX_GROUP: Final = 0.5  # share of the rows that may have the same value as a row


def enumerate_programs(question: TableQuestion, table: TypedTable) -> list[Program]:
    """Return the programs that a question may mean, at most `MAX_PROGRAMS`; the first is `NOTHING`."""
    if question.asks_for_verdict:
        return [NOTHING, *compare_scored(question, table)]
    programs = [NOTHING]
    columns = _exclude_other_years(question, table)
    counts = not _COUNTING.isdisjoint(question.grams) and "by how" not in question.grams
    for selection in _select(question, table):
        for program in _operate(selection, columns, table, question):
            if (program.operation in COUNTS and not counts) or _repeats(question, program):
                continue
            programs.append(program)
            if len(programs) == MAX_PROGRAMS:
                return programs
    programs += [*operate_on_columns(question, table), *operate_on_series(question, table)]
    bounded = [program for program in programs if program.selection.bound] if _states_day(question.bound) else []
    return [NOTHING, *bounded] if bounded else programs


def _repeats(question: TableQuestion, program: Program) -> bool:
    """Return whether cells that are looked up only repeat the question, which offers no choice."""
    if program.operation not in {"value", "list"} or "or" in question.grams:
        return False
    return all(map(question.repeats, program.values))


def _exclude_other_years(question: TableQuestion, table: TypedTable) -> list[Column]:
    """The columns without those of another year, if the question names the year of a column."""
    sought = _select_years(question.words)
    years = {column.index: _select_years(column.words) for column in table.columns}
    if not any(sought & headed for headed in years.values()):
        return list(table.columns)
    return [column for column in table.columns if not years[column.index] or years[column.index] & sought]


def _select_years(words: Iterable[str]) -> set[str]:
    return {word for word in words if is_year(word, since=FIRST_HEADER_YEAR)}


def _select(question: TableQuestion, table: TypedTable) -> Iterator[Selection]:
    """Selections from simple to composed."""
    everything = Selection("all", table.items)
    single = [Selection("filter", _exclude_totals(match.rows, table), (match,)) for match in question.matches]
    pairs = list(_intersect(question.matches))
    unions = list(_unite(question.matches))
    totals = [Selection("total", (max(table.totals),))] if table.totals and "total" in question.words else []
    bounded = list(_select_within(question.bound, [everything, *single[:4]], table)) if question.bound else []
    simple = [everything, *single, *pairs, *totals]
    scored = list(select_scored(question.selection, table.totals))
    yield from (*simple, *unions, *bounded, *scored)
    if not _NEIGHBOURING.isdisjoint(question.grams):
        for selection in (*single, *pairs):
            yield from _select_neighbours(selection, table)
    for selection in (everything, *scored, *single, *pairs, *unions, *bounded):
        yield from _select_extremes(selection, table, question.count)
    for selection in (*single, *pairs):
        yield from _select_by_row(selection, table)


def _states_day(match: BoundMatch | None) -> bool:
    """Return whether a bound is a day, which rows with dates have to meet: "after 12 May 2019"."""
    return match is not None and isinstance(match.bound.low, Date) and match.bound.low.day is not None


def _exclude_totals(rows: frozenset[int], table: TypedTable) -> tuple[int, ...]:
    """Return the rows in order, without totals unless all of them are totals."""
    return tuple(sorted(rows - table.totals or rows))


def _intersect(matches: Sequence[CellMatch]) -> Iterator[Selection]:
    for first, second in combinations(matches, 2):
        rows = first.rows & second.rows
        narrower = rows not in (first.rows, second.rows) or len(first.rows) == len(second.rows) == 1
        if rows and narrower and first.column != second.column and not first.overlaps(second):
            yield Selection("both", tuple(sorted(rows)), (first, second))


def _unite(matches: Sequence[CellMatch]) -> Iterator[Selection]:
    for first, second in combinations(sorted(matches, key=lambda match: match.start), 2):
        if first.column == second.column and not first.overlaps(second) and not first.rows & second.rows:
            yield Selection("either", (*sorted(first.rows), *sorted(second.rows)), (first, second))


def _select_within(match: BoundMatch, selections: Sequence[Selection], table: TypedTable) -> Iterator[Selection]:
    """The rows whose number, with the scale of the table, or date in a column is within the bound of the question."""
    for selection, column in product(selections, table.columns):
        used = any(other.start < match.end and match.start < other.end for other in selection.matches)
        if column.kind == "text" or used:
            continue
        includes = match.bound.includes_day if column.kind == "date" else match.bound.includes_number
        factor = SCALES.get(find_scale(column.header) or match.scale, 1) if match.bound.has_scale else 1
        keys = [(row, column.keys[row]) for row in selection.rows]
        rows = tuple(row for row, key in keys if key is not None and includes(key * factor))
        yield Selection("bound", rows, selection.matches, column, match)


def _select_neighbours(selection: Selection, table: TypedTable) -> Iterator[Selection]:
    """The rows before and behind the selected rows, if these are few."""
    if len(selection.rows) > 2:
        return
    for kind, row in (("previous", selection.rows[0] - 1), ("next", selection.rows[-1] + 1)):
        if 0 <= row < len(table.rows) and row not in table.totals:
            yield Selection(kind, (row,), selection.matches)


def _select_extremes(selection: Selection, table: TypedTable, count: int) -> Iterator[Selection]:
    """The first and the last row, those with the largest or smallest value, and the ``count`` rows with such values."""
    rows = [row for row in selection.rows if row not in table.totals]
    if len(rows) < 2:
        return
    if selection.kind not in {"either", "selected"}:
        yield Selection("first", (rows[0],), selection.matches, selection.order, selection.bound)
        yield Selection("last", (rows[-1],), selection.matches, selection.order, selection.bound)
    for column in table.columns:
        keys = [(key, row) for row in rows if (key := column.keys[row]) is not None]
        if column.kind == "text" or len(keys) < 2:
            continue
        for kind, choose in (("largest", max), ("smallest", min)):
            best = choose(keys)[0]
            extremes = [tuple(row for key, row in keys if key == best)]
            if count > 1:
                ordered = sorted(keys, key=lambda item: item[0], reverse=kind == "largest")
                extremes.append(tuple(row for _, row in ordered[:count]))
            prefix = _PREFIXES.get(selection.kind, f"{selection.kind} ")
            for chosen in dict.fromkeys(extremes):
                if len(chosen) < len(keys):
                    yield Selection(prefix + kind, chosen, selection.matches, column, selection.bound)


def _select_by_row(selection: Selection, table: TypedTable) -> Iterator[Selection]:
    """Rows that have the same value as the selected row, a larger or a smaller one."""
    if len(selection.rows) != 1:
        return
    [row] = selection.rows
    for column in table.columns:
        text = table.get_text(row, column.index)
        same = [other for other in table.items if other != row and table.get_text(other, column.index) == text]
        if text and same and len(same) <= MAX_GROUP * len(table.items):
            yield Selection("same", tuple(same), selection.matches, column)
        key = column.keys[row]
        if column.kind != "text" and key is not None:
            above = tuple(n for n in table.items if (other := column.keys[n]) is not None and other > key)
            below = tuple(n for n in table.items if (other := column.keys[n]) is not None and other < key)
            yield Selection("above", above, selection.matches, column)
            yield Selection("below", below, selection.matches, column)


def _operate(
    selection: Selection, columns: Sequence[Column], table: TypedTable, question: TableQuestion
) -> Iterator[Program]:
    """The programs over a selection that give values of the columns."""
    kind, rows = selection.kind, selection.rows
    if not rows:
        return
    if kind in {"all", "filter", "both", "either", "bound", "same", "above", "below"}:
        yield Program("count", selection, None, (str(len(rows)),), _count(len(rows), "row"))
    if kind == "either" and len(selection.matches) == 2:
        yield from _compare_counts(selection)
    if kind in {"above", "below"}:
        return
    for column in columns:
        values = tuple(dict.fromkeys(text for row in rows if (text := table.get_text(row, column.index))))
        if kind != "all" and 0 < len(values) <= MAX_VALUES:
            yield Program("list" if len(values) > 1 else "value", selection, column, values)
            if question.is_fall and len(values) == 1 and (amount := drop_sign(values[0])):
                yield Program("fall", selection, column, (amount,))
        if len(rows) > 1 and kind in {"all", "filter", "both", "either", "bound"}:
            yield from _aggregate(selection, column, table, question)
        if len(rows) > 1 and kind == "selected" and column.kind == "number":
            yield from _calculate(selection, column, table, is_fall=question.is_fall)


def _compare_counts(selection: Selection) -> Iterator[Program]:
    first, second = (len(match.rows) for match in selection.matches)
    result = abs(first - second)
    formula = f"{max(first, second)} − {min(first, second)} = {result}"
    yield Program("count difference", selection, None, (str(result),), formula)


def _aggregate(selection: Selection, column: Column, table: TypedTable, question: TableQuestion) -> Iterator[Program]:
    rows = selection.rows
    texts = [text for row in rows if (text := table.get_text(row, column.index))]
    counts = Counter(texts)
    ranked = counts.most_common()
    if len(ranked) > 1 and ranked[0][1] > ranked[1][1]:
        yield Program("most frequent", selection, column, (ranked[0][0],), _count(ranked[0][1], "row"))
    if len(ranked) > 1 and ranked[-1][1] < ranked[-2][1]:
        yield Program("least frequent", selection, column, (ranked[-1][0],), _count(ranked[-1][1], "row"))
    if 1 < len(ranked) < len(texts):
        yield Program("distinct", selection, column, (str(len(ranked)),), _count(len(ranked), "different value"))
    if column.kind == "number":
        yield from _calculate(selection, column, table, is_fall=question.is_fall)


def _calculate(selection: Selection, column: Column, table: TypedTable, *, is_fall: bool) -> Iterator[Program]:
    operands = list_operands(selection.rows, (column,), table)
    if len(operands) < 2:
        return
    results = list(aggregate(operands))
    if selection.kind == "selected" and len(operands) == 2:
        results = list(combine(operands, is_fall=is_fall))
    yield from (Program(operation, selection, column, (value,), formula) for operation, value, formula in results)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
