"""Objects drawn on a page, compared with those of pypdfium2."""

from importlib.resources import files
from io import BytesIO

import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from reportlab.pdfgen.canvas import Canvas

from hopline_ingest.formats.pdf import page_objects
from hopline_ingest.formats.pdf.page_objects import read_bounds

KINDS = [pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_TEXT]


def open_nested_forms():
    """A PDF with a rectangle on the page, and others in three forms, each inside of the one before."""
    buffer = BytesIO()
    canvas = Canvas(buffer)
    for depth in (4, 3, 2):
        canvas.beginForm(f"form{depth}")
        canvas.rect(10 * depth, 20, 5, 5)
        if depth < 4:
            canvas.doForm(f"form{depth + 1}")
        canvas.endForm()
    canvas.rect(10, 20, 5, 5)
    canvas.doForm("form2")
    canvas.save()
    return pypdfium2.PdfDocument(buffer.getvalue())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["brackwater-operating-review-2024.pdf", "kestrel-quay-inspection-2023.pdf"])
def test_the_bounds_are_those_of_pypdfium2(name, kind):
    with pypdfium2.PdfDocument(files("hopline") / "samples" / name) as document:
        for page in document:
            expected = [item.get_bounds() for item in page.get_objects(filter=[kind], max_depth=3)]
            assert list(read_bounds(page, kind)) == expected


def test_forms_are_entered_three_levels_deep():
    with open_nested_forms() as document:
        lefts = [bounds[0] for bounds in read_bounds(document[0], pdfium.FPDF_PAGEOBJ_PATH)]
    assert [round(left, -1) for left in lefts] == [10, 20, 30]


def test_a_limited_number_of_objects_is_examined(monkeypatch):
    monkeypatch.setattr(page_objects, "MAX_OBJECTS", 2)
    with open_nested_forms() as document:
        assert len(list(read_bounds(document[0], pdfium.FPDF_PAGEOBJ_PATH))) == 1
