"""Large tables of HTML, which are read here: docling needs 400 times the size of their file as memory.

A paragraph with a mark replaces a table, so that its position is known after docling has read the rest of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from hopline.tables.parts import Rows

MIN_CELLS: Final = 5_000  # of all tables of a page whose large tables are read here
MIN_TABLE_CELLS: Final = 200  # of a large table
MAX_SPAN: Final = 1_000  # rows or columns of one cell
_MAX_COLUMNS: Final = 1_000
_MARK: Final = "⟦⟦table {}⟧⟧"
_MARK_PATTERN: Final = re.compile(r"⟦⟦table (\d+)⟧⟧(.*)")
_NESTED: Final = ".//table | .//pre | .//ul | .//ol"


def take_large_tables(root: Any) -> tuple[Rows, ...]:
    """Replace the large tables of a page by marks and return their rows; those with lists or tables in them stay.

    A page with few cells has none.
    """
    from lxml import etree

    if sum(1 for _ in root.iter("td", "th")) < MIN_CELLS:
        return ()
    tables: list[Rows] = []
    for table in list(root.iter("table")):
        if sum(1 for _ in table.iter("td", "th")) < MIN_TABLE_CELLS or table.xpath(_NESTED):
            continue
        caption = table.find("caption")
        mark = etree.Element("p")
        mark.text = f"{_MARK.format(len(tables))} {'' if caption is None else ' '.join(caption.itertext())}"
        mark.tail = table.tail
        rows = list(_read_rows(table))
        width = max(map(len, rows))
        tables.append(tuple((*row, *[""] * (width - len(row))) for row in rows))
        table.getparent().replace(table, mark)
    return tuple(tables)


def read_mark(text: str) -> tuple[int, str] | None:
    """Return the number and the caption of the table that a paragraph stands for; None for other paragraphs."""
    match = _MARK_PATTERN.fullmatch(text.strip())
    return (int(match[1]), match[2].strip()) if match else None


def _read_rows(table: Any) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table; a cell that spans rows or columns is repeated in each."""
    pending: dict[int, tuple[str, int]] = {}  # text and further rows of the cells above, by column
    for row in table.iter("tr"):
        texts: list[str] = []
        cells = list(row.iterchildren("td", "th"))
        while cells or len(texts) in pending:
            column = len(texts)
            if column in pending:
                text, rows = pending.pop(column)
                columns = 1
            else:
                cell = cells.pop(0)
                text = " ".join(" ".join(cell.itertext()).split())
                rows, columns = _read_span(cell, "rowspan") - 1, _read_span(cell, "colspan")
            for _ in range(min(columns, _MAX_COLUMNS - len(texts))):
                if rows > 0:
                    pending[len(texts)] = (text, rows - 1)
                texts.append(text)
            if len(texts) >= _MAX_COLUMNS:
                break
        yield tuple(texts)


def _read_span(cell: Any, name: str) -> int:
    value = str(cell.get(name) or "1").strip()
    return max(1, min(int(value), MAX_SPAN)) if value.isdecimal() else 1
