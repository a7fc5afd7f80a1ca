"""What a passage is about, over a set of named themes, and what the passage that answers a question should be about.

RAS (section "theme-scoped retrieval"): a classifier on the encoder's vectors gives each theme a chance of its own;
`distribution` makes them one distribution, the same way wherever one is needed; the shifter maps that of a question to
that expected of what answers it. Both are stored and compared as unit vectors, so that order by L2 distance is order
by cosine. Plain matrices: numpy is enough once they are trained (`hopline.training.topic_classifier`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hopline.errors import UsageError
from hopline.learned.weight_files import load_weights

VERSION: Final = 1  # raise it when the networks change
LEAST: Final = 1e-15  # the chance below which a theme still counts

Floats = NDArray[np.float32]
Network = Sequence[tuple[Floats, Floats]]  # weights (out, in) and biases (out,) of each layer, ReLU between them


class Themes:
    """Vectors (n, d) of texts into distributions (n, themes); without a shifter an answer is about what is asked."""

    def __init__(self, labels: Sequence[str], head: Network, shifter: Network) -> None:
        self.labels = tuple(labels)
        self._head, self._shifter = head, shifter

    def __call__(self, *, vectors: NDArray[Any], expected: bool = False) -> Floats:
        """The distribution of each text, or that ``expected`` of what answers it, float32 (n, themes), unit length.

        Raises:
            UsageError: the vectors are another embedder's.
        """
        spread = distribution(self.chances(vectors))
        return unit(softmax(through(self._shifter, spread)) if expected and self._shifter else spread)

    def chances(self, vectors: NDArray[Any]) -> Floats:
        """The chance that each text is about each theme, (n, themes), each in [0, 1]."""
        wanted = self._head[0][0].shape[1]
        if vectors.shape[-1] != wanted:
            raise UsageError(f"these themes were learned on vectors of length {wanted} (got {vectors.shape[-1]})")
        return np.asarray(1.0 / (1.0 + np.exp(-through(self._head, vectors))), dtype=np.float32)


def distribution(chances: NDArray[Any]) -> Floats:
    """Chances (n, themes) as distributions of sum 1."""
    raised = np.maximum(np.asarray(chances, dtype=np.float32), LEAST)
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float32)


def unit(spread: Floats) -> Floats:
    """Rows of unit length."""
    return np.asarray(spread / np.linalg.norm(spread, axis=-1, keepdims=True), dtype=np.float32)


def through(network: Network, values: NDArray[Any]) -> Floats:
    """What a network makes of its inputs (n, in): (n, out), without a last activation."""
    for place, (weights, biases) in enumerate(network):
        values = (np.maximum(values, 0.0) if place else values) @ weights.T + biases
    return values


def softmax(logits: Floats) -> Floats:
    """Rows of sum 1."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), dtype=np.float32)


def load_themes(folder: Path) -> Themes:
    """The themes whose weights are in a folder.

    Raises:
        UsageError: as `load_weights`.
    """
    tensors, card = load_weights(folder, version=VERSION)
    return Themes(card.shape["labels"], network_of("head", tensors), network_of("shifter", tensors))


def network_of(name: str, tensors: Mapping[str, NDArray[Any]]) -> Network:
    """The layers ``<name>.0``, ``<name>.1``, … of some tensors."""
    count = sum(1 for key in tensors if key.startswith(f"{name}.") and key.endswith(".weight"))
    return [
        (
            np.asarray(tensors[f"{name}.{n}.weight"], dtype=np.float32),
            np.asarray(tensors[f"{name}.{n}.bias"], dtype=np.float32),
        )
        for n in range(count)
    ]
