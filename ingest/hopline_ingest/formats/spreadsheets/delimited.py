"""The sheet of a CSV or TSV file: the separator is the one that divides the lines most evenly."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Final

from hopline_ingest.formats.spreadsheets.sheets import GridSheet, SheetCell, clean_text, is_value

_SEPARATORS: Final = ",;\t|"
_SAMPLE: Final = 200  # lines by which the separator is chosen
_MAX_FIELD: Final = 10_000_000  # characters


def read_delimited(text: str, *, separator: str = "") -> GridSheet:
    """Read a file of separated values; a line "sep=;" names the separator, as Excel writes it."""
    text = text.lstrip("\ufeff")
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) == len("sep=;"):
        text, separator = rest, first.strip()[-1]
    rows = _split(text, separator or _find_separator(text))
    cells = {}
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            if cleaned := clean_text(value):
                cells[number, column] = SheetCell(cleaned, is_value(cleaned))
    return GridSheet("", cells)


def _find_separator(text: str) -> str:
    """Return the separator that gives the most lines the same number of fields, and more than one."""
    sample = "\n".join(text.splitlines()[:_SAMPLE])
    return max(_SEPARATORS, key=lambda separator: _rate(_split(sample, separator)))


def _rate(rows: list[list[str]]) -> tuple[int, int]:
    """Return how many rows have the most frequent number of fields, 0 if that is 1, and this number."""
    counts = Counter(len(row) for row in rows if len(row) > 1)
    if not counts:
        return 0, 0
    fields, count = max(counts.items(), key=lambda item: (item[1] * item[0], item[0]))
    return count, fields


def _split(text: str, separator: str) -> list[list[str]]:
    csv.field_size_limit(_MAX_FIELD)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
