"""Personalised PageRank on a fetched neighbourhood of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import coo_array


def personalised_pagerank(
    edges: Sequence[tuple[str, str]], restart: Mapping[str, float], *, damping: float = 0.5, rounds: int = 15
) -> dict[str, float]:
    """PageRank score of each node after ``rounds`` steps: p ← d Wᵀp + (1 − d) v (Haveliwala 2002, eq. 5).

    Edges are undirected; W steps to every neighbour with equal probability. ``restart`` (v) is scaled to sum 1; a node
    of it without an edge has its restart score only. Empty without edges and restart.
    """
    nodes = sorted({node for edge in edges for node in edge} | set(restart))
    total = sum(restart.values())
    if not nodes or total <= 0:
        return {}
    index = {node: n for n, node in enumerate(nodes)}
    start = np.array([restart.get(node, 0.0) / total for node in nodes])
    endpoints = np.array([(index[a], index[b]) for a, b in edges], dtype=np.int64).reshape(-1, 2)
    rows, columns = np.concatenate((endpoints, endpoints[:, ::-1])).T
    adjacency = coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(nodes), len(nodes))).tocsr()
    degrees = np.maximum(np.asarray(adjacency.sum(axis=1)).reshape(-1), 1.0)
    scores = start
    for _ in range(rounds):
        scores = damping * (adjacency @ (scores / degrees)) + (1.0 - damping) * start
    return dict(zip(nodes, scores.tolist(), strict=True))
