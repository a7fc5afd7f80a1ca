from decimal import Decimal

import pytest

from hopline.tables.grid import Cell, TableRow
from hopline.tables.operations import Operand, calculate, describe_calculation, describe_comparison


def make_operand(name: str, text: str, number: float) -> Operand:
    cell = Cell(text, 0, len(text))
    return Operand(name, TableRow(0, len(text), (cell,)), cell, Decimal(number), "%" in text)


FIRST, LAST = make_operand("2018", "$ 40", 40), make_operand("2019", "$ 50", 50)


def test_operations() -> None:
    assert calculate("change", list(map(Decimal, [5, 2]))) == -3
    assert calculate("difference", list(map(Decimal, [2, 5]))) == 3
    assert calculate("percentage change", list(map(Decimal, [-4, -5]))) == -25
    assert calculate("average", list(map(Decimal, [1, 2, 6]))) == 3
    assert calculate("sum", list(map(Decimal, [1, 2, 6]))) == 9
    assert calculate("ratio", list(map(Decimal, [1, 4]))) == 0.25
    assert calculate("percentage", list(map(Decimal, [1, 4]))) == 25


@pytest.mark.parametrize(("operation", "numbers"), [("percentage change", [0, 5]), ("ratio", [5, 0])])
def test_a_division_by_zero_has_no_result(operation: str, numbers: list[float]) -> None:
    assert calculate(operation, list(map(Decimal, numbers))) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("operation", "short", "formula"),
    [
        ("change", "10", "$ 50 − $ 40 = 10"),
        ("difference", "10", "$ 50 − $ 40 = 10"),
        ("percentage change", "25%", "($ 50 − $ 40) / $ 40 = 25%"),
        ("average", "45", "($ 40 + $ 50) / 2 = 45"),
        ("percentage", "80%", "$ 40 / $ 50 = 80%"),
    ],
)
def test_a_result_has_its_formula(operation: str, short: str, formula: str) -> None:
    assert describe_calculation(operation, [FIRST, LAST]) == (short, formula)  # type: ignore[arg-type]


def test_the_average_of_percentages_is_a_percentage() -> None:
    rates = [make_operand("2018", "4%", 4), make_operand("2019", "5%", 5)]
    assert describe_calculation("average", rates) == ("4.5%", "(4% + 5%) / 2 = 4.5%")


def test_a_comparison_gives_a_verdict_or_a_year() -> None:
    assert describe_comparison("increase", [FIRST, LAST]) == ("yes", "$ 50 in 2019 > $ 40 in 2018")
    assert describe_comparison("smallest", [FIRST, LAST]) == ("2018", "$ 40 in 2018 < $ 50 in 2019")
    assert describe_comparison("sum", [FIRST, LAST]) is None


def test_the_largest_of_equal_numbers_is_not_given() -> None:
    assert describe_comparison("largest", [FIRST, make_operand("2019", "40", 40)]) is None
