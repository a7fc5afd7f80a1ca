"""Dashes that mark missing values in the cells of a scanned table."""

import cv2
import numpy as np
import pytest

from hopline_ingest.formats.pdf.ocr.dashes import choose_dashes, find_marks

LINE = (40.0, 100.0, 200.0, 130.0)
HEIGHT = 30.0


def find_dashes(image, rects):
    return choose_dashes(find_marks(image, HEIGHT), rects)


def draw(*rects, color=0):
    """Draw filled rectangles of x, y, width and height on a page, below a row of text that the model detected."""
    image = np.full((300, 600, 3), 255, np.uint8)
    cv2.putText(image, "Argentina", (44, 124), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
    for x, y, width, height in rects:
        image[y : y + height, x : x + width] = color
    return image


@pytest.mark.parametrize(("width", "text"), [(9, "-"), (15, "–"), (26, "—")])
def test_a_dash_beside_a_label_is_found_and_is_as_high_as_its_line(width, text):
    assert find_dashes(draw((300, 114, width, 3)), [LINE]) == [(text, (300.0, 100.5, 300.0 + width, 130.5))]


def test_each_cell_of_a_row_may_have_a_dash():
    assert len(find_dashes(draw(*((x, 114, 10, 3) for x in (260, 320, 380))), [LINE])) == 3


@pytest.mark.parametrize(
    "rects",
    [
        [(300, 114, 4, 4)],  # a point
        [(300, 114, 90, 3)],  # a rule
        [(300, 105, 3, 20)],  # a vertical stroke
        [(300, 180, 10, 3)],  # below the row
        [(300 + 16 * n, 114, 10, 3) for n in range(9)],  # a dashed rule
        [(300, 114, 10, 3), (300, 110, 10, 2)],  # an equals sign
        [(100, 114, 10, 3)],  # a part of the label
    ],
)
def test_other_marks_are_no_dashes(rects):
    assert find_dashes(draw(*rects), [LINE]) == []


def test_a_page_without_lines_has_no_dashes():
    assert find_dashes(draw((300, 114, 10, 3)), []) == []
