import pytest

from hopline.scoring.pagerank import personalised_pagerank

EDGES = [("a", "X"), ("b", "X"), ("b", "Y"), ("c", "Y")]


def test_two_rounds_give_the_scores_computed_by_hand():
    # round 1: X gets half of a's 1 halved: a .5, X .5; round 2: a = .5 (.5 / 2) + .5 = .625, b = .125, X = .25
    shares = personalised_pagerank(EDGES, {"a": 1.0}, rounds=2)
    assert shares == pytest.approx({"a": 0.625, "b": 0.125, "c": 0.0, "X": 0.25, "Y": 0.0})


def test_scores_sum_to_one_and_nearer_nodes_have_higher_scores():
    shares = personalised_pagerank(EDGES, {"a": 3.0, "X": 1.0})
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares["a"] > shares["b"] > shares["c"] > 0


def test_a_restart_node_without_edges_has_its_restart_score_only():
    assert personalised_pagerank(EDGES, {"lone": 1.0}, rounds=3)["lone"] == pytest.approx(0.5)


def test_without_edges_and_restart_the_result_is_empty():
    assert personalised_pagerank([], {}) == {}
    assert personalised_pagerank(EDGES, {}) == {}
    assert personalised_pagerank([], {"a": 1.0}, rounds=1) == {"a": 0.5}
