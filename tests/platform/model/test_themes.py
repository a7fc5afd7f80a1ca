"""Distributions over themes."""

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.learned.topic_classifier import LEAST, Themes, distribution, softmax, through, unit


def test_chances_become_distributions_of_sum_1_and_no_theme_is_nought():
    spread = distribution(np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 0.0]]))
    assert spread.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert spread[0] == pytest.approx([0.5, 0.25, 0.25])
    assert spread[1] == pytest.approx([1 / 3] * 3)
    assert distribution(np.array([[1.0, 0.0]]))[0, 1] == pytest.approx(LEAST)


def test_order_by_cosine_of_unit_rows_is_order_by_their_distance():
    rows = unit(distribution(np.random.default_rng(1).random((50, 8))))
    asked, others = rows[0], rows[1:]
    by_cosine, by_distance = np.argsort(-others @ asked), np.argsort(np.linalg.norm(others - asked, axis=1))
    assert by_cosine.tolist() == by_distance.tolist()


def test_a_network_is_linear_layers_with_relu_between():
    network = [(np.array([[1.0, -1.0]]), np.array([0.0])), (np.array([[2.0]]), np.array([1.0]))]
    assert through(network, np.array([[3.0, 1.0], [1.0, 3.0]])).tolist() == [[5.0], [1.0]]


def test_softmax_of_great_numbers_is_finite():
    assert softmax(np.array([[1000.0, 1000.0]], dtype=np.float32)).tolist() == [[0.5, 0.5]]


def test_what_is_expected_of_an_answer_goes_through_the_shifter():
    head = [(np.eye(2, dtype=np.float32) * 9, np.zeros(2, dtype=np.float32))]
    swap = [(np.array([[0, 9], [9, 0]], dtype=np.float32), np.zeros(2, dtype=np.float32))]
    themes = Themes(["rock", "bird"], head, swap)
    vectors = np.array([[1.0, -1.0]], dtype=np.float32)
    assert themes(vectors=vectors).argmax() == 0
    assert themes(vectors=vectors, expected=True).argmax() == 1


def test_vectors_of_another_embedder_are_refused():
    themes = Themes(["a"], [(np.zeros((1, 4)), np.zeros(1))], [])
    with pytest.raises(UsageError, match=r"length 4 \(got 3\)"):
        themes(vectors=np.zeros((1, 3)))
