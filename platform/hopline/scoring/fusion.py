"""Fusion of ranked lists and of score columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RRF_CONSTANT = 60  # Cormack, Clarke, Büttcher 2009; GEAR cites it and names no constant


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], *, constant: int = RRF_CONSTANT
) -> tuple[list[str], list[float]]:
    """Rank ids by the sum of 1 / (constant + rank) over the lists that contain them, ranks from 1.

    Returns ids and scores, best first, ties by id. An id counts once per list, at its first rank.
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, id in enumerate(dict.fromkeys(ranking), 1):
            scores[id] = scores.get(id, 0.0) + 1.0 / (constant + rank)
    order = sorted(scores, key=lambda id: (-scores[id], id))
    return order, [scores[id] for id in order]


def sum_scaled(weighted: Sequence[tuple[float, Floats]]) -> Floats:
    """Return the weighted sum of score columns, (N,), each divided by its best score; a missing score (NaN) counts 0.

    Unlike min–max scaling it does not depend on the depth of the lists. Negative scores count 0, and a column without a
    positive score as well. The sum is NaN where all scores are missing.
    """
    parts = [
        weight * np.fmax(scores, 0.0) / (np.fmax.reduce(scores, initial=0.0) or 1.0) for weight, scores in weighted
    ]
    missing = np.all([np.isnan(scores) for _, scores in weighted], axis=0)
    return np.where(missing, np.nan, np.sum(parts, axis=0))


def scale_to_unit(scores: Floats) -> Floats:
    """Scale scores, (N,), to [0, 1]: the lowest to 0, the highest to 1; missing scores (NaN), and equal ones, to 0."""
    known = scores[~np.isnan(scores)]
    least, most = (known.min(), known.max()) if len(known) else (0.0, 0.0)
    return np.nan_to_num((scores - least) / ((most - least) or 1.0))
