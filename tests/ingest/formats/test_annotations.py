"""Form fields, notes and attached files of PDFs, parsed as the worker does."""

import io

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from hopline.config import load_settings
from hopline_ingest.formats.pdf.file import open_pdf, read_outline
from hopline_ingest.formats.pdf.frame import read_frame
from hopline_ingest.formats.pdf.text.annotations import read_annotations
from hopline_ingest.sandbox.document_parser import DocumentParser


@pytest.fixture
def form(tmp_path):
    """A form with labels left of text fields and choices, and right of check boxes."""
    path = tmp_path / "form.pdf"
    canvas = Canvas(str(path), pagesize=(400, 400))
    fields = canvas.acroForm
    for y, label, value in ((340, "Name of owner:", "Hedda Lunn"), (310, "Length:", "11.4 m"), (280, "Empty:", "")):
        canvas.drawString(40, y, label)
        fields.textfield(name=label, value=value, x=200, y=y - 4, width=150, height=18)
    canvas.drawString(40, 250, "Berth:")
    fields.choice(
        name="berth", value="North pier", options=["North pier", "South pier"], x=200, y=246, width=150, height=18
    )
    for y, label, checked in ((220, "Insured", True), (190, "Power", False)):
        fields.checkbox(name=label, checked=checked, x=40, y=y - 2, size=12)
        canvas.drawString(58, y, label)
    fields.textfield(name="secret", value="4711", x=200, y=100, width=100, height=18, fieldFlags="password")
    canvas.save()
    return path


def read(path):
    document = open_pdf(str(path))
    page = document[0]
    try:
        return read_annotations(document, page, read_frame(page))
    finally:
        page.close()
        document.close()


def test_values_of_fields_choices_and_boxes_are_lines_in_their_rectangles_and_passwords_are_not(form):
    lines = read(form).lines
    assert [line.text for line in lines] == ["Hedda Lunn", "11.4 m", "North pier", "☒", "☐"]
    owner = lines[0]
    assert 200 <= owner.rect[0] < owner.rect[2] <= 350
    assert 400 - 354 <= owner.rect[1] < owner.rect[3] <= 400 - 336
    assert len(owner.lefts) == len(owner.rights) == len(owner.text)


def test_each_value_is_beside_its_label(form, tmp_path):
    with DocumentParser(load_settings(home=tmp_path / "home"), processes=1) as parser:
        [passage] = parser.parse(form, "form.pdf").passages
    for text in ("Name of owner: Hedda Lunn", "Length: 11.4 m", "Berth: North pier", "☒ Insured", "☐ Power"):
        assert text in passage.text
    assert "4711" not in passage.text


def test_notes_are_left_out_and_attached_files_are_named(tmp_path):
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 300))
    canvas.drawString(40, 200, "The pier is closed until May because of the storm.")
    canvas.textAnnotation("Check this date", Rect=[100, 100, 120, 120], addtopage=1)
    canvas.save()
    document = pypdfium2.PdfDocument(buffer.getvalue())
    document.new_attachment("costs.xlsx").set_data(b"x")
    path = tmp_path / "notes.pdf"
    document.save(str(path))
    document.close()
    assert read(path).left_out == ("annotation: Check this date",)
    opened = open_pdf(str(path))
    assert read_outline(opened).warnings == ("attached files are not read: costs.xlsx",)
    opened.close()
    with DocumentParser(load_settings(home=tmp_path / "home"), processes=1) as parser:
        parsed = parser.parse(path, "notes.pdf")
    assert parsed.left_out == ("annotation: Check this date",)
    assert parsed.warnings == ("attached files are not read: costs.xlsx",)


def test_a_page_without_annotations_has_none(tmp_path):
    path = tmp_path / "plain.pdf"
    canvas = Canvas(str(path))
    canvas.drawString(40, 200, "Text.")
    canvas.save()
    annotations = read(path)
    assert annotations.lines == annotations.left_out == ()
