"""Ranking of programs by a log-linear model over features of how they fit the words of the question.

After Pasupat and Liang 2015, "Compositional Semantic Parsing on Semi-Structured Tables"; programs and features are
our own.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import Final

from hopline.tables.cell_selection import LEAST, CellSelection
from hopline.tables.programs import LOOKUPS, Program
from hopline.tables.question import CellMatch, CellReading, TableQuestion
from hopline.tables.scored_programs import is_mentioned_first
from hopline.tables.series import EXTREMES, average_best
from hopline.tables.typed_table import Column, TypedTable, split_words
from hopline.text.values import find_date, find_leading_number, is_year

Feature = tuple[str, float]

MAX_EXPLAINING: Final = 12  # rows whose labels explain words of a question
STEP: Final = 3.0  # of the reader's score
# operations of the cell selector that a kind of program does
_SELECTED: Final = {
    "lookup": ("none",),
    "largest value": ("max",),
    "smallest value": ("min",),
    "largest label": ("argmax", "compare"),
    "smallest label": ("argmin", "compare"),
    "sum": ("sum",),
    "average": ("average",),
    "difference": ("difference",),
    "ratio": ("ratio",),
    "percent change": ("percent change",),
    "count": ("count",),
    "compare": ("compare",),
    "other": ("other",),
}
_PROGRAMS: Final = {
    "value": "lookup",
    "fall": "lookup",
    "list": "lookup",
    "list columns": "lookup",
    "largest row": "largest label",
    "smallest row": "smallest label",
    "largest column": "largest label",
    "smallest column": "smallest label",
    "highest value": "largest value",
    "lowest value": "smallest value",
    "range": "difference",
    "count difference": "difference",
    "distinct": "count",
    "share": "ratio",
}

_ORDERED: Final = frozenset({"compare", "ratio", "share", "percent change"})  # depend on the order of their operands
_SUPERLATIVE: Final = re.compile(r"\w{2,}est|most|least|fewest|first|last|top|best|worst|more|less|fewer|\w{3,}er")


@dataclass(frozen=True, slots=True)
class RankedProgram:
    """The best program of those that give the same values, and the probability of these values, in [0, 1]."""

    program: Program
    probability: float


@dataclass(frozen=True, slots=True)
class ProgramRanking:
    """What programs give, the likeliest first, and the probability that an answer is computed, in [0, 1].

    The probability that the table does not answer the question is what the programs' probabilities lack to 1.
    """

    programs: tuple[RankedProgram, ...]
    computed: float


def rank_programs(
    question: TableQuestion, programs: Sequence[Program], table: TypedTable, weights: Mapping[str, float]
) -> ProgramRanking:
    """Rank what programs give by its probability; there is one program at least."""
    scores = _score_programs(question, programs, table, weights)
    highest = max(scores)
    shares = [exp(score - highest) for score in scores]
    total = sum(shares)
    groups: dict[tuple[str, ...], list[tuple[float, int]]] = defaultdict(list)
    for index, (program, share) in enumerate(zip(programs, shares, strict=True)):
        if program.values:
            groups[tuple(sorted(program.values))].append((share / total, index))
    ranked = [RankedProgram(programs[max(group)[1]], sum(share for share, _ in group)) for group in groups.values()]
    pairs = list(zip(shares, programs, strict=True))
    answering = sum(share for share, program in pairs if program.values)
    computed = sum(share for share, program in pairs if program.values and program.computed)
    by_probability = sorted(ranked, key=lambda item: -item.probability)
    return ProgramRanking(tuple(by_probability), computed / answering if answering else 0.0)


def _score_programs(
    question: TableQuestion, programs: Sequence[Program], table: TypedTable, weights: Mapping[str, float]
) -> list[float]:
    parts = {part for program in programs for part in (program.selection.choice, program.operation)}
    words = {part: sum(weights.get(name, 0.0) for name in describe_words(question.grams, part)) for part in parts}
    return [
        words[program.selection.choice] + words[program.operation] + _score_program(question, program, table, weights)
        for program in programs
    ]


def _score_program(question: TableQuestion, program: Program, table: TypedTable, weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in describe_program(question, program, table))


@cache
def load_weights() -> dict[str, float]:
    """Load the weights of the features that are included."""
    weights: dict[str, float] = json.loads(files(__package__).joinpath("weights.json").read_text("utf-8"))
    return weights


def describe_words(grams: Iterable[str], part: str) -> Iterator[str]:
    """The features of words with a part of a program: how its rows are chosen, or the name of its operation."""
    return (f"{part}|{gram}" for gram in grams)


def describe_program(question: TableQuestion, program: Program, table: TypedTable) -> Iterator[Feature]:
    """The features of a program that do not depend on single words of the question."""
    selection, operation = program.selection, program.operation
    yield f"{selection.kind}/{operation}", 1.0
    yield f"direction {question.direction} {selection.choice}", 1.0
    if question.selection:
        yield from _describe_selection(question.selection, program)
    if not program.values:
        yield from _describe_absence(question, table)
        return
    yield from _describe_matches(question, program, table)
    yield from _describe_coverage(question, program, table)
    if len(selection.rows) == 1 and program.column and operation in LOOKUPS:
        yield from _describe_paths(question, selection.rows[0], program.column, table)
    yield from _describe_values(question, program)
    if operation in EXTREMES:
        yield from _describe_series(question, program, table)
    elif selection.kind == "selected" and (len(selection.rows) > 1 or program.others):
        yield from _describe_operands(question, program, table)
    if program.column:
        yield from _describe_column(question, program.column, f"column {operation}")
        yield f"focus {operation} {_share(program.column.words, question.focus)}", 1.0
        yield f"kind {question.asking} {program.column.kind} {operation}", 1.0
        first = next((column.index for column in table.columns if column.kind == "text"), 0)
        if program.column.index == first:
            yield f"names {operation} {selection.kind}", 1.0
        yield f"position {operation} {min(program.column.index, 2)}", 1.0
    if selection.order:
        yield from _describe_ordering(question, program, selection.order)


def _describe_ordering(question: TableQuestion, program: Program, order: Column) -> Iterator[Feature]:
    """How the column by which the rows of a program are chosen fits the question."""
    choice = program.selection.choice
    yield from _describe_column(question, order, f"order {choice}")
    if question.count > 1:
        yield f"count of rows {len(program.selection.rows) == question.count}", 1.0
    if question.measure:
        yield f"measure {_share(question.measure, order.words)}", 1.0
    yield f"order kind {choice} {order.kind}", 1.0
    yield f"order position {min(order.index, 2)}", 1.0
    if order == program.column:
        yield f"order is column {choice} {question.asking}", 1.0
    for gram in question.grams:
        if _SUPERLATIVE.fullmatch(gram):
            yield f"order {choice} {order.kind} {gram}", 1.0


def _describe_selection(scores: CellSelection, program: Program) -> Iterator[Feature]:
    """How likely the cell selector finds the rows, the columns and the operation of a program, as logarithms."""
    if not program.values:
        best = scores.best_row + scores.best_column
        yield "selected nothing", best
        yield f"selected nothing {int(best)}", 1.0
        yield f"selected no row {int(scores.best_row)}", 1.0
        yield f"selected no column {int(scores.best_column)}", 1.0
        yield "selected no row", scores.best_row
        return
    selection, kind = program.selection, _name_program(program)
    of_operation = max(scores.operations[name] for name in _SELECTED[kind])
    yield f"selected operation {kind}", of_operation
    yield "selected operation", of_operation
    columns = program.columns
    of_columns = min((scores.columns.get(column.index, LEAST) for column in columns), default=0.0)
    yield f"selected column {kind}", of_columns
    yield f"selected best column {kind} {of_columns == scores.best_column}", 1.0
    if selection.order:
        yield f"selected order {kind}", scores.columns.get(selection.order.index, LEAST)
    of_rows = 0.0
    if kind == "lookup" or selection.kind == "selected":
        of_rows = min(scores.rows.get(row, LEAST) for row in selection.rows)
        left = max((value for row, value in scores.rows.items() if row not in selection.rows), default=LEAST)
        yield f"selected rows {kind}", of_rows
        yield f"selected rows left out {kind}", left
        yield f"selected margin {kind} {max(-2, min(3, round(of_rows - left)))}", 1.0
        yield f"selected cell {kind} {int(of_rows + of_columns)}", 1.0
    if program.others or selection.kind == "selected":
        indices = {column.index for column in columns}
        rest = max((value for index, value in scores.columns.items() if index not in indices), default=LEAST)
        yield f"selected columns left out {kind} {len(columns) > 1}", rest
        if kind != "lookup":
            yield "selected rows of operation", of_rows
            yield "selected columns of operation", of_columns
            yield "selected columns left out of operation", rest


def _describe_series(question: TableQuestion, program: Program, table: TypedTable) -> Iterator[Feature]:
    """How a series of which the label of the extreme is the answer fits the question."""
    along = program.operation.rpartition(" ")[2]
    rows, words = program.selection.rows, frozenset(question.words)
    of_rows = [_split_path(table, row) for row in rows]
    of_columns = [column.words for column in program.columns]
    members, [fixed] = (of_rows, of_columns) if along == "row" else (of_columns, of_rows)
    shared = frozenset.intersection(*members)
    named = [bool((member - shared) & words) for member in members]
    count = len(program.values)
    yield f"series {along} named {all(named)} {any(named)} {all(named[:count])} {'or' in question.grams}", 1.0
    yield f"series {along} of {min(len(members), 4)}", 1.0
    yield f"series {along} fixed {_share(fixed, words)}", 1.0
    yield f"series {along} of kind {_share(question.focus, shared | fixed)}", 1.0
    yield f"series {along} asked {question.asking} {_name_kind(program.values[0])}", 1.0
    yield f"series count {count == question.count}", 1.0
    if along == "row":
        headers = [column.words for column in table.columns[: len(table.rows[rows[0]].labels)]]
        yield f"series row of header {_share(question.focus, frozenset().union(*headers))}", 1.0
    scores = question.selection
    if scores:
        logs = [scores.rows.get(row, LEAST) for row in rows]
        if along == "column":
            logs = [scores.columns.get(column.index, LEAST) for column in program.columns]
        yield f"series {along} mean", average_best(logs)
        yield f"series {along} extreme", sum(logs[:count]) / count


def _split_path(table: TypedTable, row: int) -> frozenset[str]:
    """Return the stems of the labels of a row."""
    return frozenset(word for label in table.get_path(row) for word in split_words(label))


def _describe_operands(question: TableQuestion, program: Program, table: TypedTable) -> Iterator[Feature]:
    """Whether the question names the operands of an operation, what they have in common, and in their order."""
    words = frozenset(question.words)
    rows = [_split_path(table, row) for row in program.selection.rows]
    columns = [column.words for column in program.columns]
    if len(rows) > 1:
        members, fixed = rows, frozenset().union(*columns)
    else:
        members, fixed = columns, rows[0]
    shared = frozenset.intersection(*members)
    named = [bool((member - shared) & words) for member in members]
    stated = f"{all(named)} {any(named)}"
    yield f"operands named {stated}", 1.0
    yield f"operands named {stated} {program.operation}", 1.0
    yield f"operands of {_share(fixed, words)}", 1.0
    yield f"operands of {_share(fixed, words)} {stated} {len(members) > 2}", 1.0
    if program.operation in _ORDERED:
        is_first = is_mentioned_first(program, question, table)
        yield f"mentioned {program.operation} {is_first} {question.is_fall}", 1.0


def _name_program(program: Program) -> str:
    """Name what a program does in terms of the operations of the cell selector; a key of `_SELECTED`."""
    operation, choice = program.operation, program.selection.choice
    if choice in {"largest", "smallest"}:
        is_value = program.column is not None and program.column == program.selection.order
        return f"{choice} {'value' if is_value else 'label'}"
    return _PROGRAMS.get(operation, operation if operation in _SELECTED else "other")


def _describe_absence(question: TableQuestion, table: TypedTable) -> Iterator[Feature]:
    """How many content words of the question the table does not have, and what it has."""
    yield "absent", len(question.absent) / 3
    yield f"absent {min(len(question.absent), 4)}", 1.0
    yield "absent share", len(question.absent) / max(1, len(question.content))
    yield f"present {min(len(question.content - question.absent), 4)}", 1.0
    exact = [match.end - match.start for match in question.matches if match.exact]
    partial = [match.end - match.start for match in question.matches if not match.exact]
    yield f"longest exact match {min(max(exact, default=0), 4)}", 1.0
    yield f"longest match {min(max(partial, default=0), 4)}", 1.0
    named = [column for column in table.columns if column.words and column.words <= frozenset(question.words)]
    yield f"named columns {min(len(named), 2)}", 1.0
    if question.reading:
        yield f"read score {_rate_score(question.reading)}", 1.0
    yield "measure absent", float(bool(question.measure) and not question.measure & table.vocabulary)
    yield "names absent", float(sum(question.words[n].isdigit() for n in question.absent))


def _describe_column(question: TableQuestion, column: Column, role: str) -> Iterator[Feature]:
    words = frozenset(question.words)
    share = _share(column.words, words)
    yield f"{role} {share}", 1.0
    if share == "all" and len(column.words) > 1:
        yield "long header", 1.0


def _share(words: frozenset[str], others: frozenset[str]) -> str:
    """How many of the words are among the others."""
    shared = len(words & others)
    return "none" if not shared else "all" if shared == len(words) else "some"


def _describe_matches(question: TableQuestion, program: Program, table: TypedTable) -> Iterator[Feature]:
    selection = program.selection
    for match in selection.matches:
        yield f"match {'exact' if match.exact else 'part'} {min(match.end - match.start, 3)}", 1.0
        if table.columns[match.column].words & frozenset(question.words):
            yield "match in a named column", 1.0
        if program.column and program.column.index == match.column:
            yield f"match in the column {program.operation} {match.exact}", 1.0
        if any(frozenset(question.words[match.start : match.end]) <= column.words for column in table.columns):
            yield f"match is a header {program.operation}", 1.0
        yield f"match of {min(len(match.rows), 3)} {program.operation}", 1.0
    yield f"rows {min(len(selection.rows), 3)} {program.operation} {selection.kind}", 1.0
    strong = [match for match in question.matches if _is_strong(match)]
    unused = [match for match in strong if not any(match.overlaps(other) for other in selection.matches)]
    yield f"unused {selection.kind}", float(min(len(unused), 3))
    if question.bound and not selection.bound:
        yield f"bound unused {program.operation}", 1.0


def _is_strong(match: CellMatch) -> bool:
    return match.exact or match.end - match.start > 1


def _describe_coverage(question: TableQuestion, program: Program, table: TypedTable) -> Iterator[Feature]:
    """How many content words of the question the program does not explain."""
    selection = program.selection
    explained = {n for match in selection.matches for n in range(match.start, match.end)}
    if selection.bound:
        explained |= set(range(selection.bound.start, selection.bound.end))
    headers = (program.column.words if program.column else frozenset()) | (
        selection.order.words if selection.order else frozenset()
    )
    if selection.kind == "selected":
        paths = [_split_path(table, row) for row in selection.rows[:MAX_EXPLAINING]]
        headers = headers.union(*paths, *(column.words for column in program.others))
    missing = [n for n in question.content if n not in explained and question.words[n] not in headers]
    yield "unexplained", min(len(missing), 6) / 3
    yield f"unexplained {program.operation}", min(len(missing), 6) / 6
    yield "unexplained numbers", float(sum(question.words[n].isdigit() for n in missing))


def _describe_paths(question: TableQuestion, row: int, column: Column, table: TypedTable) -> Iterator[Feature]:
    """How the path of a row and that of a column explain the question together."""
    line, words = table.rows[row], frozenset(question.words)
    labels = _split_path(table, row)
    label = frozenset(split_words(next((cell.text for cell in line.labels[::-1] if cell.text), "")))
    yield f"row path {_share(labels, words)}", 1.0
    yield f"row label {_share(label, words)}", 1.0
    yield f"row path beyond {min(len(labels - words), 4)}", 1.0
    yield f"column path beyond {min(len(column.words - words), 4)}", 1.0
    left = [n for n in question.content if question.words[n] not in labels | column.words]
    yield "left by paths", min(len(left), 6) / 3
    yield f"left by paths {min(len(left), 3)}", 1.0
    elsewhere = [n for n in left if n not in question.absent]
    yield f"left by paths and in the table {min(len(elsewhere), 3)}", 1.0
    yield f"numbers left by paths {min(2, sum(question.words[n].isdigit() for n in elsewhere))}", 1.0


def _describe_values(question: TableQuestion, program: Program) -> Iterator[Feature]:
    values = program.values
    kind = _name_kind(values[0])
    yield f"value {question.asking} {kind} {len(values) > 1}", 1.0
    yield f"values {program.operation} {min(len(values), 3)}", 1.0
    if question.reading:
        read = split_words(question.reading.text)
        agreement = "all" if [split_words(value) for value in values] == [read] else "other"
        yield f"read {agreement} {_rate_score(question.reading)} {program.operation in LOOKUPS}", 1.0
    if question.repeats(values[0]):
        yield f"in question {program.selection.kind} {'or' in question.grams}", 1.0
    if program.operation not in LOOKUPS:
        yield f"zero {program.operation}", float(values[0] == "0")


def _rate_score(reading: CellReading) -> int:
    return max(-2, min(3, int(reading.score // STEP)))


def _name_kind(text: str) -> str:
    if is_year(text):
        return "year"
    if find_date(text) is not None:
        return "date"
    return "number" if find_leading_number(text) is not None else "text"
