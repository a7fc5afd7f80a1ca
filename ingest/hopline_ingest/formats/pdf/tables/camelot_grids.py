"""Grids of a page's tables, extracted by camelot inside the areas of the layout model."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from typing import Any

from hopline_ingest.formats.pdf.page_content import Rect
from hopline_ingest.formats.pdf.tables.grids import Grid
from hopline_ingest.sandbox.limits import suspend_memory_limit

_MARGIN = 3.0  # points; regions of the layout model are tight


def extract_grids(
    document: Any, number: int, areas: Sequence[Rect], height: float
) -> list[tuple[Grid | None, Grid | None]]:
    """Extract for each area of page ``number``, from 1, the grid by gaps (stream) and the one by rules (lattice).

    ``areas`` are in points from the top left of the page, which is ``height`` points high.
    """
    with suspend_memory_limit():
        import playa
        from camelot.parsers import Lattice, Stream
        from camelot.utils import get_image_char_and_text_objects, get_page_layout
    with playa.parse(_extract_page(document, number), space="page") as pdf, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layout, size = get_page_layout(pdf.pages[0])
        images, _, horizontal, vertical = get_image_char_and_text_objects(layout)
        grids = []
        for area in areas:
            text = [_format_area(area, height)]
            pair = []
            for parser in (Stream(table_areas=text), Lattice(table_areas=text, engine="vector")):
                parser.prepare_page_parse("", layout, size, 1, images, horizontal, vertical, "", layout_kwargs={})
                pair.append(_read_grid(parser, height))
            grids.append((pair[0], pair[1]))
        return grids


def _extract_page(document: Any, number: int) -> bytes:
    """Return one page as a PDF file without encryption."""
    import pypdfium2

    single = pypdfium2.PdfDocument.new()
    try:
        single.import_pages(document, [number - 1])
        buffer = io.BytesIO()
        single.save(buffer)
        return buffer.getvalue()
    finally:
        single.close()


def _format_area(rect: Rect, height: float) -> str:
    """Format a rectangle as camelot expects it: left, top, right, bottom, from the bottom of the page."""
    x0, y0, x1, y1 = rect
    return f"{x0 - _MARGIN},{height - y0 + _MARGIN},{x1 + _MARGIN},{height - y1 - _MARGIN}"


def _read_grid(parser: Any, height: float) -> Grid | None:
    """Return the grid that a parser detects in its only area, or ``None``."""
    try:
        tables = parser.extract_tables()
    except (ValueError, IndexError, ZeroDivisionError):  # raised by camelot on areas with little text
        return None
    if not tables or not len(tables[0].cells):
        return None
    columns = [cell.x1 for cell in tables[0].cells[0]] + [tables[0].cells[0][-1].x2]
    tops = [row[0].y2 for row in tables[0].cells] + [tables[0].cells[-1][0].y1]
    return Grid(tuple(map(float, columns)), tuple(height - float(top) for top in tops))
