"""The boxes of words within the lines of a passage, checked against the widths of Helvetica."""

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from hopline.records import Box
from hopline.results import Evidence
from hopline.results.word_boxes import find_word_boxes

LINES = ("The Willamette mill was built by", "Hedda Lunn in 1904, (II) for 12,000 crowns.")
SIZE = 11.0


def make_passage(lines=LINES, kind="passage"):
    text, boxes, spans, start = "\n".join(lines), [], [], 0
    for number, line in enumerate(lines):
        boxes.append(Box(1, 72, 100 + 16 * number, 72 + stringWidth(line, "Helvetica", SIZE), 112 + 16 * number))
        spans.append((start, start + len(line)))
        start += len(line) + 1
    return Evidence("e", kind, 0.0, text, pages=(1,), boxes=tuple(boxes), lines=tuple(spans))


@pytest.mark.parametrize("word", ["Willamette", "mill", "Hedda Lunn", "1904", "crowns"])
def test_a_word_is_located_within_half_a_letter(word):
    evidence = make_passage()
    start = evidence.text.index(word)
    [box] = find_word_boxes(evidence, start, start + len(word))
    line = next(line for line in LINES if word in line)
    before = stringWidth(line[: line.index(word)], "Helvetica", SIZE)
    assert box.x0 == pytest.approx(72 + before, abs=SIZE / 4)
    assert box.x1 == pytest.approx(72 + before + stringWidth(word, "Helvetica", SIZE), abs=SIZE / 4)


def test_words_in_two_lines_have_two_boxes():
    evidence = make_passage()
    start, end = evidence.text.index("built"), evidence.text.index(" in 1904")
    first, second = find_word_boxes(evidence, start, end)
    assert first.x1 == pytest.approx(evidence.boxes[0].x1)
    assert second.x0 == pytest.approx(72)
    assert second.x1 < evidence.boxes[1].x1


def test_a_cell_and_a_line_from_right_to_left_are_whole():
    table = make_passage(("Halm 12", "Skagen 9"), kind="table")
    assert find_word_boxes(table, 5, 7) == table.boxes[:1]
    arabic = make_passage(("تقرير 2020",))
    assert find_word_boxes(arabic, 0, 3) == arabic.boxes
