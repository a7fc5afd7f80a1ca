"""Joining ranked lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RRF_CONSTANT = 60  # Cormack, Clarke, Büttcher 2009; also GEAR's (CODE-NOTES 2)


def reciprocal_rank_fusion(
    rankings: Sequence[Sequence[str]], *, constant: int = RRF_CONSTANT
) -> tuple[list[str], list[float]]:
    """Ids by the sum of 1 / (constant + rank) over the lists that hold them, ranks from 1.

    Best first, ties by id. An id counts once a list, at its first place.
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, id in enumerate(dict.fromkeys(ranking), 1):
            scores[id] = scores.get(id, 0.0) + 1.0 / (constant + rank)
    order = sorted(scores, key=lambda id: (-scores[id], id))
    return order, [scores[id] for id in order]


def scaled_sum(weighted: Sequence[tuple[float, Mapping[str, float]]]) -> dict[str, float]:
    """Weighted sum of score lists, each divided by its best score; an absent id counts 0 there.

    Unlike min–max over the lists at hand it does not depend on how deep they were read.
    Negative scores count 0.
    """
    total: dict[str, float] = {}
    for weight, scores in weighted:
        best = max(scores.values(), default=0.0)
        if best > 0:
            for id, score in scores.items():
                total[id] = total.get(id, 0.0) + weight * max(score, 0.0) / best
    return total
