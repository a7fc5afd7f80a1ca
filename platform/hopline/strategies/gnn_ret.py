"""Nearest evidence draws its neighbours in the graph nearer: GNN-Ret.

GNN-Ret (Li et al. 2024), equations 1 and 2: h⁰ = 1 − cos; the K nearest send their distance to
their neighbours, each neighbour keeps α of its own and takes 1 − α of the smallest it receives.
Neighbours are the evidence before and after, and evidence that mentions or is about the same entity.

Departures: the graph is never built, only the neighbourhood of the K nearest is fetched, which
gives the same result. Only names join, as the paper's links are Wikipedia addresses: no dates and
amounts, no plain nouns ("live music"), no peoples and languages; and none that more than ``hub``
passages mention. ``base="hybrid"`` replaces the cosine by cosine and BM25, each scaled by its best;
evidence without a vector has that of its words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hopline.flow.requests import Flow
from hopline.learned.collection_parameters import learned_for
from hopline.retrieval.message_passing import pass_messages
from hopline.retrieval.ranking import Ranking


def rank(
    question: str,
    k: int,
    *,
    nodes: int = 5,
    layers: int = 1,
    alpha: float = 0.5,
    hub: int = 20,
    base: Literal["dense", "hybrid"] = "dense",
    dense: float = 0.6,
    message: Literal["min", "mean"] = "min",
    trained: bool = False,
) -> Flow[Ranking]:
    """The ``k`` of smallest final distance; scores are 1 − distance.

    ``nodes`` is the paper's K (5 or 10), ``layers`` its L, ``alpha`` in [0, 1] its α, of every layer; ``trained``
    takes layers and α as they were learned in this collection (`hopline.training.gnn`).
    """
    alphas: Sequence[float] = (yield from learned_for("gnn"))["alphas"] if trained else [alpha] * layers
    passed = yield from pass_messages(
        question, k, nodes=nodes, alphas=alphas, hub=hub, base=base, dense=dense, message=message
    )
    return Ranking.of_scores({id: 1.0 - h for id, h in passed.distances.items()}, k, passed.ways)
