"""Watermarks: what is drawn large over the lines of a page is left out, in whatever direction."""

import io

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from hopline_ingest.formats.pdf.page import PdfPageParser
from hopline_ingest.formats.pdf.text.watermarks import drop_glyphs, find_watermarks


def write_lines(line, **more):
    return [line(f"the ledger of boat {n} and of its wardens", y=100 + 14 * n, **more) for n in range(20)]


def test_large_text_over_lines_is_a_watermark_and_so_is_its_copy_elsewhere(line):
    over, beside, title = (
        line(text, x=60, y=y, size=40) for text, y in (("DRAFT", 200), ("DRAFT", 500), ("Ports", 30))
    )
    assert find_watermarks([title, *write_lines(line), over, beside]) == [over, beside]


def test_large_initials_numbers_and_titles_are_text(line):
    initial, number = line("T", x=50, y=100, size=40), line("42 %", x=300, y=200, size=40)
    assert find_watermarks([initial, number, line("The Ports of Halm", y=40, size=40), *write_lines(line, x=80)]) == []


def test_text_whose_font_declares_a_wrong_size_is_no_watermark(line):
    label = line("Figure 3.6: Illnesses by gender", y=150, size=120, width=160)
    assert find_watermarks([*write_lines(line), label]) == []


def test_only_the_glyphs_of_the_watermark_are_dropped(line, set_text):
    glyphs = [*set_text("ab", x=60, y=210), None, *set_text("DRAFT", x=50, y=200, size=40)]
    remaining = drop_glyphs(glyphs, [line("DRAFT", x=50, y=200, size=40)])
    assert [glyph and glyph.text for glyph in remaining] == ["a", "b", None, *[None] * 5]


@pytest.mark.parametrize("angle", [0, 30, 45, 60, -45])
def test_a_page_with_a_watermark_has_the_text_in_one_block(angle):
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(500, 500))
    for n in range(24):
        canvas.drawString(50, 400 - 14 * n, f"The ledger of boat {n} and of its wardens at the northern quay.")
    canvas.translate(250, 250)
    canvas.rotate(angle)
    canvas.setFillGray(0.8)
    canvas.setFont("Helvetica-Bold", 60)
    canvas.drawCentredString(0, 0, "DRAFT")
    canvas.save()
    document = pypdfium2.PdfDocument(file.getvalue())
    page = PdfPageParser().parse_page(document, 1)
    document.close()
    assert [line.text.split()[4] for line in page.lines] == [str(n) for n in range(24)]
    assert {line.block for line in page.lines} == {page.lines[0].block}
    assert page.left_out == ("watermark: DRAFT",)
