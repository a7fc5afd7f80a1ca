"""Splitting of recognised lines at the gaps between cells."""

import cv2
import numpy as np
import pytest

from hopline_ingest.formats.pdf.ocr.engine import RecognizedText
from hopline_ingest.formats.pdf.ocr.line_pieces import find_gaps, split_text

HEIGHT, WIDTH = 40, 600


def print_words(*words, ink=0, paper=255):
    """Print words at their x on an image of a line."""
    image = np.full((HEIGHT, WIDTH, 3), paper, np.uint8)
    for x, word in words:
        cv2.putText(image, word, (x, 29), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (ink, ink, ink), 2)
    return image


def recognize(*words):
    """Make the result of a recognition model that sees the letters of each word from its x, 15 pixels apart."""
    centres = [(x + 7 + 15 * n) / WIDTH for x, word in words for n in range(len(word))]
    return RecognizedText(" ".join(word for _, word in words), 0.99, tuple(centres))


@pytest.mark.parametrize(("ink", "paper"), [(0, 255), (230, 40), (90, 190)])
def test_a_line_is_split_at_the_gap_between_cells(ink, paper):
    words = [(10, "Net"), (62, "sales"), (300, "4,151"), (480, "25.0")]
    pieces = split_text(recognize(*words), print_words(*words, ink=ink, paper=paper))
    assert [piece.text for piece in pieces] == ["Net sales", "4,151", "25.0"]
    assert [round(piece.lefts[0] * WIDTH) for piece in pieces] == pytest.approx([10, 300, 480], abs=5)


def test_a_blank_that_the_model_left_out_is_inserted():
    words = [(10, "up"), (58, "by"), (106, "15"), (154, "metres"), (262, "so")]
    read = recognize(*words)
    without_blank = RecognizedText("up by 15metres so", read.score, read.centres)
    assert [piece.text for piece in split_text(without_blank, print_words(*words))] == ["up by 15 metres so"]


def test_in_a_short_line_only_the_blank_between_a_number_and_a_word_is_inserted():
    words = [(10, "3"), (40, "May"), (103, "1990")]
    read = recognize(*words)
    without_blank = RecognizedText("3May 1990", read.score, read.centres)
    assert [piece.text for piece in split_text(without_blank, print_words(*words))] == ["3 May 1990"]
    words = [(10, "be"), (58, "low"), (121, "it")]
    read = recognize(*words)
    without_blank = RecognizedText("below it", read.score, read.centres)
    assert [piece.text for piece in split_text(without_blank, print_words(*words))] == ["below it"]


def test_a_vertical_rule_separates_cells_that_are_close():
    words = [(10, "2009"), (84, "2010")]
    image = print_words(*words)
    assert [piece.text for piece in split_text(recognize(*words), image)] == ["2009 2010"]
    image[:, 77:79] = 0
    assert [piece.text for piece in split_text(recognize(*words), image)] == ["2009", "2010"]


def test_an_underlined_header_is_split():
    words = [(10, "Assets"), (300, "Debts")]
    image = print_words(*words)
    image[33:35] = 0
    assert [piece.text for piece in split_text(recognize(*words), image)] == ["Assets", "Debts"]


def test_the_sides_of_a_text_are_those_of_its_ink():
    (piece,) = split_text(recognize((100, "Total")), print_words((100, "Total")))
    assert piece.lefts[0] * WIDTH == pytest.approx(100, abs=5)
    assert piece.rights[-1] * WIDTH == pytest.approx(158, abs=5)


def test_the_blank_of_a_line_is_as_wide_as_in_its_image():
    words = [(10, "Net"), (62, "sales")]
    (piece,) = split_text(recognize(*words), print_words(*words))
    assert piece.text == "Net sales"
    assert piece.lefts[3] * WIDTH == pytest.approx(50, abs=4)
    assert piece.rights[3] * WIDTH == pytest.approx(62, abs=4)
    assert list(piece.lefts) == sorted(piece.lefts)
    assert all(left <= right for left, right in zip(piece.lefts, piece.rights, strict=True))


def test_a_gap_between_words_of_a_justified_line_is_wider_than_one_beside_a_number():
    words = [(10, "where"), (110, "more"), (210, "of")]
    assert [piece.text for piece in split_text(recognize(*words), print_words(*words))] == ["where more of"]
    words = [(10, "where"), (110, "5,000")]
    assert [piece.text for piece in split_text(recognize(*words), print_words(*words))] == ["where", "5,000"]
    words = [(10, "where"), (110, "100"), (190, "of"), (246, "them")]
    assert [piece.text for piece in split_text(recognize(*words), print_words(*words))] == ["where 100 of them"]


def test_a_line_without_positions_stays_whole():
    image = print_words((10, "Net"), (300, "sales"))
    (piece,) = split_text(RecognizedText("Net sales", 0.9, ()), image)
    assert (piece.text, piece.lefts[0], piece.rights[-1]) == ("Net sales", 0.0, 1.0)
    assert find_gaps(np.full((HEIGHT, WIDTH, 3), 255, np.uint8)) == []
