"""Skew of scanned pages."""

import numpy as np
import pytest

from hopline_ingest.formats.pdf.ocr.skew import measure_skew, rotate_points

CENTRE = (400.0, 500.0)


def make_boxes(*sizes):
    """Make the corners of boxes of a width and height below each other."""
    tops = range(100, 100 + 50 * len(sizes), 50)
    boxes = [
        [(50, y), (50 + width, y), (50 + width, y + height), (50, y + height)]
        for y, (width, height) in zip(tops, sizes, strict=True)
    ]
    return np.array(boxes, np.float32)


@pytest.mark.parametrize("degrees", [-6.0, -1.0, 0.0, 0.4, 2.5])
@pytest.mark.parametrize("size", [(600, 30), (30, 600)])
def test_lines_of_a_skewed_page_become_parallel_to_its_sides(size, degrees):
    boxes = make_boxes(size, size, size)
    skewed = rotate_points(boxes, -np.radians(degrees), CENTRE)
    assert np.degrees(measure_skew(skewed)) == pytest.approx(degrees, abs=0.01)
    assert rotate_points(skewed, measure_skew(skewed), CENTRE) == pytest.approx(boxes, abs=0.1)


def test_short_and_single_lines_do_not_decide_the_skew():
    tilted = rotate_points(make_boxes((90, 30), (90, 30), (90, 30), (200, 30)), -0.2, CENTRE)
    assert measure_skew(np.concatenate([make_boxes((600, 30), (500, 30)), tilted])) == pytest.approx(0.0, abs=1e-6)


def test_a_page_without_long_lines_has_no_skew():
    assert measure_skew(np.zeros((0, 4, 2))) == 0.0
    assert measure_skew(rotate_points(make_boxes((60, 30)), 0.1, CENTRE)) == 0.0
