import pytest

from hopline_ingest.formats.pdf.layout.layout_model import Region
from hopline_ingest.formats.pdf.layout.table_areas import (
    contains,
    find_lists_of_values,
    find_numeric_areas,
    find_ruled_areas,
    find_table_areas,
    overlaps,
)


def statement(line, labels, *, top=200, x=50):
    """Return the pieces of rows with a label and two numbers."""
    pieces = []
    for n, label in enumerate(labels):
        y = top + 14 * n
        pieces += [line(label, x=x, y=y), line(f"{n}2,345", x=400, y=y), line(f"(1,{n}00)", x=480, y=y)]
    return pieces


LABELS = ["Revenue", "Cost of revenue, net", "Tax", "Net income for the whole of the year"]


def test_rows_of_numbers_are_a_table_though_the_model_saw_none(line):
    pieces = [line("Prose above the table that runs on.", y=150), *statement(line, LABELS)]
    (area,) = find_table_areas([], pieces)
    assert contains(area, pieces[1].rect)
    assert contains(area, pieces[-1].rect)
    assert not contains(area, pieces[0].rect)


def test_two_rows_of_numbers_are_none(line):
    assert find_numeric_areas(statement(line, LABELS[:2])) == []


def test_text_far_beside_a_table_is_not_part_of_it(line):
    picture = [line("Image not for diagnosis", x=20, y=214), line("1.6", x=20, y=228)]
    moved = statement(line, LABELS, x=250)
    (area,) = find_numeric_areas([*picture, *moved])
    assert not contains(area, picture[0].rect)
    assert contains(area, moved[0].rect)


def test_a_column_with_one_value_is_part_of_a_table(line):
    value = line("-0.5", x=640, y=242)
    (area,) = find_numeric_areas([*statement(line, LABELS), value])
    assert contains(area, value.rect)


def test_labels_that_stand_once_far_left_are_part_of_a_table(line):
    years = [line("2021", x=20, y=200), line("2022", x=20, y=228)]
    (area,) = find_numeric_areas([*years, *statement(line, LABELS, x=150)])
    assert contains(area, years[0].rect)


def test_a_sentence_between_two_tables_parts_them(line):
    between = line("A summary of our cash flows for fiscal years 2022, 2021 and 2020 is as follows:", y=262)
    pieces = [*statement(line, LABELS), between, *statement(line, LABELS, top=280)]
    assert len(find_numeric_areas(pieces)) == 2


def test_an_area_that_lacks_its_labels_gets_them(line):
    pieces = statement(line, LABELS)
    (area,) = find_table_areas([Region("table", (395.0, 195.0, 520.0, 260.0), 0.9)], pieces)
    assert area[0] <= 50


def test_a_column_of_prose_is_not_taken_for_labels(line):
    prose = [line("a line of prose of the left column", x=210, y=200 + 14 * n) for n in range(4)]
    numbers = [piece for piece in statement(line, LABELS) if piece.rect[0] >= 400]
    (area,) = find_table_areas([Region("table", (395.0, 195.0, 520.0, 260.0), 0.9)], [*prose, *numbers])
    assert area[0] > 390


def test_column_headings_above_belong_to_the_table(line):
    heads = [line("2022", x=400, y=184), line("2021", x=480, y=184)]
    (area,) = find_table_areas([], [*heads, *statement(line, LABELS)])
    assert contains(area, heads[0].rect)


@pytest.mark.parametrize("colon", [":", "："])
def test_the_fields_of_a_form_above_the_headings_do_not_belong_to_the_table(line, colon):
    fields = [line(f"Port{colon} Elm", x=50, y=168), line(f"Day{colon} 2021-06-04", x=220, y=168)]
    headings = [line("2021", x=220, y=182), line("2020", x=320, y=182)]
    (area,) = find_table_areas([], [*fields, *headings, *statement(line, LABELS)])
    assert area[1] == 182


def test_the_page_header_above_a_caption_does_not_belong_to_the_table(line):
    page_header = [line("Appendix A", x=50, y=135), line("Highlights", x=480, y=135)]
    pieces = [*page_header, line("Table A-1. Sales", x=50, y=170), *statement(line, LABELS)]
    (area,) = find_table_areas([Region("table", (45.0, 155.0, 530.0, 260.0), 0.9)], pieces)
    assert [contains(area, piece.rect) for piece in pieces[:4]] == [False, False, False, True]


def test_the_caption_is_not_part_of_the_table(line):
    pieces = [line("Table 1. Results", y=180), *statement(line, LABELS)]
    (area,) = find_table_areas([Region("table", (45.0, 175.0, 520.0, 260.0), 0.9)], pieces)
    assert not contains(area, pieces[0].rect)
    assert contains(area, pieces[1].rect)


def test_regions_that_overlap_are_one_table(line):
    regions = [Region("table", (45.0, 195.0, 520.0, 230.0), 0.9), Region("table", (45.0, 220.0, 520.0, 260.0), 0.8)]
    assert len(find_table_areas(regions, statement(line, LABELS))) == 1
    assert not overlaps((0, 0, 1, 1), (2, 2, 3, 3))


def test_the_frames_of_tables_take_the_place_of_a_region_over_them(line):
    pieces = [*statement(line, LABELS), *statement(line, LABELS, top=300)]
    frames = [(45.0, 195.0, 530.0, 260.0), (45.0, 295.0, 530.0, 360.0)]
    region = Region("table", (0.0, 100.0, 600.0, 700.0), 0.9)
    assert find_table_areas([region], pieces, frames=frames) == frames


def test_a_frame_around_a_part_of_a_region_is_not_its_table(line):
    region = Region("table", (45.0, 195.0, 530.0, 260.0), 0.9)
    (area,) = find_table_areas([region], statement(line, LABELS), frames=[(395.0, 195.0, 530.0, 225.0)])
    assert area == region.rect


def make_ruled_rows(line, *rows, x=50.0, width=300.0):
    """Return the pieces of rows such as "label|value" and the rules around each row."""
    pieces = [
        line(text, x=x + 5 + 200 * n, y=104 + 20 * number)
        for number, row in enumerate(rows)
        for n, text in enumerate(row.split("|"))
    ]
    rules = [(x, 100.0 + 20 * n, x + width, 100.5 + 20 * n) for n in range(len(rows) + 1)]
    return pieces, rules


def test_rows_between_rules_are_a_table_though_the_model_saw_none(line):
    pieces, rules = make_ruled_rows(line, "Topic|Enquiries", "Travel|3.597", "Rights|1.847", "Law|732")
    assert find_table_areas([], pieces, rules) == [(50.0, 100.0, 350.0, 180.5)]
    assert find_table_areas([], pieces) == []


def test_lines_of_text_between_rules_are_none(line):
    pieces, rules = make_ruled_rows(line, "A first point", "A second point", "A third point", "A last point")
    assert find_ruled_areas(rules, pieces) == []


def test_the_grid_of_a_chart_is_no_table(line):
    pieces, rules = make_ruled_rows(line, "80|90", "60|70", "40|50", "20|30")
    behind = [(rule[0] - 60.0, rule[1], rule[2], rule[3]) for rule in rules]  # its labels begin right of the rules
    assert find_ruled_areas(behind, pieces) == []


def test_tables_beside_each_other_that_the_model_saw_as_one_are_several(line):
    left, left_rules = make_ruled_rows(line, "Topic|Enquiries", "Travel|3.597", "Rights|1.847", "Law|732")
    right, right_rules = make_ruled_rows(line, "Land|Enquiries", "Elm|97", "Ash|84", "Oak|73", x=400.0)
    whole = Region("table", (45.0, 98.0, 705.0, 182.0), 0.9)
    areas = find_table_areas([whole], [*left, *right], [*left_rules, *right_rules])
    assert sorted(areas) == [(50.0, 100.0, 350.0, 180.5), (400.0, 100.0, 700.0, 180.5)]


def test_rules_that_end_before_the_numbers_of_their_rows_are_not_around_the_table(line):
    pieces, rules = make_ruled_rows(line, "Topic|No.", "Travel|3", "Rights|1", "Law|7")
    beside = [line(f"{n}4.5", x=400, y=104 + 20 * n) for n in range(1, 4)]
    assert find_ruled_areas(rules, [*pieces, *beside]) == []


def test_rules_that_are_drawn_for_each_column_are_those_of_one_table(line):
    pieces, rules = make_ruled_rows(line, "Topic|Enquiries", "Travel|3.597", "Rights|1.847", "Law|732")
    parts = [(x0, rule[1], x1, rule[3]) for rule in rules for x0, x1 in ((50.0, 248.0), (252.0, 350.0))]
    assert find_ruled_areas(parts, pieces) == find_ruled_areas(rules, pieces)


@pytest.mark.parametrize(
    ("between", "is_one"),
    [
        (["Travel|3.597", "By sea", "Ferries|1.847", "Sloops|12"], True),
        (["Travel|3.597", "This is a line of prose between two tables that has their width", "Law|8", "Tax|7"], False),
        (["Travel", "Rights", "Law", "Tax|7"], False),
    ],
)
def test_rules_far_from_each_other_are_those_of_one_table_if_rows_are_between_them(line, between, is_one):
    above, rules = make_ruled_rows(line, "Topic|Enquiries", "Water|97", "Wind|84", "Sun|73")
    pieces, more = make_ruled_rows(line, *(between * 2), "Total|9", "Mean|3", "Least|1")
    lower = [line(piece.text, x=piece.rect[0], y=piece.rect[1] + 80) for piece in pieces]
    rules += [(x0, y0 + 80, x1, y1 + 80) for x0, y0, x1, y1 in more[-4:]]
    assert (len(find_ruled_areas(rules, [*above, *lower])) == 1) is is_one


@pytest.mark.parametrize(
    ("head", "x", "is_header"),
    [
        ("All the boats that left the harbour in the year", 398, True),  # over the rule above the columns
        ("All the boats that left the harbour in the year", 50, False),
        ("Table 4. Boats", 398, False),
        ("12,400", 398, False),
    ],
)
def test_a_header_between_rules_belongs_to_the_table(line, head, x, is_header):
    pieces = [line(head, x=x, y=170, size=5), *statement(line, LABELS)]
    rules = [(395.0, 165.0, 530.0, 165.5), (395.0, 180.0, 530.0, 180.5)]
    (area,) = find_table_areas([Region("table", (45.0, 195.0, 530.0, 260.0), 0.9)], pieces, rules)
    assert contains(area, pieces[0].rect) is is_header


def values(line, *rows, right=300.0, pitch=14.0):
    """Return the pieces of rows such as "label|number", whose numbers end at ``right``."""
    pieces = []
    for n, row in enumerate(rows):
        for column, text in enumerate(row.split("|")):
            pieces.append(line(text, x=50 if column == 0 else right - 5 * len(text), y=100 + pitch * n))
    return pieces


@pytest.mark.parametrize(
    "rows",
    [
        ("Spain|268", "Germany|233", "United Kingdom|1,139", "non-EU|97"),
        ("1990|34.5%", "1991|36.0%", "1992|31.2%", "1993|40.8%", "1994|39.9%"),
        ("Rent ..............................|$450", "Food ............................|$310", "Travel ............................|$95", "Books .............................|$120"),
        ("Copper|(4.1)", "Iron|12.0", "Zinc|n/a", "Lead|3.3"),
        ("Chairs|41", "Tables|41", "Lamps|39", "Rugs|–"),
    ],
)  # fmt: skip
def test_labels_with_one_number_each_are_a_table_without_rules(line, rows):
    pieces = values(line, *rows)
    (area,) = find_lists_of_values(pieces)
    assert all(contains(area, piece.rect) for piece in pieces)


@pytest.mark.parametrize(
    "rows",
    [
        ("Introduction ............................|1", "Methods ............................|4", "Results ............................|11", "References ............................|19"),
        ("Spain|268", "Germany|233", "Italy|92"),
        ("Spain|Madrid", "Germany|Berlin", "Italy|Rome", "France|Paris"),
        ("12|268", "13|233", "14|92", "15|41"),
        ("Spain|n/a", "Germany|–", "Italy|–", "France|41"),
    ],
)  # fmt: skip
def test_contents_and_short_lists_and_words_are_no_table_of_values(line, rows):
    assert find_lists_of_values(values(line, *rows)) == []


def test_numbers_that_are_not_aligned_or_far_apart_are_no_table_of_values(line):
    rows = ("Spain|268", "Germany|233", "Italy|92", "France|136")
    assert find_lists_of_values(values(line, *rows, pitch=60.0)) == []
    ragged = [line("Spain", y=100 + 14 * n) for n in range(4)] + [
        line("268", x=200 + 9 * n, y=100 + 14 * n) for n in range(4)
    ]
    assert find_lists_of_values(ragged) == []


def test_the_last_columns_of_a_wider_table_are_no_table_of_values(line):
    pieces = values(line, "Spain|268", "Germany|233", "Italy|92", "France|136", right=400.0)
    yes = [line("Yes", x=160, y=100 + 14 * n) for n in range(4)]
    assert find_lists_of_values([*pieces, *yes]) == []


def test_a_list_of_values_beside_a_column_of_prose_is_a_table(line):
    pieces = values(line, "Spain|268", "Germany|233", "Italy|92", "France|136")
    prose = [line("a line of prose of the right column", x=360, y=100 + 14 * n) for n in range(4)]
    (area,) = find_lists_of_values([*pieces, *prose])
    assert area[2] <= 301


MONTHS, MONTH_X = ("January", "February", "March", "April"), (200, 280, 360, 440)


def monthly_rows(line):
    """Return the cells of four rows with a number for each month."""
    rows = [(y, name) for y, name in zip(range(188, 252, 16), ("Cod", "Eel", "Hake", "Ling"), strict=True)]
    return [line(text, x=x, y=y) for y, name in rows for text, x in ((name, 60), *(("1,240", x) for x in MONTH_X))]


@pytest.mark.parametrize(
    ("text", "x", "is_header"),
    [
        ("13 Weeks Ended", 420, True),
        ("Non-GAAP", 470, True),
        ("Sales by quarter", 50, False),  # begins as the labels do
        ("Table 3. Sales by quarter", 420, False),
    ],
)
def test_a_caption_of_the_model_over_some_columns_is_a_header_of_them(line, text, x, is_header):
    head = line(text, x=x, y=172)
    pieces = [head, line("2022", x=400, y=186), line("2021", x=480, y=186), *statement(line, LABELS)]
    regions = [Region("table", (45.0, 184.0, 520.0, 255.0), 0.9), Region("table_caption", head.rect, 0.9)]
    (area,) = find_table_areas(regions, pieces)
    assert contains(area, head.rect) == is_header


def test_a_row_of_headers_that_the_model_takes_for_a_caption_is_one_also_above_the_label_of_a_group(line):
    heads = [line("Species", x=60, y=160), *(line(text, x=x, y=160) for text, x in zip(MONTHS, MONTH_X, strict=True))]
    pieces = [*heads, line("FISHES", x=48, y=174), *monthly_rows(line)]
    head = (60.0, 160.0, 500.0, 170.0)
    regions = [Region("table", (45.0, 184.0, 520.0, 255.0), 0.9), Region("table_caption", head, 0.9)]
    (area,) = find_table_areas(regions, pieces)
    assert all(contains(area, piece.rect) for piece in heads)


def test_headers_that_are_wider_than_their_columns_belong_to_the_table(line):
    heads = [line("Visitors", x=390, y=184), line("Visitors from abroad", x=455, y=184)]
    (area,) = find_table_areas([], [*heads, *statement(line, LABELS)])
    assert all(contains(area, head.rect) for head in heads)
