"""Four passages on a circle of cosines; distances and messages are computed by hand."""

import pytest

QUESTION, EAST = "who?", [1, 0, 0, 0]


@pytest.fixture
def graph(tiny):
    # cosines to the question: a 1.0, b 0.8, c 0.6, d 0.0, e 0.6
    graph = tiny()
    graph.passage("a", "alpha", [1, 0, 0, 0])
    graph.passage("b", "beta", [0.8, 0.6, 0, 0])
    graph.passage("c", "gamma", [0.6, 0.8, 0, 0])
    graph.passage("d", "delta", [0, 1, 0, 0], "two.pdf")
    graph.passage("e", "epsilon", [0.6, 0, 0.8, 0], "two.pdf")
    graph.follow("b", "c")
    graph.entity("Ada", "a", "d")
    return graph


def test_neighbours_of_the_nearest_average_with_the_smallest_distance(graph):
    ranking = graph.rank("gnn_ret:nodes=2", QUESTION, EAST)
    scores = dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))
    # T = {a (0.0), b (0.2)}: d gets (1.0 + 0.0) / 2, c gets (0.4 + 0.2) / 2, all others stay
    assert scores == pytest.approx({"a": 1.0, "b": 0.8, "c": 0.7, "e": 0.6, "d": 0.5}, abs=1e-5)


def test_paths_follow_shared_entities_or_the_reading_order(graph):
    ranking = graph.rank("gnn_ret:nodes=2", QUESTION, EAST)
    over_entity = [(step.source.id, step.edge, step.target.name) for step in ranking.paths[graph.id("d")]]
    assert over_entity == [(graph.id("a"), "MENTIONS", "Ada"), (graph.entity("Ada"), "MENTIONS", "")]
    [step] = ranking.paths[graph.id("c")]
    assert (step.source.id, step.edge, step.target.id) == (graph.id("b"), "NEXT", graph.id("c"))
    assert graph.id("a") not in ranking.paths


def test_about_edges_link_evidence_like_mentions(graph):
    graph.entity("Bo", "a")
    graph.about("e", "Bo")
    ranking = graph.rank("gnn_ret:nodes=2", QUESTION, EAST)
    scores = dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))
    assert scores["e"] == pytest.approx(0.8, abs=1e-5)  # (0.4 + 0.0) / 2
    assert [step.edge for step in ranking.paths[graph.id("e")]] == ["MENTIONS", "ABOUT"]


@pytest.mark.parametrize(("kind", "joins"), [("ORG", True), ("NAME", True), ("NOUN", False), ("DATE", False)])
def test_names_link_evidence_and_common_nouns_and_dates_do_not(graph, kind, joins):
    graph.entity("live music", "a", "e", kind=kind)
    ranking = graph.rank("gnn_ret:nodes=2", QUESTION, EAST)
    assert (graph.id("e") in ranking.paths) is joins


def test_alpha_1_gives_the_dense_order(graph):
    ranking = graph.rank("gnn_ret:alpha=1.0", QUESTION, EAST)
    assert ranking.ids == graph.rank("dense", QUESTION, EAST).ids
    assert ranking.paths == {}


@pytest.mark.parametrize(("edges", "lower"), [("entities", {"d"}), ("position", {"c"}), ("all", {"c", "d"})])
def test_only_neighbours_over_the_chosen_edges_receive_a_message(graph, edges, lower):
    dense = dict(zip(*keys_and_scores(graph, graph.rank("dense", QUESTION, EAST)), strict=True))
    moved = dict(
        zip(*keys_and_scores(graph, graph.rank(f"gnn_ret:nodes=2,edges={edges}", QUESTION, EAST)), strict=True)
    )
    assert {key for key in dense if moved[key] > dense[key] + 1e-5} == lower


def keys_and_scores(graph, ranking):
    return graph.keys(ranking.ids), ranking.scores


def test_a_second_layer_selects_new_senders(graph):
    graph.follow("c", "e")
    ranking = graph.rank("gnn_ret:nodes=3,layers=2", QUESTION, EAST)
    scores = dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))
    # layer 1: T = a 0, b .2, c .4; b hears c: (.2+.4)/2 = .3, c hears b: .3, d hears a: .5, e hears c: (.4+.4)/2 = .4
    # layer 2: T = a 0, b .3, c .3; b hears c: .3, c hears b: .3, d hears a: .25, e hears c: .35
    assert scores == pytest.approx({"a": 1.0, "d": 0.75, "b": 0.7, "c": 0.7, "e": 0.65}, abs=1e-5)


def test_hubs_and_dates_do_not_link_evidence(graph):
    def scores(spec):
        ranking = graph.rank(spec, QUESTION, EAST)
        return dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))

    graph.entity("1931", "a", "e", kind="DATE")
    assert scores("gnn_ret:nodes=2")["e"] == pytest.approx(0.6, abs=1e-5)
    assert scores("gnn_ret:nodes=2,hub=1")["d"] == pytest.approx(0.0, abs=1e-5)


def test_the_mean_message_averages_over_the_senders(graph):
    graph.entity("Bo", "b", "d")
    ranking = graph.rank("gnn_ret:nodes=2,message=mean", QUESTION, EAST)
    scores = dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))
    assert scores["d"] == pytest.approx(1 - (0.5 * 1.0 + 0.5 * 0.1), abs=1e-5)


def test_a_hybrid_base_includes_full_text_search(graph):
    ranking = graph.rank("gnn_ret:base=hybrid,alpha=1.0", "delta", EAST)
    scores = dict(zip(graph.keys(ranking.ids), ranking.scores, strict=True))
    assert scores["d"] == pytest.approx(0.4, abs=1e-5)  # cosine 0, and the best of the words
    assert scores["b"] == pytest.approx(0.6 * 0.8, abs=1e-5)
