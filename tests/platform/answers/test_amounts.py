"""Amounts of tables with their unit and scale."""

import pytest

from hopline.answers.amounts import write_amount


@pytest.mark.parametrize(
    ("text", "unit", "scale", "written"),
    [
        ("571", "$", "million", "$571 million"),
        ("$571", "$", "million", "$571 million"),
        ("(81)", "$", "million", "($81) million"),
        ("−81", "€", "", "−€81"),
        ("4,411", "€m", "million", "€4,411 million"),
        ("25.8", "%", "", "25.8%"),
        ("25.8%", "%", "million", "25.8%"),
        ("1,240", "kg", "thousand", "1,240 thousand kg"),
        ("1,240", "", "", "1,240"),
        ("2019", "$", "million", "2019"),  # a year
        ("12 mm", "kg", "", "12 mm"),
        ("n/a", "$", "million", "n/a"),
        ("", "$", "million", ""),
    ],
)
def test_an_amount_has_the_unit_and_scale_of_its_column(text: str, unit: str, scale: str, written: str) -> None:
    assert write_amount(text, unit, scale) == written
