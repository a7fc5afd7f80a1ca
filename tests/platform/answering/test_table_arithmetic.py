from collections.abc import Callable

import pytest

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.answering.table_arithmetic import Calculation, calculate, compute_from_table, parse_calculation
from hopline.flow.requests import Infer
from hopline.types import Answer, Evidence, Retrieval

Make = Callable[..., Evidence]


@pytest.mark.parametrize(
    ("question", "operation", "subject", "years"),
    [
        ("What was the percentage change in net sales from 2018 to 2019?", "percentage change", "net sales", ("2018", "2019")),
        ("What was the change in Additions in 2019 from 2018?", "change", "Additions", ("2018", "2019")),
        ("What is the increase / (decrease) in revenue between 2018 and 2019?", "change", "revenue", ("2018", "2019")),
        ("What is the average gross profit for 2017-2019?", "average", "gross profit", ("2017", "2018", "2019")),
        ("What is the sum of the voyage expenses in 2018 and 2019?", "sum", "voyage expenses", ("2018", "2019")),
        ("Were sales higher in 2019 than in 2018?", "increase", "sales", ("2018", "2019")),
        ("Was the loss larger in 2018 than in 2019?", "decrease", "loss", ("2018", "2019")),
        ("Did Acme spend less on research in 2019 than in 2018?", "decrease", "Acme spend on research", ("2018", "2019")),
        ("Did net sales increase from 2018 to 2019?", "increase", "net sales", ("2018", "2019")),
        ("Has the total debt fallen between 2018 and 2019?", "decrease", "total debt", ("2018", "2019")),
        ("What was the net profit margin change between 2018 and 2020?", "change", "net profit margin", ("2018", "2020")),
    ],
)  # fmt: skip
def test_a_calculation_over_years_is_parsed(
    question: str, operation: str, subject: str, years: tuple[str, ...]
) -> None:
    assert parse_calculation(question) == Calculation(operation, subject, years)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue in 2019?",
        "Did sales increase in 2019?",
        "Were sales in 2019 higher than costs?",
        "Did the firm that was sold in 2018 move in 2019?",
        "How did the revenue change in 2019?",
        "Who was president from 2018 to 2019?",
        "What was the change between 2018 and 2019?",
        "What changed from 2017 to 2018 and from 2018 to 2019 in the average?",
        "",
    ],
)
def test_other_questions_are_none(question: str) -> None:
    calculation = parse_calculation(question)
    assert calculation is None or calculation.operation == "average"


def test_operations() -> None:
    assert calculate("change", [5, 2]) == -3
    assert calculate("percentage change", [-4, -5]) == -25
    assert calculate("percentage change", [0, 5]) is None
    assert calculate("average", [1, 2, 6]) == 3
    assert calculate("sum", [1, 2, 6]) == 9


def compute(question: str, found: str, *evidence: Evidence, margin: float = 20.0) -> Answer | None:
    """The answer where the reader finds this text in every table that has it."""
    calculation = parse_calculation(question)
    assert calculation is not None
    flow = compute_from_table(calculation, AnswerEvidence.of(Retrieval(question, "s", "c", evidence)), threshold=0.3)

    def read(request: Infer) -> list[list[float]]:
        rows = []
        for _, text in request.inputs["passages"]:
            start = text.find(found)
            hit = start >= 0 and request.inputs["question"].endswith("2019?")
            rows.append([start, start + len(found), margin, margin, 0, 0] if hit else [0, 0, -20.0, -20.0, 0, 0])
        return rows

    try:
        request = next(flow)
        while True:
            request = flow.send(read(request))  # type: ignore[arg-type]
    except StopIteration as stopped:
        return stopped.value  # type: ignore[no-any-return]


@pytest.fixture
def sales(table: Make) -> Evidence:
    return table(
        "t1", "Table 3: Results", ("", "2019", "2018", "2017"), ("Sales", "$ 1,210", "$ 1,100", "900"), ("Loss", "(30)", "(10)", "—"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "found", "short", "formula"),
    [
        ("What was the change in sales from 2018 to 2019?", "1,210", "110", "$ 1,210 − $ 1,100"),
        ("What was the percentage change in sales from 2018 to 2019?", "1,210", "10%", "($ 1,210 − $ 1,100) / $ 1,100"),
        ("What was the change in loss from 2018 to 2019?", "(30)", "−20", "(30) − (10)"),
        ("What was the average of sales from 2017 to 2019?", "1,210", "1,070", "(900 + $ 1,100 + $ 1,210) / 3"),
    ],
)
def test_the_cells_of_the_years_are_computed_and_the_row_is_cited(
    sales: Evidence, question: str, found: str, short: str, formula: str
) -> None:
    answer = compute(question, found, sales)
    assert answer is not None
    assert answer.short == short
    [sentence] = answer.sentences
    assert sentence.text.startswith("Table 3: Results — ")
    assert sentence.text.endswith(f"{formula} = {short}")
    assert found in sentence.citations[0].quote


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Were sales higher in 2019 than in 2018?", "yes"),
        ("Were sales lower in 2019 than in 2018?", "no"),
        ("Were sales higher in 2018 than in 2019?", "no"),
        ("Did sales increase from 2018 to 2019?", "yes"),
        ("Have sales fallen between 2018 and 2019?", "no"),
    ],
)
def test_a_comparison_of_two_years_has_the_verdict_and_both_values(sales: Evidence, question: str, short: str) -> None:
    answer = compute(question, "1,210", sales)
    assert answer is not None
    assert (answer.short, answer.short_quoted) == (short, False)
    assert answer.sentences[0].text.endswith("$ 1,210 in 2019 > $ 1,100 in 2018")


def test_years_in_rows_are_computed_along_the_column(table: Make) -> None:
    grid = table("t1", "", ("Year", "Visitors", "Income"), ("2018", "200", "5"), ("2019", "250", "9"))
    answer = compute("What was the percentage change in visitors from 2018 to 2019?", "250", grid)
    assert answer is not None
    assert answer.short == "25%"
    assert [citation.quote for citation in answer.sentences[0].citations] == [
        "| 2018 | 200 | 5 |",
        "| 2019 | 250 | 9 |",
    ]


@pytest.mark.parametrize("found", ["900", "(30)"])
def test_a_missing_year_or_number_gives_none(table: Make, found: str) -> None:
    grid = table("t1", "", ("", "2019", "2017"), ("Sales", "900", "800"), ("Loss", "(30)", "—"))
    assert compute("What was the change in sales from 2018 to 2019?", found, grid) is None
    assert compute("What was the change in loss from 2017 to 2019?", "(30)", grid) is None


def test_an_unsure_reading_gives_none(sales: Evidence) -> None:
    assert compute("What was the change in sales from 2018 to 2019?", "1,210", sales, margin=-15.0) is None
