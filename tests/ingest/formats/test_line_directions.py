"""Direction in which the lines of a scanned page are read."""

import numpy as np
import pytest

from hopline_ingest.formats.pdf.ocr.engine import RecognizedText
from hopline_ingest.formats.pdf.ocr.line_directions import recognize_directions

START, END = 1, 2


def make_crop(length, turn=0, height=30):
    """Make an image of a line whose first half has the colour `START`, rotated clockwise by ``turn``."""
    crop = np.full((height, length), END, np.uint8)
    crop[:, : length // 2] = START
    return np.rot90(crop, -turn // 90)


def recognize(crop):
    is_upright = crop[0, 0] == START and crop[0, -1] == END
    return RecognizedText("upright" if is_upright else "reversed", 0.97 if is_upright else 0.6, ())


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_all_lines_of_a_page_are_read_in_the_direction_with_the_better_scores(turn):
    crops = [make_crop(length, turn) for length in (400, 380, 90, 300)]
    texts, rotation = recognize_directions(crops, recognize)
    assert rotation == turn
    assert [(text.recognized.text, text.turn) for text in texts] == [("upright", turn)] * 4


def test_a_long_line_that_is_read_badly_does_not_turn_the_page():
    crops = [make_crop(500, 180), *(make_crop(200) for _ in range(6))]
    texts, rotation = recognize_directions(crops, recognize)
    assert rotation == 0
    assert [text.turn for text in texts] == [0] * 7


def test_each_line_across_a_page_has_its_direction():
    crops = [make_crop(400), make_crop(300), make_crop(200, 270), make_crop(200, 90)]
    texts, rotation = recognize_directions(crops, recognize)
    assert rotation == 0
    assert [text.recognized.text for text in texts] == ["upright"] * 4
    assert [text.turn for text in texts] == [0, 0, 270, 90]


def test_a_single_digit_is_read_in_the_direction_of_the_page():
    digit = np.full((40, 20), END, np.uint8)
    digit[:, :10] = START
    texts, _ = recognize_directions([make_crop(400), make_crop(300), digit], recognize)
    assert texts[2].turn == 0
    assert texts[2].crop.shape == (40, 20)


def test_a_page_without_lines_is_upright():
    assert recognize_directions([], recognize) == ([], 0)
