import pytest

from hopline.tables.bounds import find_bounds
from hopline.tables.typed_table import split_words


@pytest.mark.parametrize(
    ("question", "comparison", "numbers", "inside", "outside"),
    [
        ("How many won more than 5 medals?", ">", (5,), 6, 5),
        ("How many won at least five medals?", ">=", (5,), 5, 4),
        ("Which have fewer than 1,200 seats?", "<", (1200,), 1199, 1200),
        ("Which have 3 seats or less?", "<=", (3,), 3, 4),
        ("How many were held between 1990 and 1995?", "range", (1990, 1995), 1995, 1996),
        ("Who won after 2007?", ">", (2007,), 2008, 2007),
    ],
)
def test_a_bound_is_read_and_includes_numbers(
    question: str, comparison: str, numbers: tuple[float, ...], inside: float, outside: float
) -> None:
    [bound] = find_bounds(question, split_words(question))
    assert (bound.comparison, bound.numbers) == (comparison, numbers)
    assert bound.includes(inside)
    assert not bound.includes(outside)


def test_a_bound_of_years_includes_all_days_of_its_last_year() -> None:
    [bound] = find_bounds("Who won from 1990 to 1992?", ())
    assert bound.includes(1992 * 372 + 371, unit=372)
    assert not bound.includes(1993 * 372, unit=372)


def test_a_number_without_a_comparison_is_no_bound() -> None:
    assert list(find_bounds("Who was mayor in 1996?", ())) == []
