"""The statements of the answer on a real server, over two passages that mention the same name."""

import pytest

from hopline.answers.pipeline import answer_question
from hopline.flow.requests import fetch
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.learned.registry import BUNDLED, ModelRegistry
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.strategies import load_strategy

PLANT = "The Brackwater Plant is operated by Tidewell Utilities."
FOUNDED = "Tidewell Utilities was founded by Maud Kerrigan in 1987."
QUESTION = "Who founded the company that operates the Brackwater Plant?"


def tidewell(tiny):
    graph = tiny()
    graph.passage("plant", PLANT, [1, 0, 0, 0])
    graph.passage("next", "It opened in 2003.", [0, 1, 0, 0])
    graph.passage("founded", FOUNDED, [0, 0, 1, 0], "two.pdf")
    graph.follow("plant", "next")
    mention(graph, "Tidewell Utilities", "ORG", plant=PLANT, founded=FOUNDED)
    mention(graph, "Maud Kerrigan", "PERSON", founded=FOUNDED)
    return graph


def mention(graph, name, kind, **texts):
    """Write the entity of a name with its mentions in these texts."""
    spans = {key: (text.find(name), text.find(name) + len(name)) for key, text in texts.items()}
    graph.entity_at(name, spans, kind=kind)


def run_flow(graph, flow, scope=None):
    return run(
        flow, Services(graph.store, graph.embedder, models=ModelRegistry(BUNDLED)), scope or Scope(graph.collection)
    ).result


def send_request(request):
    return (yield request)


def test_expansion_follows_mentions_within_the_scope_and_skips_hubs(tiny):
    graph = tidewell(tiny)
    entity = graph.entity("Tidewell Utilities")

    def list_evidence(hub, *documents):
        request = fetch("answering/evidence_mentioning", entities=[entity], hub=hub)
        return graph.keys(run_flow(graph, send_request(request), graph.scope(*documents))["id"])

    assert list_evidence(30) == ["founded", "plant"]
    assert list_evidence(1) == []
    assert list_evidence(30, "two.pdf") == ["founded"]


def test_an_answer_uses_evidence_that_only_the_graph_leads_to(tiny):
    graph = tidewell(tiny)
    spec = "bm25"
    retrieval = retrieve_evidence(load_strategy(spec), "Brackwater Plant operates", 1, collection=graph.name)
    answer = run_flow(graph, answer_question(QUESTION, lambda _: retrieval))
    assert answer.sentences[0].citations[0].quote == FOUNDED
    assert graph.keys([evidence.id for evidence in answer.retrieval.evidence]) == ["plant"]
    assert graph.keys([evidence.id for evidence in answer.additional_evidence]) == ["founded"]
    assert [node.name for node in answer.sentences[0].citations[0].path.nodes][1] == "Tidewell Utilities"


@pytest.mark.parametrize("spec", ["bm25", "hopline"])
def test_the_retrieval_of_an_answer_is_that_of_the_strategy(tiny, spec):
    graph = tidewell(tiny)
    retrieve = lambda: retrieve_evidence(load_strategy(spec), "Brackwater Plant operates", 1, collection=graph.name)  # noqa: E731
    answer = run_flow(graph, answer_question(QUESTION, lambda _: retrieve()))
    assert answer.retrieval == run_flow(graph, retrieve())
    assert answer.sentences[0].citations[0].evidence in answer.evidence


def test_added_evidence_has_its_own_paths_and_no_score(tiny):
    graph = tidewell(tiny)
    retrieval = retrieve_evidence(load_strategy("bm25"), "Brackwater Plant operates", 1, collection=graph.name)
    answer = run_flow(graph, answer_question(QUESTION, lambda _: retrieval))
    [looked_up] = answer.additional_evidence
    [path] = answer.additional_paths
    assert (looked_up.score, path.evidence) == (0.0, looked_up.id)
    assert answer.find_path(looked_up.id) == answer.sentences[0].citations[0].path == path


def test_each_part_of_a_question_has_its_own_retrieval(tiny):
    graph = tidewell(tiny)
    graph.passage("mill", "The Sandmere Mill was sold for 40,000 crowns in 1956.", [0, 0, 0, 1], "three.pdf")
    asked_for = []

    def retrieve(question):
        asked_for.append(question)
        words = "sandmere mill sold" if "Mill" in question else "tidewell founded"
        return retrieve_evidence(load_strategy("bm25"), words, 1, collection=graph.name)

    parts = ["Who founded Tidewell Utilities?", "When was the Sandmere Mill sold?"]
    answer = run_flow(
        graph, answer_question("Who founded Tidewell Utilities and when was the Sandmere Mill sold?", retrieve)
    )
    assert asked_for[1:] == parts
    assert answer.short == "Maud Kerrigan; 1956"
    assert {evidence.document for evidence in answer.evidence} >= {"two.pdf", "three.pdf"}
    assert all(citation.path is not None for sentence in answer.sentences for citation in sentence.citations)


LIVES = {
    "ada": "Ada Thorne was born on 3 May 1901. Ada Thorne founded the Gull Press with her sister.",
    "ben": "Ben Rask was born on 9 June 1911. He ran 14 lighthouses for the Coast Office.",
    "press": "The Gull Press was sold to Morrow Brothers in 1956 for 40,000 crowns.",
}


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Who founded the Gull Press?", "Ada Thorne"),
        ("Who was born first, Ada Thorne or Ben Rask?", "Ada Thorne"),
        ("How many lighthouses did Ben Rask run?", "14"),
        ("Was Ben Rask born before Ada Thorne?", "no"),
        ("When was the Gull Press sold to Morrow Brothers?", "1956"),
    ],
    ids=["query", "comparison", "count", "boolean", "qualifier"],
)
def test_each_type_of_question_is_answered_over_a_graph_of_evidence(tiny, question, short):
    graph = tiny()
    for index, (key, text) in enumerate(LIVES.items()):
        graph.passage(key, text, [0.6, *([0.0] * index), 0.8, *([0.0] * (2 - index))], f"{key}.pdf")
    mention(graph, "Gull Press", "ORG", ada=LIVES["ada"], press=LIVES["press"])
    mention(graph, "Ada Thorne", "PERSON", ada=LIVES["ada"])
    graph.embedder.known[question] = [1, 0, 0, 0]
    spec = "graph_hop"
    retrieval = retrieve_evidence(load_strategy(spec), question, 10, collection=graph.name)
    answer = run_flow(graph, answer_question(question, lambda _: retrieval))
    assert answer.retrieval.graph.edges
    assert answer.short == short
