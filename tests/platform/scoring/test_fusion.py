import numpy as np
import pytest

from hopline.scoring.fusion import reciprocal_rank_fusion, scale_to_unit, sum_scaled

NAN = float("nan")


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
    cosines, bm25 = np.array([0.5, 0.25, NAN, NAN]), np.array([NAN, 8.0, -1.0, NAN])
    total = sum_scaled([(0.6, cosines), (0.4, bm25), (1.0, np.full(4, NAN))])
    assert total.tolist() == pytest.approx([0.6, 0.3 + 0.4, 0.0, NAN], nan_ok=True)
    assert sum_scaled([(1.0, np.array([-0.5, 0.0]))]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("scores", "scaled"),
    [([2.0, 4.0, 3.0, NAN], [0.0, 1.0, 0.5, 0.0]), ([3.0, 3.0], [0.0, 0.0]), ([NAN, NAN], [0.0, 0.0]), ([], [])],
)
def test_scores_are_scaled_from_the_lowest_to_the_highest(scores, scaled):
    assert scale_to_unit(np.array(scores)).tolist() == scaled
