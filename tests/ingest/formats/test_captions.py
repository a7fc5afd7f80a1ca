import pytest

from hopline.tables.captions import read_table_number
from hopline_ingest.formats.pdf.layout.captions import (
    find_caption,
    find_lead_in,
    find_side_captions,
    is_caption,
    is_table_caption,
    merge_captions,
)
from hopline_ingest.formats.pdf.page_content import Group

TABLE = (50.0, 200.0, 300.0, 400.0)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Table 2. Sales by region", "2"),
        ("Table 6.10 Private labels", "6.10"),
        ("TABLE A-1: Errors", "A-1"),
        ("Exhibit 4", "4"),
        ("Table: 5", "5"),
        ("Table IV — Results", "IV"),
        ("Tab. 3: Werte", "3"),
    ],
)
def test_captions_of_tables_have_their_number(text, number):
    assert is_table_caption(text)
    assert read_table_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "Table 2 shows ranges",
        "Tables are set",
        "Tables A-3 and A-4 present",
        "table salt",
        "Figure it out",
        "Exhibition 4",
    ],
)
def test_running_text_is_no_caption(text):
    assert not is_caption(text)


def test_a_figure_is_a_caption_but_not_a_tables():
    assert is_caption("Fig. 3a Linear plots")
    assert not is_table_caption("Fig. 3a Linear plots")
    assert read_table_number("Figure 3. A map") == ""


def caption(line, text, y, x=50.0):
    return Group("caption", (line(text, x=x, y=y),))


def test_the_caption_above_wins_over_the_one_below(line):
    groups = [caption(line, "Table 1. Above", 180), caption(line, "Table 2. Below", 405)]
    assert find_caption(TABLE, groups) == 0
    assert find_caption(TABLE, groups[1:]) == 0


def test_a_caption_beside_counts_and_one_far_away_does_not(line):
    beside = Group("caption", (line("Table 4", x=10, y=200),))
    assert find_caption(TABLE, [beside]) == 0
    assert find_caption(TABLE, [caption(line, "Table 5", 100)]) is None


def test_a_figures_caption_is_not_taken(line):
    assert find_caption(TABLE, [caption(line, "Figure 1. A plot", 180)]) is None


def test_a_caption_is_whole_with_its_further_lines(line):
    groups = [
        Group("caption", (line("Table 1"),)),
        Group("text", (line("Experimental conditions", y=114),)),
        Group("text", (line("Far below", y=200),)),
    ]
    merged = merge_captions(groups)
    assert [" ".join(piece.text for piece in group.lines) for group in merged] == [
        "Table 1 Experimental conditions",
        "Far below",
    ]


def test_a_sentence_that_ends_with_a_colon_announces_a_table(line):
    text = Group("text", (line("Prices rose. Sales were as follows:", y=180),))
    assert find_lead_in(TABLE, [text]) == "Sales were as follows:"
    assert find_lead_in(TABLE, [Group("text", (line("Prices rose.", y=180),))]) == ""
    assert find_lead_in(TABLE, [Group("title", (line("Cost of revenue", y=180),))]) == "Cost of revenue"


def test_a_caption_in_the_margin_left_of_its_table_is_found(line):
    caption = [line("Table 2"), line("Weights of", x=95), line("all boats in the", y=111), line("harbour", y=122)]
    cells = [
        line(text, x=x, y=100 + 13 * row) for row in range(5) for x, text in ((220, "Ada"), (300, "4"), (360, "9"))
    ]
    assert find_side_captions([*caption, *cells]) == [(50.0, 100.0, 145.0, 132.0)]


def test_a_caption_above_labels_and_one_beside_prose_are_in_no_margin(line):
    caption = [line("Table 2"), line("All boats", y=111)]
    labels = [line("Ada", y=130), line("Bo", y=143), line("Cy", y=156)]
    cells = [line("4", x=x, y=100 + 13 * row) for row in range(5) for x in (220, 300)]
    prose = [line("a line of the running text", x=220, y=100 + 13 * row) for row in range(5)]
    assert find_side_captions([*caption, *labels, *cells]) == []
    assert find_side_captions([*caption, *prose]) == []
