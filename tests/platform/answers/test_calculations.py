import pytest

from hopline.answers.calculation import Calculation, parse_calculation
from hopline.questions.analysis import analyse_question


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
    assert parse_calculation(analyse_question(question)) == Calculation(operation, (subject,), years)  # type: ignore[arg-type]


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
        "",
    ],
)
def test_other_questions_are_none(question: str) -> None:
    assert parse_calculation(analyse_question(question)) is None


@pytest.mark.parametrize(
    ("question", "operation", "subjects", "years"),
    [
        ("What is the difference between wages and rents in 2019?", "difference", ("wages", "rents"), ("2019",)),
        ("What is the difference in cost between Vik and Nes?", "difference", ("Vik cost", "Nes cost"), ()),
        ("What was the ratio of debt to equity in 2018?", "ratio", ("debt", "equity"), ("2018",)),
        ("In 2019, what is the percentage of rents in total costs?", "percentage", ("rents", "total costs"), ("2019",)),
        ("What is the proportion of rents over total costs in 2019?", "ratio", ("rents", "total costs"), ("2019",)),
        ("What is the sum of rents and wages in 2019?", "sum", ("rents", "wages"), ("2019",)),
        ("In which year was the amount of rents the largest?", "largest", ("rents",), ()),
        ("Which year has the lowest service cost?", "smallest", ("service cost",), ()),
        ("What is the average rent?", "average", ("rent",), ()),
        ("What was the difference in net profit between both FYs?", "difference", ("net profit",), ()),
    ],
)  # fmt: skip
def test_a_calculation_over_two_rows_or_all_years_is_parsed(
    question: str, operation: str, subjects: tuple[str, ...], years: tuple[str, ...]
) -> None:
    assert parse_calculation(analyse_question(question)) == Calculation(operation, subjects, years)  # type: ignore[arg-type]
