"""Three passages with a triple each; PageRank scores are computed by hand."""

import pytest

QUESTION, EAST = "Where stands what Ada Wong built?", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "alpha", [0, 1, 0, 0])
    graph.passage("b", "beta", [0, 0.8, 0.6, 0], "two.pdf")
    graph.passage("c", "gamma", [1, 0, 0, 0], "two.pdf")
    graph.triple("a", "Ada Wong", "built", "Skarv Bridge", [1, 0, 0, 0])
    graph.triple("b", "Skarv Bridge", "stands in", "Halm", [1, 0, 0, 0])
    graph.triple("c", "Bo", "likes", "Tea House", [1, 0, 0, 0])
    return graph


def scores(graph, spec="hipporag", question=QUESTION):
    ranking = graph.rank(spec, question, EAST)
    return dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))


def test_evidence_scores_the_pagerank_of_the_entities_of_its_triples(graph):
    # Ada = 1/2 + Skarv/4, Skarv = (Ada + Halm)/2, Halm = Skarv/4: 7/12, 4/12, 1/12
    pageranks = scores(graph)
    assert list(pageranks) == ["a", "b", "c"]
    assert pageranks == pytest.approx({"a": 11 / 12, "b": 5 / 12, "c": 0.0}, abs=1e-3)


def test_an_entity_of_too_many_triples_is_not_followed(graph):
    assert list(scores(graph)) == ["a", "b", "c"]
    assert list(scores(graph, "hipporag:hub=1")) == ["a", "c", "b"]


def test_a_question_without_entities_gets_the_dense_list(graph):
    ranking = graph.rank("hipporag", "what?", EAST)
    assert ranking.ids == graph.rank("dense", "what?", EAST).ids
    assert ranking.paths == {}


def test_triples_that_only_other_documents_lead_to_are_outside_the_scope(graph):
    graph.triple("c", "Ada Wong", "drew", "Harbour Tower", [1, 0, 0, 0])  # of two.pdf
    graph.passage("d", "delta", [0, 0, 1, 0])
    graph.triple("d", "Harbour Tower", "opened in", "1931", [1, 0, 0, 0])
    question = {"entities": [graph.entity("Ada Wong")], "hub": 100, "limit": 100}
    everywhere = graph.store.fetch("hipporag/facts", question, graph.scope())
    assert sorted(graph.keys(everywhere["evidence"])) == ["a", "b", "c", "d"]
    assert graph.keys(graph.store.fetch("hipporag/facts", question, graph.scope("one.pdf"))["evidence"]) == ["a"]


def test_the_path_goes_from_the_entity_over_the_triples(graph):
    paths = graph.rank("hipporag", QUESTION, EAST).paths
    assert [(step.source.id, step.edge) for step in paths[graph.id("a")]] == [
        (graph.entity("Ada Wong"), "SUBJECT"),
        (paths[graph.id("a")][0].target.id, "STATES"),
    ]
    assert [step.edge for step in paths[graph.id("b")]] == ["SUBJECT", "OBJECT", "SUBJECT", "STATES"]
    assert graph.id("c") not in paths


def test_only_ranked_evidence_has_a_path(graph):
    ranking = graph.rank("hipporag", QUESTION, EAST, k=1)
    assert graph.keys(ranking.ids) == ["a"]
    assert set(ranking.paths) == {graph.id("a")}


def test_a_triple_stated_twice_is_a_heavier_edge(graph):
    graph.passage("d", "delta", [0, 0, 1, 0])
    graph.triple("d", "Ada Wong", "met", "Bo", [1, 0, 0, 0])
    before = scores(graph)
    graph.passage("e", "epsilon", [0, 0, 1, 0])
    graph.triple("e", "Ada Wong", "knew", "Bo", [1, 0, 0, 0])
    assert scores(graph)["d"] > before["d"]
    assert scores(graph)["a"] < before["a"]
