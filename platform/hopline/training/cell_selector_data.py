"""Training data of the cell selector: questions over tables with the rows, the columns and the operation they ask for.

A question that ranks has no cells in the data but the labels that answer it: the cells that it compares are found by
`hopline.training.compared_cells`. The wrong rows and columns of a sample
are those of the same table that share most words with the question, and others by chance; one row and one column are
of another table. Some tables lose a header row or their title, as tables of PDFs do, and some questions get a year that
the table does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from hopline.tables.cell_selection import OPERATIONS, Cells, format_column, format_row, list_data_rows
from hopline.tables.structure import TableStructure, infer_structure
from hopline.text.values import YEAR
from hopline.text.words import find_content_words
from hopline.training.compared_cells import find_compared_cells

RIGHT: Final = 2  # rows or columns of a sample that are asked for, at most
WRONG: Final = 3  # rows or columns that are not, at most
OVERLAPPING: Final = 2  # of the wrong ones, those that share most words with the question
DAMAGED: Final = 0.1  # share of the samples whose table loses a header row
UNTITLED: Final = 0.2  # share of the samples whose table loses its title
OTHER_YEAR: Final = 0.1  # share of the samples whose question gets another year
FOREIGN_ROWS: Final = 20  # rows of another table among which a wrong one is chosen
RANKING: Final = frozenset({"argmax", "argmin", "compare"})
_YEAR: Final = re.compile(rf"\b{YEAR}\b")
# questions of WikiTableQuestions with these words are not looked up in the row that has their answer
_RANKING_WORDS: Final = re.compile(
    r"\b(?:most|least|fewest|first|last|next|previous|before|after|only|same|other|top|bottom|more|less|fewer|many|"
    r"\w{3,}est|\w{4,}er than)\b"
)


@dataclass(frozen=True, slots=True)
class CellQuestion:
    """A question over a table: the rows and the columns that it asks for, empty if unknown, and its operation.

    ``operation`` is one of `OPERATIONS`, "" if unknown; ``source`` names the set.
    """

    question: str
    title: str
    cells: Cells
    structure: TableStructure
    rows: frozenset[int]
    columns: frozenset[int]
    operation: str
    source: str


@dataclass(frozen=True, slots=True)
class SelectionGroup:
    """Texts of rows or of columns with a question, and which of them are right; the last ``foreign`` are others'."""

    question: str
    texts: tuple[tuple[str, str], ...]  # title and text
    right: tuple[bool, ...]
    foreign: int = 0


def read_cell_questions(rows: Iterable[Mapping[str, Any]], source: str) -> list[CellQuestion]:
    """Read questions in the format of a table with ``header_rows``, ``cells`` and ``operation``."""
    questions = []
    for row in rows:
        cells: Cells = tuple(tuple(" ".join(cell.split()) for cell in line) for line in row["table"])
        structure = infer_structure(cells, row["title"], row["header_rows"])
        operation = row["operation"] if row["operation"] in OPERATIONS else "other"
        targets = row.get("operand_cells") or row["cells"]
        if operation in RANKING and not row.get("operand_cells"):  # the cells are labels
            selected = find_compared_cells(row["question"], cells, structure, targets, operation)
        else:
            selected = find_rows_and_columns(cells, structure, targets)
        questions.append(CellQuestion(row["question"], row["title"], cells, structure, *selected, operation, source))
    return questions


def find_rows_and_columns(
    cells: Cells, structure: TableStructure, targets: Iterable[Sequence[int]]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the rows and the columns of cells, without those of labels if there are others; empty outside the body."""
    positions = [(row, column) for row, column in targets]
    valued = [item for item in positions if item[1] >= structure.label_columns] or positions
    rows, columns = frozenset(row for row, _ in valued), frozenset(column for _, column in valued)
    return (rows, columns) if rows <= set(list_data_rows(cells, structure)) else (frozenset(), frozenset())


def read_web_questions(
    lines: Iterable[str], excluded: set[str], read_table: Callable[[str], list[list[str]]], source: str
) -> Iterator[CellQuestion]:
    """Read questions of WikiTableQuestions whose answers are in one cell each, and that name something in its row."""
    for line in lines:
        id, question, name, target = line.rstrip("\n").split("\t")
        if id in excluded or id == "id" or _RANKING_WORDS.search(question.lower()):
            continue
        cells: Cells = tuple(tuple(" ".join(cell.split()) for cell in row) for row in read_table(name))
        if not cells or len({len(row) for row in cells}) > 1:
            continue
        structure = infer_structure(cells, "", 1)
        answers = [answer.casefold() for answer in target.split("|")]
        matches = [
            [(n, column) for n in list_data_rows(cells, structure) for column, text in enumerate(cells[n])
             if text.casefold() == answer]
            for answer in answers
        ]  # fmt: skip
        words = find_content_words(question)
        if all(len(match) == 1 for match in matches) and all(
            words & find_content_words(" ".join((*cells[n][:column], *cells[n][column + 1 :])))
            for [(n, column)] in matches
        ):
            rows, columns = zip(*(match[0] for match in matches), strict=True)
            yield CellQuestion(question, "", cells, structure, frozenset(rows), frozenset(columns), "", source)


def damage(item: CellQuestion, random: Random) -> CellQuestion:
    """Return the question over its table without its title, or without one of several header rows, or as it is."""
    if random.random() < UNTITLED:
        item = replace(item, title="")
    count = item.structure.header_rows
    if count < 2 or random.random() >= DAMAGED:
        return item
    lost = random.randrange(count)
    cells = tuple(row for number, row in enumerate(item.cells) if number != lost)
    structure = infer_structure(cells, item.title, count - 1)
    rows = frozenset(number - 1 for number in item.rows)
    if not structure.header_rows or not rows <= set(list_data_rows(cells, structure)):
        return item
    return replace(item, cells=cells, structure=structure, rows=rows)


def make_groups(item: CellQuestion, other: CellQuestion, random: Random) -> list[SelectionGroup]:
    """Make the group of the rows and that of the columns, if they are known; ``other`` is over another table.

    Some questions get another year: then no row or column is right whose text, or whose table's title, has the old one.
    """
    question, year = swap_year(item, random) if random.random() < OTHER_YEAR else (item.question, "")
    words = find_content_words(question)
    data = list_data_rows(item.cells, item.structure)
    row_texts = {n: format_row(item.cells, item.structure, n) for n in data}
    column_texts = {n: format_column(item.cells, item.structure, n) for n in range(len(item.structure.columns))}
    foreign_rows = [format_row(other.cells, other.structure, n) for n in list_data_rows(other.cells, other.structure)]
    foreign_columns = [format_column(other.cells, other.structure, n) for n in range(len(other.structure.columns))]
    groups = []
    for texts, right, foreign in (
        (row_texts, item.rows, foreign_rows),
        (column_texts, item.columns, foreign_columns),
    ):
        if not right:
            continue
        shown = [
            *random.sample(sorted(right), min(RIGHT, len(right))),
            *choose_wrong([n for n in texts if n not in right], texts, words, random),
        ]
        sampled = random.sample(foreign, min(len(foreign), FOREIGN_ROWS))
        outside = sorted(sampled, key=lambda text: -len(words & find_content_words(text)))[:1]
        pairs = [*((item.title, texts[n]) for n in shown), *((other.title, text) for text in outside)]
        are_right = [n in right and not (year and year in item.title + texts[n]) for n in shown]
        are_right += [False] * len(outside)
        groups.append(SelectionGroup(question, tuple(pairs), tuple(are_right), foreign=len(outside)))
    return groups


def swap_year(item: CellQuestion, random: Random) -> tuple[str, str]:
    """Replace the only year of the question by one near it that the table does not have; returns the year as well.

    The question and "" if it has no year or several.
    """
    years = set(_YEAR.findall(item.question))
    if len(years) != 1:
        return item.question, ""
    [year] = years
    text = " ".join((item.title, *(cell for row in item.cells for cell in row)))
    absent = [str(n) for n in range(int(year) - 6, int(year) + 7) if str(n) not in text]
    return (item.question.replace(year, random.choice(absent)), year) if absent else (item.question, "")


def choose_wrong(
    wrong: Sequence[int], texts: Mapping[int, str], words: frozenset[str] | set[str], random: Random
) -> list[int]:
    """Choose wrong rows or columns: those that share most words with the question, and others."""
    shared = {n: len(words & find_content_words(texts[n])) for n in wrong}
    ordered = sorted(wrong, key=lambda n: (-shared[n], random.random()))
    near, rest = ordered[:OVERLAPPING], ordered[OVERLAPPING:]
    return [*near, *random.sample(rest, min(len(rest), WRONG - len(near)))]


def choose_other(item: CellQuestion, others: Sequence[CellQuestion], random: Random) -> CellQuestion:
    """Choose a question over another table: by chance, or the one of some whose title shares most words."""
    sampled = random.sample(others, min(len(others), 2 * RIGHT * WRONG))
    sampled = [other for other in sampled if other.cells != item.cells] or sampled
    if random.random() < 0.5:
        return sampled[0]
    words = find_content_words(item.title)
    return max(sampled, key=lambda other: len(words & find_content_words(other.title)))
