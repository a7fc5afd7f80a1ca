"""Values of form fields and texts of annotations of a PDF page, which are not part of its text."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from hopline_ingest.formats.pdf.frame import Frame
from hopline_ingest.formats.pdf.page_content import Line, Rect

MAX_ANNOTATIONS: Final = 2_000  # of a page
_HIDDEN: Final = 1 << 1 | 1 << 5  # flags of an annotation: hidden, not shown
_PASSWORD: Final = 1 << 13  # flag of a text field
_MAX_SIZE: Final = 12.0  # points, of the font of a value
_SIZE: Final = 0.75  # of the height of a field, for the same
_CHECKED: Final = "☒"
_UNCHECKED: Final = "☐"


@dataclass(frozen=True, slots=True)
class PageAnnotations:
    """Lines for the values of form fields and for text boxes, and the texts of notes, which are left out."""

    lines: tuple[Line, ...] = ()
    left_out: tuple[str, ...] = ()


def read_annotations(document: Any, page: Any, frame: Frame) -> PageAnnotations:
    """Read the annotations of a PDFium page; values of text fields, choices, check boxes and radio buttons."""
    import pypdfium2.raw as pdfium

    lines: list[Line] = []
    left_out: list[str] = []
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)):
        with _open_annotation(page, index) as annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation) if annotation else 0
            if not annotation or pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
                continue
            if kind == pdfium.FPDF_ANNOT_WIDGET and document.formenv:
                lines += _build_lines(_read_value(document.formenv, annotation), _read_rect(annotation, frame))
            elif kind in {pdfium.FPDF_ANNOT_TEXT, pdfium.FPDF_ANNOT_FREETEXT}:
                text = " ".join(_read_contents(annotation).split())
                left_out += [f"annotation: {text}"] if text else []
    return PageAnnotations(tuple(lines), tuple(dict.fromkeys(left_out)))


@contextmanager
def _open_annotation(page: Any, index: int) -> Iterator[Any]:
    import pypdfium2.raw as pdfium

    annotation = pdfium.FPDFPage_GetAnnot(page, index)
    try:
        yield annotation
    finally:
        if annotation:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _read_value(forms: Any, annotation: Any) -> str:
    """Return the text of a field, a mark for a check box or radio button, "" for buttons and passwords."""
    import pypdfium2.raw as pdfium

    kind = pdfium.FPDFAnnot_GetFormFieldType(forms, annotation)
    if kind in {pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON}:
        return _CHECKED if pdfium.FPDFAnnot_IsChecked(forms, annotation) else _UNCHECKED
    has_text = kind in {pdfium.FPDF_FORMFIELD_TEXTFIELD, pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX}
    if not has_text or pdfium.FPDFAnnot_GetFormFieldFlags(forms, annotation) & _PASSWORD:
        return ""
    return _read_string(lambda buffer, size: pdfium.FPDFAnnot_GetFormFieldValue(forms, annotation, buffer, size))


def _read_contents(annotation: Any) -> str:
    import pypdfium2.raw as pdfium

    return _read_string(lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, size))


def _read_string(read: Callable[[Any, int], int]) -> str:
    """Return the UTF-16 text that a function of PDFium writes into a buffer; it returns the size in bytes."""
    import pypdfium2.raw as pdfium

    size = read(None, 0)
    if size <= 2:  # the final zero alone
        return ""
    buffer = ctypes.create_string_buffer(size)
    read(ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")


def _read_rect(annotation: Any, frame: Frame) -> Rect:
    import pypdfium2.raw as pdfium

    rect = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, rect)
    return frame.map_rect(rect.left, rect.bottom, rect.right, rect.top)


def _build_lines(text: str, rect: Rect) -> Iterator[Line]:
    """Yield the lines of a value, one below the other in the rectangle of its field, in characters of equal width."""
    rows = [row for line in text.splitlines() if (row := " ".join(line.split()))]
    x0, y0, x1, y1 = rect
    height = (y1 - y0) / max(len(rows), 1)
    size = max(1.0, min(_MAX_SIZE, _SIZE * height))
    for number, row in enumerate(rows):
        step = min(size / 2, (x1 - x0) / len(row))
        lefts = array("f", (x0 + index * step for index in range(len(row))))
        rights = array("f", (x0 + (index + 1) * step for index in range(len(row))))
        middle = y0 + (number + 0.5) * height
        yield Line(row, (x0, middle - size / 2, x0 + len(row) * step, middle + size / 2), lefts, rights, size=size)
