"""Programs over the rows and columns that the cell selector scores highest."""

from math import log

import pytest
from table_text import parse_grid

from hopline.tables.cell_selection import CellSelection
from hopline.tables.enumeration import enumerate_programs
from hopline.tables.programs import Program
from hopline.tables.question import TableQuestion, analyse_table_question
from hopline.tables.scored_programs import is_mentioned_first, select_scored
from hopline.tables.typed_table import TypedTable, build_typed_table

WASTE = """
| Waste | 2020 | 2021 | 2022 | 2023 |
|---|---|---|---|---|
| Hazardous | 100 | 80 | 90 | 110 |
| Paper | 40 | 45 | 50 | 55 |
| Glass | 20 | 10 | 30 | 25 |
"""


def analyse(question: str, rows: list[int], columns: list[int], text: str = WASTE) -> tuple[TableQuestion, TypedTable]:
    """Analyse a question whose rows and columns the selector finds likely, the likeliest first."""
    table = build_typed_table(parse_grid(text))
    scores = {n: log(0.9 - 0.1 * rank) for rank, n in enumerate(rows)}
    of_columns = {n: log(0.9 - 0.1 * rank) for rank, n in enumerate(columns)}
    others = {n: -5.0 for n in range(len(table.rows)) if n not in scores}
    rest = {column.index: -5.0 for column in table.columns if column.index not in of_columns}
    selection = CellSelection(scores | others, of_columns | rest)
    return analyse_table_question(question, table, selection=selection), table


def list_programs(question: str, rows: list[int], columns: list[int], operation: str) -> list[Program]:
    """Return the programs of an operation over the rows and columns that are likely."""
    analysed, table = analyse(question, rows, columns)
    programs = enumerate_programs(analysed, table)
    return [item for item in programs if item.operation == operation and item.selection.kind.startswith("selected")]


@pytest.mark.parametrize(
    ("question", "rows", "columns", "operation", "value"),
    [
        ("How much hazardous waste was there in 2020 and 2023?", [0], [1, 4], "sum", "210"),
        ("How much hazardous waste was there from 2020 to 2023 in total?", [0], [1, 4], "sum", "380"),
        ("What was the mean of paper from 2020 to 2022?", [1], [1, 3], "average", "45"),
        ("How much more paper than glass was there in 2021?", [1, 2], [2], "difference", "35"),
        ("What share of paper is glass in 2020?", [2, 1], [1], "ratio", "0.5"),
        ("What percentage of paper is glass in 2020?", [2, 1], [1], "share", "50%"),
        ("By how many per cent did glass rise from 2020 to 2022?", [2], [1, 3], "percent change", "50%"),
        ("By how many per cent did hazardous waste fall from 2020 to 2021?", [0], [1, 2], "percent change", "20%"),
        ("In which year was glass at its peak?", [2], [1, 2, 3, 4], "largest column", "2022"),
        ("What was the largest amount of glass?", [2], [1, 2, 3, 4], "highest value", "30"),
    ],
)
def test_an_operation_over_scored_cells_gives_the_value(
    question: str, rows: list[int], columns: list[int], operation: str, value: str
) -> None:
    assert value in [item.values[0] for item in list_programs(question, rows, columns, operation)]


def test_a_row_is_compared_with_a_total_that_is_not_likely() -> None:
    text = WASTE + "| Total | 160 | 135 | 170 | 190 |"
    analysed, table = analyse("What percentage of all waste was paper in 2020?", [1], [1], text)
    shares = [item.values for item in enumerate_programs(analysed, table) if item.operation == "share"]
    assert ("25%",) in shares


def test_a_formula_of_a_fall_keeps_its_sign() -> None:
    programs = list_programs("By what percentage did hazardous waste fall?", [0], [1, 2], "percent change")
    assert ("20%", "(80 − 100) / 100 = −20%") in [(item.values[0], item.formula) for item in programs]


def test_several_columns_of_a_row_are_one_answer_without_its_label() -> None:
    programs = list_programs("How much glass was there in 2020 and in 2023?", [2], [4, 1, 0], "list columns")
    assert ("20", "25") in [item.values for item in programs]
    assert all("Glass" not in item.values for item in programs)


def test_the_largest_of_two_scored_rows_is_named() -> None:
    programs = list_programs("Which was larger in 2021, paper or glass?", [1, 2], [2], "value")
    largest = [item for item in programs if item.selection.kind == "selected largest" and item.column]
    assert ("Paper",) in [item.values for item in largest if item.selection.order and item.selection.order.index == 2]


@pytest.mark.parametrize(
    ("question", "rows", "columns", "formula", "answer"),
    [
        ("Was more hazardous waste collected in 2020 than in 2021?", [0], [1, 2], "100 > 80", "yes"),
        ("Was less paper collected in 2021 than in 2020?", [1], [2, 1], "45 > 40", "no"),
        ("Did glass decrease from 2020 to 2021?", [2], [1, 2], "10 < 20", "yes"),
        ("Was the amount of glass greater than that of paper in 2023?", [2, 1], [4], "25 < 55", "no"),
        ("Was paper above 50 in 2023?", [1], [4], "55", "yes"),
        ("Was glass below 20 in 2023?", [2], [4], "25", "no"),
    ],
)
def test_a_comparison_is_answered_by_yes_or_no(
    question: str, rows: list[int], columns: list[int], formula: str, answer: str
) -> None:
    programs = list_programs(question, rows, columns, "compare")
    assert answer in [item.values[0] for item in programs if item.formula == formula]


def test_a_question_for_yes_or_no_has_no_other_programs() -> None:
    analysed, table = analyse("Was more paper collected in 2020 than in 2021?", [1], [1, 2])
    assert {item.operation for item in enumerate_programs(analysed, table)} == {"none", "compare"}


def test_operands_are_known_in_the_order_in_which_a_question_names_them() -> None:
    analysed, table = analyse("Was less glass collected in 2021 than in 2020?", [2], [1, 2])
    order = {
        item.formula: is_mentioned_first(item, analysed, table)
        for item in enumerate_programs(analysed, table)
        if item.operation == "compare" and item.others
    }
    assert order["10 < 20"] is True
    assert order["20 > 10"] is False


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which two kinds of waste were largest in 2023?", ("Hazardous", "Paper")),
        ("What are the top 2 kinds of waste in 2023?", ("Hazardous", "Paper")),
        ("Which kind of waste was largest in 2023?", ("Hazardous",)),
    ],
)
def test_a_superlative_with_a_count_selects_as_many_rows(question: str, values: tuple[str, ...]) -> None:
    analysed, table = analyse(question, [], [4])
    largest = [item for item in enumerate_programs(analysed, table) if item.selection.kind == "largest"]
    assert values in [item.values for item in largest if item.column and item.column.index == 0]


def test_cells_that_only_repeat_the_question_are_no_answer() -> None:
    analysed, table = analyse("What does paper have 40 of?", [1], [1])
    assert ("40",) not in [item.values for item in enumerate_programs(analysed, table) if not item.computed]
    offered, table = analyse("Was it 40 or 45 for paper?", [1], [1])
    assert not offered.asks_for_verdict
    assert ("40",) in [item.values for item in enumerate_programs(offered, table) if not item.computed]


def test_nothing_is_selected_without_scores() -> None:
    assert list(select_scored(None)) == []


def test_numbers_of_the_question_are_not_compared_with_each_other() -> None:
    sizes = "| Size | Index |\n|---|---|\n| 11 | 151 |\n| 12 | 148 |"
    analysed, table = analyse("Is the index of size 12 larger than that of size 11?", [1, 0], [1, 0], sizes)
    compared = [item.formula for item in enumerate_programs(analysed, table) if item.operation == "compare"]
    assert "148 < 151" in compared
    assert "12 > 11" not in compared


def test_years_are_subtracted_and_nothing_else() -> None:
    fences = "| Fence | Built | Dismantled |\n|---|---|---|\n| Elm | 1930 | 1940 |\n| Oak | 1950 | 1975 |"
    analysed, table = analyse("How long did the Elm fence stand?", [0], [1, 2], fences)
    over_columns = [item for item in enumerate_programs(analysed, table) if item.others]
    assert ("difference", ("10",)) in [(item.operation, item.values) for item in over_columns]
    assert {"sum", "average", "ratio", "percent change"}.isdisjoint(item.operation for item in over_columns)
