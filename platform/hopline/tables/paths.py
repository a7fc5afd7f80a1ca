"""Paths of cells: the labels above and beside a value, from the outermost to its own.

A row belongs to the group rows above it and to the rows above it that are less indented; a label that stands once for
several rows is the label of all of them. A column has the headers of all header rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from hopline.tables.grid import TableGrid, TableRow, is_value_text

STEP: Final = 0.01  # between the levels of groups with the same indentation
MIN_LABELS: Final = 0.9  # share of the cells of a label column that are texts
MIN_VALUES: Final = 0.3  # share of the cells right of the labels that are values, in a table with two label columns

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowPath:
    """A row of the body with values, and its path; the last element is its own label, "" if it has none."""

    row: TableRow
    path: Path


def list_column_path(table: TableGrid, index: int) -> Path:
    """Return the texts of the header rows over a column, from top to bottom, each once."""
    texts = [row.cells[index].text for row in table.head if index < len(row.cells)]
    return tuple(text for text, _ in groupby(text for text in texts if text))


def list_row_paths(table: TableGrid) -> list[RowPath]:
    """Return the rows of the body that have values, each with its path."""
    count = count_label_columns(table)
    paths: list[RowPath] = []
    parents: list[tuple[float, str]] = []  # the open group rows and less indented rows, with their levels
    labels: list[str] = [""] * count
    runs = [list(run) for _, run in groupby(table.body, key=lambda row: row.is_group_label)]
    for run, following in zip(runs, [*runs[1:], []], strict=True):
        if run[0].is_group_label:
            parents = _open_groups(parents, run, following[0] if following else None)
            labels = [""] * count
            continue
        for row in run:
            level = float(row.indent)
            parents = [(other, label) for other, label in parents if other < level]
            labels = _fill_labels(row, labels, count)
            path = (*(label for _, label in parents), *(label for label in labels[:-1] if label), labels[-1])
            paths.append(RowPath(row, path))
            if count == 1 and labels[-1]:
                parents.append((level, labels[-1]))
    return paths


def count_label_columns(table: TableGrid) -> int:
    """Count the first columns that name the rows: more than one if the first one alone does not tell rows apart.

    That is so if its labels are repeated or stand once for several rows, and the next column has texts.
    """
    rows = [[cell.text for cell in row.cells] for row in table.body if not row.is_group_label]
    width = min((len(row) for row in rows), default=0)
    count = 1
    while count + 1 < width and not _are_distinct(rows, count) and _are_labels([row[count] for row in rows]):
        count += 1
    values = [is_value_text(text) for row in rows for text in row[count:] if text]
    has_values = bool(values) and sum(values) >= MIN_VALUES * len(values)
    return count if has_values and _are_distinct(rows, count) else 1


def _are_distinct(rows: Sequence[Sequence[str]], count: int) -> bool:
    """Return whether the first columns together name each row, and the first one is never empty."""
    names = [tuple(row[:count]) for row in rows]
    return len(set(names)) == len(names) and (count > 1 or all(row[0] for row in rows))


def _are_labels(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if text]
    return len(filled) >= MIN_LABELS * len(texts) and sum(map(is_value_text, filled)) <= (1 - MIN_LABELS) * len(filled)


def _open_groups(
    parents: Sequence[tuple[float, str]], run: Sequence[TableRow], following: TableRow | None
) -> list[tuple[float, str]]:
    """Return the open groups below consecutive group rows, of which each is within the one before it.

    A group whose rows are more indented ends with the next row that is not; another one contains the rows with its own
    indentation. Groups of the same indentation take the place of as many open ones: two of them begin an outer group.
    """
    levels = [
        float(row.indent) if below is not None and below.indent > row.indent else row.indent - 0.5
        for row, below in zip(run, [*run[1:], following], strict=True)
    ]
    open_groups = [(level, label) for level, label in parents if level < levels[0]]
    equal = [(level, label) for level, label in parents if levels[0] <= level < levels[0] + 0.5]
    open_groups += equal[: max(0, len(equal) - len(run))]
    for row, level in zip(run, levels, strict=True):
        open_groups.append((max(level, open_groups[-1][0] + STEP) if open_groups else level, row.cells[0].text))
    return open_groups


def _fill_labels(row: TableRow, before: Sequence[str], count: int) -> list[str]:
    """Return the labels of a row; an empty one before a label of its own is that of the row above."""
    labels = [cell.text for cell in row.cells[:count]]
    own = next((n for n, label in enumerate(labels) if label), count)
    return [*before[:own], *labels[own:]] if 0 < own < count else labels
