import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.scoring.pagerank import compute_personalized_pagerank

EDGES = [("a", "X"), ("b", "X"), ("b", "Y"), ("c", "Y")]


def test_scores_are_those_solved_by_hand():
    # a = X/4 + 1/2, X = a/2 + b/4, b = X/4 + Y/4, Y = b/4 + c/2, c = Y/4
    scores = compute_personalized_pagerank(EDGES, {"a": 1.0})
    solved = {"a": 97, "X": 52, "b": 14, "Y": 4, "c": 1}
    assert scores == pytest.approx({node: score / 168 for node, score in solved.items()}, abs=1e-9)


@pytest.mark.parametrize("damping", [0.0, 0.5, 0.9, 0.99, 0.999])
def test_scores_solve_the_equation_of_pagerank(damping):
    scores = compute_personalized_pagerank(EDGES, {"a": 1.0, "Y": 2.0}, damping=damping)
    nodes = sorted(scores)
    steps = np.zeros((len(nodes), len(nodes)))
    for first, second in EDGES:
        steps[nodes.index(first), nodes.index(second)] = steps[nodes.index(second), nodes.index(first)] = 1.0
    steps /= steps.sum(axis=0)
    restart = np.array([{"a": 1.0, "Y": 2.0}.get(node, 0.0) / 3.0 for node in nodes])
    solution = np.linalg.solve(np.eye(len(nodes)) - damping * steps, (1 - damping) * restart)
    assert [scores[node] for node in nodes] == pytest.approx(solution.tolist(), abs=1e-8)


def test_scores_sum_to_one_and_nearer_nodes_have_higher_scores():
    shares = compute_personalized_pagerank(EDGES, {"a": 3.0, "X": 1.0})
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares["a"] > shares["b"] > shares["c"] > 0


def test_a_node_without_edges_returns_its_mass_to_the_restart_nodes():
    scores = compute_personalized_pagerank([("a", "b")], {"lone": 1.0, "a": 1.0})
    # lone = r/2, a = b/2 + r/2, b = a/2, where r = 1/2 + lone/2 is the mass that restarts
    assert scores == pytest.approx({"lone": 3 / 9, "a": 4 / 9, "b": 2 / 9}, abs=1e-9)
    assert sum(scores.values()) == pytest.approx(1.0)


def test_nodes_without_edges_do_not_change_the_order_of_other_nodes():
    alone = compute_personalized_pagerank(EDGES, {"a": 1.0, "Y": 2.0})
    beside = compute_personalized_pagerank(EDGES, {"a": 1.0, "Y": 2.0, "lone": 3.0})
    ratios = {beside[node] / score for node, score in alone.items()}
    assert max(ratios) == pytest.approx(min(ratios))


@pytest.mark.parametrize("damping", [-0.1, 0.9999, 1.0, float("nan")])
def test_a_damping_outside_its_range_is_an_error(damping):
    with pytest.raises(UsageError, match=r"must be in \[0, 0.999\]"):
        compute_personalized_pagerank(EDGES, {"a": 1.0}, damping=damping)


def test_without_edges_and_restart_the_result_is_empty():
    assert compute_personalized_pagerank([], {}) == {}
    assert compute_personalized_pagerank(EDGES, {}) == {}
    assert compute_personalized_pagerank([], {"a": 1.0}) == {"a": 1.0}
