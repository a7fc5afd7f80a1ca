"""Questions to the client, on a collection that the worker has processed."""

from __future__ import annotations

from typing import Any

import pytest

from hopline import Hopline
from hopline.errors import UsageError

QUESTION = "Who designed the Skarv Bridge \ud83d?"


def test_a_question_with_a_lone_surrogate_is_answered(hop: Hopline, corpus: str) -> None:
    answer = hop.ask(QUESTION, collection=corpus)
    assert answer.question == "Who designed the Skarv Bridge \ufffd?"
    assert "Ingrid Vale" in answer.text
    again = hop.ask("And \udfff when did it open?", collection=corpus, history=[answer])
    assert again.retrieval.question.encode("utf-8")


def test_evidence_is_found_for_a_question_with_a_lone_surrogate(hop: Hopline, corpus: str) -> None:
    [many] = hop.retrieve_many([QUESTION], collection=corpus, strategy="hybrid")
    compared = hop.compare(QUESTION, strategies=["hybrid"], collection=corpus)["hybrid"]
    for retrieval in (hop.retrieve(QUESTION, collection=corpus, strategy="hybrid"), many, compared):
        assert not isinstance(retrieval, Exception)
        assert retrieval.evidence[0].document == "Skarv Bridge"


@pytest.mark.parametrize("invalid", [None, 5, b"Who?", ["Who?"]])
def test_a_question_must_be_a_string(hop: Hopline, corpus: str, invalid: Any) -> None:
    for call in (
        lambda: hop.ask(invalid, collection=corpus),
        lambda: hop.retrieve(invalid, collection=corpus),
        lambda: hop.retrieve_many([invalid], collection=corpus),
        lambda: hop.compare(invalid, strategies=["bm25"], collection=corpus),
    ):
        with pytest.raises(UsageError, match=f"a question is a text; got .*, of type {type(invalid).__name__}"):
            call()


@pytest.mark.parametrize("k", [0, -1, 2.5, "10", True])
def test_k_must_be_a_positive_integer(hop: Hopline, corpus: str, k: Any) -> None:
    for call in (hop.ask, hop.retrieve):
        with pytest.raises(UsageError, match="k must be at least 1, a whole number"):
            call("Who?", collection=corpus, k=k)


def test_lists_must_not_be_a_string(hop: Hopline, corpus: str) -> None:
    with pytest.raises(UsageError, match="wants a list of questions"):
        hop.retrieve_many("Who?", collection=corpus)
    with pytest.raises(UsageError, match="wants a list of strategies"):
        hop.compare("Who?", strategies="bm25", collection=corpus)
