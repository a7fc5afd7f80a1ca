from decimal import Decimal

import pytest

from hopline.text.values import Bound, Date, find_bound


def find(question: str) -> Bound:
    bound = find_bound(question)
    assert bound is not None
    return bound


@pytest.mark.parametrize(
    ("question", "comparison", "low", "high", "inside", "outside"),
    [
        ("How many won more than 5 medals?", ">", 5, 5, 6, 5),
        ("How many won at least five medals?", ">=", 5, 5, 5, 4),
        ("Which have fewer than 1,200 seats?", "<", 1200, 1200, 1199, 1200),
        ("Which have 3 seats or less?", "<=", 3, 3, 3, 4),
        ("How many were held between 1990 and 1995?", "range", 1990, 1995, 1995, 1996),
        ("Who won after 2007?", ">", 2007, 2007, 2008, 2007),
    ],
)
def test_a_bound_is_found_and_includes_numbers(
    question: str, comparison: str, low: int, high: int, inside: int, outside: int
) -> None:
    bound = find(question)
    assert (bound.comparison, bound.low, bound.high) == (comparison, low, high)
    assert bound.includes_number(Decimal(inside))
    assert not bound.includes_number(Decimal(outside))


@pytest.mark.parametrize(
    ("question", "inside", "outside"),
    [
        ("Who won from 1990 to 1992?", Date(1992, 12, 31), Date(1993, 1, 1)),
        ("Who won after 2019?", Date(2020, 1, 1), Date(2019, 12, 31)),
        ("Who was elected after 12.05.2019?", Date(2019, 5, 13), Date(2019, 5, 12)),
        ("Who was elected before 1.1.2020?", Date(2019, 12, 31), Date(2020, 1, 1)),
        ("Who has served since December 2019?", Date(2019, 12, 1), Date(2019, 11, 30)),
        ("Who left between May 2019 and 3 June 2020?", Date(2020, 6, 3), Date(2020, 6, 4)),
    ],
)
def test_a_bound_includes_all_days_of_a_year_or_month(question: str, inside: Date, outside: Date) -> None:
    bound = find(question)
    assert bound.includes_day(inside.days.first)
    assert not bound.includes_day(outside.days.first)


def test_a_date_bounds_a_column_of_years_by_its_year() -> None:
    bound = find("Who was elected after 12.05.2019?")
    assert bound.includes_number(Decimal(2020))
    assert not bound.includes_number(Decimal(2019))


def test_a_number_that_is_no_year_bounds_no_dates() -> None:
    assert not find("Who scored more than 5?").includes_day(Date(2019).days.first)


@pytest.mark.parametrize(
    "question",
    [
        "Who was mayor in 1996?",
        "Which release came after 3.10.2?",
        "Which host is above 10.0.0.1?",
        "What came after?",
        "What is more than enough?",
    ],
)
def test_a_text_without_a_comparison_or_a_number_has_no_bound(question: str) -> None:
    assert find_bound(question) is None


def test_a_date_whose_month_is_unknown_bounds_by_its_year() -> None:
    bound = find("Who was elected after 05/12/2019?")
    assert bound.low == Date(2019)
    assert not bound.includes_day(Date(2019, 12, 31).days.first)


def test_a_limit_with_a_scale_is_an_amount() -> None:
    bound = find("Which expenses were above $50 million?")
    assert (bound.low, bound.has_scale) == (50_000_000, True)
    assert not find("Which expenses were above 50?").has_scale


@pytest.mark.parametrize(
    ("question", "comparison", "low"),
    [
        ("Who came no later than 2019?", "<=", 2019),
        ("Who came no earlier than 2019?", ">=", 2019),
        ("Which cost is not above 5?", "<=", 5),
        ("Which races took no longer than 5 minutes?", "<=", 5),
        ("Who did not come before 2019?", "<", 2019),
        ("Which is greater than or equal to 5?", ">=", 5),
        ("Which is equal to or less than 5?", "<=", 5),
        ("Who has more than 5 wins or less than 3?", ">", 5),
        ("Who came since the year 2010?", ">=", 2010),
        ("Which cities have more than two million people?", ">", 2_000_000),
        ("Which have more than one hundred seats?", ">", 100),
    ],
)
def test_negated_and_inclusive_comparisons_and_number_words_with_a_scale(
    question: str, comparison: str, low: int
) -> None:
    bound = find(question)
    assert (bound.comparison, bound.low) == (comparison, low)


@pytest.mark.parametrize(
    "question", ["from 2010–2012", "between 2012 and 2010", "between the years 2010 and 2012", "between 2010 - 2012"]
)
def test_a_range_may_have_a_dash_and_either_order(question: str) -> None:
    bound = find(question)
    assert (bound.comparison, bound.low, bound.high) == ("range", 2010, 2012)


def test_the_first_day_of_a_range_has_the_year_of_the_last() -> None:
    bound = find("Who left between 5 May and 7 May 2019?")
    assert bound.includes_day(Date(2019, 5, 6).days.first)
    assert not bound.includes_day(Date(2019, 5, 4).days.first)
