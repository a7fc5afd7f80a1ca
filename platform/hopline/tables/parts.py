"""Parts of long tables: a table of many rows is stored in parts, each with the header and the numbers of its rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from hopline.tables.structure import TableStructure, count_header_rows

Rows = tuple[tuple[str, ...], ...]

MAX_ROWS: Final = 50  # of a part, below the header
_ROWS: Final = re.compile(r"(?P<caption>.*?)\s*\(rows (?P<first>\d+)–(?P<last>\d+)\)")

Stored = TypeVar("Stored")


@dataclass(frozen=True, slots=True)
class RowRange:
    """What the caption of a part says: the caption of the whole table, and the numbers of its first and last row."""

    caption: str
    first: int
    last: int


def parse_row_range(caption: str) -> RowRange | None:
    """Parse the caption of a part, "Stock (rows 51–100)"; None for the caption of a whole table."""
    match = _ROWS.fullmatch(caption)
    return RowRange(match["caption"], int(match["first"]), int(match["last"])) if match else None


def group_parts(parts: Iterable[tuple[RowRange, Stored]]) -> list[list[Stored]]:
    """Group the parts of each table; ``parts`` are those of a document, in its order.

    A table of which a part is missing, or not in its order, is left out, and so are others with its caption.
    """
    groups: list[tuple[str, list[Stored]]] = []
    incomplete: set[str] = set()
    last: RowRange | None = None
    for rows, part in parts:
        if rows.first == 1:
            groups.append((rows.caption, [part]))
            last = rows
        elif last is not None and rows.caption == last.caption and rows.first == last.last + 1:
            groups[-1][1].append(part)
            last = rows
        else:
            incomplete.add(rows.caption)
            last = None
    return [group for caption, group in groups if caption not in incomplete]


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows of a table with their structure, and their numbers as a label: "(rows 51–100)", "" for a whole table."""

    rows: Rows
    structure: TableStructure
    label: str = ""


def split_rows(rows: Rows, structure: TableStructure) -> Iterator[TablePart]:
    """Yield the parts of a table of at most `MAX_ROWS` rows below its header; each has all rows of the header."""
    first = structure.header_rows
    if len(rows) <= MAX_ROWS + max(first, 1):
        yield TablePart(rows, structure)
        return
    for start in range(first, len(rows), MAX_ROWS):
        end = min(start + MAX_ROWS, len(rows))
        numbers = [*range(first), *range(start, end)]
        part = tuple(rows[n] for n in numbers)
        yield TablePart(part, structure.select_rows(numbers), f"(rows {start - first + 1}–{end - first})")


def unite_cells(parts: Sequence[Rows]) -> Rows:
    """Return the rows of all parts of a table: those of the first one, and those below the header of the others."""
    first = count_header_rows(parts[0])
    while first and any(part[:first] != parts[0][:first] for part in parts[1:]):
        first -= 1
    return (*parts[0], *(row for part in parts[1:] for row in part[first:]))
