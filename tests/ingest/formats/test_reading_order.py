from hypothesis import given
from hypothesis import strategies as st

from hopline_ingest.formats.pdf.layout.reading_order import find_reading_order

TITLE, LEFT, RIGHT, LEFT2, RIGHT2, FOOT = range(6)
PAGE = [
    (50, 50, 550, 90),
    (50, 100, 290, 300),
    (310, 100, 550, 280),
    (50, 310, 290, 600),
    (310, 290, 550, 600),
    (50, 620, 550, 700),
]


def test_columns_are_ordered_down_then_to_the_right():
    assert find_reading_order(PAGE) == [TITLE, LEFT, LEFT2, RIGHT, RIGHT2, FOOT]


def test_a_block_across_both_columns_separates_them():
    middle = [*PAGE[:3], (50, 301, 550, 309), *PAGE[3:5]]
    assert find_reading_order(middle) == [0, 1, 2, 3, 4, 5]


def test_a_script_read_leftwards_begins_with_the_right_column():
    assert find_reading_order(PAGE, leftwards=True) == [TITLE, RIGHT, RIGHT2, LEFT, LEFT2, FOOT]


def test_columns_under_a_long_abstract_are_still_columns():
    page = [(50, 50, 550, 500), (50, 520, 290, 540), (50, 550, 290, 620), (310, 520, 550, 700), (50, 650, 290, 700)]
    assert find_reading_order(page) == [0, 1, 2, 4, 3]


def test_one_column_is_ordered_from_the_top():
    assert find_reading_order([(50, 300, 500, 400), (60, 100, 400, 200), (50, 210, 500, 290)]) == [1, 2, 0]


def test_three_columns():
    page = [(0, 0, 90, 500), (100, 0, 190, 500), (200, 0, 290, 500)]
    assert find_reading_order(page[::-1]) == [2, 1, 0]


sides = st.floats(0, 600, allow_nan=False)


@given(st.lists(st.tuples(sides, sides, sides, sides), max_size=12))
def test_every_block_occurs_once_in_the_reading_order(rects):
    tidy = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in rects]
    assert sorted(find_reading_order(tidy)) == list(range(len(tidy)))
