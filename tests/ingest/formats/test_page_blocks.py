from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.layout.page_blocks import (
    build_blocks,
    build_plain_blocks,
    cluster_lines,
    drop_rules,
    is_complete,
)
from hopline_ingest.formats.pdf.layout.page_triage import is_plain
from hopline_ingest.formats.pdf.page_content import TableCandidate, TableCell, TableContent

COLUMNS = [
    Region("text", (40, 90, 290, 400), 0.9),
    Region("text", (300, 90, 550, 400), 0.9),
    Region("title", (40, 40, 550, 60), 0.9),
]


def page(line):
    left = [line(f"left line number {n}", x=50, y=100 + 14 * n) for n in range(6)]
    right = [line(f"right line number {n}", x=310, y=100 + 14 * n) for n in range(6)]
    mixed = [piece for pair in zip(left, right, strict=True) for piece in pair]
    return [*mixed, line("The title of it all", x=50, y=44, size=14)]


def test_lines_are_read_region_by_region(line):
    lines, _ = build_blocks(page(line), COLUMNS, [])
    assert [piece.text for piece in lines[:2]] == ["The title of it all", "left line number 0"]
    assert lines[0].role == "title"
    assert [piece.text[:4] for piece in lines[1:]] == ["left"] * 6 + ["righ"] * 6


def test_a_region_around_two_columns_does_not_mix_them(line):
    both = Region("text", (40, 90, 550, 400), 0.9)
    for regions in ([both, *COLUMNS], [both, COLUMNS[1], COLUMNS[2]]):
        lines, _ = build_blocks(page(line), regions, [])
        assert [piece.text[:4] for piece in lines[1:]] == ["left"] * 6 + ["righ"] * 6


def test_without_regions_columns_are_separated_by_distance(line):
    lines, _ = build_blocks(page(line), [], [])
    assert [piece.text[:5] for piece in lines] == ["The t", *["left "] * 6, *["right"] * 6]


def test_a_tables_lines_are_not_text_and_its_caption_goes_with_it(line, make_cells):
    caption = line("Table 7. Ships", y=480)
    cells = [line("2023", y=500), line("40", x=150, y=500), line("2024", y=514), line("52", x=150, y=514)]
    table = TableCandidate((45.0, 495.0, 200.0, 530.0), make_cells((("2023", "40"), ("2024", "52"))))
    lines, tables = build_blocks([*page(line), caption, *cells], COLUMNS, [table])
    assert tables[0].caption == "Table 7. Ships"
    assert not any(piece.text in {"40", "Table 7. Ships"} for piece in lines)
    assert tables[0].block == max(piece.block for piece in lines) + 1


def test_the_caption_of_a_table_may_stand_in_the_header_of_the_page(line, make_cells):
    head = [line("Department of Ships", y=20), line("Table 8 - Ships by port, 2018", y=34)]
    cells = [line("2023", y=60), line("40", x=150, y=60), line("2024", y=74), line("52", x=150, y=74)]
    table = TableCandidate((45.0, 55.0, 200.0, 90.0), make_cells((("2023", "40"), ("2024", "52"))))
    lines, tables = build_blocks([*head, *cells], [Region("header", (40, 15, 550, 46), 0.9)], [table])
    assert tables[0].caption == "Table 8 - Ships by port, 2018"
    assert [(piece.text, piece.role) for piece in lines] == [("Department of Ships", "header")]


def test_what_is_no_table_stays_text(line, make_cells):
    pieces = [line("Name", y=500), line("Role", x=150, y=500), line("Anna", y=514), line("Head", x=150, y=514)]
    lines, tables = build_blocks(
        pieces, [], [TableCandidate((45.0, 495.0, 200.0, 530.0), make_cells((("Name", "Role"), ("Anna", "Head"))))]
    )
    assert tables == ()
    assert " ".join(piece.text for piece in lines) == "Name Anna Role Head"


def test_a_figure_that_holds_prose_is_no_figure(line):
    pieces = [line("this is a whole sentence that no figure would have in it", y=100 + 14 * n) for n in range(4)]
    lines, _ = build_blocks(pieces, [Region("figure", (0, 0, 600, 800), 0.9)], [])
    assert {piece.role for piece in lines} == {"text"}


def test_the_labels_of_a_figure_are_distinguished_from_text(line):
    labels, _ = build_blocks([line("0.5"), line("t (min)", y=200)], [Region("figure", (0, 0, 600, 800), 0.9)], [])
    assert [piece.role for piece in labels] == ["figure", "figure"]


def test_rules_drawn_with_characters_say_nothing(line):
    assert [piece.text for piece in drop_rules([line("_______"), line("- - -"), line("—"), line("text")])] == [
        "—",
        "text",
    ]


def test_lines_near_each_other_of_like_size_hold_together(line):
    groups = cluster_lines([line("one", y=100), line("two", y=112), line("far", y=200), line("Large", y=124, size=18)])
    assert [[piece.text for piece in group] for group in groups] == [["one", "two"], ["Large"], ["far"]]


def test_lost_characters_are_noticed(line):
    pieces = [line("x" * 80), line("y" * 20, y=120)]
    assert is_complete((tuple(pieces), ()), pieces)
    assert not is_complete((tuple(pieces[:1]), ()), pieces)


def test_the_dots_between_labels_and_values_are_not_missed(line):
    pieces = [line("Theft . . . . . . . . . . . . . . 12", y=100), line("Fraud . . . . . . . . . . . . . . . 7", y=112)]
    cells = ((TableCell("Theft"), TableCell("12")), (TableCell("Fraud"), TableCell("7")))
    assert is_complete(((), (TableContent((50, 90, 500, 130), cells),)), pieces)


def test_a_page_of_one_column_is_plain_and_others_are_not(line):
    prose = [line("a line of running text that is long enough", y=100 + 14 * n) for n in range(30)]
    assert is_plain(prose)
    assert not is_plain(page(line))
    assert not is_plain([*prose, line("Table 1. Results", y=600)])
    assert not is_plain([*prose, line("sideways", y=600, turn=90)])
    assert is_plain([])


def test_a_plain_page_is_read_from_the_top(line):
    lines = build_plain_blocks([line("below", y=200), line("above", y=100)])
    assert [piece.text for piece in lines] == ["above", "below"]
