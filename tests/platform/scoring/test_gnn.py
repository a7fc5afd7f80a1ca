import pytest

from hopline.scoring.gnn import propagate, select_nearest

DISTANCES = {"a": 0.2, "b": 0.4, "c": 0.9, "d": 0.7, "e": 0.4}


def test_the_nearest_are_ordered_by_distance_and_then_by_id():
    assert select_nearest(DISTANCES, 3) == ["a", "b", "e"]


def test_a_neighbour_receives_its_fraction_of_the_smallest_message():
    edges = [("a", "c"), ("b", "c"), ("b", "d")]
    updated = propagate(DISTANCES, edges, alpha=0.5)
    assert updated["c"] == pytest.approx(0.5 * 0.9 + 0.5 * 0.2)
    assert updated["d"] == pytest.approx(0.5 * 0.7 + 0.5 * 0.4)


def test_a_node_without_a_neighbour_in_t_keeps_its_distance():
    assert propagate(DISTANCES, [("a", "c")], alpha=0.5)["d"] == 0.7


def test_the_distance_of_the_best_node_may_rise():
    assert propagate(DISTANCES, [("b", "a")], alpha=0.5)["a"] == pytest.approx(0.3)


def test_messages_are_the_distances_before_the_layer():
    updated = propagate({"a": 0.2, "b": 0.6}, [("a", "b"), ("b", "a")], alpha=0.5)
    assert updated == pytest.approx({"a": 0.4, "b": 0.4})


def test_the_mean_message_counts_each_neighbour_once():
    edges = [("a", "c"), ("a", "c"), ("b", "c")]
    assert propagate(DISTANCES, edges, 0.5, "mean")["c"] == pytest.approx(0.5 * 0.9 + 0.5 * 0.3)
