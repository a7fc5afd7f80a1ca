"""The context of a question, on a collection that the worker has processed."""

from __future__ import annotations

import pytest

from hopline import Hopline
from hopline.errors import UnknownName, UsageError

QUESTION = "Who founded the firm that built the Orre Lighthouse?"


def test_the_context_of_a_question_has_its_evidence_within_the_limit(hop: Hopline, corpus: str) -> None:
    context = hop.context(QUESTION, 1000, collection=corpus)
    assert 100 < context.tokens <= 1000
    assert "The Orre Lighthouse was built by Vale and Sons in 1927." in context.text
    assert "founded the firm Vale and Sons" in context.text
    assert context.citations[1].document in {"Orre Lighthouse", "Ingrid Vale", "Vale and Sons"}
    small = hop.context(QUESTION, 100, collection=corpus)
    assert 0 < small.tokens <= 100


def test_only_the_given_documents_are_in_the_context(hop: Hopline, corpus: str) -> None:
    context = hop.context(QUESTION, collection=corpus, documents=["Tern", "Slate"], strategy="hybrid", k=2)
    assert {block.document for block in context.blocks} <= {"Tern", "Slate"}
    with pytest.raises(UnknownName):
        hop.context(QUESTION, collection="nowhere")
    with pytest.raises(UsageError, match="at least 100"):
        hop.context(QUESTION, 5, collection=corpus)
