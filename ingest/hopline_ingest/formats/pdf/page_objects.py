"""Objects that are drawn on a PDF page: paths, images, and those inside of forms."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_float
from itertools import islice
from typing import Any

MAX_OBJECTS = 200_000  # objects of a page that are examined; a detailed map has tens of thousands
_MAX_DEPTH = 3  # of forms within forms


def read_bounds(page: Any, kind: int) -> Iterator[tuple[float, float, float, float]]:
    """Yield left, bottom, right and top of each object of a kind on a PDFium page, in user space.

    ``kind`` is one of ``FPDF_PAGEOBJ_*``. The first `MAX_OBJECTS` objects of any kind are examined. PDFium's functions
    are called directly, because pypdfium2 creates a Python object for every object of the page.
    """
    import pypdfium2.raw as pdfium

    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    for item in islice(_iterate_objects(page.raw, pdfium), MAX_OBJECTS):
        if pdfium.FPDFPageObj_GetType(item) == kind and pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top):
            yield left.value, bottom.value, right.value, top.value


def _iterate_objects(page: Any, pdfium: Any) -> Iterator[Any]:
    """Yield the objects of a page, and after each form those inside of it."""
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, index)
        yield item
        yield from _iterate_form(item, pdfium, 2)


def _iterate_form(item: Any, pdfium: Any, depth: int) -> Iterator[Any]:
    """Yield the objects inside of an object, which are none unless it is a form."""
    for index in range(pdfium.FPDFFormObj_CountObjects(item)):
        inner = pdfium.FPDFFormObj_GetObject(item, index)
        yield inner
        if depth < _MAX_DEPTH:
            yield from _iterate_form(inner, pdfium, depth + 1)
