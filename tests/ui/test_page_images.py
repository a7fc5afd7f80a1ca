"""Page images: the highlight covers the quote, the crop contains it, broken files raise errors."""

from __future__ import annotations

import io

import numpy as np
import pypdfium2
import pytest
from nordvik import BASELINE, FACTS, draw_pdf, fact_box
from PIL import Image

from hopline.documents.page_images import MARGIN, SCALE, compute_crop, has_page_images, render_figure, render_page
from hopline.documents.pdf_render import BORDER, HIGHLIGHT, merge_lines
from hopline.errors import DocumentError, UsageError
from hopline.records import Box

FACT = FACTS["permit-file.pdf"]


@pytest.fixture
def pdf(tmp_path):
    return draw_pdf(tmp_path / "permit.pdf", FACT)


def load_image(data):
    return Image.open(io.BytesIO(data)).convert("RGB")


def find_highlight(picture):
    """Return the rectangle around every pixel of the highlight and its border."""
    pixels = np.asarray(picture)
    ys, xs = np.nonzero((pixels == HIGHLIGHT).all(axis=2) | (pixels == BORDER).all(axis=2))
    return int(xs.min()), int(ys.min()), int(xs.max()), int(ys.max())


def find_quote(pdf, quote):
    """Return the box of the quote on page 1 as PDFium finds it: left, top, right, bottom in points from the top left."""
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0]
        text = page.get_textpage()
        index, count = text.search(quote).get_next()
        boxes = [text.get_charbox(i) for i in range(index, index + count)]
        height = page.get_height()
        return (
            min(b[0] for b in boxes),
            height - max(b[3] for b in boxes),
            max(b[2] for b in boxes),
            height - min(b[1] for b in boxes),
        )


def test_the_highlight_covers_every_letter_of_the_quote_and_little_else(pdf):
    picture = load_image(render_page(pdf, 1, [fact_box(FACT)], whole=True))
    left, top, right, bottom = (round(value / SCALE) for value in find_highlight(picture))
    x0, y0, x1, y1 = find_quote(pdf, FACT)
    assert left <= x0
    assert top <= y0
    assert right >= x1
    assert bottom >= y1
    assert (bottom - top) < 24  # one line of 11 points


def test_lines_of_one_column_are_merged_and_columns_stay_separate():
    lines = [(10, 0, 100, 10), (10, 12, 100, 22), (10, 24, 60, 34), (120, 0, 200, 10), (120, 60, 200, 70)]
    assert merge_lines(lines) == [[10, 0, 100, 34], [120, 0, 200, 10], [120, 60, 200, 70]]


def test_text_stays_readable_under_the_highlight(pdf):
    picture = load_image(render_page(pdf, 1, [fact_box(FACT)], whole=True))
    box = fact_box(FACT)
    row = [
        picture.getpixel((x, round((BASELINE - 4) * SCALE)))
        for x in range(round(box.x0 * SCALE), round(box.x1 * SCALE))
    ]
    assert min(sum(pixel) for pixel in row) < 200  # black ink on yellow
    assert HIGHLIGHT in row


def test_a_crop_holds_the_quote_and_a_margin_and_is_as_wide_as_the_page(pdf):
    whole = load_image(render_page(pdf, 1, [fact_box(FACT)], whole=True))
    part = load_image(render_page(pdf, 1, [fact_box(FACT)], whole=False))
    box = fact_box(FACT)
    assert part.width == whole.width
    assert part.height == pytest.approx((box.y1 - box.y0 + 2 * MARGIN) * SCALE, abs=2)
    assert find_highlight(part)[1] == pytest.approx(find_highlight(whole)[1] - (box.y0 - MARGIN) * SCALE, abs=2)


def test_a_quote_at_the_top_of_a_page_is_cropped_at_the_page():
    assert compute_crop([Box(1, 10, 20, 100, 30)], 1) == (0.0, 30 + MARGIN)
    assert compute_crop([Box(2, 10, 20, 100, 30)], 1) is None


def test_boxes_of_another_page_and_boxes_outside_are_not_drawn(pdf):
    plain = render_page(pdf, 2, [], whole=True)
    assert render_page(pdf, 2, [fact_box(FACT)], whole=True) == plain
    assert render_page(pdf, 2, [Box(2, -900, -900, -800, -800), Box(2, 5, 5, 5, 5)], whole=True)


def test_boxes_have_frames_in_their_colours_and_a_light_tint(pdf):
    box, other = Box(1, 72, 600, 172, 612), Box(1, 72, 630, 172, 642)
    pixels = np.asarray(
        load_image(render_page(pdf, 1, [box, other, fact_box(FACT)], colours=["#1971c2", "#2f9e44", ""]))
    )
    for colour, tint in (((0x19, 0x71, 0xC2), (186, 212, 237)), ((0x2F, 0x9E, 0x44), (193, 226, 199))):
        assert (pixels == colour).all(axis=2).any()
        assert (np.abs(pixels.astype(int) - tint).max(axis=2) <= 1).any()
    assert (pixels == HIGHLIGHT).all(axis=2).any()


@pytest.mark.parametrize(
    ("colours", "message"), [(["#fff"], "six hexadecimal digits"), (["red", ""], "each box needs a colour")]
)
def test_wrong_colours_are_refused(pdf, colours, message):
    with pytest.raises(UsageError, match=message):
        render_page(pdf, 1, [fact_box(FACT)], colours=colours)


def test_a_broken_pdf_raises_a_document_error(tmp_path):
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing else")
    with pytest.raises(DocumentError, match="page 1 could not be rendered"):
        render_page(broken, 1, [], whole=True)


def test_a_missing_page_raises_a_document_error(pdf):
    with pytest.raises(DocumentError, match="page 9 could not be rendered"):
        render_page(pdf, 9, [], whole=True)


def test_a_pdf_is_recognized_by_its_bytes_not_its_name(tmp_path, pdf):
    (tmp_path / "a.pdf").write_bytes(b"<html>")
    (tmp_path / "b.txt").write_bytes(b"\n\n" + pdf.read_bytes())
    assert not has_page_images(tmp_path / "a.pdf")
    assert has_page_images(tmp_path / "b.txt")
    assert not has_page_images(tmp_path / "missing.pdf")


def test_a_figure_is_cropped_to_its_box_in_its_own_colours(pdf):
    box = fact_box(FACT)
    picture = load_image(render_figure(pdf, box))
    assert abs(picture.width - SCALE * (box.x1 - box.x0 + 8)) < 3
    assert abs(picture.height - SCALE * (box.y1 - box.y0 + 8)) < 3
    assert not (np.asarray(picture) == HIGHLIGHT).all(axis=2).any()
    assert (np.asarray(picture) < 128).all(axis=2).any(), "the text is in the picture"


def test_the_whole_page_of_a_figure_has_a_frame_around_it(pdf):
    box = fact_box(FACT)
    picture = load_image(render_figure(pdf, box, whole=True))
    assert not (np.asarray(picture) == HIGHLIGHT).all(axis=2).any()
    left, top, right, bottom = find_highlight(picture)
    assert left <= SCALE * box.x0
    assert top <= SCALE * box.y0
    assert right >= SCALE * box.x1 - 2
    assert bottom >= SCALE * box.y1 - 2
