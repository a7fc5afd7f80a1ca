"""Counts, sums and largest values of long tables, which are stored in parts; the files are those of a report."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hopline.results import Answer, Evidence

CASE = Path(__file__).parent / "cases" / "21-count-and-sum-over-a-long-table"
ROWS_PER_PART = 50
Ask = Callable[..., Answer]
Make = Callable[..., Evidence]


def split_rows(table: Make, rows: Sequence[Sequence[str]], document: str) -> list[Evidence]:
    """Return the parts of a table as ingest stores them."""
    parts = []
    for start in range(1, len(rows), ROWS_PER_PART):
        part = rows[start : start + ROWS_PER_PART]
        caption = f"(rows {start}–{start + len(part) - 1})"
        parts.append(table(f"{document}-{start}", caption, rows[0], *part, document=document))
    return parts


@pytest.fixture
def trees(table: Make) -> list[Evidence]:
    return split_rows(table, list(csv.reader((CASE / "trees.csv").read_text("utf-8").splitlines())), "trees.csv")


@pytest.fixture
def orders(table: Make) -> list[Evidence]:
    rows = [
        (f"ORD-{10000 + n}", ("Ida Moe", "Per Dahl")[n % 2], ("Halm", "Borre", "Crest")[n % 3], f"{n}.50")
        for n in range(120)
    ]
    return split_rows(table, [("Order", "Customer", "Town", "Amount EUR"), *rows], "orders.csv")


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many trees are there?", "130"),
        ("How many trees are in Borre?", "45"),
        ("How many oaks?", "49"),
        ("How many oaks are there in Crest?", "17"),
        ("How many parks are there?", "3"),
        ("Which tree is the highest?", "T-497"),
        ("Which oak is the lowest?", "T-435; T-442"),
        ("Sum of the heights of the oaks?", "1,349 dm"),
        ("What is the height of T-497?", "95 dm"),
    ],
)
def test_all_parts_of_a_table_are_read(answer: Ask, trees: list[Evidence], question: str, short: str) -> None:
    result = answer(question, trees[1], hidden=[trees[0], trees[2]])
    assert (result.status, result.short) == ("answered", short)
    assert all(citation.quote in citation.evidence.text for citation in result.sentences[0].citations)
    known = {item.id for item in result.evidence}
    assert {citation.evidence.id for citation in result.sentences[0].citations} <= known <= {item.id for item in trees}


@pytest.mark.parametrize(
    "question", ["How many trees are in Halm?", "How many trees were cut?", "How many trees are not in Borre?"]
)
def test_what_the_table_does_not_say_is_not_counted(answer: Ask, trees: list[Evidence], question: str) -> None:
    assert answer(question, *trees).status != "answered"


def test_a_part_whose_table_cannot_be_read_as_a_whole_gives_no_sure_count(answer: Ask, trees: list[Evidence]) -> None:
    for question in ("How many trees are there?", "Which tree is the highest?", "Sum of the heights of the oaks?"):
        result = answer(question, trees[2])
        assert result.status != "answered"
        assert not result.possible or "(rows 101–130)" in result.possible.text


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many orders are there?", "120"),
        ("How many orders came from Halm?", "40"),
        ("How many orders did Ida Moe place?", "60"),
        ("How many customers are there?", "2"),
        ("Which order has the highest amount?", "ORD-10119"),
        ("What is the total amount of the orders from Halm?", "2,360 EUR"),
        ("What is the average amount?", "60 EUR"),
    ],
)
def test_orders_are_counted_and_added(answer: Ask, orders: list[Evidence], question: str, short: str) -> None:
    result = answer(question, orders[2], hidden=orders[:2])
    assert (result.status, result.short) == ("answered", short)


def test_the_row_before_is_no_answer(answer: Ask, orders: list[Evidence]) -> None:
    result = answer("Who placed order ORD-10105?", *orders)
    assert result.short == "Per Dahl"
