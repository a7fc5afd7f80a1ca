"""Triples of three passages; the beam and its fusion are computed by hand."""

import pytest

from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.strategies import load_strategy

QUESTION, EAST = "harbour", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "harbour one", [1, 0, 0, 0])
    graph.passage("b", "nothing like it", [0, 1, 0, 0], "two.pdf")
    graph.passage("c", "nor this", [0, 0, 1, 0], "two.pdf")
    graph.triple("a", "Vale", "built", "the harbour", [1, 0, 0, 0])
    graph.triple("b", "Vale", "studied in", "Trondheim", [0.6, 0.8, 0, 0])
    graph.triple("c", "Orre", "exports", "slate", [0, 0, 1, 0])
    return graph


def test_the_beam_finds_evidence_that_shares_an_entity_of_a_triple(graph):
    ranking = graph.rank("naive_ge:base=text", QUESTION, EAST)
    assert graph.keys(ranking.ids) == ["a", "b"]  # c shares nothing with a
    # a: first of the base list and of the beam; b: second of the beam
    assert ranking.scores == pytest.approx((2 / 61, 1 / 62))


def test_the_path_goes_over_both_triples_and_the_shared_entity(graph):
    ranking = graph.rank("naive_ge:base=text", QUESTION, EAST)
    edges = [step.edge for step in ranking.paths[graph.id("b")]]
    assert edges == ["STATES", "SUBJECT", "SUBJECT", "STATES"]
    assert ranking.paths[graph.id("b")][1].target.name == "Vale"
    assert graph.id("a") not in ranking.paths


def test_the_triples_of_a_path_have_their_confidence(graph):
    graph.triple("b", "Vale", "owned", "a mill", [0.9, 0.4, 0, 0], confidence=0.35)
    graph.embedder.known[QUESTION] = EAST
    flow = retrieve_evidence(load_strategy("naive_ge:base=text"), QUESTION, 5)
    retrieval = run(flow, Services(graph.store, graph.embedder), Scope(graph.collection)).result
    steps = retrieval.find_path(graph.id("b")).steps
    triples = [step.target for step in steps if step.target.kind == "triple"]
    assert [(node.name, node.uncertain) for node in triples] == [
        ("Vale built the harbour", False), ("Vale owned a mill", True),
    ]  # fmt: skip
    assert triples[1].confidence == 0.35


def test_the_result_is_the_base_list_if_every_beam_ends(graph):
    ranking = graph.rank("naive_ge:base=text", "nor this", [0, 0, 1, 0])
    assert graph.keys(ranking.ids)[0] == "c"
    assert ranking.paths == {}


def test_length_one_only_reorders_the_base_list(graph):
    assert graph.keys(graph.rank("naive_ge:base=text,length=1", QUESTION, EAST).ids) == ["a"]


def test_a_third_triple_follows_the_second(graph):
    graph.triple("c", "Trondheim", "imports", "slate", [0.5, 0, 0.5, 0])
    ranking = graph.rank("naive_ge:base=text,length=3", QUESTION, EAST)
    assert set(graph.keys(ranking.ids)) == {"a", "b", "c"}
    assert len(ranking.paths[graph.id("c")]) == 6  # STATES, two edges to each next triple, STATES


def test_an_entity_of_too_many_triples_is_not_followed(graph):
    assert graph.keys(graph.rank("naive_ge:base=text,hub=1", QUESTION, EAST).ids) == ["a"]


@pytest.mark.parametrize(("options", "extended"), [("", {"n1", "y"}), (",diverse=false", {"n1", "n2"})])
def test_without_diversity_one_beam_may_give_all_extensions(graph, options, extended):
    graph.passage("x", "harbour two", [0, 1, 0, 0], "three.pdf")
    graph.triple("x", "Ekberg", "left", "the quay", [0.9, 0.436, 0, 0])
    for key, vector in {"n1": [0.81, 0.586, 0, 0], "n2": [0.8, 0.6, 0, 0]}.items():
        graph.passage(key, "far", [0, 0, 0, 1], "four.pdf")
        graph.triple(key, "Vale", f"wrote {key}", "letters", vector)
    graph.passage("y", "far", [0, 0, 0, 1], "four.pdf")
    graph.triple("y", "Ekberg", "sold", "timber", [0.75, 0.66, 0, 0])
    ranking = graph.rank(f"naive_ge:base=text,beam=2{options}", QUESTION, EAST)
    # sums: n1 and n2 1 + .95, y .9 + .83; the second of a beam is weighted by e^(-1/4)
    assert set(graph.keys(ranking.ids)) == {"a", "x"} | extended
