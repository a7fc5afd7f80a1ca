"""Figures that a model computes from cells of tables: right ones are explained, others are not."""

import random
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

import pytest
from computed_cases import CASES, FIGURE, TABLES, ComputedCase
from table_text import make_structured_table

from hopline.answers.verification import SentenceVerifier
from hopline.questions.analysis import analyse_question
from hopline.results import Evidence, Retrieval, Sentence

WRONG_FIGURES = 200
MAX_ACCEPTED = 0.05


def verify(case: ComputedCase, figure: str) -> Sentence:
    table = make_structured_table(TABLES[case.table], id=case.table)
    verifier = SentenceVerifier(analyse_question(case.question), Retrieval("q", "hybrid", "c", (table,)), [table])
    claims = [{"evidence": 1, "quote": quote} for quote in case.quotes]
    [sentence] = verifier.verify([{"text": case.text.replace(FIGURE, figure), "citations": claims}])
    return sentence


def list_wrong_figures(count: int, seed: int) -> Iterator[tuple[ComputedCase, str]]:
    """Yield right figures that are changed by 3 to 30 %, written with the same decimals."""
    chance = random.Random(seed)
    for number in range(count):
        case = CASES[number % len(CASES)]
        right = Decimal(case.figure.replace(",", ""))
        wrong = right
        while wrong == right:
            change = Decimal(str(chance.choice((-1, 1)) * chance.uniform(0.03, 0.3)))
            wrong = (right * (1 + change)).quantize(right, ROUND_HALF_UP)
        yield case, f"{wrong:,}"


@pytest.mark.parametrize("case", CASES, ids=[case.text for case in CASES])
def test_a_right_figure_is_explained_by_cells(case: ComputedCase) -> None:
    sentence = verify(case, case.figure)
    assert sentence.state == "computed"
    assert all(citation.answer for citation in sentence.citations)


def test_few_wrong_figures_follow_from_cells_by_chance() -> None:
    wrong = list(list_wrong_figures(WRONG_FIGURES, seed=58))
    accepted = [
        (case.text, figure, verify(case, figure).computation)
        for case, figure in wrong
        if verify(case, figure).supported
    ]
    assert len(accepted) <= MAX_ACCEPTED * len(wrong), accepted


def cite(table: str, text: str, *quotes: str, question: str = "What is known?") -> Sentence:
    return verify(ComputedCase(table, text, "", quotes, question), "")


def test_the_cells_of_a_formula_are_cited_with_their_rows_and_columns() -> None:
    sentence = cite("income", "Staff costs were 41.8 % of total operating expenses in 2023.", "Staff costs | 12,460")
    assert sentence.computation == (
        "12,460 ÷ 29,790 × 100 = 41.83 "
        "(2023 (in thousands): Operating expenses › Staff costs, Operating expenses › Total operating expenses)"
    )
    cells = [citation.evidence.text[slice(*citation.answer)] for citation in sentence.citations if citation.answer]
    assert cells == ["12,460", "29,790"]
    assert all(citation.quote.startswith("| ") and citation.quote.endswith(" |") for citation in sentence.citations)


def test_the_cell_whose_number_a_sentence_states_is_marked() -> None:
    sentence = cite("plants", "Heron Point has a staff of 64.", "| Heron Point | 455,300 | 431,900 | 64 |")
    [citation] = sentence.citations
    assert sentence.state == "quoted"
    assert citation.answer
    assert citation.evidence.text[slice(*citation.answer)] == "64"


@pytest.mark.parametrize(
    ("table", "text", "quotes"),
    [
        ("income", "Revenue rose by 3,340 from 2021 to 2022.", ["Revenue | 48,210 | 44,870 | 41,905"]),
        ("plants", "The output of Heron Point rose by 23,400 m3 in 2023.", ["Heron Point | 455,300 | 431,900"]),
        ("plants", "The average staff of Brackwater and Heron Point is 60.", ["Brackwater | 812,000", "Heron Point | 455,300"]),
        ("fleet", "The Tern has 210.4 berths and metres in total.", ["Tern | 1998 | 62.4 | 148"]),
        ("energy", "Wind was 24.6 % of the total in 2022.", ["Wind | 42.1"]),
        ("survey", "Those of 18–29 agree 7.7 % less than those of 30–49 on average.", ["Lantern Bay | 1"]),
        ("loss", "Devices lost USD 1.24 billion in FY2024.", ["Devices | (1,240) | (2,015)"]),
        ("three", "In summer, the museum had 12,002 visitors.", ["Summer | 5,870 | 2,466 | 8,336"]),
        ("med", "Norway won 32 medals.", ["Norway | 16 | 8 | 13"]),
        ("param", "Flow and head of pump A are 162 in total.", ["Flow | m3/h | 120 | 95", "Head | m | 42 | 55"]),
        ("hotel", "In March, 65.1 % of the available rooms were sold.", ["March | 1,953 | 3,100"]),
    ],
    ids=["other years", "rose for fell", "mean of others", "two units", "other year", "no quote", "other scale",
         "sum of other columns", "sum of other rows", "units of rows", "base of another row"],
)  # fmt: skip
def test_a_figure_of_other_cells_units_or_signs_is_not_supported(table: str, text: str, quotes: list[str]) -> None:
    assert cite(table, text, *quotes).state == "unsupported"


def test_a_figure_of_a_row_that_is_neither_cited_nor_named_is_not_supported() -> None:
    assert cite("plants", "The plant has a staff of 64.", "Brackwater | 812,000 | 918,400 | 112").state == "unsupported"


def test_a_row_that_is_named_with_its_number_is_cited_too() -> None:
    sentence = cite("plants", "Heron Point has 64, and Brackwater 112.", "Brackwater | 812,000 | 918,400 | 112")
    assert sentence.state == "quoted"
    cells = [citation.evidence.text[slice(*citation.answer)] for citation in sentence.citations if citation.answer]
    assert cells == ["112", "64"]


def test_columns_and_rows_without_names_give_no_figures_by_chance() -> None:
    table = make_structured_table("Fees\n| Arm | 2023 | | |\n| East | 120 | 7 | 55 |\n| | 80 | 3 | 41 |", id="t")
    verifier = SentenceVerifier(analyse_question("What share?"), Retrieval("q", "hybrid", "c", (table,)), [table])
    claims = [{"quote": "East | 120 | 7 | 55"}]
    [sentence] = verifier.verify([{"text": "The share of East in 2023 was 61 % of the total.", "citations": claims}])
    assert sentence.state == "unsupported"


def test_a_figure_may_be_computed_from_a_table_and_a_passage() -> None:
    table = make_structured_table(TABLES["plants"], id="t")
    passage = Evidence("p", "passage", 1.0, "The target for Brackwater was 900,000 m3.")
    retrieval = Retrieval("q", "hybrid", "c", (table, passage), ())
    verifier = SentenceVerifier(analyse_question("By how much was the target missed?"), retrieval, [table, passage])
    claims = [{"quote": "Brackwater | 812,000 | 918,400"}, {"quote": "The target for Brackwater was 900,000 m3"}]
    [sentence] = verifier.verify([{"text": "Its output of 2023 was 18,400 above it.", "citations": claims}])
    assert (sentence.state, sentence.computation) == ("computed", "918,400 − 900,000 = 18,400")


def test_a_figure_may_be_computed_from_two_tables() -> None:
    tables = [
        make_structured_table(
            f"Output in {year}\n| Plant | Output (m3) |\n| Brackwater | {output} |\n| Bure | 7,100 |", id=year
        )
        for year, output in (("2022", "812,000"), ("2023", "918,400"))
    ]
    retrieval = Retrieval("q", "hybrid", "c", tuple(tables), ())
    verifier = SentenceVerifier(analyse_question("How did the output of Brackwater change?"), retrieval, tables)
    claims = [{"evidence": 1, "quote": "Brackwater | 812,000"}, {"evidence": 2, "quote": "Brackwater | 918,400"}]
    rise, other = verifier.verify(
        [{"text": f"The output rose by {figure} m3.", "citations": claims} for figure in ("106,400", "107,400")]
    )
    assert (rise.state, rise.computation) == ("computed", "918,400 − 812,000 = 106,400")
    assert other.state == "unsupported"


@pytest.mark.parametrize(("short", "is_known"), [("5.1 %", True), ("23,400 m3", True), ("6.1 %", False)])
def test_the_short_answer_has_the_figures_of_its_sentence_or_others_that_follow(short: str, is_known: bool) -> None:
    table = make_structured_table(TABLES["plants"], id="t")
    question = analyse_question("How did the output of Heron Point change in 2023?")
    verifier = SentenceVerifier(question, Retrieval("q", "hybrid", "c", (table,)), [table])
    claims = [{"quote": "| Heron Point | 455,300 | 431,900 | 64 |"}]
    [sentence] = verifier.verify([{"text": "Its output fell by 23,400 m3, or 5.1 %.", "citations": claims}])
    assert sentence.state == "computed"
    assert verifier.has_known_figures(short, [sentence]) == is_known
