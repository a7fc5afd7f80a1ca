"""Counts, sums and extremes over the rows of a table that satisfy conditions."""

from collections.abc import Callable

import pytest

from hopline.results import Answer, Evidence

Ask = Callable[..., Answer]
Make = Callable[..., Evidence]

LOANS = (
    ("loan_no", "taken_on", "branch", "clerk", "state", "weight_kg", "fee_on_return_eur"),
    ("L-01", "2024-03-05", "Halm", "Sam", "returned", "2.5", "4.00"),
    ("L-02", "2024-03-05", "Borre", "Ida", "overdue", "1.0", "-"),
    ("L-03", "2024-03-06", "Halm", "Ida", "at depot", "3.5", "2.00"),
    ("L-04", "2024-04-02", "Halm", "Sam", "returned", "0.5", "6.00"),
    ("L-05", "2024-03-05", "Halm", "Ida", "returned", "4.0", "1.00"),
)
KILNS = (
    ("kiln_no", "model", "weight_kg", "price_eur", "sold_on", "branch"),
    ("K-101", "Ember", "85", "1490", "2024-02-03", "Norden"),
    ("K-103", "Vulcan", "60", "1390", "2024-02-11", "Lindau"),
    ("K-104", "Vulcan L", "210", "3490", "2024-03-02", "Lindau"),
    ("K-105", "Pebble", "22", "690", "2024-03-05", "Norden"),
    ("K-107", "Pebble", "22", "690", "", "Norden"),
)
TURBINES = (
    ("Turbine", "Type", "Output GWh"),
    ("T1–T5", "Aeolis", "41.7"),
    ("T6–T8", "Nordvik", "30.8"),
    ("T9", "Nordvik", "9.9"),
)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many loans were there on 5 March 2024?", "3"),
        ("How many loans in March 2024?", "4"),
        ("How many loans did Sam have in the Torsk depot loans?", "2"),
        ("What is the total weight of the loans at Halm on 5 March 2024?", "6.5 kg"),
        ("What is the average weight of the loans of Ida in March 2024?", "2.83 kg"),
        ("How many loans were returned in April 2024?", "1"),
        ("On how many days were there loans in Borre?", None),
    ],
)
def test_rows_are_selected_by_cells_and_dates(answer: Ask, table: Make, question: str, short: str | None) -> None:
    result = answer(question, table("t", "", *LOANS, document="torsk-loans.csv", title="Torsk depot loans"))
    if short is None:
        assert result.status != "answered"
    else:
        assert (result.status, result.short) == ("answered", short)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many kilns were sold in February 2024?", "2"),
        ("How many kilns were sold?", "4"),
        ("How many kilns were sold in Norden?", "2"),
        ("What is the total weight of the kilns sold in Lindau?", "270 kg"),
        ("What is the highest price of a kiln?", "3490"),
        ("What is the lowest price of a kiln in Lindau?", "1390"),
        ("Which model is the cheapest?", "Pebble"),
        ("Which kiln is the heaviest?", "K-104"),
    ],
)
def test_a_date_of_an_event_selects_the_rows_that_have_one(answer: Ask, table: Make, question: str, short: str) -> None:
    result = answer(question, table("t", "", *KILNS, document="veldt-kilns.csv", title="Veldt kilns"))
    assert (result.status, result.short) == ("answered", short)


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("What was the total catch in 2022?", "4,595 t"),
        ("What was the total catch of the boats from Fjellby in 2023?", "4,050 t"),
        ("What is the highest catch of 2023?", "2710 t"),
    ],
)
def test_the_column_of_the_year_is_computed_over(answer: Ask, table: Make, question: str, short: str) -> None:
    rows = (
        ("Boat", "Port", "Catch 2022 (t)", "Catch 2023 (t)"),
        ("Astrid", "Fjellby", "1210", "1340"),
        ("Brage", "Fjellby", "2980", "2710"),
        ("Corvus", "Stornes", "405", "930"),
    )
    result = answer(question, table("t", "Boats", *rows))
    assert (result.status, result.short) == ("answered", short)


def test_a_row_of_several_things_is_not_counted_as_one(answer: Ask, table: Make) -> None:
    assert answer("How many turbines are there?", table("t", "Turbines", *TURBINES)).status != "answered"
