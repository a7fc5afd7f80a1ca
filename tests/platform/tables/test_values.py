import pytest

from hopline.tables.values import find_scale, fits_question, format_number, read_date, read_leading_number, read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,210", 1210), ("$ 1,452.4", 1452.4), ("(30)", -30), ("$ (30)", -30), ("−5%", -5), (".5", 0.5),
        ("—", None), ("12 km", None), ("", None), ("3rd", None),
    ],
)  # fmt: skip
def test_a_number_is_all_of_its_cell_and_negative_in_brackets_or_behind_a_minus(
    text: str, number: float | None
) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3rd", 3), ("12 km", 12), ("1:30", 90), ("1:02:03.5", 3723.5), ("$1.2 million", 1.2e6), ("(4)", -4),
        ("(4) of 7", 4), ("#15", 15), ("5–3", 5), ("none", None),
    ],
)  # fmt: skip
def test_a_leading_number_may_have_a_unit_behind_it(text: str, number: float | None) -> None:
    assert read_leading_number(text) == number


def test_dates_are_ordered_by_year_month_and_day() -> None:
    texts = ["February 1989", "4 March 1990", "March 12, 1990", "1990-11-02", "2 Dec 1990"]
    dates = [read_date(text) for text in texts]
    assert None not in dates
    assert dates == sorted(dates, key=lambda date: date or 0)
    assert read_date("1990") is None


@pytest.mark.parametrize(
    ("text", "scale"),
    [("(in millions)", "million"), ("in US thousands", "thousand"), ("Income, €m", "million"), ("Income", "")],
)
def test_the_scale_of_a_heading_is_found(text: str, scale: str) -> None:
    assert find_scale(text) == scale


def test_numbers_are_formatted_with_two_digits_at_most() -> None:
    assert [format_number(number) for number in (1234.5, -22.222, 0.001, -0.001)] == ["1,234.5", "−22.22", "0", "0"]


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("How many ships were built?", "12 of 20", True),
        ("How many ships were built?", "Bergen", False),
        ("What is the number of games against Vik?", "25 August 2000", False),
        ("What number of nations won a medal?", "United States", False),
        ("What is the number of runners?", "2:00.77", False),
        ("How old was she?", "2005", False),
        ("How old was she?", "46", True),
        ("How long did she serve?", "1981–2007", True),
        ("How long did she serve?", "National", False),
        ("Who served?", "Ada Quist", True),
    ],
)
def test_a_text_fits_a_question_for_a_number_or_a_size(question: str, text: str, fits: bool) -> None:
    assert fits_question(question, text) == fits
