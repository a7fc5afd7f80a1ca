"""Topics of passages, over a set of named topics, and the expected topics of the passages that answer a question.

RAS (section "theme-scoped retrieval", where topics are called themes): a classifier on the encoder's vectors predicts
an independent probability of each topic; `normalize_probabilities` makes them a distribution, in training and in use;
the shifter maps the distribution of a question to that expected of the passage that answers it. Inference needs numpy
only; training is in `hopline.training.topic_classifier`.

Departures: the paper compares distributions by L2 distance (equation 5); here they are stored and compared as unit
vectors, as in the released code, by cosine. Of unit vectors both give the same order, of distributions they do not. The
encoder is that of the collection, frozen, where the paper fine-tunes nomic-embed-text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hopline.errors import UsageError
from hopline.learned.weight_files import load_weights
from hopline.scoring.normalization import normalize_rows, softmax

VERSION: Final = 1  # raise it when the networks change
MIN_PROBABILITY: Final = 1e-15  # lower limit of a topic's probability

Floats = NDArray[np.float32]
Network = Sequence[tuple[Floats, Floats]]  # weights (out, in) and biases (out,) of layers with ReLU between them


class TopicClassifier:
    """Maps vectors (n, d) of texts to topics (n, topics); without a shifter, answers share the question's topics."""

    def __init__(self, labels: Sequence[str], head: Network, shifter: Network) -> None:
        self.labels = tuple(labels)
        self._head, self._shifter = head, shifter

    def __call__(self, *, vectors: NDArray[Any], expected: bool = False) -> Floats:
        """Return the topics of each text, or those ``expected`` of its answer, float32 (n, topics), unit rows.

        Raises:
            UsageError: the vectors are of another embedder.
        """
        topics = normalize_probabilities(self.predict_probabilities(vectors))
        return normalize_rows(softmax(apply_network(self._shifter, topics)) if expected and self._shifter else topics)

    def predict_probabilities(self, vectors: NDArray[Any]) -> Floats:
        """Return the probability of each topic for each text, (n, topics), each in [0, 1]."""
        dimension = self._head[0][0].shape[1]
        if vectors.shape[-1] != dimension:
            raise UsageError(f"these topics were trained on vectors of length {dimension} (got {vectors.shape[-1]})")
        return np.asarray(1.0 / (1.0 + np.exp(-apply_network(self._head, vectors))), dtype=np.float32)


def normalize_probabilities(probabilities: NDArray[Any]) -> Floats:
    """Normalise probabilities (n, topics) to distributions of sum 1."""
    clipped = np.maximum(np.asarray(probabilities, dtype=np.float32), MIN_PROBABILITY)
    return np.asarray(clipped / clipped.sum(axis=-1, keepdims=True), dtype=np.float32)


def apply_network(network: Network, values: NDArray[Any]) -> Floats:
    """Apply a network to inputs (n, in): (n, out), without an activation after the last layer."""
    for layer, (weights, biases) in enumerate(network):
        values = (np.maximum(values, 0.0) if layer else values) @ weights.T + biases
    return values


def load_topic_classifier(folder: Path) -> TopicClassifier:
    """Load a classifier from a folder of weights.

    Raises:
        UsageError: as `load_weights`.
    """
    tensors, card = load_weights(folder, version=VERSION)
    return TopicClassifier(
        card.shape["labels"], network_from_tensors("head", tensors), network_from_tensors("shifter", tensors)
    )


def network_from_tensors(name: str, tensors: Mapping[str, NDArray[Any]]) -> Network:
    """Collect the layers ``<name>.0``, ``<name>.1``, … from tensors."""
    count = sum(1 for key in tensors if key.startswith(f"{name}.") and key.endswith(".weight"))
    return [
        (
            np.asarray(tensors[f"{name}.{n}.weight"], dtype=np.float32),
            np.asarray(tensors[f"{name}.{n}.bias"], dtype=np.float32),
        )
        for n in range(count)
    ]
