from collections.abc import Callable
from dataclasses import replace

import pytest

from hopline.answers.answerer import EvidenceReader
from hopline.answers.calculation import answer_calculation
from hopline.answers.cells import (
    MAX_LOOKED_UP,
    TableResult,
    find_table_result,
    limit_table_readings,
)
from hopline.flow.requests import Infer
from hopline.learned.reading import Reading
from hopline.questions.analysis import analyse_question
from hopline.reader.confidence import RatedReading
from hopline.reader.reading import SpanReading
from hopline.results import POSSIBLE, Answer, Evidence, Retrieval

Make = Callable[..., Evidence]


def compute(question: str, cell: str, *evidence: Evidence, margin: float = 20.0) -> Answer | None:
    """Return the answer if the reader selects this cell in every table that contains it."""
    retrieval = Retrieval(question, "s", "c", evidence)
    flow = answer_calculation(analyse_question(question), retrieval, EvidenceReader(threshold=0.3))

    def read(request: Infer) -> list[list[float]]:
        rows = []
        if request.part == "verifier":
            return [[3.0, 0.0, 0.0] for _ in request.inputs["claims"]]
        for _, text in request.inputs["passages"]:
            start = text.find(cell)
            hit = start >= 0 and request.inputs["question"].endswith("2019?")
            rows.append([start, start + len(cell), margin, margin, 0, 0] if hit else [0, 0, -20.0, -20.0, 0, 0])
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
    ("question", "cell", "short", "formula"),
    [
        ("What was the change in sales from 2018 to 2019?", "1,210", "110", "$ 1,210 − $ 1,100"),
        ("What was the percentage change in sales from 2018 to 2019?", "1,210", "10%", "($ 1,210 − $ 1,100) / $ 1,100"),
        ("What was the change in loss from 2018 to 2019?", "(30)", "−20", "(30) − (10)"),
        ("What was the average of sales from 2017 to 2019?", "1,210", "1,070", "(900 + $ 1,100 + $ 1,210) / 3"),
    ],
)
def test_the_cells_of_the_years_are_computed_and_the_row_is_cited(
    sales: Evidence, question: str, cell: str, short: str, formula: str
) -> None:
    answer = compute(question, cell, sales)
    assert answer is not None
    assert answer.short == short
    [sentence] = answer.sentences
    assert sentence.text.startswith("Table 3: Results — ")
    assert sentence.text.endswith(f"{formula} = {short}")
    assert cell in sentence.citations[0].quote


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


@pytest.mark.parametrize("cell", ["900", "(30)"])
def test_a_missing_year_gives_none(table: Make, cell: str) -> None:
    grid = table("t1", "", ("", "2019", "2017"), ("Sales", "900", "800"), ("Loss", "(30)", "—"))
    assert compute("What was the change in sales from 2018 to 2019?", cell, grid) is None


@pytest.mark.parametrize(
    "question", ["What was the change in loss from 2017 to 2019?", "What was the total loss in 2017 and 2019?"]
)
def test_a_cell_without_a_value_is_the_answer(table: Make, question: str) -> None:
    grid = table("t1", "", ("", "2019", "2017"), ("Sales", "900", "800"), ("Loss", "(30)", "—"))
    answer = compute(question, "(30)", grid)
    assert answer is not None
    assert answer.short == "no value in the table"
    assert answer.text == "Loss — 2017: no value in the table"
    assert answer.sentences[0].citations[0].quote == "| Loss | (30) | — |"


def test_an_unsure_reading_gives_none(sales: Evidence) -> None:
    assert compute("What was the change in turnover from 2018 to 2019?", "1,210", sales) is not None
    assert compute("What was the change in turnover from 2018 to 2019?", "1,210", sales, margin=-15.0) is None


@pytest.mark.parametrize(
    ("question", "short", "formula"),
    [
        ("In which year were sales the highest?", "2019", "$ 1,210 in 2019 > $ 1,100 in 2018 > 900 in 2017"),
        ("What is the average of sales?", "1,070", "(900 + $ 1,100 + $ 1,210) / 3 = 1,070"),
        ("What is the difference between sales and costs in 2018?", "700", "$ 1,100 − 400 = 700"),
        ("What was the ratio of sales to costs in 2018?", "2.75", "$ 1,100 / 400 = 2.75"),
    ],
)
def test_all_years_of_a_row_and_two_rows_are_computed(table: Make, question: str, short: str, formula: str) -> None:
    grid = table(
        "t1", "", ("", "2019", "2018", "2017"), ("Sales", "$ 1,210", "$ 1,100", "900"), ("Costs", "500", "400", "350"),
    )  # fmt: skip
    answer = compute(question, "nothing", grid)
    assert answer is not None
    assert answer.short == short
    assert answer.sentences[0].text.endswith(formula)
    cells = [citation.answer for citation in answer.sentences[0].citations]
    assert all(cell and grid.text[slice(*cell)] in formula for cell in cells)


def test_rows_of_different_tables_are_not_computed(table: Make) -> None:
    sales = table("t1", "", ("", "2019", "2018"), ("Sales", "9", "8"))
    costs = table("t2", "", ("", "2019", "2018"), ("Costs", "5", "4"))
    assert compute("What was the ratio of sales to costs in 2018?", "nothing", sales, costs) is None


def test_a_label_in_two_tables_names_no_row(table: Make) -> None:
    tables = [table(id, "", ("", "2019", "2018"), ("Sales", "9", "8")) for id in ("t1", "t2")]
    assert compute("What was the change in sales from 2018 to 2019?", "nothing", *tables) is None


def test_two_rows_with_several_numbers_are_not_computed_without_a_column(table: Make) -> None:
    grid = table("t1", "", ("Town", "Ships", "Mills"), ("Vik", "9", "8"), ("Nes", "5", "4"))
    assert compute("What is the difference between Vik and Nes?", "nothing", grid) is None


def test_a_text_among_the_numbers_of_a_row_is_not_computed(table: Make) -> None:
    grid = table("t1", "", ("", "2019", "2018"), ("Sales", "9", "few"), ("Costs", "5", "4"))
    assert compute("What was the change in sales from 2018 to 2019?", "nothing", grid) is None


@pytest.mark.parametrize(
    ("caption", "text"), [("Results (in millions)", "All is well."), ("Results", "Results (in millions) were:")]
)
def test_a_result_has_the_scale_of_the_table_or_of_the_text_beside_it(
    table: Make, passage: Make, caption: str, text: str
) -> None:
    grid = table("t1", caption, ("", "2019", "2018"), ("Sales", "9", "8"))
    answer = compute("What was the change in sales from 2018 to 2019?", "nothing", grid, passage("p1", text))
    assert answer is not None
    assert answer.short == "1 million"


def test_a_share_has_no_scale(table: Make) -> None:
    grid = table("t1", "Results (in millions)", ("", "2019", "2018"), ("Margin", "9%", "8%"))
    answer = compute("What was the change in margin from 2018 to 2019?", "nothing", grid)
    assert answer is not None
    assert answer.short == "1%"


@pytest.fixture
def fish(table: Make) -> Evidence:
    return table(
        "t1", "Table 1: Fish landed",
        ("Country", "Port", "Output 2019", "Output 2020"),
        ("Norway", "Bergen", "1,200", "900"), ("Iceland", "Vík", "1,100", "1,300"), ("Faroes", "Tórshavn", "40", "300"),
        ("Total", "", "2,340", "2,500"),
    )  # fmt: skip


def read(evidence: Evidence, text: str, confidence: float = 0.8) -> RatedReading:
    """A reading of this text with this confidence."""
    start = evidence.text.index(text)
    span = (start, start + len(text))
    return RatedReading(
        SpanReading(evidence, 0, *span, span, Reading(0, 1, 9.0, 9.0, 0.0, 0), Reading(0, 1, 9.0, 9.0, 0.0, 0)),
        confidence,
    )


def find(question: str, evidence: Evidence, *rated: RatedReading) -> tuple[list[RatedReading], float]:
    """The readings with their limits, and the probability of the result."""
    analysis = analyse_question(question)
    flow = find_table_result(analysis, Retrieval(question, "s", "c", (evidence,)), rated, EvidenceReader(enabled=False))
    result: TableResult | None = None
    try:
        next(flow)
    except StopIteration as stopped:
        result = stopped.value
    return limit_table_readings(analysis, rated, result), result.probability if result else 0.0


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Which country had the highest output in 2020?", "Iceland"),
        ("Which country had the highest output in 2019?", "Norway"),
        ("Which port had the lowest output in 2019?", "Tórshavn"),
    ],
)
def test_the_largest_row_is_answered_and_its_cell_cited(
    answer: Callable[..., Answer], fish: Evidence, question: str, short: str
) -> None:
    result = answer(question, fish)
    assert (result.status, result.short) == ("answered", short)
    [citation] = result.sentences[0].citations
    assert citation.answer
    assert fish.text[slice(*citation.answer)] == short
    assert short in citation.quote


def test_a_reading_is_no_answer_to_a_computed_question(fish: Evidence) -> None:
    [reading], _ = find("Which country had the highest output in 2020?", fish, read(fish, "Norway"))
    assert reading.confidence == 0.0


def test_a_text_that_was_read_is_no_answer_to_how_many(fish: Evidence) -> None:
    [reading], _ = find("How many tons did Bergen land in 2019?", fish, read(fish, "Norway"))
    assert reading.confidence == 0.0


def test_a_passage_is_not_limited_by_a_table(fish: Evidence, passage: Make) -> None:
    text = passage("p1", "Iceland landed most in 2020.")
    [reading], _ = find("Which country had the highest output in 2020?", fish, read(text, "Iceland"))
    assert reading.confidence == 0.8


@pytest.mark.parametrize(
    ("text", "is_limited"), [("The fleet landed 70 tons.", True), ("Bergen landed 70 tons in 2019.", False)]
)
def test_a_sentence_without_the_name_that_a_row_has_is_limited(
    fish: Evidence, passage: Make, text: str, is_limited: bool
) -> None:
    question = "What was the output of Bergen in 2019?"
    rated = read(passage("p1", text), "70")
    rated = replace(rated, reading=replace(rated.reading, sentence=(0, len(text))))
    [reading], probability = find(question, fish, rated)
    assert probability >= POSSIBLE
    assert reading.confidence == pytest.approx(1 - probability if is_limited else 0.8)


def test_a_cell_that_only_words_point_to_is_at_most_possible(fish: Evidence) -> None:
    question = "Which country is the port Bergen in?"
    _, alone = find(question, fish)
    _, agreed = find(question, fish, read(fish, "Norway"))
    assert alone <= MAX_LOOKED_UP < agreed
