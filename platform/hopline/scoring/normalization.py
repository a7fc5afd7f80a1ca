"""Normalisation of arrays along their last axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def softmax(logits: NDArray[Any]) -> Floats:
    """Softmax over the last axis, computed without overflow; float32."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True), dtype=np.float32)


def normalize_rows(rows: NDArray[Any]) -> Floats:
    """Scale rows to unit length, float32; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=rows.copy(), where=lengths > 0), dtype=np.float32)
