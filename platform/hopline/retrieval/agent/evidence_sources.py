"""Evidence sources of strategies that retrieve in several steps: another strategy, or the recurrence of RGNN-Ret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

import numpy as np

from hopline.flow.requests import Flow, Vector, fetch
from hopline.results import PathStep
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.expansion import Edges, propagate_distances
from hopline.retrieval.stages.seeds import SEARCH_DEPTH, search_seeds
from hopline.retrieval.strategy_loader import load_strategy

Base = Literal["bm25", "dense", "hybrid", "gnn_ret", "hipporag", "naive_ge", "hopline"]
HUB: Final = 20  # as in `hopline.strategies.gnn_ret`


class EvidenceSource(Protocol):
    """Retrieves evidence for the query of each step."""

    def find(self, query: str, k: int) -> Flow[Ranking]:
        """Return the ``k`` best evidence for the query of this step."""
        ...


def create_source(base: Base, *, recurrent: bool = False, beta: float = 0.9) -> EvidenceSource:
    """Create the source of a strategy, which treats each step independently, or GNN-Ret with the recurrence."""
    return RecurrentSource(beta) if recurrent else StrategySource(base)


@dataclass(frozen=True, slots=True)
class StrategySource:
    """Retrieves each step independently with a strategy."""

    base: Base

    def find(self, query: str, k: int) -> Flow[Ranking]:
        """Return the ranking of the strategy."""
        return (yield from load_strategy(self.base).flow(query, k))


@dataclass(slots=True)
class RecurrentSource:
    """GNN-Ret with distances that depend on earlier steps: ĥᵗ = β hᵗ + (1 − β) ĥᵗ⁻¹ (GNN-Ret eq. 4).

    Each step passes messages for its own query only. ĥ covers the evidence that was among the 200 nearest to the query
    of any step (3 k, if that is more), or a neighbour of the K nearest. A step that did not see such evidence passed it
    no message, so that its distance there was 1 − its cosine to that step's query; as this is linear in the queries, it
    is computed from one vector, the weighted sum of the queries. ``nodes``, ``hub``, ``edges`` and ``message`` are
    those of `hopline.strategies.gnn_ret`.

    Departure: the paper computes ĥ for all passages. Evidence that is outside of all these lists, but near to every
    query, might have a small ĥ and is not found. The nearer β is to 1, the less this matters.
    """

    beta: float = 0.9
    alphas: Sequence[float] = (0.5,)
    nodes: int = 5
    hub: int = HUB
    edges: Edges = "all"
    message: Literal["min", "mean"] = "min"
    distances: dict[str, float] = field(default_factory=dict)
    paths: dict[str, tuple[PathStep, ...]] = field(default_factory=dict)
    past: Vector | None = None  # (d,), weighted sum of the queries so far

    def find(self, query: str, k: int) -> Flow[Ranking]:
        """Return the ``k`` evidence of smallest ĥ; scores are 1 − ĥ."""
        candidates = yield from search_seeds(query, by="dense", depth=max(SEARCH_DEPTH, 3 * k))
        if not candidates.ids:
            return Ranking()
        candidates = yield from propagate_distances(
            candidates,
            nodes=self.nodes,
            alphas=self.alphas,
            hub=self.hub,
            message=self.message,
            edges=self.edges,
            by="similarity",
        )
        yield from self._add_step(candidates)
        self.paths = {**candidates.paths(), **self.paths}
        return Ranking.from_scores({id: 1.0 - h for id, h in self.distances.items()}, k, self.paths)

    def _add_step(self, candidates: Candidates) -> Flow[None]:
        """Combine the distances of this step with those of the steps before."""
        now = {id: 1.0 - score for id, score in candidates.scores("gnn").items()}
        if self.past is None:
            self.distances, self.past = now, candidates.vector
            return
        now |= yield from _fetch_distances(candidates.vector, [id for id in self.distances if id not in now])
        before = self.distances | (
            yield from _fetch_distances(self.past, [id for id in now if id not in self.distances])
        )
        self.distances = {id: self.beta * h + (1.0 - self.beta) * before[id] for id, h in now.items() if id in before}
        self.past = self.beta * candidates.vector + (1.0 - self.beta) * self.past


def _fetch_distances(vector: Vector, ids: list[str]) -> Flow[dict[str, float]]:
    """Return 1 − the inner product of each evidence and ``vector``, which may have any length."""
    length = float(np.linalg.norm(vector))
    if not ids or not length:
        return dict.fromkeys(ids, 1.0)
    columns = yield fetch("retrieval/similarity", ids=ids, vector=(vector / length).tolist())
    return {id: 1.0 - length * cosine for id, cosine in zip(columns["id"], columns["score"], strict=True)}
