"""Message passing of GNN-Ret over the neighbourhood of the nearest evidence (Li et al. 2024, equations 1 and 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hopline.entities.linking import UNLINKED_KINDS
from hopline.flow.requests import Flow, Vector, embed, fetch, search
from hopline.retrieval.hybrid_search import DEPTH, HybridHits, search_hybrid
from hopline.retrieval.ranking import build_steps
from hopline.scoring.gnn import Edge, propagate, select_nearest
from hopline.types import PathStep


@dataclass(frozen=True, slots=True)
class PropagatedDistances:
    """Distances after the last layer, paths of the messages, and the question's vector (None if nothing was found)."""

    distances: dict[str, float] = field(default_factory=dict)
    paths: dict[str, tuple[PathStep, ...]] = field(default_factory=dict)
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
) -> Flow[PropagatedDistances]:
    """Compute the distances of all evidence that the search and the layers reached.

    ``alphas`` has one α per layer; the other options are those of `hopline.strategies.gnn_ret.rank`.
    """
    hits = yield from _search_candidates(question, max(DEPTH, 3 * k), base)
    if not hits.ids:
        return PropagatedDistances()
    cosines = dict(hits.cosines)
    distances = _compute_distances(hits, cosines, base, dense)
    paths: dict[str, tuple[PathStep, ...]] = {}
    for alpha in alphas:
        seeds = select_nearest(distances, nodes)
        columns = yield fetch(
            "gnn_ret/neighbours", seeds=seeds, hub=hub, unlinked=list(UNLINKED_KINDS), vector=hits.vector.tolist()
        )
        for id, cosine in zip(columns["id"], columns["score"], strict=True):
            if id not in cosines:
                cosines[id] = cosine
        distances = {**_compute_distances(hits, cosines, base, dense), **distances}
        links = dict(zip(columns["id"], columns["links"], strict=True))
        updated = propagate(distances, _to_edges(links), alpha, message)
        paths |= _find_paths(links, distances, updated, paths, seeds)
        distances = updated
    return PropagatedDistances(distances, paths, hits.vector)


def _search_candidates(question: str, depth: int, base: str) -> Flow[HybridHits]:
    if base == "hybrid":
        return (yield from search_hybrid(question, depth))
    [vector] = yield embed([question])
    hits = yield search(vector, depth, by="dense")
    return HybridHits(vector, dict(zip(hits.ids, hits.scores, strict=True)), {})


def _compute_distances(hits: HybridHits, cosines: Mapping[str, float], base: str, dense: float) -> dict[str, float]:
    """Return 1 − the score of all evidence; evidence without a vector is scored by BM25 alone."""
    scores = hits.combine_scores(dense, dict(cosines)) if base == "hybrid" else cosines
    return {id: 1.0 - scores.get(id, 0.0) for id in dict.fromkeys((*cosines, *hits.bm25))}


def _to_edges(links: Mapping[str, Sequence[Sequence[str]]]) -> list[Edge]:
    return [(seed, id) for id, id_links in links.items() for seed, *_ in id_links]


def _find_paths(
    links: Mapping[str, Sequence[Sequence[str]]],
    distances: Mapping[str, float],
    updated: Mapping[str, float],
    known: Mapping[str, tuple[PathStep, ...]],
    seeds: Sequence[str],
) -> dict[str, tuple[PathStep, ...]]:
    """Return the path to each node whose distance fell, from the nearest of its neighbours in T."""
    paths = {}
    for id, id_links in links.items():
        if id in seeds or id in known or updated[id] >= distances[id]:
            continue
        seed, *connection = min(id_links, key=lambda link: (distances[link[0]], *link))
        paths[id] = (*known.get(seed, ()), *build_steps(seed, id, connection))
    return paths
