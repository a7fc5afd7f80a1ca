"""Features of a program: how well its selection, operation and column fit the words of the question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from hopline.tables.matching import CellMatch
from hopline.tables.programs import Program
from hopline.tables.questions import CellReading, TableQuestion
from hopline.tables.typed_table import Column, TypedTable, split_words
from hopline.tables.values import read_date, read_leading_number

Feature = tuple[str, float]

LOOKUPS: Final = frozenset({"value", "list"})
STEP: Final = 3.0  # of the reader's score

_YEAR: Final = re.compile(r"(?:1[4-9]|20)\d\d")
_SUPERLATIVE: Final = re.compile(r"\w{2,}est|most|least|fewest|first|last|top|best|worst|more|less|fewer|\w{3,}er")


def describe_words(grams: Iterable[str], part: str) -> Iterator[str]:
    """The features of words with a part of a program: how its rows are chosen, or the name of its operation."""
    return (f"{part}|{gram}" for gram in grams)


def describe_program(question: TableQuestion, program: Program, table: TypedTable) -> Iterator[Feature]:
    """The features of a program that do not depend on single words of the question."""
    selection, operation = program.selection, program.operation
    yield f"{selection.kind}/{operation}", 1.0
    yield f"direction {question.direction} {selection.choice}", 1.0
    if not program.values:
        yield from _describe_absence(question, table)
        return
    yield from _describe_matches(question, program, table)
    yield from _describe_coverage(question, program)
    yield from _describe_values(question, program)
    if program.column:
        yield from _describe_column(question, program.column, f"column {operation}")
        yield f"focus {operation} {_share(program.column.words, question.focus)}", 1.0
        yield f"kind {question.asking} {program.column.kind} {operation}", 1.0
        first = next((column.index for column in table.columns if column.kind == "text"), 0)
        if program.column.index == first:
            yield f"names {operation} {selection.kind}", 1.0
        yield f"position {operation} {min(program.column.index, 2)}", 1.0
    if selection.order:
        yield from _describe_column(question, selection.order, f"order {selection.choice}")
        if question.measure:
            yield f"measure {_share(question.measure, selection.order.words)}", 1.0
        yield f"order kind {selection.choice} {selection.order.kind}", 1.0
        yield f"order position {min(selection.order.index, 2)}", 1.0
        if selection.order == program.column:
            yield f"order is column {selection.choice} {question.asking}", 1.0
        for gram in question.grams:
            if _SUPERLATIVE.fullmatch(gram):
                yield f"order {selection.choice} {selection.order.kind} {gram}", 1.0


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
    if question.bounds and not selection.bound:
        yield f"bound unused {program.operation}", 1.0


def _is_strong(match: CellMatch) -> bool:
    return match.exact or match.end - match.start > 1


def _describe_coverage(question: TableQuestion, program: Program) -> Iterator[Feature]:
    """How many content words of the question the program does not explain."""
    selection = program.selection
    explained = {n for match in selection.matches for n in range(match.start, match.end)}
    if selection.bound:
        explained |= set(range(selection.bound.start, selection.bound.end))
    headers = (program.column.words if program.column else frozenset()) | (
        selection.order.words if selection.order else frozenset()
    )
    missing = [n for n in question.content if n not in explained and question.words[n] not in headers]
    yield "unexplained", min(len(missing), 6) / 3
    yield f"unexplained {program.operation}", min(len(missing), 6) / 6
    yield "unexplained numbers", float(sum(question.words[n].isdigit() for n in missing))


def _describe_values(question: TableQuestion, program: Program) -> Iterator[Feature]:
    values = program.values
    kind = _name_kind(values[0])
    yield f"value {question.asking} {kind} {len(values) > 1}", 1.0
    yield f"values {program.operation} {min(len(values), 3)}", 1.0
    if question.reading:
        read = split_words(question.reading.text)
        agreement = "all" if [split_words(value) for value in values] == [read] else "other"
        yield f"read {agreement} {_rate_score(question.reading)} {program.operation in LOOKUPS}", 1.0
    words = split_words(values[0])
    if words and any(question.words[n : n + len(words)] == words for n in range(len(question.words))):
        yield f"in question {program.selection.kind} {'or' in question.grams}", 1.0
    if program.operation not in LOOKUPS:
        yield f"zero {program.operation}", float(values[0] == "0")


def _rate_score(reading: CellReading) -> int:
    return max(-2, min(3, int(reading.score // STEP)))


def _name_kind(text: str) -> str:
    if _YEAR.fullmatch(text):
        return "year"
    if read_date(text) is not None:
        return "date"
    return "number" if read_leading_number(text) is not None else "text"
