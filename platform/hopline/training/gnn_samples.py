"""Training samples of GNN-Ret: distances, neighbours and gold evidence of each question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.entities.linking import UNLINKED_KINDS
from hopline.flow.requests import Flow, Vector, embed, fetch, search

DEPTH: Final = 200  # nearest evidence of each query
REACH: Final = 40  # evidence whose neighbours are fetched: T is chosen among these in every layer
HUB: Final = 20  # as in `gnn_ret`

Floats = NDArray[np.float32]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class GnnQuery:
    """One query over the N evidence of its sample.

    ``distances`` (N,) is h⁰ = 1 − cos; ``senders`` and ``receivers`` (E,) are the edges from the evidence nearest to
    the query; ``gold`` the indices of the gold evidence of this query and of later ones.
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


def fetch_gnn_sample(texts: Sequence[str], gold: Sequence[str]) -> Flow[GnnSample | None]:
    """Fetch the sample of a question; None if none of its gold evidence is in the collection.

    ``gold`` are ids or source ids. Each of several queries has its own gold evidence, the nearest of those not yet
    assigned (GNN-Ret, appendix B), and is trained to find it and the gold evidence of later queries (eq. 5).
    """
    columns = yield fetch("gold/evidence", wanted=list(gold))
    wanted: list[str] = list(columns["id"])
    if not wanted:
        return None
    vectors: list[Vector] = list((yield embed(texts)))
    cosines_of_query: list[dict[str, float]] = []
    edges_of_query: list[list[tuple[str, str]]] = []
    for vector in vectors:
        hits = yield search(vector, DEPTH, by="dense")
        near = dict(zip(hits.ids, hits.scores, strict=True))
        columns = yield fetch(
            "gnn_ret/neighbours",
            seeds=hits.ids[:REACH],
            hub=HUB,
            by_entity=True,
            by_position=True,
            unlinked=list(UNLINKED_KINDS),
            vector=vector.tolist(),
        )
        pairs = zip(columns["id"], columns["links"], strict=True)
        edges_of_query.append([(seed, id) for id, links in pairs for seed in {link[0] for link in links}])
        cosines_of_query.append({**dict(zip(columns["id"], columns["score"], strict=True)), **near})
    ids = sorted({*wanted}.union(*cosines_of_query))
    for vector, cosines in zip(vectors, cosines_of_query, strict=True):
        missing = [id for id in ids if id not in cosines]
        columns = yield fetch("retrieval/similarity", ids=missing, vector=vector.tolist())
        cosines |= dict(zip(columns["id"], columns["score"], strict=True))
    ids = [id for id in ids if all(id in cosines for cosines in cosines_of_query)]
    queries = [
        _build_query(ids, cosines, edges) for cosines, edges in zip(cosines_of_query, edges_of_query, strict=True)
    ]
    return GnnSample(tuple(ids), tuple(_assign_gold(queries, [ids.index(id) for id in wanted if id in ids])))


def _build_query(ids: Sequence[str], cosines: dict[str, float], edges: Sequence[tuple[str, str]]) -> GnnQuery:
    index = {id: n for n, id in enumerate(ids)}
    pairs = sorted((index[a], index[b]) for a, b in edges if a in index and b in index)
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    distances = np.array([1.0 - cosines[id] for id in ids], dtype=np.float32)
    return GnnQuery(distances, ends[:, 0], ends[:, 1], np.array([], dtype=np.int64))


def _assign_gold(queries: Sequence[GnnQuery], gold: list[int]) -> list[GnnQuery]:
    """Assign each query its own gold evidence and that of later queries; a single query gets all."""
    own: list[list[int]] = []
    remaining = list(gold)
    for n, query in enumerate(queries):
        last = n == len(queries) - 1
        own.append(remaining if last else [min(remaining, key=query.distances.__getitem__)] if remaining else [])
        remaining = [index for index in remaining if index not in own[-1]]
    later = [sorted(index for some in own[n:] for index in some) for n in range(len(queries))]
    return [
        GnnQuery(query.distances, query.senders, query.receivers, np.array(indices, dtype=np.int64))
        for query, indices in zip(queries, later, strict=True)
    ]
