"""Coverage of the terms of the question."""

import numpy as np
import pytest

from hopline.scoring.query_coverage import compute_term_weights, match_terms, raise_for_coverage


def test_terms_are_matched_by_stems_and_numbers():
    texts = ["Ada Wong wrote Blind Shaft in 1998.", "Blind Shaft was directed by Li Yang.", "Nothing of the kind."]
    matches = match_terms(
        "Who directed the film that Ada Wong wrote in 1998?", texts
    )  # 1998, ada, direct, film, wong, wrote
    assert matches.shape == (3, 6)
    assert matches.sum(axis=1).tolist() == [4, 1, 0]
    assert match_terms("Who is it?", texts).shape == (3, 0)
    assert match_terms("Who directed it?", []).shape == (0, 1)


def test_rarer_terms_have_higher_weights():
    weights = compute_term_weights(np.array([[True, True, False], [True, False, False]]))
    assert weights[0] < weights[1] < weights[2]
    assert weights.sum() == pytest.approx(1)


def test_texts_that_match_new_terms_are_ranked_earlier():
    matches = np.array([[True, False], [True, False], [False, True]])
    raised = raise_for_coverage(np.array([3.0, 2.9, 2.0]), matches, 2.0)
    rare, rarer = compute_term_weights(matches)
    assert raised.tolist() == pytest.approx([3.0 + 2 * rare, 2.9, 2.0 + 2 * rarer])
    assert raised.argsort().tolist() == [1, 2, 0]


def test_a_term_raises_one_text():
    random = np.random.default_rng(5)
    matches = random.uniform(size=(30, 6)) < 0.4
    scores = random.uniform(0, 3.5, 30)
    raised = raise_for_coverage(scores, matches, 2.5)
    assert (raised >= scores).all()
    assert (raised - scores).sum() == pytest.approx(2.5)
    assert raise_for_coverage(np.zeros(0), np.zeros((0, 0), dtype=bool), 2.5).tolist() == []


def test_without_weight_or_terms_scores_are_unchanged():
    matches = np.array([[False], [True]])
    assert raise_for_coverage(np.array([1.0, 0.5]), matches, 0.0).tolist() == [1.0, 0.5]
    assert raise_for_coverage(np.array([1.0, 0.5]), np.zeros((2, 0), dtype=bool), 2.5).tolist() == [1.0, 0.5]
