"""Five passages on a circle of cosines; one is about an entity that the first mentions."""

import pytest

QUESTION, EAST = "Who directed Blind Shaft's rival?", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "The rival, directed by Ada Wong, won.", [1, 0, 0, 0])
    graph.passage("b", "beta", [0.9, 0.4359, 0, 0])
    graph.passage("c", "She was born in Xi'an.", [0, 1, 0, 0])
    graph.passage("d", "delta", [0, 0, 1, 0], "two.pdf")
    graph.passage("e", "epsilon", [0.1, 0, 0.995, 0], "two.pdf")
    return graph


def edges(ranking, id):
    return [step.edge for step in ranking.paths.get(id, ())]


def test_evidence_about_a_mentioned_entity_is_ranked_before_similar_evidence(graph):
    graph.entity("Ada Wong", "a")
    graph.about("c", "Ada Wong")
    ranking = graph.rank("hopline", QUESTION, EAST)
    assert set(graph.keys(ranking.ids)[:2]) == {"a", "c"}
    assert graph.keys(graph.rank("dense", QUESTION, EAST).ids)[:2] == ["a", "b"]


@pytest.mark.parametrize("strategy", ["hopline", "ras"])
def test_a_mention_without_a_span_is_a_link(graph, strategy):
    graph.entity("Ada Wong", "a", spans=[])
    graph.about("c", "Ada Wong")
    assert "c" in graph.keys(graph.rank(strategy, QUESTION, EAST).ids)[:3]


def test_the_path_is_the_link(graph):
    graph.entity("Ada Wong", "a")
    graph.about("c", "Ada Wong")
    ranking = graph.rank("hopline", QUESTION, EAST)
    assert graph.id("a") not in ranking.paths
    assert [(step.source.id, step.edge, step.target.id) for step in ranking.paths[graph.id("c")]] == [
        (graph.id("a"), "MENTIONS", graph.entity("Ada Wong")),
        (graph.entity("Ada Wong"), "ABOUT", graph.id("c")),
    ]


def test_a_path_starts_at_an_entity_of_the_question(graph):
    shaft = graph.entity("Blind Shaft", "e")
    graph.about("a", "Blind Shaft")
    graph.entity("Ada Wong", "a")
    graph.about("c", "Ada Wong")
    path = graph.rank("hopline", QUESTION, EAST).paths[graph.id("c")]
    assert [(step.source.id, step.edge) for step in path] == [
        (shaft, "ABOUT"),
        (graph.id("a"), "MENTIONS"),
        (graph.entity("Ada Wong"), "ABOUT"),
    ]


def test_evidence_about_each_other_gives_no_cyclic_path(graph):
    for key, name, other in (("a", "Ada Wong", "b"), ("b", "The Rival", "a")):
        graph.entity(name, key)
        graph.about(other, name)
    for path in graph.rank("hopline", QUESTION, EAST).paths.values():
        nodes = [path[0].source.id, *(step.target.id for step in path)]
        assert len(nodes) == len(set(nodes))


def test_words_of_the_question_around_a_mention_double_its_link(graph):
    graph.entity("Ada Wong", "a")
    graph.about("c", "Ada Wong")

    def score(spec):
        ranking = graph.rank(spec, QUESTION, EAST)
        return dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))["c"]

    assert score("hopline:overlap=1.0,parents=1") > score("hopline:overlap=0.0,parents=1")


def test_evidence_about_an_entity_of_the_question_is_boosted(graph):
    before = graph.keys(graph.rank("hopline", QUESTION, EAST).ids)
    graph.about("e", "Blind Shaft")
    after = graph.keys(graph.rank("hopline", QUESTION, EAST).ids)
    assert before.index("e") > after.index("e") == 1


def test_without_edges_the_order_is_that_of_hybrid_search(graph):
    ranking = graph.rank("hopline", QUESTION, EAST)
    assert graph.keys(ranking.ids)[:2] == graph.keys(graph.rank("hybrid:fuse=sum", QUESTION, EAST).ids)[:2]
    assert ranking.paths == {}


def test_a_hub_links_no_evidence(graph):
    graph.entity("Europe", "a", "b", "c", "d", "e")
    near = graph.rank("hopline", QUESTION, EAST)
    assert graph.keys(near.ids)[:2] == ["a", "b"]


def test_a_question_without_similar_evidence_still_gives_evidence(graph):
    assert len(graph.rank("hopline", "Who?", [0, 0, 0, 1], k=3).ids) == 3
    assert len(graph.rank("hopline", "Who?", [-1, -1, -1, 0], k=3).ids) == 3


def test_evidence_with_unmatched_terms_of_the_question_is_ranked_earlier(graph):
    graph.passage("f", "The rival was directed. It directed its rival.", [0.95, 0.3122, 0, 0], "three.pdf")
    graph.passage(
        "g", "Moles are blind, and live under the ground for all of their days.", [0.3, 0.954, 0, 0], "three.pdf"
    )
    plain = graph.keys(graph.rank("hopline:cover=0", QUESTION, EAST).ids)
    covering = graph.keys(graph.rank("hopline:cover=50", QUESTION, EAST).ids)  # no other score counts beside it
    assert "g" not in plain[:2]
    assert "g" in covering[:2]
