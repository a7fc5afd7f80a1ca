"""Paths of rows and columns."""

import pytest

from hopline.tables.grid import INDENT, build_grid, render_table
from hopline.tables.paths import count_label_columns, list_column_path, list_row_paths


def build(*rows):
    return build_grid(render_table(rows)[0], tuple(rows))


def paths_of(*rows):
    return [item.path for item in list_row_paths(build(*rows))]


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


@pytest.mark.parametrize("repeated", ["", "2022"])
def test_a_label_that_stands_once_for_several_rows_is_that_of_all(repeated):
    rows = [("Year", "Kind", "t"), ("2022", "oats", "4.1"), (repeated, "rye", "5.2"), ("2023", "oats", "6.3")]
    assert paths_of(*rows) == [("2022", "oats"), ("2022", "rye"), ("2023", "oats")]


def test_columns_of_texts_beside_distinct_labels_are_no_labels():
    table = build(("Name", "Role", "Since"), ("Ada", "chair", "2019"), ("Bo", "clerk", "2021"))
    assert count_label_columns(table) == 1


def test_a_column_has_the_headers_of_all_rows_each_once():
    table = build(("Farm", "2021", "2021"), ("Farm", "Spring", "Autumn"), ("Aker", "31", "28"), ("Brua", "12", "15"))
    assert [list_column_path(table, n) for n in range(3)] == [("Farm",), ("2021", "Spring"), ("2021", "Autumn")]
