"""Structure of tables: kinds and paths of rows, paths, units and scales of columns."""

import json

import pytest

from hopline.tables.grid import build_grid, render_table
from hopline.tables.parts import split_rows
from hopline.tables.structure import INDENT, TableStructure, infer_structure


def paths_of(*rows):
    return [row.path for row in infer_structure(rows).rows if row.path]


def kinds_of(*rows):
    return [row.kind for row in infer_structure(rows).rows]


def test_a_row_belongs_to_the_group_rows_above_it():
    assert paths_of(
        ("Post", "2022", "2023"),
        ("Assets", "", ""),
        ("Current", "", ""),
        ("Cash", "4", "5"),
        ("Stock", "9", "7"),
        ("Fixed", "", ""),
        ("Boats", "70", "66"),
        ("Liabilities", "", ""),
        ("Current", "", ""),
        ("Loans", "31", "30"),
    ) == [
        ("Assets", "Current", "Cash"),
        ("Assets", "Current", "Stock"),
        ("Assets", "Fixed", "Boats"),
        ("Liabilities", "Current", "Loans"),
    ]


@pytest.mark.parametrize("group", [("", "Women", ""), ("Women", "Women", "Women"), ("Women", "", "")])
def test_a_group_row_may_stand_over_the_columns(group):
    rows = (("Town", "2022", "2023"), ("Men", "", ""), ("Aker", "4", "5"), group, ("Aker", "6", "7"))
    assert paths_of(*rows) == [("Men", "Aker"), ("Women", "Aker")]


def test_a_row_belongs_to_the_less_indented_rows_above_it():
    assert paths_of(
        ("Post", "2022"),
        ("Assets", ""),
        (f"{INDENT}Current", ""),
        (f"{INDENT * 2}Cash", "4"),
        (f"{INDENT}Fixed", "70"),
        (f"{INDENT * 2}of which boats", "66"),
        ("Total", "74"),
    ) == [
        ("Assets", "Current", "Cash"),
        ("Assets", "Fixed"),
        ("Assets", "Fixed", "of which boats"),
        ("Total",),
    ]


def test_a_total_that_is_more_indented_belongs_to_the_group_of_what_it_sums_up():
    rows = [("Post", "2022"), ("Revenue", ""), (f"{INDENT}Boats", "4"), (f"{INDENT * 2}Total revenue", "4")]
    assert paths_of(*rows) == [("Revenue", "Boats"), ("Revenue", "Total revenue")]


@pytest.mark.parametrize("total", ["Total costs", "Costs, total", "Total cost (EUR)"])
def test_a_row_below_the_total_of_a_group_is_not_in_the_group(total):
    rows = (("Post", "2022"), ("Costs", ""), ("Fees", "3"), (total, "3"), ("Surplus", "7"))
    assert paths_of(*rows) == [("Costs", "Fees"), ("Costs", total), ("Surplus",)]


def test_the_total_of_an_inner_group_does_not_close_the_outer_one():
    rows = [("Post", "2022"), ("Assets", ""), ("Current", ""), ("Cash", "3"), ("Total current", "3"), ("Other", "1")]
    rows += [("Fixed", ""), ("Boats", "7"), ("Total fixed", "7"), ("Total assets", "11"), ("Staff", "4")]
    assert paths_of(*rows) == [
        ("Assets", "Current", "Cash"),
        ("Assets", "Current", "Total current"),
        ("Assets", "Other"),
        ("Assets", "Fixed", "Boats"),
        ("Assets", "Fixed", "Total fixed"),
        ("Assets", "Total assets"),
        ("Staff",),
    ]


def test_a_total_without_the_name_of_the_group_does_not_close_it():
    rows = (("Town", "2022"), ("Men", ""), ("Total", "3"), ("of which students", "2"))
    assert paths_of(*rows) == [("Men", "Total"), ("Men", "of which students")]


@pytest.mark.parametrize(
    "label",
    [
        "Grand total",
        "Sub-total",
        "Costs, total",
        "Summe Aufwand",
        "Insgesamt",
        "Sous-total",
        "Итого",
        "合计",
        "All",
        "All ports",
    ],
)
def test_a_total_is_recognized_in_several_languages(label):
    assert kinds_of(("Post", "2022"), ("Fees", "3"), (label, "3")) == ["header", "data", "total"]


@pytest.mark.parametrize("label", ["Totality", "Summer", "Gesamtschule", "All Saints", "Allotment"])
def test_a_word_that_begins_like_a_total_is_none(label):
    assert kinds_of(("Post", "2022"), ("Fees", "3"), (label, "3"))[-1] == "data"


def test_the_label_of_a_group_over_all_columns_may_have_a_number():
    rows = (("Seat", "Adult", "Child"), ("Season 2022/23",) * 3, ("Stalls", "31", "15"), ("n/a",) * 3)
    assert kinds_of(*rows) == ["header", "group", "data", "data"]


@pytest.mark.parametrize("repeated", ["", "2022"])
def test_a_label_that_stands_once_for_several_rows_is_that_of_all(repeated):
    rows = [("Year", "Kind", "t"), ("2022", "oats", "4.1"), (repeated, "rye", "5.2"), ("2023", "oats", "6.3")]
    assert paths_of(*rows) == [("2022", "oats"), ("2022", "rye"), ("2023", "oats")]


def test_labels_of_three_columns_are_filled_down():
    rows = [("Year", "Kind", "Plot", "t"), ("2022", "oats", "wet", "4.1"), ("", "", "dry", "5.2")]
    rows += [
        ("", "R1844", "wet", "3.3b"),
        ("", "", "dry", "2.2a"),
        ("2023", "oats", "wet", "1.5"),
        ("", "", "dry", "1.4"),
    ]
    assert paths_of(*rows)[3:5] == [("2022", "R1844", "dry"), ("2023", "oats", "wet")]


def test_running_numbers_and_the_names_beside_them_are_the_labels():
    rows = [("No.", "Item", "Price"), ("1", "33 pickups (4x4)", "902"), ("2", "Lamps", "41"), ("3", "Lamps", "12")]
    assert paths_of(*rows) == [("1", "33 pickups (4x4)"), ("2", "Lamps"), ("3", "Lamps")]


@pytest.mark.parametrize("first", [("1", "1", "2"), ("1", "", "2")])
def test_numbers_within_numbers_and_the_names_beside_them_are_the_labels(first):
    rows = [
        (first[0], "1", "Ropes", "Deck", "Y"),
        (first[1], "2", "Bolts", "Hull", "Y"),
        (first[2], "1", "Oil", "Hull", ""),
    ]
    structure = infer_structure((("Group", "No", "Part", "Place", "Spare"), *rows))
    assert [row.path for row in structure.rows[1:]] == [("1", "1", "Ropes"), ("1", "2", "Bolts"), ("2", "1", "Oil")]


def test_numbers_that_do_not_start_again_with_each_label_are_values():
    rows = (("Berth", "Ships", "Crew"), ("1", "1", "3"), ("2", "2", "4"), ("3", "1", "5"))
    assert infer_structure(rows).label_columns == 1


def test_columns_of_texts_beside_distinct_labels_are_no_labels():
    rows = (("Name", "Role", "Since"), ("Ada", "chair", "2019"), ("Bo", "clerk", "2021"))
    assert infer_structure(rows).label_columns == 1


def test_rows_have_kinds():
    rows = [
        ("Boat", "t"),
        ("North", ""),
        ("Ada", "4"),
        ("Total", "4"),
        ("Boat", "t"),
        ("Bo", "2"),
        ("* wet weight", ""),
    ]
    assert kinds_of(*rows) == ["header", "group", "data", "total", "header", "data", "note"]


def test_a_column_has_the_headers_of_all_rows_each_once():
    rows = (("Farm", "2021", "2021"), ("Farm", "Spring", "Autumn"), ("Aker", "31", "28"), ("Brua", "12", "15"))
    columns = infer_structure(rows).columns
    assert [column.path for column in columns] == [("Farm",), ("2021", "Spring"), ("2021", "Autumn")]


@pytest.mark.parametrize("value", ["12.3b", "12.3 ± 0.4", "16 (47.1)", "12,300"])
def test_the_first_figures_end_the_header(value):
    rows = (("Boat", "Net weight", "Length"), ("", "(kg)", "(m)"), ("Ada", value, value), ("Bo", value, value))
    assert [column.path for column in infer_structure(rows).columns[1:]] == [("Net weight", "(kg)"), ("Length", "(m)")]


def test_numbers_in_the_units_of_headers_are_no_values():
    rows = (("", "Road", "Road"), ("Town", "Rate (1/km)", "Ratio (95% CI)"), ("Aker", "4", "0.5"), ("Brua", "7", "0.8"))
    assert infer_structure(rows).header_rows == 2


def test_the_numbers_of_the_columns_are_a_header():
    rows = [("No", "Port", "Ships", "Ships"), ("No", "Port", "In", "Out"), ("(1)", "(2)", "(3)", "(4)")]
    structure = infer_structure((*rows, ("7", "Elm", "12", "9"), ("8", "Ash", "3", "4")))
    assert structure.header_rows == 3
    assert structure.columns[2].path == ("Ships", "In", "(3)")


@pytest.mark.parametrize("note", ["(all amounts in EUR)", "(in thousands) (unaudited)"])
def test_a_text_in_brackets_below_the_header_is_a_note(note):
    rows = (("", "2022"), (note, ""), ("Assets", ""), ("Cash", "4"))
    assert kinds_of(*rows) == ["header", "note", "group", "data"]
    assert paths_of(*rows) == [("Assets", "Cash")]


def test_a_total_without_a_label_belongs_to_the_group_of_what_it_sums_up():
    assert paths_of(
        ("Post", "2022"), ("Costs", ""), (f"{INDENT}Rent", "4"), (f"{INDENT}Pay", "5"), ("", "9"), ("Profit", "7")
    ) == [("Costs", "Rent"), ("Costs", "Pay"), ("Costs", ""), ("Profit",)]


@pytest.mark.parametrize("total", ["Total", "Grand total:", "Insgesamt", "TOTAL"])
def test_a_total_below_groups_without_totals_sums_up_all_of_them(total):
    groups = (("Post", "2022"), ("Town", ""), ("Men", "4"), ("Women", "5"), ("Land", ""), ("Men", "6"), ("Women", "7"))
    assert paths_of(*groups, (total, "22"), ("Year before", "20"))[-2:] == [(total,), ("Year before",)]


@pytest.mark.parametrize(
    "rows",
    [
        (("Town", ""), ("Men", "4"), ("Total", "4"), ("Land", ""), ("Men", "6"), ("Total", "6")),
        (("Town", ""), ("Men", "4"), ("Land", ""), ("Men", "6"), ("Total costs", "6")),
        (("Land", ""), ("Men", "4"), ("Women", "6"), ("Total", "10")),
    ],
)
def test_a_total_of_one_of_several_groups_is_in_it(rows):
    assert paths_of(("Post", "2022"), *rows)[-1][0] == "Land"


def test_a_row_below_a_closed_group_has_the_less_indented_row_above_it():
    assert paths_of(
        ("Post", "2022"),
        ("Receipts", ""),
        (f"{INDENT}Taxes", "4"),
        (f"{INDENT}Total receipts", "4"),
        ("Deficit", "2"),
        (f"{INDENT}Interest", "1"),
    )[-2:] == [("Deficit",), ("Deficit", "Interest")]


def test_labels_of_two_columns_that_stand_once_for_the_same_rows_are_labels_with_the_next_column():
    rows = (("Masts", "Guns", "Sail", "Speed"), ("2", "4", "wool", "7"), ("", "", "flax", "9"), ("3", "6", "wool", "8"))
    structure = infer_structure((*rows, ("", "", "flax", "10")))
    assert structure.label_columns == 3
    assert [row.path for row in structure.rows[1:]] == [
        ("2", "4", "wool"),
        ("2", "4", "flax"),
        ("3", "6", "wool"),
        ("3", "6", "flax"),
    ]


def test_gaps_in_columns_of_values_make_no_labels_of_them():
    rows = (("Port", "In", "Out", "Flag"), ("Elm", "4", "5", "red"), ("Ash", "", "", "blue"), ("Oak", "", "", "green"))
    assert infer_structure(rows).label_columns == 1


def test_an_empty_first_column_leaves_the_labels_to_the_next_one():
    rows = (("No", "Code", "Room", "Price"), ("", "0085", "Shed", "4"), ("", "0091", "Shed", "5"))
    assert paths_of(*rows) == [("0085",), ("0091",)]


def test_codes_and_the_texts_beside_them_are_the_labels():
    rows = (("Code", "Good", "Tons", "Price"), ("0301", "Live fish", "4", "5"), ("1603.00", "Extracts", "6", ""))
    assert paths_of(*rows) == [("0301", "Live fish"), ("1603.00", "Extracts")]


@pytest.mark.parametrize(
    "rows",
    [
        (("12", "red", "4"), ("11", "red", "6")),  # texts that are no names
        (("12", "red", "wide"), ("11", "blue", "narrow")),  # no values beside them
    ],
)
def test_numbers_beside_other_texts_are_no_codes(rows):
    assert infer_structure((("No", "Colour", "Size"), *rows)).label_columns == 1


def test_rows_that_no_label_tells_apart_have_one_label():
    row = ("Gold", "drop", "DET", "none", "OH", "1")
    assert infer_structure((("Metal", "Way", "Kind", "Coat", "End", "Flow"), row, row)).label_columns == 1


@pytest.mark.parametrize(
    "numbers",
    [("1", "2", "3=1+2", "4"), ("", "(1)", "(2)", "(3)"), ("1", "2", "3", ""), ("1", "2 = (3 to 4)", "3", "4")],
)
def test_rows_that_number_columns_are_headers_with_formulas_and_gaps(numbers):
    assert kinds_of(("Port", "Boats", "Carts", "Men"), numbers, ("Elm", "4", "5", "9"), ("Ash", "6", "7", "13")) == [
        *["header"] * 2,
        *["data"] * 2,
    ]


@pytest.mark.parametrize(
    "rows",
    [
        (
            ("", "", "Berth", "Berth"),
            ("Boat", "Length", "12", "14"),
            ("Elm", "9.5", "yes", "no"),
            ("Ash", "8", "", "yes"),
        ),
        (
            ("Boat", "Crew", "Crew", "Age"),
            ("no.", "men", "women", "(2024)"),
            ("A", "3", "5", "12"),
            ("B", "4", "4", "9"),
        ),
        (
            ("Sign", "Lamp", "Lamp", "Bell"),
            ("Sign", "Lamp", "Lamp", "Bell"),
            ("Meaning", "green", "white", "times"),
            ("fog", "on", "", "two"),
            ("fire", "", "on", "many"),
        ),
    ],
)
def test_rows_that_name_the_columns_of_one_header_are_headers(rows):
    count = infer_structure(rows).header_rows
    assert count == len(rows) - 2
    assert len({column.path for column in infer_structure(rows).columns}) == len(rows[0])


@pytest.mark.parametrize(
    "rows",
    [
        (("Boat", "2022", "2022"), ("Elm", "4", "5"), ("Ash", "6", "7")),
        (("Boat", "Colour", "Colour"), ("Elm", "red", "blue"), ("Ash", "green", "red"), ("Oak", "red", "blue")),
        (("", "Tons", ""), ("Elm", "4", "none"), ("Ash", "6", "5"), ("Oak", "7", "8")),
    ],
)
def test_rows_like_those_below_them_are_no_headers(rows):
    assert infer_structure(rows).header_rows == 1


def test_rows_below_a_cell_that_spans_them_are_headers():
    rows = [("Sign", "Men", "Men", "Men"), ("Sign", "%", "95% interval", "95% interval"), ("Sign", "%", "from", "to")]
    rows += [("", "share", "share", "share"), ("Health", "", "", ""), ("good", "88.9", "88.3", "89.4")]
    structure = infer_structure(tuple(rows))
    assert structure.header_rows == 4
    assert structure.columns[3].path == ("Men", "95% interval", "to", "share")
    assert structure.rows[-1].path == ("Health", "good")


def test_the_label_of_a_group_that_spans_all_columns_is_no_header():
    rows = (("Name", "Cup", "Cup"), ("Name", "apps", "goals"), ("Keepers",) * 3, ("Ada", "21", "0"), ("Bo", "9", "0"))
    assert kinds_of(*rows) == ["header", "header", "group", "data", "data"]


def test_a_date_heads_a_column():
    rows = (("tCO2e", "31.12.2023", "Prev. year"), ("Shares", "3016864", "3113093"), ("Bonds", "234194", "269179"))
    assert infer_structure(rows).columns[1].path == ("31.12.2023",)


def test_two_columns_of_labels_below_an_empty_corner_name_the_rows():
    rows = [("", "", "2018", "2019"), ("Fire", "slight", "65", "95"), ("Traffic", "slight", "36", "61")]
    assert paths_of(*rows, ("Average", "", "52", "83")) == [("Fire", "slight"), ("Traffic", "slight"), ("Average", "")]


def test_units_beside_the_labels_are_no_labels():
    rows = (("", "", "2018"), ("Power", "(MW)", "95"), ("Water", "m3", "61"), ("Waste", "kg", "7"))
    structure = infer_structure(rows)
    assert structure.label_columns == 1
    assert [row.unit for row in structure.rows] == ["", "MW", "m3", "kg"]


def test_a_column_may_be_named_as_that_of_units():
    rows = (("Energy", "Unit", "2018"), ("Net use", "TWh", "95"), ("Efficiency", "Base 100 in 2010", "86.4"))
    assert [row.unit for row in infer_structure(rows).rows] == ["", "TWh", "Base 100 in 2010"]


def test_a_figure_among_the_texts_of_the_first_row_ends_no_header():
    rows = (("", "Total votes", "Mail", "Early - 1", "- 2"), ("Cast", "363", "14", "51", "116"))
    assert infer_structure(rows).header_rows == 1


def test_header_rows_that_a_file_marks_are_not_guessed():
    rows = (("Farm", "Owner"), ("name", "name"), ("Aker", "Ada"), ("Brua", "Bo"))
    assert infer_structure(rows, header_rows=2).columns[1].path == ("Owner", "name")


@pytest.mark.parametrize(
    ("header", "value", "caption", "unit", "scale"),
    [
        ("Weight (kg)", "12", "", "kg", ""),
        ("Speed of (light) wind (km per hour)", "12", "", "km per hour", ""),
        ("Share", "12%", "Sales in millions of euros", "%", ""),
        ("Sales", "12", "Sales in millions of euros", "", "million"),
        ("Sales (EUR million)", "12", "", "EUR", "million"),
        ("Remarks", "wet", "in millions", "", ""),
    ],
)
def test_a_column_has_the_unit_and_the_scale_of_its_values(header, value, caption, unit, scale):
    column = infer_structure((("Boat", header), ("Ada", value), ("Bo", value)), caption).columns[1]
    assert (column.unit, column.scale) == (unit, scale)


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ((("Boat", "", ""), ("Ada", "4", "5"), ("Bo", "6", "8")), "most columns of values have no header"),
        ((("Boat", "t", "m"), ("Ada", "4.1 5", "8"), ("Bo", "6.2 8", "9")), "cells have the values of several columns"),
        ((("Boat", "t", "m"), ("", "4", "8"), ("", "6", "9"), ("Bo", "6", "9")), "most rows of values have no label"),
        ((("Boat", "t", "m"), ("Ada", "12 345 678", "16 (47.1)"), ("Bo", "1 345", "2020 2021")), ""),
    ],
)
def test_a_table_that_is_not_understood_says_why(rows, problem):
    assert infer_structure(rows).problem == problem


def test_a_lone_label_among_rows_is_a_row_without_values_where_the_file_states_the_cells():
    rows = (("Town", "Men", "Women"), ("Aker", "31", "28"), ("Brua", "", ""), ("Cass", "44", "47"))
    structure = infer_structure(rows, columns_are_certain=True)
    assert [row.path for row in structure.rows[1:]] == [("Aker",), ("Brua",), ("Cass",)]


@pytest.mark.parametrize(
    "rows",
    [
        (("Men", ""), ("Aker", "31"), ("Brua", ""), ("Cass", "44")),
        (("Aker", "31"), ("Brua:", ""), ("Cass", "44")),
        (("Aker", "31"), ("BRUA", ""), ("Cass", "44")),
        (("Aker", "31"), ("2023", ""), ("Cass", "44")),
        (("Aker", "31"), ("Brua", ""), ("Aker", "44")),
        (("Aker", "31"), ("Brua", ""), ("Cass", "44"), ("Total", "75")),
    ],
)
def test_a_lone_label_is_a_group_if_the_table_has_groups(rows):
    structure = infer_structure((("Town", "2022"), *rows), columns_are_certain=True)
    assert structure.rows[-1].path[0] != rows[-1][0]


def test_a_label_that_stands_once_names_rows_of_texts():
    rows = [("Fault", "Cause", "Remedy"), ("It hums", "no water", "fill it"), ("", "air", "open the vent")]
    assert paths_of(*rows) == [("It hums", "no water"), ("It hums", "air")]


def test_a_wrapped_row_of_texts_is_no_row_of_the_label_above():
    rows = (("Fault", "Cause", "Remedy"), ("It hums", "no water", "fill it"), ("", "in the tank", ""))
    assert infer_structure(rows).label_columns == 1


def test_one_column_of_values_beside_two_of_labels_needs_no_header():
    rows = (("Model", "Parameter", ""), ("Lin", "slope", "1.5"), ("Lin", "offset", "4"), ("Log", "slope", "2"))
    structure = infer_structure(rows)
    assert (structure.label_columns, structure.problem) == (2, "")


def test_numbers_side_by_side_are_one_value_where_the_file_states_the_cells():
    rows = (("Name", "Phone"), ("Ada", "555 1234"), ("Bo", "46.5 7.9"))
    assert infer_structure(rows).problem
    assert not infer_structure(rows, columns_are_certain=True).problem


def test_a_part_of_a_table_keeps_the_paths_of_the_whole():
    rows = (("Boat", "t"), ("North", ""), *((f"Boat {n}", str(n)) for n in range(60)))
    *_, part = split_rows(rows, infer_structure(rows))
    grid = build_grid(render_table(part.rows)[0], part.rows, part.structure)
    assert part.label == "(rows 51–61)"
    assert part.structure.rows[-1].path == ("North", "Boat 59")
    assert grid.body[0].context == "North"


def test_a_structure_is_stored_and_read_again():
    structure = infer_structure((("Boat", "Weight (kg)"), ("North", ""), ("Ada", "4")), "Boats")
    assert TableStructure.from_dict(json.loads(json.dumps(structure.to_dict()))) == structure


@pytest.mark.parametrize(
    "rows",
    [
        (("Creek", "Percentile", "Percentile"), ("", "10", "20"), ("Aker", "0.82", "0.85"), ("Lom", "0.9", "0.7")),
        (("Boat", "Crew", "Crew"), ("Boat", "1", "2"), ("Ada", "14", "12"), ("Bo", "13", "17")),
        (("Plot", "Depth (cm)", "", "t"), ("", "15", "30", ""), ("North", "4", "5", "7"), ("South", "6", "6", "8")),
    ],
)
def test_figures_without_label_that_tell_columns_apart_are_headers(rows):
    assert infer_structure(rows).header_rows == 2


def test_a_row_of_figures_with_a_label_below_a_header_that_spans_columns_is_none():
    rows = (("Creek", "Flow", "Flow"), ("Aker", "10", "20"), ("Lom", "0.9", "0.7"), ("Sog", "0.8", "0.6"))
    assert infer_structure(rows).header_rows == 1


def test_two_rows_below_a_header_that_spans_columns_name_them_and_the_labels():
    rows = [("", "Harvest", "Harvest", "Harvest", "Change", "Change")]
    rows += [
        ("Crop", "11/12", "12/13", "12/13", "Share", "Area"),
        ("", "(a)", "May/2013 (b)", "June/2013 (c)", "%", "ha"),
    ]
    rows += [("Oats", "1.393", "886", "894", "35", "498"), ("Rye", "93", "100", "101", "6", "7")]
    structure = infer_structure(tuple(rows))
    assert structure.header_rows == 3
    assert structure.columns[2].path == ("Harvest", "12/13", "May/2013 (b)")


@pytest.mark.parametrize(
    ("first", "second", "values"),
    [
        (("S1", "S2", "S3"), ("E1", "E2"), ("QM", "A")),
        (("320, 260", "200, 180", "75"), ("L", "H"), ("55", "70")),
        (("North", "South", "West"), ("dry", "wet"), ("good", "bad")),
    ],
)
def test_labels_that_repeat_the_same_texts_beside_them_are_named_by_both(first, second, values):
    rows = [("Class", "Kind", "Value", "Other")]
    rows += [(a, b, value, value) for a in first for b, value in zip(second, values, strict=True)]
    assert paths_of(*rows) == [(a, b) for a in first for b in second]


def test_names_beside_labels_that_stand_for_several_rows_are_values_in_a_table_of_texts():
    rows = [("Town", "Chair", "Since"), ("Aker", "Ida", "May"), ("Aker", "Bo", "June"), ("Lom", "Liv", "May")]
    assert infer_structure(tuple(rows)).label_columns == 1


def test_the_sum_of_numbered_rows_has_no_number():
    rows = [("No.", "District", "t"), ("1", "Aker", "4"), ("2", "Lom", "5"), ("3", "Sog", "6"), ("ALL",) * 2 + ("15",)]
    assert infer_structure(tuple(rows)).label_columns == 2


@pytest.mark.parametrize("total", ["TOTAL ASSETS", "Total assets (EUR)", "Assets, total"])
def test_a_total_is_that_of_the_group_which_it_names_and_not_of_the_last_one_within_it(total):
    rows = [("Post", "2022"), ("ASSETS", ""), ("CURRENT ASSETS", ""), (f"{INDENT}Cash", "3"), ("OTHER ASSETS", "")]
    rows += [(f"{INDENT}Boats", "7"), (f"{INDENT}{total}", "10")]
    assert paths_of(*rows)[1:] == [("ASSETS", "OTHER ASSETS", "Boats"), ("ASSETS", total)]


def test_rows_below_the_sum_with_the_name_of_a_group_are_not_its_parts():
    rows = [("Post", "2022"), ("Operating income (loss):", ""), (f"{INDENT}North", "4"), (f"{INDENT}South", "3")]
    rows += [("Operating income", "7"), (f"{INDENT}Interest, net", "1"), ("Income before taxes", "8")]
    assert paths_of(*rows)[2:] == [("Operating income",), ("Interest, net",), ("Income before taxes",)]


def test_a_last_row_without_number_sums_up_the_groups_of_numbered_rows():
    rows = [("No.", "District", "mm"), ("North", "", ""), ("1", "Aker", "4"), ("2", "Lom", "5"), ("South", "", "")]
    rows += [(str(n), f"Town {n}", "6") for n in range(1, 9)]
    rows += [("", "Country:", "11")]
    assert paths_of(*rows)[1] == ("North", "2", "Lom")
    assert paths_of(*rows)[-1] == ("Country:",)


def test_the_same_text_in_two_label_cells_is_one_label():
    rows = [("Class", "Kind", "t"), ("S1", "dry", "4"), ("S1", "wet", "5"), ("S2", "dry", "6"), ("S2", "wet", "5")]
    assert paths_of(*rows, ("All", "All", "20"))[-1] == ("All",)


@pytest.mark.parametrize("above", [("", "Half year", "Half year", "Half year", "Half year"), None])
def test_headers_over_equally_many_columns_of_values_are_those_of_all_of_them(above):
    rows = [
        ("Post", "2023", "", "2022", ""),
        ("Sales", "3,226", "100%", "2,729", "100%"),
        ("Cost", "14", "62%", "9", "5%"),
    ]
    columns = infer_structure((above, *rows) if above else tuple(rows)).columns
    assert [column.path[-1] for column in columns[1:]] == ["2023", "2023", "2022", "2022"]


@pytest.mark.parametrize(
    "rows",
    [
        (("Post", "2023", "", "2022"), ("Sales", "3", "100%", "2"), ("Cost", "14", "62%", "9")),  # not regular
        (("Post", "2023", "", "2022", ""), ("Sales", "3", "low", "2", "high"), ("Cost", "14", "high", "9", "low")),
    ],
)
def test_a_header_is_not_that_of_other_columns_beside_it(rows):
    assert infer_structure(rows).columns[2].path == ()
