"""Where a strategy that works in steps gets its evidence: another strategy, or the recurrence of RGNN-Ret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from hopline.flow.requests import Flow, Vector, fetch
from hopline.retrieval.message_passing import pass_messages
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_loader import load_strategy
from hopline.types import Step

Base = Literal["bm25", "dense", "hybrid", "gnn_ret", "hipporag", "naive_ge", "hopline"]


class Source(Protocol):
    """One retrieval a step."""

    def find(self, query: str, k: int) -> Flow[Ranking]:
        """The ``k`` best for the query of this step."""
        ...


def source_of(base: Base, *, recurrent: bool = False, beta: float = 0.9) -> Source:
    """A strategy by its name, each step by itself; or GNN-Ret with the recurrence."""
    return Recurrence(beta) if recurrent else Plain(base)


@dataclass(frozen=True, slots=True)
class Plain:
    """Each step by itself."""

    base: Base

    def find(self, query: str, k: int) -> Flow[Ranking]:
        """What the strategy finds."""
        return (yield from load_strategy(self.base).flow(query, k))


@dataclass(slots=True)
class Recurrence:
    """GNN-Ret whose distances remember the steps before: ĥᵗ = β hᵗ + (1 − β) ĥᵗ⁻¹ (GNN-Ret eq. 4).

    The message passing of a step is that of its own query (CODE-NOTES 1); ĥ is kept for all evidence,
    also what received no message: what an earlier step did not see had the distance 1 − cos to
    that step's query, and as ĥ is linear in the queries, one vector, their weighted sum, gives it.
    """

    beta: float = 0.9
    alphas: Sequence[float] = (0.5,)
    distances: dict[str, float] = field(default_factory=dict)
    ways: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    past: Vector | None = None  # (d,), the weighted sum of the queries so far

    def find(self, query: str, k: int) -> Flow[Ranking]:
        """The ``k`` of smallest ĥ; scores are 1 − ĥ."""
        passed = yield from pass_messages(query, k, alphas=self.alphas)
        if passed.vector is None:
            return Ranking()
        now = dict(passed.distances)
        if self.past is None:
            self.distances, self.past = now, passed.vector
        else:
            now |= yield from _far_from(passed.vector, [id for id in self.distances if id not in now])
            before = self.distances | (yield from _far_from(self.past, [id for id in now if id not in self.distances]))
            self.distances = {
                id: self.beta * h + (1.0 - self.beta) * before[id] for id, h in now.items() if id in before
            }
            self.past = self.beta * passed.vector + (1.0 - self.beta) * self.past
        self.ways = {**passed.ways, **self.ways}
        return Ranking.of_scores({id: 1.0 - h for id, h in self.distances.items()}, k, self.ways)


def _far_from(vector: Vector, ids: list[str]) -> Flow[dict[str, float]]:
    """1 − the inner product of ``vector``, of any length, with each of these."""
    length = float(np.linalg.norm(vector))
    if not ids or not length:
        return dict.fromkeys(ids, 1.0)
    columns = yield fetch("read/similarity", ids=ids, vector=(vector / length).tolist())
    return {id: 1.0 - length * cosine for id, cosine in zip(columns["id"], columns["score"], strict=True)}
