"""Programs that a question names completely: counts, sums, averages, and the row with most or least of a measure.

"How many trees are in Borre?" counts the rows with "Borre", "What is the sum of the heights of the oaks?" adds up a
column. Every word of the question has to be explained: by the header of the counted or added column, by the label of
the rows, by a cell by which rows are selected, or by the heading of the table. Other programs are ranked
(`hopline.tables.ranking`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from hopline.tables.grid import has_value
from hopline.tables.measured_columns import ANY, CellMeasure, find_columns, measure_cell, remove_unit
from hopline.tables.programs import MAX_TERMS, Program, Selection
from hopline.tables.question import VALUE_SOUGHT, TableQuestion
from hopline.tables.row_selection import (
    filter_rows,
    find_label_column,
    find_sample,
    find_unexplained,
    is_verdict_column,
    locate_stems,
    make_selection,
)
from hopline.tables.typed_table import Column, TypedTable, split_words
from hopline.text.measures import Measure, Sense, find_unit, list_stems, load_measures
from hopline.text.values import find_years, format_number
from hopline.text.words import load_function_words, read_stem_list, stem

_COUNT: Final = re.compile(
    r"(?:(?:at|for|from|in|of|on|to)\s+)?how many\b|(?:what is |what was )?the (?:total )?number of\b", re.IGNORECASE
)
_SUM: Final = re.compile(r"\b(?:sum|total|together|altogether|combined|in all|add up)\b", re.IGNORECASE)
_AVERAGE: Final = re.compile(r"\b(?:average|mean)\b", re.IGNORECASE)
# rows are not selected by the words behind these
_EXCLUDING: Final = re.compile(
    r"\b(?:not|no|without|except|other than|excluding|neither|or|more|less|fewer|than|never|only|each|every|per|n't"
    r"|same|different|before|after|since|first|last)\b",
    re.IGNORECASE,
)
NO_VALUE: Final = "no value in the table"
_PERSONS: Final = frozenset(list_stems("people persons"))  # are what a column "Name" has, if they are counted
_DAYS: Final = frozenset(list_stems("day days date dates"))  # are what a column of dates has
_FUNCTION: Final = frozenset(map(stem, load_function_words())) - {"i"}
_LETTER: Final = re.compile(r"(?<!^)\b(?!I\b)[A-Z]\b(?!['’.-])")
_RANGE: Final = re.compile(r"([A-Z]+ ?)\d+\s*(?:[-–—]|to)\s*\1?\d+|\d+\s*(?:[–—]|to)\s*\d+", re.IGNORECASE)  # "T1–T5"
_NAME: Final = stem("name")
_AMOUNTS: Final = frozenset(list_stems("amount value number level"))
_ROWS: Final = frozenset(list_stems("row rows entry entries record records line lines item items"))


def find_named_program(question: TableQuestion, table: TypedTable, senses: Sequence[Sense] = ()) -> Program | None:
    """Find the only program that a question names completely; None if there is none.

    ``senses``: by which measure the question asks for most or least, if it asks for it.
    """
    if question.bound is not None or not table.rows or _has_unmatched_letter(question):
        return None
    if senses:
        programs = [program for sense in senses if (program := _find_extreme(question, table, sense))]
        if programs or not question.direction:
            return programs[0] if len({program.values for program in programs}) == 1 else None
    if _EXCLUDING.search(question.text):
        return None
    if question.direction:
        return _find_extreme_value(question, table) if question.asking == VALUE_SOUGHT else None
    if _SUM.search(question.text) or _AVERAGE.search(question.text):
        return _find_total(question, table)
    return _find_count(question, table) if _COUNT.match(question.text) else None


def _has_unmatched_letter(question: TableQuestion) -> bool:
    """Return whether the question names things by letters that are no whole cells: "pontoons A and B"."""
    letters = {letter.lower() for letter in _LETTER.findall(question.text)}
    matched = {question.words[n] for match in question.matches if match.exact for n in range(match.start, match.end)}
    return not letters <= matched


def _find_count(question: TableQuestion, table: TypedTable) -> Program | None:
    """A count of rows, if what is counted labels them or is in the heading, or of the different texts of a column."""
    counted = question.counted
    label = find_label_column(table, counted)
    columns = [column for column in table.columns if counted & column.words and not is_verdict_column(table, column)]
    is_row_named = any(match.exact and label and match.column == label.index for match in question.matches)
    if is_row_named or any(column.kind == "number" and column != label for column in columns):
        return None
    if len(columns) == 1 and columns[0] not in (label, table.columns[0]):
        return _count_texts(question, table, columns[0])
    named = (label.words if label else frozenset()) | _ROWS
    named |= _PERSONS if _NAME in named else frozenset()
    named |= _DAYS if label and label.kind == "date" else frozenset()
    selected = filter_rows(question, table, locate_stems(question, named))
    if selected is None or find_unexplained(question, selected.explained, named):
        return None
    labels = [table.get_text(row, label.index) for row in selected.rows] if label else []
    if any(map(_RANGE.fullmatch, labels)):  # a row is of several things
        return None
    is_repeated = len(set(labels)) < len(labels)
    if is_repeated and counted & named and not counted & question.heading:
        return None
    selection = make_selection(selected, table)
    count = len(selected.rows)
    return Program("count", selection, None, (str(count),), f"{count} row{'s' if count != 1 else ''}")


def _count_texts(question: TableQuestion, table: TypedTable, column: Column) -> Program | None:
    label = find_label_column(table, frozenset(question.words))
    named = column.words | (label.words if label else frozenset())
    selected = filter_rows(question, table, locate_stems(question, named))
    if selected is None or find_unexplained(question, selected.explained, named):
        return None
    texts = {text for row in selected.rows if (text := table.get_text(row, column.index))}
    selection = make_selection(selected, table)
    count = len(texts)
    formula = f"{count} different value{'s' if count != 1 else ''}"
    return Program("distinct", selection, column, (str(count),), formula) if texts else None


def _find_total(question: TableQuestion, table: TypedTable) -> Program | None:
    """The sum or average of the only column of numbers that the question names."""
    words = frozenset(question.words)
    label = find_label_column(table, words)
    columns = _choose_columns(question, table, words - _FUNCTION)
    if len(columns) != 1 or columns[0] == label:
        return None
    [column] = columns
    named = column.words | (label.words if label else frozenset()) | read_stem_list("having")
    selected = filter_rows(question, table, locate_stems(question, named))
    if selected is None or find_unexplained(question, selected.explained, named):
        return None
    filled = [row for row in selected.rows if has_value(table.get_text(row, column.index))]
    measured = _measure_rows(Measure(frozenset({ANY}), frozenset()), table, column, filled)
    if len(filled) < 2 or measured is None or any(item.low != item.high for item in measured):
        return None
    factor = next((factor for _, factor in find_unit(measured[0].unit)), Decimal(1))
    total = sum((item.low for item in measured), Decimal()) / factor
    is_average = bool(_AVERAGE.search(question.text))
    result = f"{format_number(total / len(filled) if is_average else total)} {measured[0].unit}".strip()
    texts = [table.get_text(row, column.index) for row in filled]
    terms = " + ".join(texts if len(texts) <= MAX_TERMS else (*texts[: MAX_TERMS - 1], "…", texts[-1]))
    formula = f"({terms}) / {len(filled)}" if is_average else terms
    lacking = len(selected.rows) - len(filled)
    note = f" ({lacking} of {len(selected.rows)} rows without a value)" if lacking else ""
    selection = replace(make_selection(selected, table), rows=tuple(filled))
    return Program("average" if is_average else "sum", selection, column, (result,), f"{formula} = {result}{note}")


def _choose_columns(question: TableQuestion, table: TypedTable, words: frozenset[str]) -> list[Column]:
    """The columns of numbers whose header has one of these words; those of the year of the question if any is."""
    columns = [column for column in table.columns if column.kind == "number" and column.words & words]
    years = set(find_years(question.text))
    of_year = [column for column in columns if years & set(find_years(column.header)) and column.words & words - years]
    return of_year or columns


def _find_extreme_value(question: TableQuestion, table: TypedTable) -> Program | None:
    """The largest or smallest value of the only column of numbers that the question names."""
    words = frozenset(question.words) - _FUNCTION
    columns = _choose_columns(question, table, words)
    label = find_label_column(table, words)
    if len(columns) != 1 or label is None or columns[0] == label:
        return None
    [column] = columns
    named = column.words | label.words | _AMOUNTS
    selected = filter_rows(question, table, locate_stems(question, named))
    if selected is None or find_unexplained(question, selected.explained, named):
        return None
    keys = {row: key for row in selected.rows if (key := column.keys[row]) is not None}
    measured = _measure_rows(Measure(frozenset({ANY}), frozenset()), table, column, list(keys))
    if len(keys) < 2 or measured is None or any(item.low != item.high for item in measured):
        return None
    best = max(keys.values()) if question.direction == "large" else min(keys.values())
    rows = tuple(row for row, key in keys.items() if key == best)
    kind = "largest" if question.direction == "large" else "smallest"
    selection = Selection(("filtered " if selected.matches else "") + kind, rows, selected.matches, column)
    return Program("value", selection, column, (table.get_text(rows[0], column.index),))


def _measure_rows(measure: Measure, table: TypedTable, column: Column, rows: Sequence[int]) -> list[CellMeasure] | None:
    """Measure the cells of a column; None if one cannot be, or if they are in several dimensions."""
    measured = [measure_cell(measure, table.get_text(row, column.index), column.header) for row in rows]
    known = [item for item in measured if item is not None]
    return known if len(known) == len(rows) and len({item.dimension for item in known}) == 1 else None


def find_missing_value(question: TableQuestion, table: TypedTable) -> tuple[Program, bool] | None:
    """Find the only cell that a question names by its row and its column, if the cell has no value.

    Row and column are named by all of their words, or the column by a word for the same measure ("earn" for
    "Salary"), or else by some of its words. The second value says whether every word of the question is explained.
    """
    words = frozenset(question.words)
    labels = {row: _list_label_words(table, row, words) for row in table.items}
    longest = max(map(len, labels.values()), default=0)
    rows = [row for row, label in labels.items() if label and len(label) == longest]
    columns = [column for column in table.columns[1:] if _is_named(column, words - labels[rows[0]])] if rows else []
    if rows and not columns:
        columns = [column for column in table.columns[1:] if column.words & (words - labels[rows[0]])]
    if len(rows) != 1 or len(columns) != 1 or has_value(table.get_text(rows[0], columns[0].index)):
        return None
    measured = frozenset(word for measure in _list_measures(columns[0]) for word in measure.words)
    covered = labels[rows[0]] | columns[0].words | measured | table.columns[0].words
    matches = tuple(match for match in question.matches if match.exact and match.rows == {rows[0]})
    selection = Selection("filter", (rows[0],), matches)
    is_complete = not find_unexplained(question, frozenset(), covered)
    return Program("value", selection, columns[0], (NO_VALUE,)), is_complete


def _list_label_words(table: TypedTable, row: int, words: frozenset[str]) -> frozenset[str]:
    """The words of the labels of a row of which the question has all words; the labels are its first two cells."""
    texts = [table.get_text(row, column.index) for column in table.columns[:2]]
    labels = [frozenset(split_words(text)) - _FUNCTION for text in texts if has_value(text)]
    return frozenset[str]().union(*(label for label in labels if label <= words))


def _is_named(column: Column, words: frozenset[str]) -> bool:
    headed = frozenset(split_words(remove_unit(column.header)))
    return bool(headed) and (headed <= words or any(words & measure.words for measure in _list_measures(column)))


def _list_measures(column: Column) -> list[Measure]:
    """The measures that the header of a column says, or its unit."""
    dimensions = [dimension for dimension, _ in find_unit(column.header)]
    return [
        measure for measure in load_measures() if measure.words & column.words or any(map(measure.includes, dimensions))
    ]


def _find_extreme(question: TableQuestion, table: TypedTable, sense: Sense) -> Program | None:
    """The label of the row, or rows, with most or least of a measure among those that the question selects."""
    texts = [column for column in table.columns if column.kind == "text" and column.words]
    sought = [column for column in texts if column.words <= question.focus]
    label = sought[0] if len(sought) == 1 else find_label_column(table, question.focus or frozenset(question.words))
    headers = [column.header for column in table.columns]
    samples = [find_sample(table, column) for column in table.columns]
    columns = find_columns(sense.measure, headers, samples, ())
    if label is None or len(columns) != 1 or columns[0] == label.index:
        return None
    column = table.columns[columns[0]]
    named = label.words | column.words | sense.measure.words | _ROWS
    selected = filter_rows(question, table, locate_stems(question, named))
    if selected is None or find_unexplained(question, selected.explained, named):
        return None
    filled = [row for row in selected.rows if has_value(table.get_text(row, column.index))]
    measured = _measure_rows(sense.measure, table, column, filled)
    if measured is None or len(filled) < 2:
        return None
    best = max(item.low for item in measured) if sense.sign > 0 else min(item.high for item in measured)
    tied = [row for row, item in zip(filled, measured, strict=True) if item.low <= best <= item.high]
    limits = {(item.low, item.high) for item in measured if item.low <= best <= item.high}
    if len(tied) == len(filled) or len(limits) > 1:
        return None
    kind = "largest" if sense.sign > 0 else "smallest"
    prefix = "filtered " if selected.matches else ""
    selection = Selection(prefix + kind, tuple(tied), selected.matches, column)
    values = tuple(dict.fromkeys(table.get_text(row, label.index) for row in tied))
    return Program("value" if len(values) == 1 else "list", selection, label, values)
