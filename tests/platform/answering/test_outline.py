"""What stands on a page or in a table, when that is all that is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hopline.answering.outline import MOST_SENTENCES, outline
from hopline.types import Answer, Evidence, EvidencePath, Node, Retrieval, Step

Make = Callable[..., Evidence]


@pytest.fixture
def asked(passage: Make, table: Make) -> Callable[..., Answer | None]:
    first = passage("p1", "12.", "Ferries ran on time.", "Fares rose.")
    second = replace(table("t1", "Table 2. Fares", ["Route", "Fare"], ["Ansel", "4"]), number="2")

    def ask(
        question: str, *, edge: str = "HAS_PASSAGE", evidence: tuple[Evidence, ...] = (first, second)
    ) -> Answer | None:
        page = Node("g", "page", "report.pdf p. 1")
        paths = tuple(
            EvidencePath(
                one.id, page, (Step(page, edge if one.kind == "passage" else "HAS_TABLE", Node(one.id, one.kind)),)
            )
            for one in evidence
        )
        return outline(question, Retrieval(question, "hopline", "c", evidence, paths))

    return ask


def test_tables_come_with_their_captions_and_passages_with_their_first_sentence(asked: Callable[..., Answer]) -> None:
    answer = asked("What is on page 1?")
    assert [sentence.text for sentence in answer.sentences] == ["Table 2. Fares", "Ferries ran on time."]
    for sentence in answer.sentences:
        [citation] = sentence.citations
        assert citation.evidence.text[citation.start : citation.end] == citation.quote
        assert citation.path is not None
    assert answer.sentences[0].citations[0].quote.endswith("| Ansel | 4 |")


@pytest.mark.parametrize(
    "question", ["What was the fare on page 1?", "Who runs the ferries on page 1?", "What is a fare?"]
)
def test_a_question_for_a_fact_is_answered_as_any_other(asked: Callable[..., Answer | None], question: str) -> None:
    assert asked(question) is None


def test_evidence_that_was_found_otherwise_is_no_outline(asked: Callable[..., Answer | None]) -> None:
    assert asked("What is on page 1?", edge="NEXT") is None
    assert asked("What is on page 1?", evidence=()) is None


def test_a_long_page_is_cut(asked: Callable[..., Answer], passage: Make) -> None:
    many = tuple(passage(f"p{n}", f"This is sentence {n}.") for n in range(20))
    assert len(asked("What is on page 1?", evidence=many).sentences) == MOST_SENTENCES
