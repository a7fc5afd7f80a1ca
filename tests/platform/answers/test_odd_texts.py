"""Dates, numbers and scales of all kinds in questions and evidence: nothing raises, and their values are right."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hopline.answers.pipeline import answer_question
from hopline.errors import ModelError
from hopline.flow.requests import Fetch, Flow, Hits, Infer, Search
from hopline.flow.services import Prompt
from hopline.results import Answer, Evidence, Retrieval
from hopline.tables.grid import render_table
from hopline_cypher.loader import load_statement

Ask = Callable[..., Answer]
Make = Callable[..., Evidence]
Write = Callable[..., tuple[Answer, list[Prompt]]]

WORDS = st.sampled_from(
    ["What", "was", "the", "Which", "is", "older,", "larger", "after", "before", "more than", "between", "and", "or", "12.05.2019", "3.10.2",
     "0.9.2019", "1987-00-00", "25/30/2019", "FY22", "Mark", "May", "page I", "table", "tables I", "civil", "٣٤", "²", "Ⅷ", "€-5", "(5)", "−3",
     "$ million", "'000", "how many", "change", "from 2018 to 2019", "ratio of", "to", "İstanbul", "A|B", "the company that owns Ada", "section mix",
     "Summarise", "Dear Mr. İ,", "From:", "Yours sincerely,", "born", "(1901 – 0000)", "44 BC", "\u2028", "?", "first", "Did", "not", "𝟙𝟚", "中文", "-"]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=80)


def answer_with_any_reading(question: str, evidence: tuple[Evidence, ...]) -> Answer:
    """Answer with a reader that finds the first characters of everything, over an empty graph."""
    retrieval = Retrieval(question, "given", "c", evidence)

    def retrieve(_: str) -> Flow[Retrieval]:
        yield from ()
        return retrieval

    flow = answer_question(question, retrieve)
    try:
        request = next(flow)
        while True:
            match request:
                case Infer(part="verifier"):
                    request = flow.send([[1.0, 0.0, 0.0] for _ in request.inputs["claims"]])
                case Infer(part="cell_selector"):
                    request = flow.send([0.08] * 13 + [1.0 for _ in request.inputs["texts"]])
                case Infer():
                    rows = [[0, min(9, len(text)), 6.0, 6.0, 1.0, 0] for _, text in request.inputs["passages"]]
                    request = flow.send(rows)
                case Search():
                    request = flow.send(Hits())
                case Fetch():
                    request = flow.send({column: [] for column in load_statement(request.name).returns})
    except StopIteration as stopped:
        result: Answer = stopped.value
        return result


@settings(max_examples=120, deadline=None)
@given(TEXTS, TEXTS, st.lists(st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=4))
@example("A:E", "", [[""]])  # no part of a word to compare
def test_no_question_and_no_evidence_raises(question: str, text: str, rows: list[list[str]]) -> None:
    cells = tuple(tuple(row) for row in rows)
    passage = Evidence("p", "passage", 1.0, text, "a.pdf", "d", sentences=((0, len(text)),))
    table = Evidence("t", "table", 0.9, render_table(cells)[0], "a.pdf", "d", cells=cells)
    answer = answer_with_any_reading(question, (passage, table))
    for sentence in answer.sentences or answer.nearest:
        for citation in sentence.citations:
            assert citation.evidence.text[citation.start : citation.end] == citation.quote


@pytest.fixture
def mayors(table: Make) -> Evidence:
    return table(
        "t1", "Mayors of Port Ansel", ("Name", "Elected"), ("Ada Quist", "11.05.2019"), ("Bo Lind", "13.05.2019"), ("Cy Moe", "1.1.2018"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which mayor was elected after 12.05.2019?", "Bo Lind"),
        ("Which mayor was elected before 1.2.2018?", "Cy Moe"),
        ("Which mayor was elected after 12 May 2019?", "Bo Lind"),
    ],
)
def test_a_day_in_a_question_selects_the_row_of_a_table(
    answer: Ask, mayors: Evidence, question: str, name: str
) -> None:
    [sentence] = (result := answer(question, mayors)).sentences or result.nearest[:1]
    assert [name in citation.quote for citation in sentence.citations] == [True]


def test_odd_dates_in_the_evidence_of_a_comparison_are_ignored(answer: Ask, passage: Make) -> None:
    odd = passage("p0", "Release 0.9.2019 and ref 13.45.2020 were published.", "Born 25/30/2019.")
    first = passage("p1", "Salt was released on 3 March 1990.", title="Salt")
    second = passage("p2", "Ash was released on 1987-00-00.", title="Ash")
    assert answer("Which film was released first, Salt or Ash?", odd, first, second).short == "Ash"


def test_a_day_of_unknown_order_is_read_as_the_other_dates_of_its_document_are(answer: Ask, passage: Make) -> None:
    question = "Which film was released first, Salt or Ash?"
    salt = passage("p1", "Salt was released on 05/12/2019.", title="Salt", document="a.pdf")
    ash = passage("p2", "Ash was released on 1 September 2019.", title="Ash", document="b.pdf")
    unknown = answer(question, salt, ash)
    assert unknown.abstained
    order = passage("p3", "The premiere was on 25/11/2019.", document="a.pdf")
    assert answer(question, salt, ash, order).short == "Ash"


def test_a_count_is_not_refused_because_it_looks_like_a_month(answer: Ask, passage: Make) -> None:
    result = answer(
        "How many people took part in the landing?",
        passage("p", "Twelve boats and 12 Marines took part in the landing."),
    )
    assert "12 Marines" in result.text or "12" in result.short
    assert (result.confidence or 0) > 0


@pytest.mark.parametrize(
    ("cells", "short"),
    [(("€ 5", "€-3"), "8"), (("€(3)", "€5"), "−8"), (("£ -1,200", "£ 200"), "−1,400")],
)
def test_the_sign_of_an_amount_in_any_currency_counts(
    answer: Ask, table: Make, cells: tuple[str, str], short: str
) -> None:
    grid = table("t1", "Results", ("", "2019", "2018"), ("Profit", *cells))
    assert answer("What was the change in profit from 2018 to 2019?", grid).short == short


def test_a_scale_behind_a_currency_belongs_to_a_computed_amount(answer: Ask, table: Make) -> None:
    grid = table("t1", "Results ($ million)", ("", "2019", "2018"), ("Profit", "9", "5"))
    assert answer("What was the change in profit from 2018 to 2019?", grid).short == "4 million"


def test_a_small_ratio_is_not_rounded_to_zero(answer: Ask, table: Make) -> None:
    grid = table("t1", "", ("", "2019"), ("Losses", "4"), ("Sales", "1,000"))
    assert answer("What was the ratio of losses to sales in 2019?", grid).short == "0.004"


def test_a_fiscal_year_in_a_question_is_one_of_the_table(answer: Ask, table: Make) -> None:
    grid = table("t1", "", ("", "Fiscal 2022", "Fiscal 2021"), ("Sales", "9", "5"))
    assert answer("What was the change in sales from FY21 to FY22?", grid).short == "4"


def test_the_name_on_a_path_is_quoted_though_lower_case_changes_its_length(answer: Ask, passage: Make) -> None:
    bridge = passage("p1", "İİİİ Works is run by Tidewell.", "It is old.", document="a.pdf")
    founded = passage("p2", "Tidewell was founded by Maud Kerrigan.", document="b.pdf")
    result = answer("Who founded the company that runs İİİİ Works?", bridge, founded, names=[("Tidewell", "ORG")])
    for sentence in result.sentences or result.nearest:
        for citation in sentence.citations:
            assert citation.evidence.text[citation.start : citation.end] == citation.quote


# -- a model that fails gets the extractive answer of every kind


def fail() -> ModelError:
    return ModelError("the model is down")


def test_the_parts_of_a_question_are_answered_when_the_model_fails(write: Write, passage: Make) -> None:
    water = passage("p1", "Tidewell was founded by Maud Kerrigan in 1987.", "It employs 214 people.")
    answer, _ = write("When was Tidewell founded and how many people does it employ?", fail(), water)
    assert answer.short == "1987; 214"
    assert "down" in answer.model_error


def test_a_calculation_is_answered_when_the_model_fails(write: Write, table: Make) -> None:
    grid = table("t1", "", ("", "2019", "2018"), ("Sales", "9", "5"))
    answer, _ = write("What was the change in sales from 2018 to 2019?", fail(), grid)
    assert (answer.short, answer.status) == ("4", "answered")
    assert "down" in answer.model_error
