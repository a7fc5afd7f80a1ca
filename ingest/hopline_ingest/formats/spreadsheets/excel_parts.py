"""Workbooks whose parts are rewritten so that openpyxl can read them, and within its memory."""

from __future__ import annotations

import re
from typing import Final

from openpyxl.utils.cell import range_boundaries

from hopline_ingest.formats.normalized_text import normalize_text
from hopline_ingest.formats.xml_parts import parse_xml, read_parts, write_parts

SHEETS: Final = re.compile(r"xl/worksheets/[^/]+\.xml")
_MERGED: Final = re.compile(rb"""<(?:\w+:)?mergeCell [^>]*?ref=["']([^"']+)["'][^>]*?(?:/>|>\s*</[^>]*>)""")
_MAX_MERGED: Final = 100_000  # cells of a merged range
_WORKBOOK: Final = re.compile(r"xl/workbook\.xml")
_STRICT: Final = (
    b"http://purl.oclc.org/ooxml/spreadsheetml/main",
    b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
)
_STRICT_RELATIONS: Final = (
    b"http://purl.oclc.org/ooxml/officeDocument/relationships",
    b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
)
_DRAWINGS: Final = re.compile(r"xl/(?:drawings/drawing|charts/chart)\d*\.xml")
_DRAWING: Final = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_CHART: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_TEXT: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_END_OF_CELLS: Final = re.compile(rb"</(?:\w+:)?sheetData>|<(?:\w+:)?sheetData ?/>")
_END_OF_SHEET: Final = re.compile(rb"</(?:\w+:)?worksheet>")
_MERGES: Final = re.compile(rb"<(?:\w+:)?mergeCells[ >].*?</(?:\w+:)?mergeCells>", re.DOTALL)


def remove_wide_merges(data: bytes) -> bytes:
    """Return the file without merged ranges of more than `_MAX_MERGED` cells, each of which openpyxl would create."""
    parts = read_parts(data, SHEETS) or {}
    narrow = {
        name: _MERGED.sub(lambda match: b"" if _is_wide(match[1]) else match[0], part) for name, part in parts.items()
    }
    if narrow == parts:
        return data
    return write_parts((read_parts(data) or {}) | narrow)


def translate_strict(data: bytes) -> bytes:
    """Return a workbook of the strict variant (ISO/IEC 29500) with the namespaces of the usual one."""
    workbook = (read_parts(data, _WORKBOOK) or {}).get("xl/workbook.xml", b"")
    if _STRICT[0] not in workbook:
        return data
    parts = read_parts(data) or {}
    for strict, usual in (_STRICT, _STRICT_RELATIONS):
        parts = {name: part.replace(strict, usual) for name, part in parts.items()}
    return write_parts(parts)


def list_drawn_texts(data: bytes) -> list[str]:
    """Return the texts of text boxes, and the titles of charts and of their axes, each with its reason."""
    texts = []
    for part in (read_parts(data, _DRAWINGS) or {}).values():
        root = parse_xml(part)
        shapes = [] if root is None else root.iter(f"{_DRAWING}sp", f"{_CHART}title")
        for shape in shapes:
            kind = "title of a chart" if shape.tag.startswith(_CHART) else "text box"
            text = " ".join("".join(line.itertext(f"{_TEXT}t")) for line in shape.iter(f"{_TEXT}p"))
            if text := normalize_text(text):
                texts.append(f"{kind}: {text}")
    return list(dict.fromkeys(texts))


def reduce_to_cells(data: bytes) -> bytes | None:
    """Return a workbook without what is neither a cell nor a merged range: filters, checks, pictures and links.

    None if the file is damaged.
    """
    parts = read_parts(data)
    if parts is None:
        return None
    return write_parts(
        {
            name: _reduce_sheet(part) if SHEETS.fullmatch(name) else part
            for name, part in parts.items()
            if not name.startswith("xl/worksheets/_rels/")
        }
    )


def _reduce_sheet(part: bytes) -> bytes:
    end = _END_OF_CELLS.search(part)
    root = _END_OF_SHEET.search(part)
    if end is None or root is None:
        return part
    merged = _MERGES.search(part, end.end())
    return part[: end.end()] + (merged[0] if merged else b"") + root[0]


def _is_wide(area: bytes) -> bool:
    try:
        left, top, right, bottom = range_boundaries(area.decode("ascii", "replace"))
    except ValueError:
        return False
    return bool((right - left + 1) * (bottom - top + 1) > _MAX_MERGED)
