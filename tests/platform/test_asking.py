"""What the SDK takes as a question, on a collection that the real worker has read."""

from __future__ import annotations

from typing import Any

import pytest

from hopline import Hopline
from hopline.errors import UsageError

QUESTION = "Who designed the Skarv Bridge \ud83d?"


def test_a_question_with_half_a_character_is_answered(hop: Hopline, corpus: str) -> None:
    answer = hop.ask(QUESTION, collection=corpus)
    assert answer.question == "Who designed the Skarv Bridge \ufffd?"
    assert "Ingrid Vale" in answer.text
    again = hop.ask("And \udfff when did it open?", collection=corpus, after=[answer])
    assert again.retrieval.question.encode("utf-8")


def test_evidence_is_found_for_a_question_with_half_a_character(hop: Hopline, corpus: str) -> None:
    [many] = hop.retrieve_many([QUESTION], collection=corpus, strategy="hybrid")
    compared = hop.compare(QUESTION, strategies=["hybrid"], collection=corpus)["hybrid"]
    for found in (hop.retrieve(QUESTION, collection=corpus, strategy="hybrid"), many, compared):
        assert not isinstance(found, Exception)
        assert found.evidence[0].document == "Skarv Bridge"


@pytest.mark.parametrize("wrong", [None, 5, b"Who?", ["Who?"]])
def test_what_is_no_text_is_no_question(hop: Hopline, corpus: str, wrong: Any) -> None:
    for put in (
        lambda: hop.ask(wrong, collection=corpus),
        lambda: hop.retrieve(wrong, collection=corpus),
        lambda: hop.retrieve_many([wrong], collection=corpus),
        lambda: hop.compare(wrong, strategies=["bm25"], collection=corpus),
    ):
        with pytest.raises(UsageError, match=f"a question is a text; got .*, of type {type(wrong).__name__}"):
            put()


@pytest.mark.parametrize("k", [0, -1, 2.5, "10", True])
def test_k_is_a_whole_number_of_at_least_one(hop: Hopline, corpus: str, k: Any) -> None:
    for put in (hop.ask, hop.retrieve):
        with pytest.raises(UsageError, match="k must be at least 1, a whole number"):
            put("Who?", collection=corpus, k=k)


def test_one_text_is_no_list(hop: Hopline, corpus: str) -> None:
    with pytest.raises(UsageError, match="wants a list of questions"):
        hop.retrieve_many("Who?", collection=corpus)
    with pytest.raises(UsageError, match="wants a list of strategies"):
        hop.compare("Who?", strategies="bm25", collection=corpus)
