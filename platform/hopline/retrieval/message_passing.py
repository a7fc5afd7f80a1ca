"""Message passing of GNN-Ret over the neighbourhood of the nearest evidence (Li et al. 2024, equations 1 and 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hopline.entities.linking import UNLINKED
from hopline.flow.requests import Flow, Vector, embed, fetch, search
from hopline.retrieval.hybrid_search import DEPTH, Both, read_both
from hopline.retrieval.ranking import steps_between
from hopline.scoring.gnn import Edge, nearest, propagate
from hopline.types import Step


@dataclass(frozen=True, slots=True)
class Passed:
    """Distances after the last layer, the ways that messages took, and the question's vector (None: nothing found)."""

    distances: dict[str, float] = field(default_factory=dict)
    ways: dict[str, tuple[Step, ...]] = field(default_factory=dict)
    vector: Vector | None = None


def pass_messages(
    question: str,
    k: int,
    *,
    nodes: int = 5,
    alphas: Sequence[float] = (0.5,),
    hub: int = 20,
    base: Literal["dense", "hybrid"] = "dense",
    dense: float = 0.6,
    message: Literal["min", "mean"] = "min",
) -> Flow[Passed]:
    """The distances of all evidence that search and layers saw; ``alphas`` has one a layer, others as `rank`."""
    found = yield from _first_distances(question, max(DEPTH, 3 * k), base)
    if not found.ids:
        return Passed()
    cosines = dict(found.cosines)
    distances = _distances(found, cosines, base, dense)
    ways: dict[str, tuple[Step, ...]] = {}
    for alpha in alphas:
        seeds = nearest(distances, nodes)
        columns = yield fetch(
            "gnn_ret/neighbours", seeds=seeds, hub=hub, unlinked=list(UNLINKED), vector=found.vector.tolist()
        )
        for id, cosine in zip(columns["id"], columns["score"], strict=True):
            if id not in cosines:
                cosines[id] = cosine
        fresh = _distances(found, cosines, base, dense)
        distances = {**fresh, **distances}
        links = dict(zip(columns["id"], columns["links"], strict=True))
        updated = propagate(distances, _edges(links), alpha, message)
        ways |= _ways(links, distances, updated, ways, seeds)
        distances = updated
    return Passed(distances, ways, found.vector)


def _first_distances(question: str, depth: int, base: str) -> Flow[Both]:
    if base == "hybrid":
        return (yield from read_both(question, depth))
    [vector] = yield embed([question])
    hits = yield search(vector, depth, by="dense")
    return Both(vector, dict(zip(hits.ids, hits.scores, strict=True)), {})


def _distances(found: Both, cosines: Mapping[str, float], base: str, dense: float) -> dict[str, float]:
    """1 − the score of everything that is known; evidence without a vector has that of its words."""
    scores = found.scores(dense, dict(cosines)) if base == "hybrid" else cosines
    return {id: 1.0 - scores.get(id, 0.0) for id in dict.fromkeys((*cosines, *found.words))}


def _edges(links: Mapping[str, Sequence[Sequence[str]]]) -> list[Edge]:
    return [(seed, id) for id, ways in links.items() for seed, *_ in ways]


def _ways(
    links: Mapping[str, Sequence[Sequence[str]]],
    distances: Mapping[str, float],
    updated: Mapping[str, float],
    known: Mapping[str, tuple[Step, ...]],
    seeds: Sequence[str],
) -> dict[str, tuple[Step, ...]]:
    """The way to each node that came nearer, from the nearest of its neighbours in T."""
    ways = {}
    for id, found in links.items():
        if id in seeds or id in known or updated[id] >= distances[id]:
            continue
        seed, *way = min(found, key=lambda link: (distances[link[0]], *link))
        ways[id] = (*known.get(seed, ()), *steps_between(seed, id, way))
    return ways
