"""Which gold lies within how many hops, on a chain of four passages."""

import pytest

from hopline.errors import UnknownName
from hopline.evaluation import Question
from hopline.evaluation.graph_quality import Reached, quality, reached_by
from hopline.flow.run import run
from hopline.flow.services import Scope, World
from hopline.strategies.kgp import joined


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
    flow = reached_by(Question("1", "Where is the harbour?", gold=gold), joined(name))
    return run(flow, World(graph.store, graph.embedder), Scope(graph.collection)).result


def test_each_hop_reaches_what_the_last_one_joins(graph):
    assert counts(graph, "entities", "a", "c") == [(1, 2, 1), (1, 2, 2), (2, 2, 3)]
    assert counts(graph, "similar", "a", "d") == [(1, 2, 1), (2, 2, 2), (2, 2, 2)]


def test_figures_are_means_over_questions():
    found = quality([[(1, 2, 1), (2, 2, 4)], [(0, 0, 2), (0, 0, 2)]])
    assert found == [Reached(0, 0.0, 0.25, 0.5, 1.5), Reached(1, 0.5, 0.5, 0.25, 3.0)]


def test_an_unknown_graph_is_named_beside_those_there_are():
    with pytest.raises(UnknownName, match="entities, keywords, mdr, similar"):
        joined("tagme")
