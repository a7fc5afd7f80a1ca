"""Values that contradict each other, and those that are the same in other words."""

import pytest

from hopline.text.value_conflicts import are_in_conflict


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("£62 a year", "70 pounds"),
        ("€40", "$40"),
        ("14", "10 days"),
        ("Up to six", "no more than four"),
        ("1956", "9 May 1954"),
        ("5 May 2020", "6.5.2020"),
        ("Friday", "Thursdays"),
        ("9:30", "10:00 to 17:00"),
        ("Dr. Ada Wick", "Rolf Imme"),
        ("1 October to 31 March", "1 November to the last day of February"),
    ],
)
def test_other_values_of_the_same_kind_are_in_conflict(first, second):
    assert are_in_conflict(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1.5 km", "1,500 m"),
        ("5 May 2020", "5.5.2020"),
        ("2020", "May 2020"),
        ("Dr Ada Wick", "Ada Wick"),
        ("Ada Wick", "Wick"),
        ("9:00", "9 a.m."),
        ("six", "6"),
        ("£62", "62 pounds a year"),
        ("between 30 and 45", "40"),
        ("40 kg", "12 m"),
        ("2019", "40 people"),
        ("Ada Wick", "14 May 2019"),
        ("every second Friday", "Fridays"),
    ],
)
def test_equal_values_and_values_of_other_kinds_are_in_no_conflict(first, second):
    assert not are_in_conflict(first, second)
