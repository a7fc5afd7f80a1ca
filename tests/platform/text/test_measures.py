from decimal import Decimal

import pytest

from hopline.text.measures import find_quantities, find_unit, load_senses


@pytest.mark.parametrize(
    ("text", "written", "dimension", "low", "high"),
    [
        ("It is 61 metres (200 ft) high.", "61 metres", "length", 61, 61),
        ("It weighs 30–45 kg.", "30–45 kg", "mass", 30, 45),
        ("It carries between 5 and 7 t.", "5 and 7 t", "mass", 5000, 7000),
        ("It lasts 2 h 15 min.", "2 h 15 min", "time", 8100, 8100),
        ("It costs 1.2 million euros.", "1.2 million euros", "money:EUR", 1_200_000, 1_200_000),
        ("It costs EUR 1.250,50 a month.", "EUR 1.250,50", "money:EUR", "1250.50", "1250.50"),
        ("It holds up to 5 l.", "5 l", "volume", "-Infinity", 5),
        ("It covers over 34 km².", "34 km²", "area", 34_000_000, "Infinity"),
        ("It was −12.5 °C on 3 May 2019.", "−12.5 °C", "temperature", "-12.5", "-12.5"),
        ("It lasts two and a half hours.", "two and a half hours", "time", 9000, 9000),
        ("It lasts 2½ hours.", "2½ hours", "time", 9000, 9000),
        ("It takes half an hour.", "half an hour", "time", 1800, 1800),
        ("It has two-metre walls.", "two-metre", "length", 2, 2),
    ],
)
def test_a_quantity_has_its_unit_and_its_limits(
    text: str, written: str, dimension: str, low: object, high: object
) -> None:
    [quantity] = find_quantities(text)
    assert text[quantity.start : quantity.end] == written
    assert quantity.convert(dimension) == (Decimal(str(low)), Decimal(str(high)))
    assert quantity.convert("speed") is None


def test_pounds_may_be_money_or_a_mass() -> None:
    [quantity] = find_quantities("It is 40 pounds.")
    assert [dimension for dimension, _ in quantity.units] == ["mass", "money:GBP"]


@pytest.mark.parametrize(
    ("header", "dimension"),
    [("Weight kg", "mass"), ("Price (EUR)", "money:EUR"), ("Height dm", "length"), ("weight_kg", "mass"), ("Team", "")],
)
def test_the_header_of_a_column_names_its_unit(header: str, dimension: str) -> None:
    assert "".join(name for name, _ in find_unit(header)) == dimension


@pytest.mark.parametrize(
    ("word", "sign", "degree"),
    [
        ("heavier", 1, "comparative"),
        ("cheapest", -1, "superlative"),
        ("less expensive", -1, "comparative"),
        ("least expensive", -1, "superlative"),
        ("hotter", 1, "comparative"),
        ("better paid", 1, "comparative"),
    ],
)
def test_an_adjective_asks_for_more_or_less_of_a_measure(word: str, sign: int, degree: str) -> None:
    assert {(sense.sign, sense.degree) for sense in load_senses()[word]} == {(sign, degree)}
