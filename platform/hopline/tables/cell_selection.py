"""Selection of the rows and columns of a table that a question asks for: their texts, and the scores of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log, log1p
from typing import Final

from hopline.tables.structure import TableStructure
from hopline.text.words import find_content_words

OPERATIONS: Final = (
    "none", "sum", "difference", "average", "count", "max", "min", "ratio", "percent change", "compare", "argmax",
    "argmin", "other",
)  # fmt: skip
TITLE_CHARACTERS: Final = 120
PATH_CHARACTERS: Final = 110
VALUE_CHARACTERS: Final = 110
HEADER_CHARACTERS: Final = 40  # of the header of a value in a row
COLUMN_VALUES: Final = 6  # first values of a column
MAX_ROWS: Final = 20  # of a table that are scored: those that share most words with the question
MAX_COLUMNS: Final = 12
LEAST: Final = -6.0  # of log-probabilities
_JOINT: Final = " › "

Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SelectionTexts:
    """The texts of the rows and columns that are scored, by their number in the cells of the table."""

    title: str
    rows: Mapping[int, str]
    columns: Mapping[int, str]

    def list_texts(self) -> list[list[str]]:
        """Return the pairs of header and text: those of the rows, then those of the columns."""
        return [[self.title, text] for text in (*self.rows.values(), *self.columns.values())]


@dataclass(frozen=True, slots=True)
class CellSelection:
    """The log-probabilities that rows and columns of a table are asked for, and those of the operations.

    Rows and columns are keyed by their number in the cells; those that were not scored are missing. None is below
    `LEAST`.
    """

    rows: Mapping[int, float] = field(default_factory=dict)
    columns: Mapping[int, float] = field(default_factory=dict)
    operations: Mapping[str, float] = field(default_factory=dict)

    def align(self, cells: Cells, structure: TableStructure) -> CellSelection:
        """Return the selection with the rows by their index among those with values, as in a `TypedTable`."""
        numbers = {number: index for index, number in enumerate(list_data_rows(cells, structure))}
        return replace(self, rows={numbers[number]: logit for number, logit in self.rows.items()})

    def rank_rows(self) -> list[int]:
        """Return the rows that were scored, the likeliest first."""
        return sorted(self.rows, key=lambda row: -self.rows[row])

    def rank_columns(self) -> list[int]:
        """Return the columns that were scored, the likeliest first."""
        return sorted(self.columns, key=lambda column: -self.columns[column])

    @property
    def best_row(self) -> float:
        """The log-probability of the likeliest row; `LEAST` if none was scored."""
        return max(self.rows.values(), default=LEAST)

    @property
    def best_column(self) -> float:
        """The log-probability of the likeliest column; `LEAST` if none was scored."""
        return max(self.columns.values(), default=LEAST)


def make_selection_texts(question: str, title: str, cells: Cells, structure: TableStructure) -> SelectionTexts:
    """Make the texts of the rows with values and of the columns; of long tables, of those most like the question."""
    words = find_content_words(question)
    rows = {n: format_row(cells, structure, n) for n in list_data_rows(cells, structure)}
    columns = {n: format_column(cells, structure, n) for n in range(len(structure.columns))}
    return SelectionTexts(
        format_title(title), _keep_likely(rows, words, MAX_ROWS), _keep_likely(columns, words, MAX_COLUMNS)
    )


def _keep_likely(texts: Mapping[int, str], words: frozenset[str], limit: int) -> dict[int, str]:
    """Return the texts that share most words with the question, in their order."""
    if len(texts) <= limit:
        return dict(texts)
    ranked = sorted(texts, key=lambda n: -len(words & find_content_words(texts[n])))
    return {n: texts[n] for n in sorted(ranked[:limit])}


def build_selection(texts: SelectionTexts, scores: Sequence[float]) -> CellSelection:
    """Build a selection from the output of the cell selector for `SelectionTexts.list_texts`."""
    operations, logits = scores[: len(OPERATIONS)], scores[len(OPERATIONS) :]
    logs = [max(LEAST, -log1p(exp(-logit))) if logit > LEAST else LEAST for logit in logits]
    count = len(texts.rows)
    return CellSelection(
        dict(zip(texts.rows, logs[:count], strict=True)),
        dict(zip(texts.columns, logs[count:], strict=True)),
        {name: max(LEAST, log(max(value, 1e-9))) for name, value in zip(OPERATIONS, operations, strict=True)},
    )


def format_title(title: str) -> str:
    """Return the beginning of a title, which is the header of the texts of rows and columns."""
    return _cut(title, TITLE_CHARACTERS)


def list_data_rows(cells: Cells, structure: TableStructure) -> list[int]:
    """Return the numbers of the rows with values."""
    return [
        number
        for number, (row, texts) in enumerate(zip(structure.rows, cells, strict=True))
        if row.kind in {"data", "total"} and any(map(str.strip, texts))
    ]


def format_row(cells: Cells, structure: TableStructure, number: int) -> str:
    """Format a row as its path, and its values below their columns: "Assets › Cash — 2022: 4; 2023: 5"."""
    path = _cut(_JOINT.join(filter(None, structure.rows[number].path)), PATH_CHARACTERS)
    values = [
        f"{_cut_start(' '.join(column.path), HEADER_CHARACTERS)}: {text}" if column.path else text
        for column, text in list(zip(structure.columns, cells[number], strict=False))[structure.label_columns :]
        if text
    ]
    return f"{path} — {_cut('; '.join(values), VALUE_CHARACTERS)}"


def format_column(cells: Cells, structure: TableStructure, index: int) -> str:
    """Format a column as its path and its first values: "2022 › Share (%) — 12; 30; 58"."""
    path = _cut(_JOINT.join(structure.columns[index].path), PATH_CHARACTERS)
    texts = [cells[n][index].strip() for n in list_data_rows(cells, structure) if index < len(cells[n])]
    values = list(dict.fromkeys(filter(None, texts)))[:COLUMN_VALUES]
    return f"{path} — {_cut('; '.join(values), VALUE_CHARACTERS // 2)}"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _cut_start(text: str, length: int) -> str:
    return text if len(text) <= length else "…" + text[1 - length :]
