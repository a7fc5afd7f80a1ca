"""Joining what the steps of one strategy found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hopline.retrieval.ranking import Ranking
from hopline.scoring.fusion import reciprocal_rank_fusion

Pool = Literal["rrf", "best", "last"]


def pooled(steps: Sequence[Ranking], k: int, by: Pool) -> Ranking:
    """One ranking of the steps' own, the ``k`` best; each evidence keeps the way of the first step that found it.

    ``rrf``: reciprocal rank fusion. ``best``: the best score of any step, ties by id (comparable
    only where the steps' scores are, as cosines are). ``last``: the last step that found anything.
    """
    found = [step for step in steps if step.ids]
    if not found:
        return Ranking()
    if by == "last":
        return Ranking(found[-1].ids[:k], found[-1].scores[:k], found[-1].ways)
    ways = {id: way for step in reversed(found) for id, way in step.ways.items()}
    seeds = {id for step in found for id in step.ids if id not in step.ways}
    ways = {id: way for id, way in ways.items() if id not in seeds}
    if by == "rrf":
        order, scores = reciprocal_rank_fusion([step.ids for step in found])
        return Ranking.of_scores(dict(zip(order, scores, strict=True)), k, ways)
    best: dict[str, float] = {}
    for step in found:
        for id, score in zip(step.ids, step.scores, strict=True):
            best[id] = max(score, best.get(id, score))
    return Ranking.of_scores(best, k, ways)
