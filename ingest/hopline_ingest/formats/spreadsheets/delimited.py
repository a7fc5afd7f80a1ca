"""The sheet of a CSV or TSV file: the separator is the one that divides the lines most evenly."""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from hopline_ingest.formats.normalized_text import normalize_text
from hopline_ingest.formats.spreadsheets.sheets import GridSheet, SheetCell, is_value

# Among those that divide lines equally well, the first: commas are also in texts and numbers.
_SEPARATORS: Final = "\t;|,"
_ONE_COLUMN: Final = "\x1f"  # a character that is in no text
_SAMPLE: Final = 200  # lines by which the separator is chosen
_MIN_EVEN: Final = 0.6  # share of the lines that have as many commas, if blanks follow the commas
_COMMA: Final = re.compile(r",(\s?)")
_DECIMAL_COMMA: Final = re.compile(r"(?<=\d),(?=\d)")
_ESCAPED_QUOTE: Final = re.compile(r"\\\"(?=[^\n\t;|,\"])")


def read_delimited(text: str, *, separator: str = "") -> GridSheet:
    """Read a file of separated values; a line "sep=;" names the separator, as Excel writes it."""
    text = text.lstrip("\ufeff")
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) == len("sep=;"):
        text, separator = rest, first.strip()[-1]
    if _ESCAPED_QUOTE.search(text):
        text = text.replace('\\"', '""')
    rows = _split(text, separator or _find_separator(text))
    cells = {}
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            if cleaned := normalize_text(value):
                cells[number, column] = SheetCell(cleaned, is_value(cleaned))
    return GridSheet("", cells)


def _find_separator(text: str) -> str:
    """Return the separator that gives the most lines the same number of fields, and more than one.

    A comma is none if it is the decimal sign of all numbers beside another separator, or if texts are divided by it
    into different numbers of parts.
    """
    sample = "\n".join(text.split("\n", _SAMPLE)[:_SAMPLE])
    rates = {separator: _rate(_split(sample, separator)) for separator in _SEPARATORS}
    commas = _COMMA.findall(sample)
    are_decimal = len(_DECIMAL_COMMA.findall(sample)) == len(commas)
    others = {separator: rate for separator, rate in rates.items() if separator != ","}
    if are_decimal and max(others.values())[0] >= rates[","][0]:
        rates = others
    lines = sum(bool(line.strip()) for line in sample.split("\n"))
    best = max(rates, key=lambda separator: rates[separator])
    is_text = best == "," and all(commas) and rates[best][0] < _MIN_EVEN * lines
    return _ONE_COLUMN if is_text or not rates[best][0] else best


def _rate(rows: list[list[str]]) -> tuple[int, int]:
    """Return how many rows have the most frequent number of fields, 0 if that is 1, and this number."""
    counts = Counter(len(row) for row in rows if len(row) > 1)
    if not counts:
        return 0, 0
    fields, count = max(counts.items(), key=lambda item: (item[1] * item[0], item[0]))
    return count, fields


def _split(text: str, separator: str) -> list[list[str]]:
    """Return the fields of each row; a line with a quote that is not closed, or closed within a field, is a row."""
    csv.field_size_limit(sys.maxsize)
    lines = [f"{line}\n" for line in text.split("\n")]
    rows: list[list[str]] = []
    start = 0
    while start < len(lines):
        reader = _read((lines[number] for number in range(start, len(lines))), separator, strict=True)
        read = 0  # lines of the rows before
        try:
            for row in reader:
                rows.append(row)
                read = reader.line_num
            break
        except csv.Error:
            start += read
            rows += _read([lines[start]], separator)
            start += 1
    return rows


def _read(lines: Iterable[str], separator: str, *, strict: bool = False) -> Any:
    return csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=strict)
