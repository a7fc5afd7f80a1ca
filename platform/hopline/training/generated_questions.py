"""Questions that ask for a calculation over a table, or for two of its cells, generated from its labels and numbers.

Data sets have few of them, and hardly one that asks by how much something fell. The wordings are our own; the labels
and numbers are those of the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Final

from hopline.tables.series import Group, group_alternatives
from hopline.tables.structure import is_sum_label
from hopline.tables.typed_table import Column, TypedTable
from hopline.text.values import YEAR, format_number

MAX_LABEL: Final = 60  # characters
TEMPLATES: Final[Mapping[str, Sequence[str]]] = {
    "difference": (
        "By how much did {row} {move} between {first} and {second}?",
        "By how many points did {row} {move} from {first} to {second}?",
        "How much {more} was {row} in {second} than in {first}?",
        "What is the difference between {first} and {second} for {row}?",
        "What was the {movement} of {row} between {first} and {second}?",
        "{Row}: how far did it {move} from {first} to {second}?",
        "By how many dollars did {row} {move} between {first} and {second}?",
    ),
    "percent change": (
        "By what percentage did {row} {move} from {first} to {second}?",
        "What was the percentage {movement} of {row} between {first} and {second}?",
        "By how many per cent did {row} {move} between {first} and {second}?",
        "How much did {row} {move} in per cent from {first} to {second}?",
        "What was the percentage change in {row} from {first} to {second}?",
        "What was the growth rate of {row} from {first} to {second}?",
    ),
    "sum": (
        "What is the sum of {row} in {first} and {second}?",
        "How much is {row} in {first} and {second} together?",
        "What was the total of {row} for {first} and {second}?",
        "How many did {row} reach altogether in {first} and {second}?",
        "What do {first} and {second} add up to for {row}?",
        "What was {row} in {first} and {second} combined?",
    ),
    "average": (
        "What is the average of {row} over {first} and {second}?",
        "What was the mean of {row} in {first} and {second}?",
        "What is the average {row} for {first} and {second}?",
    ),
    "ratio": (
        "What is the ratio of {row} in {first} to that in {second}?",
        "How many times as large as in {second} was {row} in {first}?",
        "How many times higher was {row} in {first} compared with {second}?",
    ),
    "share": (
        "What percentage of {total} was {part} in {line}?",
        "What share of {total} did {part} make up in {line}?",
        "How many per cent of {total} did {part} account for in {line}?",
        "{Part}: which proportion of {total} is that in {line}?",
    ),
}
MAX_RATIO: Final = 10  # of two numbers: others hardly have the same unit
_YEAR: Final = re.compile(rf"{YEAR}\b")
_NAMED: Final = re.compile(rf"{YEAR}|.*[^\W\d_]{{3}}", re.DOTALL)  # a label that says something
_UNITS: Final = frozenset({"number", "percent", "per cent", "rate", "count", "from", "total", "mean", "dollars"})
LIST_TEMPLATES: Final = (
    "What was {row} in {first} and in {second}?",
    "How high was {row} in {first} and how high in {second}?",
    "What are the values of {row} for {first} and {second}?",
    "Which figures does {row} have in {first} and {second}?",
    "{Row}: how much was it in {first}, and how much in {second}?",
    "What were {first} and {second} of {row}?",
)
_FALL: Final = (
    ("fall", "decrease", "decline", "drop", "shrink", "go down"),
    ("lower", "smaller", "less"),
    ("decrease", "decline", "drop", "reduction"),
)
_RISE: Final = (
    ("rise", "increase", "grow", "climb", "go up"),
    ("higher", "larger", "more"),
    ("increase", "rise", "growth"),
)
_REMARK: Final = re.compile(r"\s*(?:\([^()]*\)|\[[^\[\]]*\]|[*†‡:]+)\s*$")


@dataclass(frozen=True, slots=True)
class GeneratedQuestion:
    """A question for the result of an operation over two cells, or for both of them ("list")."""

    text: str
    answers: tuple[str, ...]
    operation: str


def generate_questions(table: TypedTable, random: Random) -> Iterator[GeneratedQuestion]:
    """Generate a question of each operation over a table, if it has cells that fit."""
    columns = _list_numeric(table)
    rows = {n: table.get_path(n) for n in table.items}
    paths = {column.index: column.path for column in columns}
    for operation in TEMPLATES:
        along_columns = random.random() < 0.7
        groups = group_alternatives(paths if along_columns else rows)
        if operation == "share":
            question = _generate_share(table, columns, rows, random)
        elif not groups or not rows or not columns:
            continue
        elif along_columns:
            question = _generate_pair(operation, random.choice(groups), random.choice(list(rows)), table, random)
        else:
            column = random.choice(columns)
            question = _generate_pair_of_rows(operation, random.choice(groups), column, random)
        if question is not None:
            yield question


def generate_list_questions(table: TypedTable, random: Random) -> Iterator[GeneratedQuestion]:
    """Generate a question for two cells of a row, and one for two cells of a column, if the table has them."""
    columns = _list_numeric(table)
    rows = {n: table.get_path(n) for n in table.items}
    if not rows or not columns:
        return
    row, column = random.choice(list(rows)), random.choice(columns)
    for along_columns in (True, False):
        groups = group_alternatives({item.index: item.path for item in columns} if along_columns else rows)
        if not groups:
            continue
        group = random.choice(groups)
        pair = _choose_pair(group, random)
        cells = [(row, index) if along_columns else (index, column.index) for index in pair]
        subject = _clean(*_split(rows[row] if along_columns else column.path))
        first, second = (_clean(group[index], ()) for index in pair)
        answers = tuple(table.get_text(*cell) for cell in cells)
        if subject and first and second and all(answers) and answers[0] != answers[1]:
            text = random.choice(LIST_TEMPLATES).format(
                row=subject, Row=subject[:1].upper() + subject[1:], first=first, second=second
            )
            yield GeneratedQuestion(text, answers, "list")


def _list_numeric(table: TypedTable) -> list[Column]:
    return [column for column in table.numeric_columns if column.path]


def _generate_pair(
    operation: str, group: Group, row: int, table: TypedTable, random: Random
) -> GeneratedQuestion | None:
    """Generate a question over two columns of a row."""
    first, second = _choose_pair(group, random)
    labels = [_clean(group[index], table.columns[index].path) for index in (first, second)]
    values = [table.columns[index].keys[row] for index in (first, second)]
    return _phrase(operation, _clean(*_split(table.get_path(row))), labels, values, random)


def _generate_pair_of_rows(operation: str, group: Group, column: Column, random: Random) -> GeneratedQuestion | None:
    """Generate a question over two rows of a column."""
    first, second = _choose_pair(group, random)
    labels = [_clean(group[row], ()) for row in (first, second)]
    return _phrase(
        operation, _clean(*_split(column.path)), labels, [column.keys[row] for row in (first, second)], random
    )


def _choose_pair(group: Group, random: Random) -> tuple[int, int]:
    first, second = random.sample(list(group), 2)
    are_years = all(_YEAR.match(group[index]) for index in (first, second))
    return (first, second) if not are_years or group[first] < group[second] else (second, first)


def _split(path: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the last label of a path, and the path."""
    return (next(filter(None, path[::-1]), ""), path)


def _clean(label: str, path: Sequence[str]) -> str:
    """Return a label without a remark at its end, with the label before it if it is a number or a single word."""
    text = _REMARK.sub("", label).strip()
    outer = [other for other in path if other and other != label]
    if outer and text.islower() and " " not in text and len(text) < 8:
        text = f"{outer[0]} {text}"
    return text if len(text) <= MAX_LABEL and text.lower() not in _UNITS and _NAMED.match(text) else ""


def _phrase(
    operation: str, row: str, labels: Sequence[str], values: Sequence[Decimal | None], random: Random
) -> GeneratedQuestion | None:
    first, second = values
    if first is None or second is None or not row or not all(labels) or labels[0] == labels[1] or first == second:
        return None
    low, high = sorted((first, second))
    if not 0 < low <= high <= MAX_RATIO * low:
        return None
    results = {
        "difference": abs(second - first),
        "percent change": abs(100 * (second - first) / first),
        "sum": first + second,
        "average": (first + second) / 2,
        "ratio": first / second,
    }
    words = _choose_words(-1 if second < first else 1, random)
    named = {"row": row, "Row": row[:1].upper() + row[1:], "first": labels[0], "second": labels[1]}
    text = random.choice(TEMPLATES[operation]).format(**named, **words)
    if operation == "percent change" and second < first and ("percentage change" in text or "growth rate" in text):
        return GeneratedQuestion(text, (f"-{format_number(results[operation])}%",), operation)
    unit = "%" if operation == "percent change" else ""
    return GeneratedQuestion(text, (format_number(results[operation]) + unit,), operation)


def _choose_words(sign: int, random: Random) -> dict[str, str]:
    """Choose the words for a fall (``sign`` -1) or a rise."""
    verbs, degrees, nouns = _FALL if sign < 0 else _RISE
    return {"move": random.choice(verbs), "more": random.choice(degrees), "movement": random.choice(nouns)}


def _generate_share(
    table: TypedTable, columns: Sequence[Column], rows: Mapping[int, Sequence[str]], random: Random
) -> GeneratedQuestion | None:
    """Generate a question for the share that a row has of a total, in one column."""
    totals = [row for row in table.totals if any(map(is_sum_label, table.get_path(row)))]
    if not totals or not rows or not columns:
        return None
    total, part, column = random.choice(totals), random.choice(list(rows)), random.choice(columns)
    whole, amount = column.keys[total], column.keys[part]
    names = [_clean(*_split(table.get_path(total))) or "the total", _clean(*_split(table.get_path(part)))]
    line = _clean(*_split(column.path))
    if not whole or not amount or not 0 < amount < whole or not all((*names, line)):
        return None
    text = random.choice(TEMPLATES["share"]).format(
        total=names[0], part=names[1], Part=names[1][:1].upper() + names[1][1:], line=line
    )
    return GeneratedQuestion(text, (f"{format_number(100 * amount / whole)}%",), "share")
