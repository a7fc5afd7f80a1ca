"""Sheets of ODS spreadsheets (OpenDocument 1.3, part 3, 9): texts as displayed, merged cells, hidden parts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from hopline.errors import DocumentError
from hopline_ingest.formats.normalized_text import normalize_text
from hopline_ingest.formats.spreadsheets.sheets import GridSheet, MergedRange, SheetCell, count_blanks
from hopline_ingest.formats.xml_parts import parse_xml, read_parts

_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_STYLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_PARTS: Final = re.compile(r"(?:content|meta)\.xml")
_TITLE: Final = "{http://purl.org/dc/elements/1.1/}title"
_ADDRESS: Final = "{http://www.w3.org/1999/xlink}href"
_HIDDEN: Final = {"collapse", "filter"}
_GROUPS: Final = {  # of rows and columns, which may be nested
    f"{_TABLE}{name}"
    for name in ("table-row-group", "table-header-rows", "table-rows", "table-column-group", "table-header-columns")
}
_VALUES: Final = {"float", "percentage", "currency", "date", "time", "boolean"}
_MAX_REPEATED: Final = 10_000  # rows or columns that one element stands for; sheets end with a million empty ones
_MAX_BLANKS: Final = 100  # of the blanks that one element stands for


def read_open_document(data: bytes) -> tuple[str, list[GridSheet]]:
    """Read the title of a spreadsheet, "" if it has none, and its sheets.

    Hidden sheets, rows and columns are not among the cells, but among what was left out.

    Raises:
        DocumentError: the file is damaged.
    """
    parts = read_parts(data, _PARTS) or {}
    root = parse_xml(parts.get("content.xml"))
    if root is None:
        raise DocumentError("the ODS file is damaged and cannot be opened")
    hidden_styles = {
        style.get(f"{_STYLE}name")
        for style in root.iter(f"{_STYLE}style")
        for properties in style.iter(f"{_STYLE}table-properties")
        if properties.get(f"{_TABLE}display") == "false"
    }
    spreadsheet = root.find(f"{_OFFICE}body/{_OFFICE}spreadsheet")
    tables = spreadsheet.findall(f"{_TABLE}table") if spreadsheet is not None else []
    properties = parse_xml(parts.get("meta.xml"))
    title = properties.findtext(f".//{_TITLE}") if properties is not None else ""
    sheets = [_read_sheet(table, is_hidden=table.get(f"{_TABLE}style-name") in hidden_styles) for table in tables]
    return normalize_text(title or ""), sheets


def _read_sheet(table: Any, *, is_hidden: bool) -> GridSheet:
    hidden_columns: set[int] = set()
    column = 0
    for element in _list_elements(table, f"{_TABLE}table-column"):
        count = int(element.get(f"{_TABLE}number-columns-repeated", 1))
        if element.get(f"{_TABLE}visibility") in _HIDDEN:
            hidden_columns.update(range(column, column + min(count, _MAX_REPEATED)))
        column += count
    cells: dict[tuple[int, int], SheetCell] = {}
    merged: list[MergedRange] = []
    hidden: defaultdict[int, list[str]] = defaultdict(list)
    row = 0
    for element in _list_elements(table, f"{_TABLE}table-row"):
        read = list(_read_row(element))
        count = int(element.get(f"{_TABLE}number-rows-repeated", 1))
        for number in range(row, row + min(count, _MAX_REPEATED)) if read else ():
            for column, cell, (rows, columns) in read:
                if is_hidden or column in hidden_columns or element.get(f"{_TABLE}visibility") in _HIDDEN:
                    hidden[number].append(cell.text)
                    continue
                cells[number, column] = cell
                if rows > 1 or columns > 1:
                    merged.append(MergedRange(number, column, number + rows - 1, column + columns - 1))
        row += count
    left_out = [f"hidden text: {' | '.join(texts)}" for _, texts in sorted(hidden.items())]
    return GridSheet(table.get(f"{_TABLE}name", ""), cells, tuple(merged), left_out)


def _list_elements(parent: Any, tag: str) -> Iterator[Any]:
    """Yield the rows or columns of a table, also those in groups, but not those of tables in cells."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _GROUPS:
            yield from _list_elements(child, tag)


def _read_row(element: Any) -> Iterator[tuple[int, SheetCell, tuple[int, int]]]:
    """Yield the column, the cell, and the numbers of rows and columns that it spans, of each cell with a text."""
    column = 0
    for child in element:
        count = int(child.get(f"{_TABLE}number-columns-repeated", 1))
        if child.tag == f"{_TABLE}table-cell":
            written = " ".join("".join(_read_text(paragraph)) for paragraph in child.findall(f"{_TEXT}p"))
            text = normalize_text(written)
            spans = (
                int(child.get(f"{_TABLE}number-rows-spanned", 1)),
                int(child.get(f"{_TABLE}number-columns-spanned", 1)),
            )
            if text:
                is_value = child.get(f"{_OFFICE}value-type") in _VALUES
                for number in range(column, column + min(count, _MAX_REPEATED)):
                    yield number, SheetCell(text, is_value, count_blanks(written)), spans
        column += count


def _read_text(element: Any) -> Iterator[str]:
    """Yield the text of a paragraph without that of comments; breaks and repeated blanks are blanks."""
    yield element.text or ""
    for child in element:
        if child.tag == f"{_OFFICE}annotation":
            pass
        elif child.tag in {f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"}:
            yield " " * min(int(child.get(f"{_TEXT}c", 1)), _MAX_BLANKS)
        else:
            yield from _read_text(child)
            address = child.get(_ADDRESS, "") if child.tag == f"{_TEXT}a" else ""
            if address and address not in "".join(child.itertext()):
                yield f" ({address})"
        yield child.tail or ""
