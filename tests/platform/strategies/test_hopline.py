"""Five passages on a circle of cosines; what the first mentions, another is about."""

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
    return [step.edge for step in ranking.ways.get(id, ())]


def test_what_the_best_mentions_comes_before_what_is_merely_alike(graph):
    graph.entity("Ada Wong", "a")
    graph.about("c", "Ada Wong")
    ranking = graph.rank("hopline", QUESTION, EAST)
    assert set(graph.keys(ranking.ids)[:2]) == {"a", "c"}
    assert graph.keys(graph.rank("dense", QUESTION, EAST).ids)[:2] == ["a", "b"]


@pytest.mark.parametrize("strategy", ["hopline", "ras"])
def test_a_mention_without_a_place_in_the_text_leads_on_all_the_same(graph, strategy):
    graph.entity("Ada Wong", "a", spans=[])
    graph.about("c", "Ada Wong")
    assert "c" in graph.keys(graph.rank(strategy, QUESTION, EAST).ids)[:3]


def test_the_link_is_the_way(graph):
    graph.entity("Ada Wong", "a")
    graph.about("c", "Ada Wong")
    ranking = graph.rank("hopline", QUESTION, EAST)
    assert graph.id("a") not in ranking.ways
    assert [(step.source.id, step.edge, step.target.id) for step in ranking.ways[graph.id("c")]] == [
        (graph.id("a"), "MENTIONS", graph.entity("Ada Wong")),
        (graph.entity("Ada Wong"), "ABOUT", graph.id("c")),
    ]


def test_a_way_begins_at_what_the_question_names(graph):
    shaft = graph.entity("Blind Shaft", "e")
    graph.about("a", "Blind Shaft")
    graph.entity("Ada Wong", "a")
    graph.about("c", "Ada Wong")
    way = graph.rank("hopline", QUESTION, EAST).ways[graph.id("c")]
    assert [(step.source.id, step.edge) for step in way] == [
        (shaft, "ABOUT"),
        (graph.id("a"), "MENTIONS"),
        (graph.entity("Ada Wong"), "ABOUT"),
    ]


def test_two_that_are_about_each_other_lead_in_no_circle(graph):
    for one, name, other in (("a", "Ada Wong", "b"), ("b", "The Rival", "a")):
        graph.entity(name, one)
        graph.about(other, name)
    for way in graph.rank("hopline", QUESTION, EAST).ways.values():
        nodes = [way[0].source.id, *(step.target.id for step in way)]
        assert len(nodes) == len(set(nodes))


def test_words_of_the_question_beside_a_mention_double_its_link(graph):
    graph.entity("Ada Wong", "a")
    graph.about("c", "Ada Wong")

    def score(spec):
        ranking = graph.rank(spec, QUESTION, EAST)
        return dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))["c"]

    assert score("hopline:asked=1.0,parents=1") > score("hopline:asked=0.0,parents=1")


def test_evidence_about_what_the_question_names_is_raised(graph):
    before = graph.keys(graph.rank("hopline", QUESTION, EAST).ids)
    graph.about("e", "Blind Shaft")
    after = graph.keys(graph.rank("hopline", QUESTION, EAST).ids)
    assert before.index("e") > after.index("e") == 1


def test_without_any_edge_the_order_is_that_of_the_two_searches(graph):
    ranking = graph.rank("hopline", QUESTION, EAST)
    assert graph.keys(ranking.ids)[:2] == graph.keys(graph.rank("hybrid:fuse=sum", QUESTION, EAST).ids)[:2]
    assert ranking.ways == {}


def test_a_hub_joins_nothing(graph):
    graph.entity("Europe", "a", "b", "c", "d", "e")
    near = graph.rank("hopline", QUESTION, EAST)
    assert graph.keys(near.ids)[:2] == ["a", "b"]


def test_a_question_like_nothing_that_was_read_still_gives_evidence(graph):
    assert len(graph.rank("hopline", "Who?", [0, 0, 0, 1], k=3).ids) == 3
    assert len(graph.rank("hopline", "Who?", [-1, -1, -1, 0], k=3).ids) == 3


def test_what_says_words_of_the_question_that_none_before_it_does_comes_earlier(graph):
    graph.passage("f", "The rival was directed. It directed its rival.", [0.95, 0.3122, 0, 0], "three.pdf")
    graph.passage(
        "g", "Moles are blind, and live under the ground for all of their days.", [0.3, 0.954, 0, 0], "three.pdf"
    )
    plain = graph.keys(graph.rank("hopline:cover=0", QUESTION, EAST).ids)
    covering = graph.keys(graph.rank("hopline:cover=50", QUESTION, EAST).ids)  # no other score counts beside it
    assert "g" not in plain[:2]
    assert "g" in covering[:2]
