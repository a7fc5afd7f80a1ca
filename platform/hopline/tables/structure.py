"""Structure of tables: the kind and the path of each row, the path, unit and scale of each column.

A row belongs to the group rows above it and to the less indented rows above it; a label that stands once for several
rows is the label of all of them. A column has the headers of all header rows. Paths begin with the outermost label.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise, zip_longest
from typing import Any, Final, Literal

from hopline.tables.measured_columns import write_unit
from hopline.text.measures import find_unit
from hopline.text.values import FIRST_HEADER_YEAR, YEAR, find_date, find_scale, is_year

Cells = Sequence[Sequence[str]]
Path = tuple[str, ...]
RowKind = Literal["header", "group", "data", "total", "note"]

INDENT: Final = "\u2003"  # em space: one before a label for each level of its indentation on the page
STEP: Final = 0.01  # between the levels of groups with the same indentation
MIN_VALUES: Final = 0.6  # share of the texts of a column of values
MIN_LABELS: Final = 0.9  # share of the texts of a label column that are no values
MAX_LABEL_COLUMNS: Final = 4
MIN_VALUES_BESIDE_LABELS: Final = 0.3  # share of values right of the labels, in a table with several label columns
UNIT_HEADERS: Final = frozenset({"unit", "units", "unit of measure", "unit of measurement", "measure", "einheit"})
LONGEST_DATE: Final = 20  # characters
MIN_NUMBERED: Final = 3  # columns
MAX_UNITED: Final = 0.2  # share of the cells with several values, in a table whose columns are parted
MAX_UNNAMED: Final = 0.5  # share of the columns of values without header, and of the rows of values without label
_FIGURE: Final = re.compile(  # "12,300", "12.3 ± 0.4", "16 (47.1)", and "12.3b" with a letter of significance
    r"[^\w]*\d[\d,.\s]*[a-f]{0,3}(?:\s*±\s*\d[\d,.]*[a-f]{0,3})?(?:\s*\(\d[\d,.]*%?\))?[^\w]*"
)
_VALUE: Final = re.compile(r"(?:.*[^\w.])?\d|[-−–—.:*]+$|n/?[am]\.?$", re.IGNORECASE | re.DOTALL)
_NOT_AVAILABLE: Final = re.compile(r"n/?[am]\.?", re.IGNORECASE)
_YEAR: Final = re.compile(rf"\b{YEAR}\b")
_FOOTNOTE: Final = re.compile(r"\((?:\d{1,2}|[a-z])\)$")
_YEARS: Final = re.compile(rf"\D{{0,3}}(?P<year>{YEAR})(?:\s*[-–/]\s*\d{{1,4}})?\D{{0,3}}")
_SUM_WORDS: Final = (  # "Grand total", "Sub-total", "Summe", "Zwischensumme", "Sous-total", "Итого", "合计"
    r"(?:(?:grand|net|sub|sous)[-\s]?)?tota(?:ls?|ux|le|al)\b|sum\b|suma\b|somme\b|soma\b|somma\b"
    r"|(?-i:All|ALL)(?-i: [a-z]+)?$"
    r"|(?:zwischen|gesamt|end)?summe\b|(?:ins)?gesamt\b|итого\b|всего\b|сумма\b|[合总總小共][计計]|总额|総額"
)
_MEAN_WORDS: Final = r"average\b|mean\b|overall\b|durchschnitt\b|mittelwert\b|moyenne\b|promedio\b|в среднем\b|平均"
_SUM: Final = re.compile(rf"(?:{_SUM_WORDS})|.*\w[^\w]+totals?[^\w]*$", re.IGNORECASE)
_MEAN: Final = re.compile(_MEAN_WORDS, re.IGNORECASE)
_BRACKETS: Final = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_COLUMN_NUMBER: Final = re.compile(r"[(\[]?(?P<number>\d{1,2})[)\]]?(?:\s*=.*)?")
_BARE_SUM: Final = re.compile(rf"(?:{_SUM_WORDS})[^\w]*", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"(?:\([^()]*[^\W\d_][^()]*\)\s*)+")
_NUMBER: Final = re.compile(r"[(<>~±+−–-]?[$€£¥]?\d[\d,.]*%?\)?")


@dataclass(frozen=True, slots=True)
class RowStructure:
    """The kind of a row, and the path of one with values: its last label is its own, "" if it has none.

    ``unit`` is that of its values if the table has a column of units, "" otherwise.
    """

    kind: RowKind
    path: Path = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class ColumnStructure:
    """The path of a column, and the unit ("kg", "%") and scale ("million") of its values, "" if none is stated."""

    path: Path = ()
    unit: str = ""
    scale: str = ""


@dataclass(frozen=True, slots=True)
class TableStructure:
    """The structure of a table, with one item for each of its rows and columns.

    The first ``label_columns`` name the rows. ``problem`` says why the table is not understood, "" if it is: answers
    from its cells are then uncertain.
    """

    rows: tuple[RowStructure, ...] = ()
    columns: tuple[ColumnStructure, ...] = ()
    label_columns: int = 1
    problem: str = ""

    @property
    def header_rows(self) -> int:
        """The number of the rows above the body."""
        return next((n for n, row in enumerate(self.rows) if row.kind != "header"), len(self.rows))

    def select_rows(self, numbers: Iterable[int]) -> TableStructure:
        """Return the structure of a part of the table with these rows."""
        return TableStructure(tuple(self.rows[n] for n in numbers), self.columns, self.label_columns, self.problem)

    def to_dict(self) -> dict[str, Any]:
        """Convert to the object that is stored with a table, as JSON."""
        return {
            "label_columns": self.label_columns,
            "rows": [{"kind": row.kind, "path": list(row.path), "unit": row.unit} for row in self.rows],
            "columns": [{"path": list(item.path), "unit": item.unit, "scale": item.scale} for item in self.columns],
            "problem": self.problem,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TableStructure:
        """Read what `to_dict` wrote."""
        return cls(
            tuple(RowStructure(row["kind"], tuple(row["path"]), row["unit"]) for row in data["rows"]),
            tuple(ColumnStructure(tuple(item["path"]), item["unit"], item["scale"]) for item in data["columns"]),
            data["label_columns"],
            data["problem"],
        )


EMPTY_STRUCTURE: Final = TableStructure()


@dataclass(frozen=True, slots=True)
class _LabelledRow:
    """A row of the body: its texts in one line, and by how many levels its label is indented."""

    texts: tuple[str, ...]
    indent: int

    @property
    def group_label(self) -> str:
        """The text of a row that has only one, which is no value: the label of the rows below it; else ""."""
        return _get_group_label(self.texts)


def infer_structure(
    cells: tuple[tuple[str, ...], ...],
    caption: str = "",
    header_rows: int | None = None,
    *,
    label_columns: int | None = None,
    columns_are_certain: bool = False,
) -> TableStructure:
    """Infer the structure of a table from the texts of its cells.

    ``header_rows`` and ``label_columns`` are None if they are not known. Labels begin with `INDENT` once for each level
    of their indentation. ``columns_are_certain`` if the file states the cells, as in HTML and workbooks: numbers side
    by side in a cell are then no values of several columns.
    """
    rows = [_build_row(row) for row in cells]
    texts = [row.texts for row in rows]
    filled = [row for row in texts if any(row)]
    header = count_header_rows(filled) if header_rows is None else header_rows
    first = next((n for n in range(len(texts) + 1) if sum(map(any, texts[:n])) == header), len(texts))
    kinds = _classify_rows(texts, first)
    if columns_are_certain and not any(row.indent for row in rows):
        kinds = _keep_rows_without_values(texts, kinds)
    heads = [row for row, kind in zip(texts[:first], kinds, strict=False) if kind == "header"]
    named = [row for row, kind in zip(texts, kinds, strict=True) if kind == "data" and any(row)]
    count = label_columns or count_label_columns(named or [row for row in texts[first:] if any(row)], heads)
    paths = iter(_list_row_paths(rows, kinds, count))
    units = _find_row_units(texts, heads, kinds)
    structures = tuple(
        RowStructure(kind, next(paths), unit) if kind in {"data", "total"} else RowStructure(kind)
        for kind, unit in zip(kinds, units, strict=True)
    )
    width = max(map(len, texts), default=0)
    headers = _spread_headers(heads, named, count)
    columns = tuple(_build_column(headers, texts[first:], n, caption, is_label=n < count) for n in range(width))
    values = [row for row, kind in zip(texts, kinds, strict=True) if kind in {"data", "total"} and any(row)]
    problem = _find_problem(structures, columns, values, count, columns_are_certain=columns_are_certain)
    return TableStructure(structures, columns, count, problem)


def _build_row(cells: Sequence[str]) -> _LabelledRow:
    label = cells[0] if cells else ""
    texts = tuple(" ".join(text.split()) for text in cells)
    return _LabelledRow(texts, len(label) - len(label.lstrip(INDENT)))


def _classify_rows(rows: Cells, first: int) -> list[RowKind]:
    """Return the kind of each row; ``first`` is the number of the first one below the header.

    Rows of a single text below the last values, and one in brackets below the header, "(all amounts in EUR)", are notes
    and not the labels of groups.
    """
    kinds: list[RowKind] = ["header"] * first
    headers = set(map(tuple, rows[:first]))
    for row in rows[first:]:
        if tuple(row) in headers and any(row):
            kinds.append("header")
        elif _get_group_label(row):
            kinds.append("group")
        else:
            kinds.append("total" if any(map(is_total_label, row[:2])) else "data")
    for number in range(len(rows) - 1, first - 1, -1):
        if kinds[number] != "group":
            break
        kinds[number] = "note"
    if first < len(rows) and kinds[first] == "group" and is_in_brackets(_get_group_label(rows[first])):
        kinds[first] = "note"
    return kinds


def _keep_rows_without_values(rows: Cells, kinds: list[RowKind]) -> list[RowKind]:
    """Return the kinds of rows, with lone labels that look like the others as those of rows whose values are missing.

    They may be groups if the body begins with one, has totals, or repeats a label.
    """
    body = [n for n, kind in enumerate(kinds) if kind in {"group", "data", "total"} and any(rows[n])]
    labels = [rows[n][0] for n in body]
    may_have_groups = any(kinds[n] == "total" for n in body) or len(set(labels)) < len(labels) or not all(labels)
    if not body or kinds[body[0]] == "group" or may_have_groups:
        return kinds
    return [
        "data" if kind == "group" and not any(row[1:]) and not _is_group_name(row[0]) else kind
        for row, kind in zip(rows, kinds, strict=True)
    ]


def _is_group_name(label: str) -> bool:
    """Return whether a label is written as that of a group: "Costs:", "COSTS", "2022"."""
    return label.endswith((":", "：")) or label.isupper() or _is_years(label)


def _list_row_paths(rows: Sequence[_LabelledRow], kinds: Sequence[RowKind], count: int) -> list[Path]:
    """Return the paths of the rows with values; rows below the total of a group, "Total costs", are not in it."""
    paths: list[Path] = []
    parents: list[tuple[float, str]] = []  # the open group rows and less indented rows, with their levels
    summed: float = math.inf  # the level of the outermost group whose total has come
    labels: list[str] = [""] * count
    body = [(row, kind) for row, kind in zip(rows, kinds, strict=True) if kind in {"group", "data", "total"}]
    unnumbered = _list_unnumbered(body) if count > 1 else []
    grand_total = _find_grand_total(body, unnumbered)
    runs = [list(run) for _, run in groupby(body, key=lambda item: item[1] == "group")]
    for run, following in zip(runs, [*runs, []][1:], strict=True):
        if run[0][1] == "group":
            parents = _open_groups(parents, [row for row, _ in run], following[0][0] if following else None)
            labels = [""] * count
            summed = math.inf
            continue
        before = math.inf
        for row, kind in run:  # a total may be more indented than what it sums up, and may have no label
            is_labelled = any(row.texts[:count]) or before == math.inf
            level = float(row.indent) if is_labelled else before
            level = before = min(level, before) if kind == "total" else level
            parents = [] if row is grand_total else parents
            labels = list(row.texts[:count]) if row in unnumbered else fill_labels(row.texts[:count], labels)
            level = _find_level_of_sum(level, labels[-1], parents) if kind == "total" else level
            words = _read_words(labels[-1])
            names_group = any(other >= level and _read_words(label) == words for other, label in parents)
            parents = [(other, label) for other, label in parents if other < level]
            summed = summed if any(other >= summed for other, _ in parents) else math.inf
            outer = [(other, label) for other, label in parents if other < summed]
            own = [label for label, after in pairwise(labels) if label and (label != after or is_value_text(label))]
            paths.append((*(label for _, label in outer), *own, labels[-1]))
            if kind == "total" and is_sum_label(labels[-1]):
                summed = next((other for other, label in reversed(outer) if _names_group(labels[-1], label)), summed)
            if count == 1 and labels[-1] and not names_group:
                parents.append((level, labels[-1]))
    return paths


def _list_unnumbered(body: Sequence[tuple[_LabelledRow, RowKind]]) -> list[_LabelledRow]:
    """Return the rows without number in a table of several label columns whose first one numbers nearly all rows."""
    rows = [row for row, kind in body if kind != "group"]
    numbered = sum(row.texts[0].rstrip(".)").isdecimal() for row in rows)
    return [row for row in rows if not row.texts[0]] if numbered and numbered >= MIN_LABELS * len(rows) else []


def _find_level_of_sum(level: float, label: str, parents: Sequence[tuple[float, str]]) -> float:
    """Return the level of a total: below the groups within the one that it names, if that has nothing else to sum up.

    "TOTAL ASSETS" below "OTHER ASSETS" is the sum of the group "ASSETS" that contains "OTHER ASSETS".
    """
    words = {word for word in _read_words(label) if not _BARE_SUM.fullmatch(word)}
    within = [inner for (_, group), (inner, _) in pairwise(parents) if words and words == _read_words(group)]
    return min([level, *within[-1:]])


def _find_grand_total(
    body: Sequence[tuple[_LabelledRow, RowKind]], unnumbered: Sequence[_LabelledRow]
) -> _LabelledRow | None:
    """Return the row that sums up several groups: "Total" below groups without a total of their own.

    So does the last row of a table if it is the only one without a number.
    """
    if len(unnumbered) == 1 and unnumbered[0] is body[-1][0]:
        return unnumbered[0]
    totals = [n for n, (_, kind) in enumerate(body) if kind == "total"]
    if not totals:
        return None
    first, labels = body[totals[0]][0], [body[n][0].texts[0] for n in totals]
    groups = sum(is_group for is_group, _ in groupby(kind == "group" for _, kind in body[: totals[0]]))
    return first if groups > 1 and _BARE_SUM.fullmatch(labels[0]) and labels.count(labels[0]) == 1 else None


def _names_group(total: str, group: str) -> bool:
    """Return whether the label of a total has the words of a group: "Total costs", "Costs (EUR)"."""
    words = _read_words(group)
    return bool(words) and words <= _read_words(total)


def _read_words(label: str) -> set[str]:
    """Return the words of a label that are not in brackets, without the endings of their plurals."""
    return {word.removesuffix("s") for word in re.findall(r"\w+", _BRACKETS.sub("", label).casefold())}


def _open_groups(
    parents: Sequence[tuple[float, str]], run: Sequence[_LabelledRow], following: _LabelledRow | None
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
        open_groups.append((max(level, open_groups[-1][0] + STEP) if open_groups else level, row.group_label))
    return open_groups


def fill_labels(labels: Sequence[str], before: Sequence[str]) -> list[str]:
    """Return the labels of a row; an empty one before a label of its own is that of the row ``before``."""
    own = next((n for n, label in enumerate(labels) if label), len(labels))
    return [*before[:own], *labels[own:]] if 0 < own < len(labels) else list(labels)


def count_label_columns(rows: Cells, heads: Cells = ()) -> int:
    """Count the first columns that name the rows: more than one if the first one alone does not tell rows apart.

    That is so if rows are numbered within each number of the first column, as in "1 | 1 | Elm", "1 | 2 | Ash"; and if
    its labels are repeated, stand once for several rows, or only number the rows, and the next column has texts. In a
    table without values, only labels that stand once count. An empty first column is one of labels that are not stated.
    Columns of texts without a header of their own (in ``heads``) name the rows, too.
    """
    width = min(map(len, rows), default=0)
    if width > 2 and not any(row[0] for row in rows):
        return 1 + count_label_columns([row[1:] for row in rows], [row[1:] for row in heads])
    spanned = 2 if width > 2 and _are_crossed(rows) else _count_spanned_labels(rows)
    if spanned > 1:
        return spanned
    count = 1
    while count + 1 < width and _are_numbers_within(rows, count):
        count += 1
    if count > 1 and _are_labels(rows, count):
        return count + 1
    count = 1
    while count + 1 < width and not _are_distinct(rows, count) and _are_labels(rows, count):
        count += 1
        if count > MAX_LABEL_COLUMNS:
            return 1
    values = [is_value_text(text) for row in rows for text in row[count:] if text]
    has_values = bool(values) and sum(values) >= MIN_VALUES_BESIDE_LABELS * len(values)
    stand_once = all(all(row[1:]) for row in rows) and not all(row[0] for row in rows)
    if not ((has_values or stand_once) and _are_distinct(rows, count)):
        count = 1
    while heads and count + 1 < width and _shares_header(heads, count) and _are_labels(rows, count):
        count += 1
    return count


def _count_spanned_labels(rows: Cells) -> int:
    """Count the label columns of a table whose first two labels stand once for the same rows; 0 in another one.

    The next column tells these rows apart by texts.
    """
    blank = [[n for n, row in enumerate(rows) if not row[column]] for column in range(min(map(len, rows), default=0))]
    count = next((n for n, numbers in enumerate(blank) if numbers != blank[0]), 0)
    if count < 2 or not blank[0] or blank[0][0] == 0 or blank[count] or count + 1 >= len(blank):
        return 0
    is_text = sum(_is_label_text(row[count]) for row in rows) >= MIN_LABELS * len(rows)
    return count + 1 if is_text and _are_distinct(rows, count + 1) else 0


def _are_crossed(rows: Cells) -> bool:
    """Return whether most labels of the first column stand for several rows, with the same texts in the next column.

    "S1 | E1", "S1 | E2", "S2 | E1", "S2 | E2": both together name the rows, whatever is in the other columns.
    """
    filled = _fill_down([row[:2] for row in rows])
    runs = [[texts[1] for texts in run] for _, run in groupby(filled, key=lambda texts: texts[0])]
    runs = [run for run in runs if len(run) > 1 and all(run) and len(set(run)) == len(run)]
    shared = [run for n, run in enumerate(runs) if _shares_most(run, [*runs[:n], *runs[n + 1 :]])]
    has_labels = not any(is_value_text(text) for run in shared for text in run)
    return has_labels and sum(map(len, shared)) >= MIN_LABELS * len(rows) and len(set(filled)) == len(filled)


def _shares_most(texts: Sequence[str], others: Iterable[Sequence[str]]) -> bool:
    """Return whether most texts are in one of the other sequences, too."""
    return any(2 * len(set(texts) & set(other)) > len(texts) for other in others)


def _shares_header(heads: Cells, column: int) -> bool:
    """Return whether a column has no header, or that of the column before."""
    headers = [(row[column - 1], row[column]) for row in heads if column < len(row)]
    return all(text in {"", before} for before, text in headers)


def _are_distinct(rows: Cells, count: int) -> bool:
    """Return whether the first columns together name each row; a first column alone has no numbers or codes, too."""
    filled = _fill_down([row[:count] for row in rows])
    if count == 1:
        has_names = all(row[0] for row in rows) and len(set(filled)) == len(rows)
        return has_names and not _are_running_numbers(rows) and not _are_codes(rows)
    return len(set(filled)) == len(filled)


def _fill_down(rows: Cells) -> list[Path]:
    labels: list[str] = [""] * max(map(len, rows), default=0)
    filled = []
    for row in rows:
        labels = fill_labels(row, labels)
        filled.append(tuple(labels))
    return filled


def _are_running_numbers(rows: Cells) -> bool:
    """Return whether the first column numbers the rows from 1, or from another number.

    A row with the same text in the first two cells, as that of a sum, has no number.
    """
    texts = [row[0].rstrip(".)") for row in rows if row[:1] != row[1:2]]
    return len(texts) > 1 and all(map(str.isdecimal, texts)) and all(int(b) == int(a) + 1 for a, b in pairwise(texts))


def _are_codes(rows: Cells) -> bool:
    """Return whether the first column has codes ("0301") beside other texts, and values are in all other columns."""
    codes = [row[0].replace(".", "") for row in rows]
    return (
        all(len(row) > 1 for row in rows)
        and all(map(str.isdecimal, codes))
        and len({row[1] for row in rows}) == len(rows)
        and all(map(_is_label_text, {row[1] for row in rows if row[1]}))
        and all(is_value_text(text) for row in rows for text in row[2:] if text)
    )


def _are_numbers_within(rows: Cells, column: int) -> bool:
    """Return whether a column numbers the rows from 1 within each number of the column before, one with several."""
    number, label, largest = 0, "", 0
    for row in rows:
        number = number + 1 if row[column - 1] in {"", label} else 1
        label = row[column - 1] or label
        largest = max(largest, number)
        if row[column].rstrip(".)") != str(number):
            return False
    return largest > 1 and all(text.isdecimal() for text in (row[column - 1].rstrip(".)") for row in rows) if text)


def _are_labels(rows: Cells, column: int) -> bool:
    """Return whether a column has words, in each row whose label before it is stated."""
    texts = [row[column] for row in rows if row[column]]
    missing = sum(bool(row[column - 1]) and not row[column] for row in rows)
    few = len(rows) - MIN_LABELS * len(rows)
    units = sum(map(_is_unit, texts))
    return 2 * units < len(texts) and missing <= few and sum(not _is_label_text(text) for text in texts) <= few


def _is_label_text(text: str) -> bool:
    """Return whether a text is a year, begins with a letter, or has more letters than digits."""
    return _is_years(text) or text[0].isalpha() or sum(map(str.isalpha, text)) > sum(map(str.isdigit, text))


def _find_row_units(rows: Cells, heads: Cells, kinds: Sequence[RowKind]) -> list[str]:
    """Return the unit of each row, which is in a column of units; "" for all rows if there is none."""
    body = [row for row, kind in zip(rows, kinds, strict=True) if kind in {"data", "total"}]
    for column in range(1, min(map(len, rows), default=0)):
        headers = {row[column].lower() for row in heads}
        texts = [row[column] for row in body if row[column]]
        named = sum(_is_unit(text) for text in texts)
        if headers & UNIT_HEADERS or 2 * named > max(1, len(texts)):
            return [row[column].strip("()[]") for row in rows]
    return [""] * len(rows)


def _is_unit(text: str) -> bool:
    """Return whether a text is a unit ("m3", "%"), and no quantity."""
    return text == "%" or (sum(map(str.isdigit, text)) < 2 and not text[:1].isdigit() and bool(find_unit(text)))


def _spread_headers(heads: Cells, body: Cells, count: int) -> Cells:
    """Return the header rows, with each header of the last one over as many columns of values, if all span as many.

    In "2023 | | 2022 |" above an amount and a share each, both columns of a year are values, and one has no header.
    """
    if not heads:
        return heads
    row, values = heads[-1], _find_value_columns(body)
    starts = [n for n in range(count, len(row)) if row[n]]
    steps = {after - before for before, after in pairwise([*starts, len(row)])}
    are_values = all(n in values for n in range(count, len(row)))
    if starts[:1] != [count] or len(starts) < 2 or len(steps) > 1 or not are_values:
        return heads
    [step] = steps
    return [*heads[:-1], (*row[:count], *(row[n - (n - count) % step] for n in range(count, len(row))))]


def _build_column(heads: Cells, body: Cells, index: int, caption: str, *, is_label: bool) -> ColumnStructure:
    path = tuple(dict.fromkeys(text for row in heads if index < len(row) and (text := row[index])))
    if is_label:
        return ColumnStructure(path)
    texts = [row[index] for row in body if index < len(row) and row[index]]
    stated = " ".join(path)
    unit = _find_unit(stated)
    if not unit and texts and 2 * sum(text.endswith("%") for text in texts) > len(texts):
        unit = "%"
    scale = find_scale(stated) or ("" if unit == "%" else find_scale(caption))
    has_values = 2 * sum(map(is_value_text, texts)) > len(texts)
    return ColumnStructure(path, unit if has_values else "", scale if has_values else "")


def _find_unit(header: str) -> str:
    """Return the unit that a header states: all of what is in brackets ("mg/kg") unless it is a scale, or a word."""
    for text in reversed(_BRACKETS.findall(header)):
        if not find_scale(text) and (text == "%" or find_unit(text)):
            return str(text)
    return write_unit(header) or ("%" if "%" in header else "")


def _find_problem(
    rows: Sequence[RowStructure],
    columns: Sequence[ColumnStructure],
    values: Cells,
    count: int,
    *,
    columns_are_certain: bool,
) -> str:
    """Return why a table is not understood, "" if it is."""
    width = len(columns)
    value_columns = [n for n in _find_value_columns(values) if n >= count]
    if value_columns and (len(value_columns) > 1 or width > count + 1):
        unnamed = [n for n in value_columns if not columns[n].path]
        if len(unnamed) >= MAX_UNNAMED * len(value_columns):
            return "most columns of values have no header"
    united = sum(_has_several_values(row[n]) for row in values for n in value_columns)
    if not columns_are_certain and united > MAX_UNITED * max(1, len(values) * len(value_columns)):
        return "cells have the values of several columns"
    paths = [row.path for row in rows if row.path]
    if value_columns and sum(not path[-1] for path in paths) > MAX_UNNAMED * len(paths):
        return "most rows of values have no label"
    return ""


def _has_several_values(text: str) -> bool:
    """Return whether a cell has numbers side by side: "78.84 8", but not "16 (47.1)", "3 - 5" and "2 of 9"."""
    tokens = text.split()
    return any(
        _NUMBER.fullmatch(a) and _NUMBER.fullmatch(b) and not b.startswith("(") and not is_year(b)
        for a, b in pairwise(tokens)
    ) and not _is_grouped_number(tokens)


def _is_grouped_number(tokens: Sequence[str]) -> bool:
    """Return whether numbers are the groups of one: "12 345 678", "11 657 $"."""
    digits = [token.strip("$€£¥()−-") for token in tokens if token.strip("$€£¥()−-")]
    return len(digits) > 1 and all(len(re.sub(r"\D.*", "", token)) == 3 for token in digits[1:])


def _get_group_label(texts: Sequence[str]) -> str:
    """Return the text of a row of several cells that has only one, and no value; else "".

    It is in the first cell, or over the columns of the table: in one of them, or in several of the same text. A text
    over all of them may have a number: "Season 2022/23".
    """
    filled = {text for text in texts if text}
    if len(texts) < 2 or len(filled) != 1:
        return ""
    [label] = filled
    if texts[0] and (not any(texts[1:]) or (all(texts) and label[0].isalpha() and not _NOT_AVAILABLE.fullmatch(label))):
        return label
    return "" if is_value_text(label) else label


def count_header_rows(rows: Cells) -> int:
    """Count the rows above the first figures that head columns; 1 if there are no figures.

    Rows of texts below a complete header, and the label of a group, belong to the body. Rows whose first cell is the
    one of the row above, which spans them, and unlabelled rows below these head columns, too; so do rows that name
    columns which the rows above leave without a name of their own, and rows that number the columns. A table of two
    columns whose first row has a value has no header: its rows are names with their values. ``rows`` are the texts of
    the cells, "" for an empty one.
    """
    count = _count_spanned_rows(rows)
    if count < 2:
        count = _count_rows_above_figures(rows)
    while 0 < count < len(rows) - 1:
        if are_column_numbers(rows[count]) or _names_columns(rows, count):
            count += 1
        elif _are_labelled_headers(rows, count):
            count += 2
        else:
            break
    return count


def _count_rows_above_figures(rows: Cells) -> int:
    if all(len(row) == 2 for row in rows) and rows and is_value_text(rows[0][1]) and not is_value_text(rows[0][0]):
        return 0
    first = next((n for n, row in enumerate(rows) if _has_figures(row) and (n or not _is_unlabelled_text(row))), 1)
    value_columns = _find_value_columns(rows[first:])
    labelled = [
        n
        for n, row in enumerate(rows[:first])
        if row[0] and not _is_label_of_rows(row) and not (n and _heads_values(row, value_columns))
    ]
    complete = [n for n, row in enumerate(rows[:first]) if all(row[1:])]
    if complete:
        texts = [n for n in labelled if n > complete[0]]
        has_values = any(is_value_text(_FOOTNOTE.sub("", text)) for n in texts[:1] for text in rows[n][1:])
        if len(texts) > 1 or has_values:
            first = texts[0]
    else:
        first = min([first, *labelled[1:]])
    while first > 1 and _is_label_of_rows(rows[first - 1]):
        first -= 1
    return first


def _count_spanned_rows(rows: Cells) -> int:
    """Count the first rows that share their first cell, and the unlabelled ones below; 0 if no cell spans rows."""
    label = rows[0][0] if rows and rows[0] else ""
    count = next((n for n, row in enumerate(rows) if row[0] != label or (n and _has_figures(row))), len(rows))
    if not label or count < 2 or count == len(rows):
        return 0
    while count + 1 < len(rows) and not rows[count][0] and any(rows[count]) and not _has_figures(rows[count]):
        count += 1
    return count


def _names_columns(rows: Cells, number: int) -> bool:
    """Return whether a row names columns that the header rows above it do not tell apart.

    It has no label, or that of the row above, in a table whose other rows have labels; else its texts are different
    from those below it: words above values, or numbers above words; without values, all its cells have a text that is
    in no other row.
    """
    row, columns = rows[number], list(zip_longest(*rows, fillvalue=""))
    names = [tuple(filter(None, column[:number])) for column in columns[: len(row)]]
    unnamed = [n for n in range(1, len(row)) if not names[n] or names[n] == names[n - 1]]
    is_unlabelled = _is_unlabelled(rows, number)
    is_part = [bool(names[n] or (is_unlabelled and row[n - 1])) for n in range(len(row))]
    unnamed += [n - 1 for n in unnamed if n > 1 and is_part[n] and n - 1 not in unnamed]
    texts = [row[n] for n in unnamed]
    if not all(texts) or len(texts) < 2 or len(set(texts)) < min(2, len(texts)):
        return False
    if is_unlabelled:
        return True
    below = [list(filter(None, column[number + 1 :])) for column in columns]
    likeness = [_is_like(text, others) for text, others in zip(row, below, strict=False) if text and others]
    decided = [like for like in likeness if like is not None]
    if decided:
        return 2 * sum(decided) < len(decided)
    return all(row) and not any(text in others for text, others in zip(row, below, strict=False))


def _is_unlabelled(rows: Cells, number: int) -> bool:
    """Return whether a row has no label, or that of the row above, and the rows below it have labels."""
    label, labels = rows[number][0], [row[0] for row in rows[number + 1 :]]
    if label not in {"", rows[number - 1][0]} or not labels or labels[0] in {"", label}:
        return False
    return 2 * sum(map(bool, labels)) > len(labels)


def _are_labelled_headers(rows: Cells, number: int) -> bool:
    """Return whether two rows name the columns below headers that span them.

    The first one has the header of the labels, which have none yet; the other has no label, and is unlike the rows
    below it.
    """
    if number + 2 >= len(rows) or any(row[0] for row in rows[:number]) or not all(rows[number]):
        return False
    repeats = any(a and a == b for a, b in pairwise(rows[number - 1][1:]))
    below = list(zip_longest(*rows[number + 2 :], fillvalue=""))
    columns = zip(rows[number + 1], below, strict=False)
    likeness = [_is_like(text, list(filter(None, others))) for text, others in columns if text]
    return repeats and 2 * likeness.count(False) > len(likeness) and _is_unlabelled(rows, number + 1)


def _is_like(text: str, below: Sequence[str]) -> bool | None:
    """Return whether a text is a value as most of those below it, or None if neither is one."""
    is_value = is_value_text(text)
    are_values = sum(map(is_value_text, below)) > MIN_VALUES * len(below)
    return is_value == are_values if is_value or are_values else None


def _is_label_of_rows(texts: Sequence[str]) -> bool:
    """Return whether a row has one text, in its first cell or in a cell that spans all columns."""
    return len(texts) > 1 and bool(texts[0]) and (not any(texts[1:]) or set(texts) == {texts[0]})


def _find_value_columns(rows: Cells) -> list[int]:
    """Return the columns, after the first, most of whose texts are values."""
    columns = []
    for column in range(1, min(map(len, rows), default=0)):
        texts = [row[column] for row in rows if row[column]]
        if sum(map(is_value_text, texts)) > MIN_VALUES * len(texts):
            columns.append(column)
    return columns


def _heads_values(row: Sequence[str], value_columns: Sequence[int]) -> bool:
    """Return whether a row has texts that are no values over most columns of values, as a second header row has."""
    texts = [row[column] for column in value_columns if column < len(row) and row[column]]
    return 2 * len(texts) > len(value_columns) and not any(map(is_value_text, texts))


def _is_unlabelled_text(row: Sequence[str]) -> bool:
    """Return whether a row has no label, and more texts than figures: a header with "Ballot | Vote - 1 | - 2"."""
    texts = [text for text in row[1:] if text]
    return not row[0] and 2 * sum(_FIGURE.fullmatch(text) is not None for text in texts) < len(texts)


def _is_years(text: str) -> bool:
    """Return whether a text is a year or a period of years, as in the header of a column."""
    match = _YEARS.fullmatch(text)
    return match is not None and is_year(match["year"], since=FIRST_HEADER_YEAR)


@lru_cache(maxsize=20_000)
def is_value_text(text: str) -> bool:
    """Return whether a text has a number and is no year or date, or is a mark for no value.

    Numbers in brackets behind words do not count: "Rate (1/km)", "Odds ratio (95% CI)".
    """
    words = _BRACKETS.sub("", text).strip()
    is_value = bool(_VALUE.match(words if any(map(str.isalpha, words)) else text))
    return is_value and not _is_years(text) and not _is_full_date(text)


def _is_full_date(text: str) -> bool:
    """Return whether a text is a date with a day and a year, as in the header of a column: "31.12.2023"."""
    if len(text) > LONGEST_DATE:
        return False
    date = find_date(text)
    return date is not None and date.year is not None and _YEAR.search(text) is not None


def is_in_brackets(text: str) -> bool:
    """Return whether all of a text is in brackets, with letters in each of them: "(in EUR) (unaudited)"."""
    return _BRACKETED.fullmatch(text) is not None


def is_total_label(text: str) -> bool:
    """Return whether a cell labels a row of totals or means: "Total 2019", "Costs, total", "Average"."""
    return is_sum_label(text) or _MEAN.match(text) is not None


def is_sum_label(text: str) -> bool:
    """Return whether a cell labels a row of sums: "Grand total", "Summe Aufwand"."""
    return _SUM.match(text) is not None


def are_column_numbers(texts: Sequence[str]) -> bool:
    """Return whether texts are the numbers of columns: "1 | 2 | 3", "(1) | (2) | (3)", "1 | 2 | 3 = (1 + 2)".

    The first one may be that of the labels, or empty.
    """
    numbers = [_COLUMN_NUMBER.fullmatch(text) for text in texts if text]
    first = 1 if texts and texts[0] else 2
    counts = [[str(n) for n in range(start, start + len(numbers))] for start in {1, first}]
    return len(numbers) >= MIN_NUMBERED and [match and match["number"] for match in numbers] in counts


def _has_figures(row: Sequence[str]) -> bool:
    """Return whether a cell after the first is a figure; years are headers of columns, and so are 1, 2, 3 ….

    A colon between a name and its value is a sign of one, too.
    """
    if ":" in row[1:]:
        return True
    figures = [text for text in row[1:] if _FIGURE.fullmatch(text) and not (_is_years(text) or _is_full_date(text))]
    return bool(figures) and not are_column_numbers(row)
