"""Gold within a number of hops, on a chain of four passages."""

import pytest

from hopline.errors import UnknownName
from hopline.evaluation import Question
from hopline.evaluation.graph_quality import (
    GraphDensity,
    Reachability,
    ReachCount,
    average_reach,
    measure_density,
    measure_reach,
)
from hopline.flow.run import run
from hopline.flow.services import Scope, Services
from hopline.retrieval.passage_graph import create_passage_graph


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "The harbour of Ansel.", [1, 0, 0, 0])
    graph.passage("b", "Built by Vale.", [0, 1, 0, 0], "two.pdf")
    graph.passage("c", "Taught in Bergen.", [0, 0, 1, 0], "three.pdf")
    graph.passage("d", "Rain.", [0, 0, 0, 1], "four.pdf")
    graph.entity("Vale", "a", "b")
    graph.entity("Bergen", "b", "c", kind="GPE")
    graph.similar("a", "d", 0.9)
    return graph


def counts(graph, name, *gold):
    flow = measure_reach(Question("1", "Where is the harbour?", gold=gold), create_passage_graph(name))
    return run(flow, Services(graph.store, graph.embedder), Scope(graph.collection)).result


def test_each_hop_reaches_the_neighbours_of_the_last(graph):
    # the seed a has the neighbour b, b has a and c
    assert counts(graph, "entities", "a", "c") == [(1, 2, 1, 0, 0), (1, 2, 2, 1, 1), (2, 2, 3, 2, 3)]
    assert counts(graph, "similar", "a", "d") == [(1, 2, 1, 0, 0), (2, 2, 2, 1, 1), (2, 2, 2, 2, 1)]


def test_gold_that_the_collection_lacks_is_never_complete(graph):
    reached = counts(graph, "similar", "a", "gone")
    assert [count[:3] for count in reached] == [(1, 2, 1), (1, 2, 2), (1, 2, 2)]
    assert [figures.complete for figures in average_reach([reached])] == [0.0, 0.0, 0.0]


def test_figures_are_means_over_questions():
    counts = [[ReachCount(1, 2, 1), ReachCount(2, 2, 4, 1, 5)], [ReachCount(0, 0, 2), ReachCount(0, 0, 2, 3, 1)]]
    assert average_reach(counts) == [Reachability(0, 0.0, 0.25, 0.5, 1.5), Reachability(1, 0.5, 0.5, 0.25, 3.0, 1.5)]


def test_the_error_for_an_unknown_graph_lists_the_known_ones():
    with pytest.raises(UnknownName, match="entities, keywords, mdr, similar"):
        create_passage_graph("tagme")


@pytest.mark.parametrize(("hub", "edges"), [(20, 2), (1, 0)])
def test_the_density_counts_each_pair_of_neighbours_once(graph, hub, edges):
    # a and b share Vale, b and c share Bergen; "similar" is no edge of this graph
    graph.entity("Bergen", "b", "c", kind="ORG")
    outcome = run(measure_density(hub), Services(graph.store, graph.embedder), Scope(graph.collection))
    assert outcome.result == GraphDensity(4, edges / 4)
    assert outcome.result.density == pytest.approx(edges / 6)


def test_a_graph_of_one_passage_has_no_density():
    assert GraphDensity(1, 0.0).density == 0.0
