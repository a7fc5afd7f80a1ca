"""Topic distributions and the classifier."""

import numpy as np
import pytest

from hopline.errors import UsageError
from hopline.learned.topic_classifier import (
    MIN_PROBABILITY,
    TopicClassifier,
    apply_network,
    normalize_probabilities,
)
from hopline.scoring.normalization import normalize_rows, softmax


def test_probabilities_become_distributions_and_no_topic_is_zero():
    topics = normalize_probabilities(np.array([[0.5, 0.25, 0.25], [0.0, 0.0, 0.0]]))
    assert topics.sum(axis=1) == pytest.approx([1.0, 1.0])
    assert topics[0] == pytest.approx([0.5, 0.25, 0.25])
    assert topics[1] == pytest.approx([1 / 3] * 3)
    assert normalize_probabilities(np.array([[1.0, 0.0]]))[0, 1] == pytest.approx(MIN_PROBABILITY)


def test_order_by_cosine_of_unit_rows_equals_order_by_distance():
    rows = normalize_rows(normalize_probabilities(np.random.default_rng(1).random((50, 8))))
    question, rest = rows[0], rows[1:]
    by_cosine, by_distance = np.argsort(-rest @ question), np.argsort(np.linalg.norm(rest - question, axis=1))
    assert by_cosine.tolist() == by_distance.tolist()


def test_a_network_is_linear_layers_with_relu_between():
    network = [(np.array([[1.0, -1.0]]), np.array([0.0])), (np.array([[2.0]]), np.array([1.0]))]
    assert apply_network(network, np.array([[3.0, 1.0], [1.0, 3.0]])).tolist() == [[5.0], [1.0]]


def test_softmax_of_large_values_is_finite():
    assert softmax(np.array([[1000.0, 1000.0]], dtype=np.float32)).tolist() == [[0.5, 0.5]]


def test_expected_topics_are_computed_by_the_shifter():
    head = [(np.eye(2, dtype=np.float32) * 9, np.zeros(2, dtype=np.float32))]
    swap = [(np.array([[0, 9], [9, 0]], dtype=np.float32), np.zeros(2, dtype=np.float32))]
    classifier = TopicClassifier(["rock", "bird"], head, swap)
    vectors = np.array([[1.0, -1.0]], dtype=np.float32)
    assert classifier(vectors=vectors).argmax() == 0
    assert classifier(vectors=vectors, expected=True).argmax() == 1


def test_vectors_of_another_embedder_are_refused():
    classifier = TopicClassifier(["a"], [(np.zeros((1, 4)), np.zeros(1))], [])  # type: ignore[list-item]
    with pytest.raises(UsageError, match=r"length 4 \(got 3\)"):
        classifier(vectors=np.zeros((1, 3)))
