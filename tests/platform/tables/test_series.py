"""Series of cells that differ in one label."""

from math import log

import pytest
from table_text import parse_grid

from hopline.tables.cell_selection import CellSelection
from hopline.tables.programs import Program
from hopline.tables.question import analyse_table_question
from hopline.tables.series import group_alternatives, operate_on_series
from hopline.tables.typed_table import build_typed_table

SMOKERS = """
| Province | Women | Men | Total |
|---|---|---|---|
| Ontario | 12 | 14 | 13 |
| Quebec | 15 | 15 | 15 |
| Manitoba | 17 | 20 | 18 |
| Yukon | 30 | 20 | 25 |
| Total | 14 | 16 | 15 |
"""


def list_programs(question: str, rows: list[int], columns: list[int]) -> list[Program]:
    """Return the programs over the series of a table of which the selector finds some rows and columns likely."""
    table = build_typed_table(parse_grid(SMOKERS))
    of_rows = {n: log(0.9) if n in rows else -5.0 for n in range(5)}
    of_columns = {n: log(0.9) if n in columns else -5.0 for n in range(4)}
    analysed = analyse_table_question(question, table, selection=CellSelection(of_rows, of_columns))
    return list(operate_on_series(analysed, table))


@pytest.mark.parametrize(
    ("question", "rows", "columns", "operation", "values"),
    [
        ("Which province has the highest share of women who smoke?", [0, 1, 2, 3], [1], "largest row", ("Yukon",)),
        ("Where do fewer women smoke, in Quebec or in Manitoba?", [1, 2], [1], "smallest row", ("Quebec",)),
        ("Which two provinces have most smokers?", [], [3], "largest row", ("Yukon", "Manitoba")),
        ("Who smokes more in Yukon, men or women?", [3], [1, 2], "largest column", ("Women",)),
        ("What is the highest share of women?", [0, 1, 2, 3], [1], "highest value", ("30",)),
        ("What is the mean share of men of all provinces?", [0, 1, 2, 3], [2], "average", ("17.25",)),
    ],
)
def test_a_series_gives_its_extreme_or_its_average(question, rows, columns, operation, values):
    assert (operation, values) in [(item.operation, item.values) for item in list_programs(question, rows, columns)]


def test_the_row_of_the_extreme_comes_first_and_totals_are_left_out():
    programs = list_programs("Which province has most women who smoke?", [0, 1, 2, 3], [1])
    [largest] = [item for item in programs if item.operation == "largest row" and item.column.index == 1]
    assert largest.selection.rows == (3, 2, 1, 0)


def test_equal_numbers_have_no_extreme():
    programs = list_programs("Who smokes more in Quebec, men or women?", [1], [1, 2])
    of_quebec = [item for item in programs if item.selection.rows == (1,)]
    assert not [item for item in of_quebec if item.operation == "largest column"]


def test_paths_are_grouped_by_all_but_one_label():
    paths = {1: ("2020", "Women"), 2: ("2020", "Men"), 3: ("2021", "Women"), 4: ("2021", "Men"), 5: ("2021", "Total")}
    groups = group_alternatives(paths)
    assert {1: "Women", 2: "Men"} in groups
    assert {2: "2020", 4: "2021"} in groups
    assert all(5 not in group for group in groups)
    assert group_alternatives({1: ("Women",)}) == []
