"""Reranking of candidates for coverage of the question's terms, untrained."""

from __future__ import annotations

from typing import Final

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.candidates import Candidates
from hopline.scoring.mmr import match_terms, rerank_for_coverage

MAX_CANDIDATES: Final = 40  # of highest sum, that are reranked
COVERAGE_WEIGHT: Final = 2.5  # most that a score is raised for terms that no better candidate matches


def add_coverage(question: str, candidates: Candidates, weight: float) -> Flow[dict[str, float]]:
    """Return the sums, raised by up to ``weight`` for terms that no better candidate matches; unchanged if it is 0."""
    if not weight:
        return dict(candidates.sums)
    ids = candidates.top(MAX_CANDIDATES)
    columns = yield fetch("retrieval/texts", ids=ids)
    texts = dict(zip(columns["id"], columns["text"], strict=True))
    sums = {id: candidates.sums[id] for id in ids if id in texts}
    matches = match_terms(question, [texts[id] for id in sums])
    return {**candidates.sums, **rerank_for_coverage(sums, matches, weight)}
