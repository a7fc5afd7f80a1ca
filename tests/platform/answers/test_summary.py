import pytest

from hopline.answers.pipeline import answer_question
from hopline.flow.run import run
from hopline.flow.services import Services
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.strategies import load_strategy

MILLS = "The mills of the Orla valley were built by three families over two centuries."
WEATHER = "Rain fell on the valley during most of the autumn that year, as it often does."
TRADE = "Flour from the mills of the valley was sold in all the towns along the river."


def ask(graph, question, *documents):
    retrieval = retrieve_evidence(load_strategy("bm25"), "mills of the valley", 10, collection=graph.name)
    services, scope = Services(graph.store, graph.embedder, models=ModelRegistry(BUNDLED)), graph.scope(*documents)
    return run(answer_question(question, lambda _: retrieval), services, scope).result


@pytest.fixture
def valley(tiny):
    graph = tiny()
    graph.passage("weather", WEATHER, [0, 0, 1, 0])
    graph.passage("mills", MILLS, [1, 0, 0, 0])
    graph.passage("trade", TRADE, [0, 1, 0, 0])
    graph.similar("mills", "trade", 0.9)
    graph.similar("weather", "mills", 0.2)
    return graph


def test_the_first_sentences_of_the_most_central_passages_are_cited(valley):
    answer = ask(valley, "What is this document about?")
    assert not answer.abstained
    quotes = [sentence.citations[0].quote for sentence in answer.sentences]
    assert set(quotes) == {MILLS, TRADE, WEATHER}
    valley.passage(
        "other", "Another document speaks of the mills and of nothing else at all, at length.", [0, 0, 0, 1], "b.pdf"
    )
    both = ask(valley, "What are these documents about?")
    quoted = {sentence.citations[0].document: sentence.citations[0].quote for sentence in both.sentences}
    assert set(quoted) == {"b.pdf", "one.pdf"}
    assert quoted["one.pdf"] == MILLS


def test_a_section_that_is_not_there_is_not_summarised(valley):
    assert ask(valley, "Summarise section 7.").abstained
