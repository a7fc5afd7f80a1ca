from collections.abc import Callable
from typing import Any

import pytest

from hopline.answering.prompts import MOST_CHARACTERS, SCHEMA, prompt
from hopline.errors import ModelUnavailable
from hopline.flow.requests import Reply
from hopline.flow.run import Budget
from hopline.flow.services import Prompt
from hopline.types import Answer, Evidence

Write = Callable[..., tuple[Answer, list[Prompt]]]
Make = Callable[..., Evidence]
QUESTION = "Who founded Varrow Water?"


@pytest.fixture
def evidence(passage: Make) -> tuple[Evidence, ...]:
    return (
        passage("p1", "Varrow Water was founded by Maud Kerrigan in 1987.", "It runs two plants."),
        passage("p2", "The plant at Brackwater made 918,400 cubic metres in 2023.", document="review.pdf"),
    )


def reply(*sentences: tuple[str, list[tuple[int, str]]], found: bool = True, short: str = "") -> Reply:
    said = [
        {"text": text, "citations": [{"evidence": number, "quote": quote} for number, quote in citations]}
        for text, citations in sentences
    ]
    return Reply(data={"found": found, "sentences": said, "short": short})


def test_a_sentence_keeps_its_exact_quote_and_the_path_to_its_evidence(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    good = reply(("Maud Kerrigan founded it.", [(1, "founded by  maud kerrigan")]), short="Maud Kerrigan")
    answer, _ = write(QUESTION, good, *evidence)
    [citation] = answer.sentences[0].citations
    assert citation.quote == "founded by Maud Kerrigan" == citation.evidence.text[citation.start : citation.end]
    assert citation.path is not None
    assert citation.path.evidence == "p1"
    assert (answer.text, answer.short, answer.abstained) == ("Maud Kerrigan founded it.", "Maud Kerrigan", False)
    assert answer.sentences[0].backed


def test_a_quote_under_a_wrong_number_is_given_to_the_evidence_that_has_it(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    for number in (2, 0, 77, -1):
        answer, _ = write(QUESTION, reply(("Maud Kerrigan.", [(number, "founded by Maud Kerrigan")])), *evidence)
        assert answer.sentences[0].citations[0].evidence.id == "p1"


def test_a_quote_that_no_evidence_has_is_dropped_and_its_sentence_with_it(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    mixed = reply(
        ("Maud Kerrigan founded it.", [(1, "founded by Maud Kerrigan"), (1, "founded by her alone")]),
        ("She was born in Port Ansel.", [(1, "born in Port Ansel")]),
    )
    answer, _ = write(QUESTION, mixed, *evidence)
    assert [len(sentence.citations) for sentence in answer.sentences] == [1]


def test_a_sentence_with_a_figure_that_its_evidence_lacks_is_marked(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    said = [
        ("It was founded in 1987.", [(1, "in 1987")]),
        ("It was founded in 1978.", [(1, "founded by Maud Kerrigan")]),
    ]
    answer, _ = write(QUESTION, reply(*said), *evidence)
    assert [sentence.backed for sentence in answer.sentences] == [True, False]


def test_when_nothing_stands_the_answer_abstains_and_says_what_is_missing(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    answer, _ = write("Who founded Halcyon?", reply(("Jo Ek did.", [(1, "founded by Jo Ek")])), *evidence)
    assert answer.abstained
    assert not answer.sentences
    assert "Halcyon" in answer.missing


def test_a_model_that_finds_nothing_is_believed(write: Write, evidence: tuple[Evidence, ...]) -> None:
    answer, _ = write(QUESTION, reply(found=False), *evidence)
    assert answer.abstained
    assert answer.text == ""


@pytest.mark.parametrize(
    "bad",
    [
        Reply(text='{"found": tru', error="no JSON object in the reply"),
        Reply(error="the model refused"),
        Reply(text="Maud Kerrigan"),
        ModelUnavailable("no answer after 4 tries"),
    ],
    ids=["broken", "refused", "no data", "unreachable"],
)
def test_a_failed_reply_costs_no_question(write: Write, evidence: tuple[Evidence, ...], bad: Any) -> None:
    names = [("Maud Kerrigan", "PERSON"), ("Varrow Water", "ORG")]
    answer, _ = write(QUESTION, bad, *evidence, names=names)
    assert answer.sentences[0].citations[0].quote == "Varrow Water was founded by Maud Kerrigan in 1987."
    assert answer.short == "Maud Kerrigan"
    why = str(bad) if isinstance(bad, ModelUnavailable) else bad.error or "the model's reply holds no JSON object"
    assert (answer.written_by, answer.model_error) == ("extractive", why)


def test_a_spent_budget_costs_no_question(write: Write, evidence: tuple[Evidence, ...]) -> None:
    names = [("Maud Kerrigan", "PERSON"), ("Varrow Water", "ORG")]
    answer, prompts = write(QUESTION, reply(found=False), *evidence, budget=Budget(calls=0), names=names)
    assert not prompts
    assert answer.short == "Maud Kerrigan"
    assert "the budget of 0 calls" in answer.model_error


def test_what_a_model_wrote_carries_its_name_also_where_it_abstains(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    said = reply(("Maud Kerrigan.", [(1, "founded by Maud Kerrigan")]))
    for good in (said, reply(found=False), reply(("Jo Ek did.", [(1, "founded by Jo Ek")]))):
        answer, _ = write(QUESTION, good, *evidence)
        assert (answer.written_by, answer.model_error) == ("canned", "")


def test_nothing_is_picked_where_what_the_model_wrote_stands(write: Write, evidence: tuple[Evidence, ...]) -> None:
    said = reply(("Maud Kerrigan.", [(1, "founded by Maud Kerrigan")]))
    answer, _ = write(QUESTION, said, *evidence)
    assert "answer/mentions" not in [step.name for step in answer.retrieval.trace.steps]
    answer, _ = write("Who founded Halcyon?", reply(found=False), *evidence)
    assert "answer/mentions" in [step.name for step in answer.retrieval.trace.steps], "it says what is missing"


def test_no_evidence_is_no_call(write: Write) -> None:
    answer, prompts = write(QUESTION, reply(found=False))
    assert answer.abstained
    assert not prompts


def test_a_short_answer_that_the_evidence_does_not_have_is_left_out(
    write: Write, evidence: tuple[Evidence, ...]
) -> None:
    answer, _ = write(QUESTION, reply(("She did.", [(1, "Maud Kerrigan")]), short="Maud Kerrigan of Ansel"), *evidence)
    assert answer.short == ""


def test_the_evidence_is_numbered_and_placed_in_one_prompt(write: Write, evidence: tuple[Evidence, ...]) -> None:
    _, [asked] = write(QUESTION, reply(found=False), *evidence)
    assert asked.schema == SCHEMA
    assert "[1] report.pdf\nVarrow Water was founded" in asked.text
    assert "[2] review.pdf\n" in asked.text
    assert asked.text.endswith(f"Question: {QUESTION}")


def test_of_a_long_table_the_prompt_keeps_the_rows_that_the_question_names(table: Make) -> None:
    rows = [(f"Place {n}", str(1000 + n)) for n in range(400)]
    long = table("t1", "Table 1: Stores", ("State", "Stores"), *rows, ("California", "133"))
    text = prompt("How many stores are in California?", [long])
    assert len(text) < MOST_CHARACTERS + 200
    assert "| California | 133 |" in text
    assert "Table 1: Stores\n| State | Stores |" in text
