"""Pooling of the rankings that the steps of one strategy found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hopline.retrieval.ranking import Ranking
from hopline.scoring.fusion import reciprocal_rank_fusion

PoolMethod = Literal["rrf", "best", "last"]


def pool_rankings(steps: Sequence[Ranking], k: int, by: PoolMethod) -> Ranking:
    """Combine the rankings of several steps; each of the ``k`` best has the path of the first step that found it.

    ``rrf``: reciprocal rank fusion. ``best``: the best score of any step, ties by id (comparable only if the steps'
    scores are, as cosines are). ``last``: the last step that found anything.
    """
    rankings = [step for step in steps if step.ids]
    if not rankings:
        return Ranking()
    if by == "last":
        return Ranking(rankings[-1].ids[:k], rankings[-1].scores[:k], rankings[-1].paths)
    paths = {id: path for step in reversed(rankings) for id, path in step.paths.items()}
    seeds = {id for step in rankings for id in step.ids if id not in step.paths}
    paths = {id: path for id, path in paths.items() if id not in seeds}
    if by == "rrf":
        order, scores = reciprocal_rank_fusion([step.ids for step in rankings])
        return Ranking.from_scores(dict(zip(order, scores, strict=True)), k, paths)
    best: dict[str, float] = {}
    for step in rankings:
        for id, score in zip(step.ids, step.scores, strict=True):
            best[id] = max(score, best.get(id, score))
    return Ranking.from_scores(best, k, paths)
