import pytest

from hopline.evaluation.table_values import is_equal, match_values, parse_plain_number


@pytest.mark.parametrize(
    ("gold", "value"),
    [("12,467", "12467"), ("4", "4.0"), ("São Paulo", "sao paulo (BR)"), ('"Alone"', "Alone[1]"), ("5–3", "5-3")],
)
def test_values_are_equal_as_numbers_or_as_texts_without_remarks(gold: str, value: str) -> None:
    assert is_equal(gold, value)


@pytest.mark.parametrize(("gold", "value"), [("4", "4.001"), ("4", "four"), ("Bergen", "Berge")])
def test_other_values_are_not_equal(gold: str, value: str) -> None:
    assert not is_equal(gold, value)


def test_all_values_are_needed_in_any_order() -> None:
    assert match_values(("Oslo", "Bergen"), ("Bergen", "Oslo"))
    assert not match_values(("Oslo", "Bergen"), ("Oslo",))
    assert not match_values(("Oslo",), ("Oslo", "Bergen"))


def test_a_number_has_no_other_words_and_is_negative_in_brackets() -> None:
    assert parse_plain_number("$ 1,210") == 1210
    assert parse_plain_number("(1,210)") == -1210
    assert parse_plain_number("12 km") is None
