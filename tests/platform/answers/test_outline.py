"""Answers to questions that ask only what a page or a table contains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hopline.answers.answerer import EvidenceReader
from hopline.answers.outline import MAX_SENTENCES, answer_outline
from hopline.questions.analysis import analyse_question
from hopline.results import Answer, Evidence, EvidencePath, Node, PathStep, Retrieval

Make = Callable[..., Evidence]


@pytest.fixture
def outline(passage: Make, table: Make) -> Callable[..., Answer | None]:
    first = passage("p1", "12.", "Ferries ran on time.", "Fares rose.")
    second = replace(table("t1", "Table 2. Fares", ["Route", "Fare"], ["Ansel", "4"]), number="2")

    def ask(
        question: str, *, edge: str = "HAS_PASSAGE", evidence: tuple[Evidence, ...] = (first, second)
    ) -> Answer | None:
        page = Node("g", "page", "report.pdf p. 1")
        paths = tuple(
            EvidencePath(
                item.id,
                page,
                (PathStep(page, edge if item.kind == "passage" else "HAS_TABLE", Node(item.id, item.kind)),),
            )
            for item in evidence
        )
        retrieval = Retrieval(question, "hopline", "c", evidence, paths)
        flow = answer_outline(analyse_question(question), retrieval, EvidenceReader())
        with pytest.raises(StopIteration) as stopped:
            next(flow)
        result: Answer | None = stopped.value.value
        return result

    return ask


def test_an_outline_has_captions_of_tables_and_first_sentences_of_passages(outline: Callable[..., Answer]) -> None:
    answer = outline("What is on page 1?")
    assert [sentence.text for sentence in answer.sentences] == ["Table 2. Fares", "Ferries ran on time."]
    for sentence in answer.sentences:
        [citation] = sentence.citations
        assert citation.evidence.text[citation.start : citation.end] == citation.quote
        assert citation.path is not None
    assert answer.sentences[0].citations[0].quote.endswith("| Ansel | 4 |")


@pytest.mark.parametrize(
    "question", ["What was the fare on page 1?", "Who runs the ferries on page 1?", "What is a fare?"]
)
def test_a_question_for_a_fact_has_no_outline(outline: Callable[..., Answer | None], question: str) -> None:
    assert outline(question) is None


def test_evidence_without_a_page_path_has_no_outline(outline: Callable[..., Answer | None]) -> None:
    assert outline("What is on page 1?", edge="NEXT") is None
    assert outline("What is on page 1?", evidence=()) is None


def test_a_long_page_is_cut(outline: Callable[..., Answer], passage: Make) -> None:
    many = tuple(passage(f"p{n}", f"This is sentence {n}.") for n in range(20))
    assert len(outline("What is on page 1?", evidence=many).sentences) == MAX_SENTENCES


def quote(answer: Answer | None) -> list[str]:
    return [sentence.text for sentence in answer.sentences] if answer else []


def test_what_a_page_or_section_says_on_a_topic_are_the_sentences_about_it(
    outline: Callable[..., Answer | None],
) -> None:
    assert quote(outline("What does page 1 say about fares?")) == ["Fares rose."]
    assert outline("What does page 1 say about dragons?") is None


def test_a_short_section_is_cited_as_a_whole(outline: Callable[..., Answer | None], passage: Make) -> None:
    section = (passage("p1", "Ferries ran on time.", "Fares rose.", section=["III. Ferries"]),)
    assert quote(outline("What is in chapter three?", evidence=section)) == ["Ferries ran on time.", "Fares rose."]


def test_a_number_in_brackets_is_that_of_a_paragraph(outline: Callable[..., Answer | None], passage: Make) -> None:
    lines = ["(1) Fares rise.\n", "(2) Children travel free.\n", "(a) They need no ticket.\n", "(b) Dogs pay."]
    section = (passage("p1", "".join(lines), section=["Article 5 Fares"]),)
    assert quote(outline("What does Article 5(2) say?", evidence=section)) == ["(2) Children travel free."]
    assert quote(outline("What does Art. 5(2)(b) say?", evidence=section)) == ["(b) Dogs pay."]
