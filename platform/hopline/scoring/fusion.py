"""Fusion of ranked lists and score lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RRF_CONSTANT = 60  # Cormack, Clarke, Büttcher 2009; GEAR uses the same


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


def scaled_sum(weighted: Sequence[tuple[float, Mapping[str, float]]]) -> dict[str, float]:
    """Weighted sum of score lists, each divided by its best score; a missing id counts 0.

    Unlike min–max scaling it does not depend on the depth of the lists. Negative scores count 0.
    """
    total: dict[str, float] = {}
    for weight, scores in weighted:
        best = max(scores.values(), default=0.0)
        if best > 0:
            for id, score in scores.items():
                total[id] = total.get(id, 0.0) + weight * max(score, 0.0) / best
    return total
