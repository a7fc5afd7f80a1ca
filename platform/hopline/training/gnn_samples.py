"""Training samples of GNN-Ret: distances, neighbours and gold evidence of each question.

The neighbours are those that `gnn_ret` fetches: of T, the K nearest evidence, in the first layer. In further layers T
depends on α, so that the neighbours of all evidence are fetched that can be in T, whatever α is: the evidence that
received a message, and the K nearest of the evidence that did not. Two layers have about a hundred senders, three may
reach most of a collection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.entities.linking import UNLINKED_KINDS
from hopline.evaluation.questions import QuestionStep
from hopline.flow.requests import Flow, Vector, embed, fetch, search
from hopline.scoring.gnn import select_nearest

DEPTH: Final = 200  # nearest evidence of each query
HUB: Final = 20  # as in `gnn_ret`

Floats = NDArray[np.float32]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class GnnQuery:
    """One query over the N evidence of its sample.

    ``distances`` (N,) is h⁰ = 1 − cos; ``senders`` and ``receivers`` (E,) are the edges from the evidence that may be
    in T; ``gold`` the indices of the gold evidence of this query and of later ones, empty if there is none.
    """

    distances: Floats
    senders: Indices
    receivers: Indices
    gold: Indices


@dataclass(frozen=True, slots=True)
class GnnSample:
    """A question as a sequence of queries: one for GNN-Ret, its sub-questions for RGNN-Ret; the ids of N evidence."""

    ids: tuple[str, ...]
    queries: tuple[GnnQuery, ...]


def fetch_gnn_sample(
    steps: Sequence[QuestionStep], gold: Sequence[str], *, nodes: int = 5, layers: int = 1
) -> Flow[GnnSample | None]:
    """Fetch the sample of a question; None if none of its gold evidence is in the collection.

    ``gold`` are ids or source ids; ``nodes`` and ``layers`` are the paper's K and L. Each of several queries has the
    gold evidence of its step, the last one also what no step names, and is trained to find it and the gold evidence of
    later queries (eq. 5). Where no step has gold evidence, it is assigned as in appendix B: to each query the nearest
    of those not yet assigned.
    """
    columns = yield fetch("gold/evidence", wanted=list(gold))
    wanted: list[str] = list(columns["id"])
    if not wanted:
        return None
    gold_of_step = yield from _fetch_step_gold(steps)
    vectors: list[Vector] = list((yield embed([step.text for step in steps])))
    neighbourhoods = yield from _fetch_neighbourhoods(vectors, nodes=nodes, layers=layers)
    ids = sorted({*wanted}.union(*gold_of_step, *(item.cosines for item in neighbourhoods)))
    for vector, item in zip(vectors, neighbourhoods, strict=True):
        missing = [id for id in ids if id not in item.cosines]
        columns = yield fetch("retrieval/similarity", ids=missing, vector=vector.tolist())
        item.cosines.update(zip(columns["id"], columns["score"], strict=True))
    ids = [id for id in ids if all(id in item.cosines for item in neighbourhoods)]
    queries = [_build_query(ids, item) for item in neighbourhoods]
    index = {id: n for n, id in enumerate(ids)}
    own = [[index[id] for id in item if id in index] for item in gold_of_step]
    all_gold = [index[id] for id in wanted if id in index]
    if any(own):
        own[-1] += [n for n in all_gold if not any(n in indices for indices in own)]
    else:
        own = _assign_nearest(queries, all_gold)
    return GnnSample(tuple(ids), tuple(_with_gold(queries, own)))


def _fetch_step_gold(steps: Sequence[QuestionStep]) -> Flow[list[list[str]]]:
    """Fetch the ids of the gold evidence of each step."""
    gold_of_step: list[list[str]] = []
    for step in steps:
        columns = (yield fetch("gold/evidence", wanted=list(step.gold))) if step.gold else {"id": []}
        gold_of_step.append(list(columns["id"]))
    return gold_of_step


@dataclass(frozen=True, slots=True)
class _Neighbourhood:
    """The cosines of evidence to a query, and the edges (sender, receiver) from the evidence that may be in T."""

    cosines: dict[str, float]
    edges: list[tuple[str, str]]


def _fetch_neighbourhoods(vectors: Sequence[Vector], *, nodes: int, layers: int) -> Flow[list[_Neighbourhood]]:
    neighbourhoods: list[_Neighbourhood] = []
    for vector in vectors:
        neighbourhood = yield from _fetch_neighbourhood(vector, nodes=nodes, layers=layers)
        neighbourhoods.append(neighbourhood)
    return neighbourhoods


def _fetch_neighbourhood(vector: Vector, *, nodes: int, layers: int) -> Flow[_Neighbourhood]:
    """Fetch the nearest evidence of a query, and the edges that ``layers`` layers may use for any α."""
    hits = yield search(vector, DEPTH, by="dense")
    cosines = dict(zip(hits.ids, hits.scores, strict=True))
    edges: list[tuple[str, str]] = []
    senders: set[str] = set()
    receivers: set[str] = set()
    for _ in range(layers):
        silent = {id: 1.0 - cosine for id, cosine in cosines.items() if id not in receivers}
        new = sorted(receivers.union(select_nearest(silent, nodes)) - senders)
        senders.update(new)
        columns = yield fetch(
            "gnn_ret/neighbours",
            seeds=new,
            hub=HUB,
            by_entity=True,
            by_position=True,
            unlinked=list(UNLINKED_KINDS),
            vector=vector.tolist(),
        )
        for id, cosine, links in zip(columns["id"], columns["score"], columns["links"], strict=True):
            cosines.setdefault(id, cosine)
            edges += [(sender, id) for sender in {link[0] for link in links}]
            receivers.add(id)
    return _Neighbourhood(cosines, edges)


def _build_query(ids: Sequence[str], neighbourhood: _Neighbourhood) -> GnnQuery:
    index = {id: n for n, id in enumerate(ids)}
    pairs = sorted((index[a], index[b]) for a, b in neighbourhood.edges if a in index and b in index)
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    distances = np.array([1.0 - neighbourhood.cosines[id] for id in ids], dtype=np.float32)
    return GnnQuery(distances, ends[:, 0], ends[:, 1], np.array([], dtype=np.int64))


def _assign_nearest(queries: Sequence[GnnQuery], gold: list[int]) -> list[list[int]]:
    """Assign each query its nearest gold evidence that is not yet assigned, if any; the last one gets all others."""
    own: list[list[int]] = []
    remaining = list(gold)
    for n, query in enumerate(queries):
        is_last = n == len(queries) - 1
        own.append(remaining if is_last else [min(remaining, key=query.distances.__getitem__)] if remaining else [])
        remaining = [index for index in remaining if index not in own[-1]]
    return own


def _with_gold(queries: Sequence[GnnQuery], own: Sequence[Sequence[int]]) -> list[GnnQuery]:
    """Give each query its own gold evidence and that of later queries."""
    later = [sorted({index for indices in own[n:] for index in indices}) for n in range(len(queries))]
    return [
        replace(query, gold=np.array(indices, dtype=np.int64)) for query, indices in zip(queries, later, strict=True)
    ]
