from hopline_ingest.formats.pdf.page import CELL_GAP
from hopline_ingest.formats.pdf.text.lines import (
    attach_bullets,
    build_pieces,
    find_column_edges,
    group_rows,
    is_right_to_left,
    join_rows,
    mark_superscripts,
)


def test_a_wide_gap_or_another_base_line_ends_a_piece(set_text):
    glyphs = [*set_text("left"), *set_text("right", x=300), *set_text("below", y=114)]
    assert [line.text for line in build_pieces(glyphs)] == ["left", "right", "below"]


def test_a_word_space_does_not_end_a_piece_and_counts_once(set_text):
    assert [line.text for line in build_pieces(set_text(" two   words "))] == ["two words"]


def test_a_blank_of_a_typewriter_font_does_not_separate_cells(set_text):
    glyphs = [*set_text("Gross ", x=50), *set_text("weight", x=81.2), *set_text("1,200", x=120)]
    assert [line.text for line in build_pieces(glyphs, gap=CELL_GAP)] == ["Gross weight", "1,200"]


def test_a_ligature_becomes_its_letters_which_share_its_width(set_text):
    (line,) = build_pieces(set_text("oﬃce", x=0))
    assert line.text == "office"
    assert [round(left, 2) for left in line.lefts] == [0, 5, 6.67, 8.33, 10, 15]
    assert len(line.lefts) == len(line.rights) == len(line.text)


def test_an_accent_of_its_own_joins_the_letter_before_it(set_text):
    (line,) = build_pieces(set_text("Cafe\u0301"))
    assert line.text == "Café"
    assert len(line.lefts) == 4


def test_what_is_raised_does_not_make_a_line_higher(set_text):
    (line,) = build_pieces([*set_text("10 m", x=50), *set_text("2", x=70, y=96, size=6)])
    assert line.text == "10 m2"
    assert line.rect == (50.0, 100.0, 73.0, 110.0)


def test_raised_digits_of_a_cell_are_superscripts(set_text):
    glyphs = [*set_text("10", x=50), *set_text("-6", x=60, y=96, size=7), *set_text(" m", x=67)]
    assert [line.text for line in build_pieces(glyphs, keep_superscripts=True)] == ["10⁻⁶ m"]
    lowered = [*set_text("CO", x=50), *set_text("2", x=60, y=106, size=6)]
    assert [line.text for line in build_pieces(lowered, keep_superscripts=True)] == ["CO2"]


def test_a_piece_of_raised_digits_beside_another_one_is_a_superscript(line):
    raised = line("2", x=70, y=96, size=7)
    assert [piece.text for piece in mark_superscripts([line("34.2", x=50), raised])] == ["34.2", "²"]
    below, far = line("2", x=70, y=103, size=7), line("2", x=90, y=96, size=7)
    assert [piece.text for piece in mark_superscripts([line("34.2", x=50), below, far])] == ["34.2", "2", "2"]


def test_a_line_is_bold_when_nearly_all_of_it_is(set_text):
    (whole,) = build_pieces(set_text("Heading", bold=True))
    (partly,) = build_pieces([*set_text("Run-in", bold=True), *set_text(" and plain text", x=80)])
    assert whole.bold
    assert not partly.bold


def test_pieces_side_by_side_become_one_row_from_left_to_right(line):
    rows = join_rows([line("world", x=120), line("hello", x=50)])
    assert [row.text for row in rows] == ["hello world"]
    assert rows[0].rect == (50, 100, 145, 110)
    assert len(rows[0].lefts) == len("hello world")


def test_a_row_of_a_script_that_is_read_leftwards_begins_at_the_right(line):
    rows = join_rows([line("Python", x=50), line("تحسين البرمجة", x=100)])
    assert rows[0].text == "تحسين البرمجة Python"


def test_rows_are_not_joined_across_the_edge_of_a_column(line):
    prose = [line("a line of the right column", x=300, y=100 + 12 * n) for n in range(6)]
    left = line("the left column's line ends", x=150, y=100)
    edges = find_column_edges([*prose, left])
    assert 300 in edges
    assert [row.text for row in join_rows([left, prose[0]], edges=edges)] == [left.text, prose[0].text]


def test_a_piece_half_over_another_is_on_another_row(line):
    assert len(group_rows([line("one", y=100), line("two", y=104)])) == 2


def test_a_lone_bullet_goes_to_the_text_right_of_it(line):
    pieces = attach_bullets([line("•", x=50), line("first", x=70), line("other", x=70, y=130)])
    assert sorted(piece.text for piece in pieces) == ["other", "• first"]


def test_the_label_of_a_reference_goes_to_its_entry(line):
    pieces = attach_bullets([line("[KMN+02]", x=50), line("T. Kanungo, 2002.", x=110), line("[7]", x=50, y=130)])
    assert sorted(piece.text for piece in pieces) == ["[7]", "[KMN+02] T. Kanungo, 2002."]


def test_the_direction_is_that_of_most_letters():
    assert is_right_to_left("تعتبر البرمجة Python")
    assert not is_right_to_left("the word سلام in English")
    assert not is_right_to_left("12.5 %")
