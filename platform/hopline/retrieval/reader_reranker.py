"""Reranking of any strategy by the reader: the option ``rerank=N`` of every strategy.

The first N evidence of the strategy are read for the question. Their ranks by the strategy and by the reader's score
for "it answers the question" are joined by reciprocal rank fusion (Cormack et al. 2009). The evidence paths are those
of the strategy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hopline.flow.requests import Flow
from hopline.questions.analysis import analyse_question
from hopline.reader.reading import read_evidence
from hopline.retrieval.evidence_texts import fetch_evidence
from hopline.retrieval.ranking import Rank, Ranking

CONSTANT: Final = 10  # of reciprocal rank fusion; the usual 60 is for long lists
READER_WEIGHT: Final = 2.0  # of the reader's rank; that of the strategy is 1


def rank_with_reader(question: str, k: int, *, rank: Rank, depth: int, options: Mapping[str, Any]) -> Flow[Ranking]:
    """Return the ``k`` best of ``rank(question, max(k, depth), **options)``, the first ``depth`` reranked."""
    ranking = yield from rank(question, max(k, depth), **options)
    evidence = yield from fetch_evidence(ranking.ids[:depth])
    readings = yield from read_evidence(analyse_question(question), evidence, again=False)
    by_reader = [reading.evidence.id for reading in sorted(readings, key=lambda reading: -reading.score)]
    fused = {id: 1 / (CONSTANT + rank) for rank, id in enumerate(ranking.ids[:depth])}
    for position, id in enumerate(by_reader):
        fused[id] += READER_WEIGHT / (CONSTANT + position)
    ids = (*sorted(fused, key=lambda id: -fused[id]), *ranking.ids[depth:])[:k]
    scores = dict(zip(ranking.ids, ranking.scores, strict=True)) | fused
    lowest = min((fused[id] for id in ids if id in fused), default=0.0)
    return Ranking(
        ids,
        tuple(scores[id] if id in fused else min(scores[id], lowest) for id in ids),
        {id: ranking.paths[id] for id in ids if id in ranking.paths},
        ranking.graph,
        ranking.closed_book,
        ranking.memory,
    )
