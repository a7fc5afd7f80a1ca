import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopline.text.tokens import tokenize
from hopline.text.values import (
    SCALES,
    Date,
    DateSpan,
    DayInterval,
    compute_duration,
    find_bound,
    find_date,
    find_date_order,
    find_dates,
    find_leading_number,
    find_numbers,
    find_scale,
    find_years,
    format_number,
    is_year,
    parse_number,
    parse_number_word,
    parse_roman,
)

ODD = st.text(max_size=60) | st.lists(
    st.sampled_from(
        ["12.05.2019", "3.10.2", "10.0.0.1", "0.9.2019", "1987-00-00", "25/30/2019", "Mark", "May", "٣٤", "²", "१२", "Ⅷ", "1,2,3", "(", ")",
         "−", "€", "$", "%", "million", "after", "before", "between", "and", "more than", "or less", "BC", "FY22", "44", "1:30", "'000", "é",
         "0", "00", "000", "Feb 30 2020", "31.12.", "9999", "0000-13-41", "12-", "1e9", "９９", "\u2028", "İ", "page I"]
    ),
    max_size=12,
).map(" ".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,210", 1210), ("$ 1,452.4", "1452.4"), ("(30)", -30), ("$ (30)", -30), ("−5%", -5), (".5", "0.5"),
        ("€-5", -5), ("€(5)", -5), ("£ -1,200", -1200), ("-€5", -5), ("$-5", -5), ("(€5)", -5), ("(5)%", -5),
        ("1 234", 1234), ("1'234", 1234), ("1.234,5", "1234.5"), ("1.234.567", 1234567), ("12,5", "12.5"), ("0,123", "0.123"),
        ("1,23,456", 123456), ("1.2 million", 1200000), ("US$ 5m", 5000000), ("5 EUR", 5), ("EUR 5", 5), ("£3.1bn", "3100000000"),
        ("—", None), ("12 km", None), ("", None), ("3rd", None), ("12.05.2019", None), ("3.10.2", None), ("1,2,3", None), ("5 m", None),
        ("1:30", None),
    ],
)  # fmt: skip
def test_a_number_is_all_of_its_text_with_its_sign_unit_and_scale(text: str, number: str | int | None) -> None:
    parsed = parse_number(text)
    assert (parsed.amount if parsed else None) == (None if number is None else Decimal(number))


@pytest.mark.parametrize(
    ("text", "unit", "scale"),
    [
        ("$ 3", "$", ""),
        ("3 %", "%", ""),
        ("US$3bn", "US$", "billion"),
        ("CHF 3 million", "CHF", "million"),
        ("3 €", "€", ""),
        ("3", "", ""),
    ],
)
def test_a_number_has_the_unit_and_the_scale_that_are_written_beside_it(text: str, unit: str, scale: str) -> None:
    parsed = parse_number(text)
    assert parsed is not None
    assert (parsed.unit, parsed.scale, parsed.value) == (unit, scale, 3)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3rd", 3), ("12 km", 12), ("1:30", 90), ("1:02:03.5", "3723.5"), ("$1.2 million", 1200000), ("(4)", -4),
        ("(4) of 7", 4), ("#15", 15), ("5–3", 5), ("€-3 less", -3), ("none", None),
    ],
)  # fmt: skip
def test_a_leading_number_may_have_a_unit_behind_it(text: str, number: str | int | None) -> None:
    number_found = find_leading_number(text)
    assert (number_found.amount if number_found else None) == (None if number is None else Decimal(number))


def test_the_numbers_of_a_text_have_their_signs_but_ranges_and_notes_have_none() -> None:
    text = "A loss of -5 million (3) in 2019-20, $(7) in all, and 12.05.2019 is a date."
    assert [str(number.value) for number in find_numbers(text)][:3] == ["-5", "3", "2019"]
    assert Decimal(-7) in [number.value for number in find_numbers(text)]


@settings(deadline=None)
@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2))
def test_a_formatted_number_is_parsed_to_its_value(number: Decimal) -> None:
    parsed = parse_number(format_number(number))
    assert parsed is not None
    assert parsed.value == number


def test_numbers_below_one_are_formatted_with_significant_digits() -> None:
    numbers = (
        Decimal("1234.5"),
        Decimal("-22.222"),
        Decimal("0.004"),
        Decimal("-0.001"),
        Decimal("0.12345"),
        Decimal(0),
        Decimal(100),
    )
    assert [format_number(number) for number in numbers] == [
        "1,234.5",
        "−22.22",
        "0.004",
        "−0.001",
        "0.12",
        "0",
        "100",
    ]


def test_decimals_are_added_exactly() -> None:
    first, second = parse_number("0.1"), parse_number("0.2")
    assert first is not None
    assert second is not None
    assert format_number(first.amount + second.amount) == "0.3"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("4 March 1990", (1990, 3, 4)), ("March 12, 1990", (1990, 3, 12)), ("5th of December, 2019", (2019, 12, 5)), ("2 Dec. 1990", (1990, 12, 2)),
        ("12-Dec-2019", (2019, 12, 12)), ("February 1989", (1989, 2, None)), ("1990-11-02", (1990, 11, 2)), ("2019/12/05", (2019, 12, 5)),
        ("12.05.2019", (2019, 5, 12)), ("25/12/2019", (2019, 12, 25)), ("12/25/2019", (2019, 12, 25)), ("05/12/2019", (2019, None, None)),
        ("05/05/2019", (2019, 5, 5)), ("1987-00-00", (1987, None, None)), ("25/30/2019", (2019, None, None)), ("Release 0.9.2019", (2019, 9, None)),
        ("31 Feb 2020", (2020, 2, None)), ("44 BC", (-43, None, None)), ("AD 79", (79, None, None)), ("79 CE", (79, None, None)),
        ("FY22", (2022, None, None)), ("in 1492", (1492, None, None)), ("May", (None, 5, None)), ("4 May", (None, 5, 4)), ("12/5/98", (1998, None, None)),
    ],
)  # fmt: skip
def test_a_date_has_the_parts_that_are_written_and_exist(
    text: str, date: tuple[int | None, int | None, int | None]
) -> None:
    [span] = find_dates(text)
    assert span.date == Date(*date)


@pytest.mark.parametrize(
    "text",
    ["Mark", "Marathon", "Mayor", "Augusta National", "3 decades", "12 Marines", "40 marked items", "30 marks", "8 augmented units", "may I", "1,974",
     "3.10.2", "10.0.0.1", "march on"],
)  # fmt: skip
def test_words_that_begin_like_a_month_and_other_numbers_are_no_dates(text: str) -> None:
    assert find_dates(text) == []


def test_the_order_of_day_and_month_is_that_of_the_other_dates_of_a_document() -> None:
    assert find_date_order(["from 25/12/2019 on", "05/12/2019"]) == "day first"
    assert find_date_order(["12/25/2019"]) == "month first"
    assert find_date_order(["12/25/2019", "25/12/2019"]) is None
    assert find_date_order(["05/12/2019"]) is None
    assert find_date("05/12/2019", order="day first") == Date(2019, 12, 5)
    assert find_date("05/12/2019", order="month first") == Date(2019, 5, 12)


def test_two_spellings_of_one_day_are_the_same_day() -> None:
    spellings = ["2019-12-05", "5 December 2019", "December 5, 2019", "05.12.2019", "5 Dec 2019"]
    assert {date.days for text in spellings if (date := find_date(text))} == {DayInterval(737398, 737398)}


def test_dates_are_ordered_by_their_days_across_the_birth_of_christ() -> None:
    dates = [
        Date(-43, 3, 15),
        Date(-43),
        Date(0),
        Date(1),
        Date(1989, 2),
        Date(1990, 3, 4),
        Date(1990, 11, 2),
        Date(1990, 12, 2),
    ]
    assert [date.days.last for date in dates] == sorted(date.days.last for date in dates)
    assert Date(0).days.last + 1 == Date(1).days.first
    assert Date(2019, 12, 31).days.last == Date(2019).days.last


def test_a_duration_is_an_interval_where_a_date_lacks_its_day() -> None:
    duration = compute_duration(Date(2020, 1, 1).days, Date(2020, 2).days)
    assert duration == DayInterval(31, 59)


@settings(deadline=None)
@given(st.dates())
def test_an_iso_date_is_parsed_to_its_day(day: object) -> None:
    [span] = find_dates(str(day))
    assert f"{span.date.year:04}-{span.date.month:02}-{span.date.day:02}" == str(day)


def test_years_are_four_digits_without_separators() -> None:
    assert find_years("In 1492, 1,974 and 2019. It was 1200 m, 12345, in 2019 and v2020.") == ["1492", "2019", "1200"]
    assert is_year("1066")
    assert not is_year("1066", since=1900)
    assert not is_year("2500")


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("(in millions)", "million"), ("in US thousands", "thousand"), ("Income, €m", "million"),
        ("Income | 2019 €m", "million"), ("Revenue ($ million)", "million"),
        ("(€ million)", "million"), ("USD million", "million"), ("Revenue, EUR million", "million"), ("EUR m", "million"), ("US$ bn", "billion"),
        ("(in $ million)", "million"), ("£'000", "thousand"), ("(000s)", "thousand"), ("in thousands of euros", "thousand"),
        ("Population (thousands)", "thousand"), ("Millions of dollars", "million"), ("Income", ""), ("costs $5 million", ""), ("5 million people", ""),
        ("in 5 m depth", ""), ("2,000s", ""),
    ],
)  # fmt: skip
def test_the_scale_of_a_heading_is_found(text: str, scale: str) -> None:
    assert find_scale(text) == scale
    assert scale in ("", *SCALES)


def test_number_words_and_roman_numbers() -> None:
    assert [parse_number_word(word) for word in ("seven", "twenty-five", "third", "ninety", "gate", "seven-ten")] == [
        7,
        25,
        3,
        90,
        None,
        None,
    ]
    assert [parse_roman(text) for text in ("iv", "XII", "xl", "MCMXC", "iiii", "civil", "mix", "lil", "")] == [
        4,
        12,
        40,
        1990,
        None,
        None,
        1009,
        None,
        None,
    ]


@settings(deadline=None)
@given(ODD)
def test_no_text_raises_and_spans_are_those_of_the_text(text: str) -> None:
    for number in find_numbers(text):
        assert 0 <= number.start < number.end <= len(text)
    for span in find_dates(text):
        assert isinstance(span, DateSpan)
        assert 0 <= span.start < span.end <= len(text)
        assert span.date.days.first <= span.date.days.last
    parse_number(text)
    find_leading_number(text)
    find_scale(text)
    find_date_order([text])
    bound = find_bound(text)
    if bound is not None:
        assert 0 <= bound.start < bound.end <= len(text)
        bound.includes_number(Decimal(5))
        bound.includes_day(737398)
    assert [text[token.start : token.end] for token in tokenize(text)] == [token.text for token in tokenize(text)]


def test_a_bracket_that_is_not_closed_in_its_cell_is_a_minus() -> None:
    first, second = parse_number("(1,210"), parse_number("$ (30")
    assert first is not None
    assert second is not None
    assert (first.value, second.value) == (-1210, -30)


def test_a_bracket_behind_a_currency_is_a_minus_and_one_around_it_is_a_remark() -> None:
    leading = find_leading_number("$(1,210) (a)")
    assert leading is not None
    assert leading.value == -1210
    assert [number.value for number in find_numbers("the loss of $(7), the deal ($5 million)")] == [-7, 5]


def test_the_dash_of_a_range_is_no_sign() -> None:
    assert [number.value for number in find_numbers("2010 – 2012, 5 - 10 and -3")] == [2010, 2012, 5, 10, -3]


def test_a_currency_belongs_to_the_number_behind_it() -> None:
    assert [(number.amount, number.unit) for number in find_numbers("in 2010 $5m")] == [(2010, ""), (5_000_000, "$")]


@pytest.mark.parametrize(("number", "text"), [("12.345", "12.35"), ("-1.005", "−1.01"), ("0.0125", "0.013")])
def test_halves_are_rounded_away_from_zero(number: str, text: str) -> None:
    assert format_number(Decimal(number)) == text


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2019-12-05T10:00:00Z", (2019, 12, 5)), ("5 may 2019", (2019, 5, 5)), ("5-Jan-19", (2019, 1, 5)), ("3–5 May 2019", (2019, 5, 3)),
        ("May 3-5, 2019", (2019, 5, 3)), ("30 May – 2 June 2019", (2019, 5, 30)), ("30 December to 2 January 2019", (2018, 12, 30)),
    ],
)  # fmt: skip
def test_times_lower_case_months_short_years_and_ranges_keep_the_day(text: str, date: tuple[int, int, int]) -> None:
    assert find_date(text) == Date(*date)


def test_amounts_are_no_years() -> None:
    assert find_years("It cost $2019 and grew by 2019 % in 2018.") == ["2018"]
    assert [span.date.year for span in find_dates("It cost $2019 and grew by 2019 % in 2018.")] == [2018]


@pytest.mark.parametrize(
    "part", [" ", "\n", "( ", "(", "-", "$ ", "1 000 ", "5/5/19 ", "2019 ", "May 5 ", "more than 5 "]
)
def test_long_texts_are_parsed_in_linear_time(part: str) -> None:
    text = part * 600
    started = time.process_time()
    parse_number(text)
    list(find_numbers(text))
    find_dates(text)
    find_bound(text)
    assert time.process_time() - started < 2
