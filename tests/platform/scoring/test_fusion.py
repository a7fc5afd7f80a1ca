import pytest

from hopline.scoring.fusion import reciprocal_rank_fusion, scaled_sum


def test_an_id_of_both_lists_gets_both_reciprocal_ranks():
    ids, scores = reciprocal_rank_fusion([["a", "b"], ["b", "c"]])
    assert ids == ["b", "a", "c"]
    assert scores == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])


def test_equal_scores_are_ordered_by_id():
    assert reciprocal_rank_fusion([["z"], ["a"]])[0] == ["a", "z"]


def test_an_id_counts_once_per_list():
    ids, scores = reciprocal_rank_fusion([["a", "a", "b"]])
    assert ids == ["a", "b"]
    assert scores == pytest.approx([1 / 61, 1 / 62])


def test_scores_are_scaled_by_the_best_of_their_list():
    total = scaled_sum([(0.6, {"a": 0.5, "b": 0.25}), (0.4, {"b": 8.0, "c": -1.0}), (1.0, {})])
    assert total == pytest.approx({"a": 0.6, "b": 0.3 + 0.4, "c": 0.0})
