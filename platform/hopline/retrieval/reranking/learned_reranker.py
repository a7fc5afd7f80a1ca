"""Reranking of candidates with a model that was trained on questions with known answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from hopline.errors import UsageError
from hopline.flow.requests import Flow
from hopline.learned.collection_parameters import load_parameters_json, parse_parameters
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.reranking.context import CONTEXT_COLUMNS, compute_context_columns
from hopline.retrieval.reranking.features import CANDIDATE_COLUMNS, NEURAL_COLUMNS, CandidateFeatures, NeuralFeature
from hopline.scoring.boosted_trees import Trees
from hopline.scoring.query_coverage import Floats

NAME: Final = "scorer"  # under which the parameters are stored with the collection
MAX_SUM: Final = 3.5  # of the untrained score


@dataclass(frozen=True, slots=True)
class LearnedReranker:
    """Gradient-boosted trees that score each candidate by itself, then in the context of the best, ``rounds`` in all.

    With 0 rounds the untrained order was the better one. ``extras`` are the trained models whose features are used.
    """

    rounds: int
    first: Trees
    second: Trees
    extras: tuple[NeuralFeature, ...] = ()

    def predict(self, features: CandidateFeatures) -> Floats:
        """Return the probability that each candidate is gold evidence, (N,), after the last round."""
        return self.predict_by_round(features)[-1]

    def predict_by_round(self, features: CandidateFeatures) -> list[Floats]:
        """Return the probabilities after each round, (N,) each."""
        rows = features.to_matrix()
        probabilities = [self.first.predict(rows)]
        while len(probabilities) < self.rounds:
            context = compute_context_columns(features, probabilities[-1])
            probabilities.append(self.second.predict(np.column_stack([rows, context])))
        return probabilities

    def to_dict(self) -> dict[str, Any]:
        """Return the reranker as plain data; `from_dict` reads it."""
        columns = _list_columns(self.extras)
        trees = {"first": self.first.to_dict(), "second": self.second.to_dict()}
        return {"features": columns, "extras": list(self.extras), "rounds": self.rounds, **trees}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LearnedReranker:
        """Create a reranker from the data of `to_dict`.

        Raises:
            UsageError: it was trained on the features of another version.
        """
        extras = tuple(data.get("extras", ()))
        if not set(extras) <= set(NEURAL_COLUMNS) or data.get("features") != _list_columns(extras):
            raise UsageError(
                "the reranker of this collection was trained by another version of Hopline; train it again: "
                "hopline train reranker QUESTIONS.jsonl"
            )
        return cls(data["rounds"], Trees.from_dict(data["first"]), Trees.from_dict(data["second"]), extras)


def _list_columns(extras: Sequence[str]) -> list[str]:
    neural = (column for name in NEURAL_COLUMNS if name in extras for column in NEURAL_COLUMNS[name])
    return [*CANDIDATE_COLUMNS, *neural, *CONTEXT_COLUMNS]


def load_reranker() -> Flow[LearnedReranker | None]:
    """Load the reranker of the collection that is searched; None if the untrained order was the better one.

    Raises:
        UsageError: no reranker was trained; names the command that trains it.
    """
    reranker = _parse_reranker((yield from load_parameters_json(NAME)))
    return reranker if reranker.rounds else None


def rerank(reranker: LearnedReranker, candidates: Candidates, features: CandidateFeatures) -> Candidates:
    """Replace the column ``score``: probabilities of candidates with features, then the others in their order.

    The scores of the others are from -1 to 0, as the sum of the strategy `hopline` is at most `MAX_SUM`.
    """
    others = {id: score / MAX_SUM - 1.0 for id, score in candidates.scores("score").items()}
    probabilities = dict(zip(features.ids, reranker.predict(features).tolist(), strict=True))
    return candidates.with_scores("score", {**others, **probabilities})


@lru_cache(maxsize=8)
def _parse_reranker(values: str) -> LearnedReranker:
    return LearnedReranker.from_dict(parse_parameters(values)["scorer"])
