"""Figures that a model computes from cells of tables: right ones are explained, others are not."""

import random
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

import pytest
from computed_cases import CASES, FIGURE, TABLES, ComputedCase
from table_text import make_structured_table

from hopline.answers.verification import SentenceVerifier
from hopline.questions.analysis import analyse_question
from hopline.results import Retrieval, Sentence

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
