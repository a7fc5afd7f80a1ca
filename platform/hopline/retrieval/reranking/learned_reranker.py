"""The order of candidates by what was learned from questions with known answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from hopline.errors import UsageError
from hopline.flow.requests import Flow
from hopline.learned.collection_parameters import decoded, kept_for
from hopline.retrieval.candidates import PARTS
from hopline.retrieval.reranking.features import ALONE, BESIDE, EXTRAS, Look, alone, beside
from hopline.retrieval.reranking.neural_features import Extra
from hopline.scoring.mmr import Floats
from hopline.scoring.trees import Trees

NAME: Final = "scorer"
BEST_SUM: Final = sum(PARTS.values())  # of what no scorer judged


@dataclass(frozen=True, slots=True)
class Scorer:
    """Trees that judge a candidate by itself, then trees that judge it beside the best, ``rounds`` in all.

    No round: the untrained order was the better one. ``extras`` are the trained parts that it listens to.
    """

    rounds: int
    first: Trees
    second: Trees
    extras: tuple[Extra, ...] = ()

    def chances(self, look: Look) -> Floats:
        """The chance that each candidate is asked for, (N,), after the last round."""
        return self.by_round(look)[-1]

    def by_round(self, look: Look) -> list[Floats]:
        """The chances after each round."""
        rows = alone(look)
        chances = [self.first.chances(rows)]
        while len(chances) < self.rounds:
            chances.append(self.second.chances(np.column_stack([rows, beside(look, chances[-1])])))
        return chances

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        features = _features(self.extras)
        trees = {"first": self.first.to_dict(), "second": self.second.to_dict()}
        return {"features": features, "extras": list(self.extras), "rounds": self.rounds, **trees}

    @classmethod
    def of_dict(cls, data: Mapping[str, Any]) -> Scorer:
        """The scorer that `to_dict` gave.

        Raises:
            UsageError: it knows other features, of another version.
        """
        extras = tuple(data.get("extras", ()))
        if not set(extras) <= set(EXTRAS) or data.get("features") != _features(extras):
            raise UsageError(
                "the scorer of this collection was trained by another version of Hopline; train it again: "
                "hopline train scorer QUESTIONS.jsonl"
            )
        return cls(data["rounds"], Trees.of_dict(data["first"]), Trees.of_dict(data["second"]), extras)


def _features(extras: Sequence[str]) -> list[str]:
    return [*ALONE, *(column for name in EXTRAS if name in extras for column in EXTRAS[name]), *BESIDE]


def scorer_for() -> Flow[Scorer | None]:
    """What was learned for the collection that is asked; None where the untrained order was the better one.

    Raises:
        UsageError: nothing was learned; says how to train.
    """
    scorer = _scorer_of((yield from kept_for(NAME)))
    return scorer if scorer.rounds else None


def judged(scorer: Scorer, look: Look, sums: Mapping[str, float]) -> dict[str, float]:
    """Chances of what the scorer was shown, and behind it the rest by their sums, from -1 to 0."""
    rest = {id: sum / BEST_SUM - 1.0 for id, sum in sums.items()}
    return rest | dict(zip(look.ids, scorer.chances(look).tolist(), strict=True))


@lru_cache(maxsize=8)
def _scorer_of(values: str) -> Scorer:
    return Scorer.of_dict(decoded(values)["scorer"])
