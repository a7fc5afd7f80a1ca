import pytest

from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.layout.side_boxes import find_side_boxes, separate_regions

TEXT = "The ship was kept by the board to give the channel its depth"
FACTS = ("Yard", "Launched in 1906", "Stable crew 11", "Home Marl", "Built of steel", "Size 41.5 m")


@pytest.fixture
def text(line):
    """Twelve lines of running text, 11 points high, at the left of a page."""
    return [line(TEXT, 50, 100 + 14.5 * n, size=11, width=300) for n in range(12)]


def place_facts(line, *, step=16.5, width=None):
    return [line(fact, 380, 111 + step * n, size=9.5, width=width) for n, fact in enumerate(FACTS)]


def test_short_lines_beside_running_text_are_a_box(line, text):
    [box] = find_side_boxes([*text, *place_facts(line)])
    assert box[0] == pytest.approx(378)
    assert (box[1], box[3]) == (pytest.approx(109), pytest.approx(111 + 5 * 16.5 + 9.5 + 2))


def test_cells_that_are_level_with_the_text_are_no_box(line, text):
    cells = [line(fact, 380, 100 + 14.5 * n, size=11) for n, fact in enumerate(FACTS)]
    assert find_side_boxes([*text, *cells]) == []


def test_a_second_column_of_text_is_no_box(line, text):
    assert find_side_boxes([*text, *place_facts(line, width=280)]) == []


def test_lines_under_a_line_across_both_are_no_box(line, text):
    across = line(TEXT + " and more of it", 50, 140, size=11, width=480)
    assert find_side_boxes([*text, *place_facts(line), across]) == []


def test_a_page_without_running_text_has_no_box(line):
    assert find_side_boxes(place_facts(line)) == []


def test_regions_that_cover_text_and_box_are_replaced():
    box = (378, 109, 480, 205)
    regions = [
        Region("figure", (47, 134, 563, 389), 0.7),
        Region("text", (49, 421, 356, 487), 0.9),
        Region("title", (380, 110, 420, 120), 0.6),
    ]
    assert separate_regions(regions, [box]) == [regions[1], regions[2], Region("text", box, 1.0)]
