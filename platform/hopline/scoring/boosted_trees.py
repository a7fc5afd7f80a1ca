"""Gradient-boosted decision trees as arrays: prediction and serialization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Trees:
    """T trees of at most N nodes each; every array is (T, N).

    A row goes from node 0 to ``left`` if its ``feature`` is at most ``threshold``, else to ``right``, for ``depth``
    steps; a leaf points to itself. The log-odds are ``start`` plus the ``value`` of the last node of every tree.
    """

    start: float
    depth: int
    feature: Indices
    threshold: Floats
    left: Indices
    right: Indices
    value: Floats

    def predict(self, rows: Floats) -> Floats:
        """Return the probability of each row, (n, f) -> (n,), in (0, 1).

        Features are compared in single precision, as in training.
        """
        rows = rows.astype(np.float32)
        tree = np.arange(len(self.feature))
        node = np.zeros((len(rows), len(tree)), dtype=np.int64)
        row = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            low = rows[row, self.feature[tree, node]] <= self.threshold[tree, node]
            node = np.where(low, self.left[tree, node], self.right[tree, node])
        odds = self.start + self.value[tree, node].sum(axis=1)
        return np.asarray(1.0 / (1.0 + np.exp(-odds)), dtype=np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Return the trees as plain data; `from_dict` reads it."""
        arrays = {name: getattr(self, name).tolist() for name in ("feature", "threshold", "left", "right", "value")}
        return {"start": self.start, "depth": self.depth, **arrays}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Trees:
        """Create trees from the data of `to_dict`."""
        feature, left, right = (np.array(data[name], dtype=np.int64) for name in ("feature", "left", "right"))
        threshold, value = (np.array(data[name], dtype=np.float64) for name in ("threshold", "value"))
        return cls(data["start"], data["depth"], feature, threshold, left, right, value)
