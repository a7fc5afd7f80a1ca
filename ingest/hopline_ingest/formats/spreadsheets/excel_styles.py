"""Damaged styles of a workbook, without which openpyxl reads no cell: the formats of the numbers are restored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from hopline_ingest.formats.spreadsheets.excel_parts import SHEETS
from hopline_ingest.formats.xml_parts import parse_xml, read_parts, serialize_xml, write_parts

DAMAGED_STYLES: Final = (
    "the styles of the workbook are damaged: dates may be shown as numbers, and numbers with other decimals"
)
_STYLES: Final = "xl/styles.xml"
_NAMESPACE: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_CELL_STYLE: Final = re.compile(rb"""(<(?:\w+:)?(?:c|row|col)\s[^<>]*?)\s(?:s|style)=["'](\d+)["']""")
_NUMBER_FORMAT: Final = re.compile(rb"<(?:\w+:)?numFmt\s[^<>]*>")
_CELL_FORMATS: Final = re.compile(rb"<(?:\w+:)?cellXfs[\s>].*?(?:</(?:\w+:)?cellXfs>|$)", re.DOTALL)
_FORMAT: Final = re.compile(rb"<(?:\w+:)?xf[\s/>][^<>]*>?")
_FORMAT_ID: Final = re.compile(rb"""numFmtId=["'](\d{1,9})["']""")
_FIRST_OWN_FORMAT: Final = 164  # those below are the same in all workbooks
_MAX_FORMATS: Final = 65_000  # of cells, as in Excel


def restore_styles(data: bytes) -> bytes | None:
    """Return the workbook with styles that only have the formats of its numbers; None if the file is damaged.

    Formats that cannot be read are general ones.
    """
    parts = read_parts(data)
    if parts is None:
        return None
    styles = parts.get(_STYLES, b"")
    used = (int(match[2]) for name in parts if SHEETS.fullmatch(name) for match in _CELL_STYLE.finditer(parts[name]))
    count = min(1 + max(used, default=0), _MAX_FORMATS)
    ids = [*_read_format_ids(styles), *[0] * count][:count]
    return write_parts(parts | {_STYLES: _write_styles(_read_number_formats(styles), ids)})


def _read_format_ids(styles: bytes) -> list[int]:
    """Return the number of the format of each style of cells."""
    formats = _CELL_FORMATS.search(styles)
    ids = (_FORMAT_ID.search(match[0]) for match in _FORMAT.finditer(formats[0])) if formats else ()
    return [int(match[1]) if match else 0 for match in ids]


def _read_number_formats(styles: bytes) -> Iterator[tuple[str, str]]:
    """Yield the numbers and codes of the formats that the workbook defines."""
    for match in _NUMBER_FORMAT.finditer(styles):
        element = parse_xml(re.sub(rb"^<\w+:", b"<", match[0]).rstrip(b"/>") + b"/>")
        if element is not None and element.get("numFmtId", "").isdecimal() and element.get("formatCode"):
            yield element.get("numFmtId"), element.get("formatCode")


def _write_styles(formats: Iterator[tuple[str, str]], ids: list[int]) -> bytes:
    from lxml import etree

    def add(parent: Any, name: str, **attributes: str) -> Any:
        return etree.SubElement(parent, f"{{{_NAMESPACE}}}{name}", attributes)

    root = etree.Element(f"{{{_NAMESPACE}}}styleSheet", nsmap={None: _NAMESPACE})
    numbers = add(root, "numFmts")
    defined = {0}
    for number, code in formats:
        add(numbers, "numFmt", numFmtId=number, formatCode=code)
        defined.add(int(number))
    add(add(root, "fonts"), "font")
    add(add(add(root, "fills"), "fill"), "patternFill", patternType="none")
    add(add(root, "borders"), "border")
    add(add(root, "cellStyleXfs"), "xf", numFmtId="0", fontId="0", fillId="0", borderId="0")
    cells = add(root, "cellXfs")
    for number_id in ids:
        known = number_id if number_id < _FIRST_OWN_FORMAT or number_id in defined else 0
        add(cells, "xf", numFmtId=str(known), fontId="0", fillId="0", borderId="0", xfId="0")
    return serialize_xml(root)
