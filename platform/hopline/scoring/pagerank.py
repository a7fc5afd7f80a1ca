"""Personalised PageRank on the neighbourhood that was fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import coo_array


def personalised_pagerank(
    edges: Sequence[tuple[str, str]], restart: Mapping[str, float], *, damping: float = 0.5, rounds: int = 15
) -> dict[str, float]:
    """The share of each node after ``rounds`` steps: p ← d Wᵀp + (1 − d) v (Haveliwala 2002, eq. 5).

    Edges have no direction; W is a step to any neighbour alike. ``restart`` is scaled to sum 1; a
    node of it without an edge keeps what it is given. No edge and no restart: nothing.
    """
    nodes = sorted({node for edge in edges for node in edge} | set(restart))
    total = sum(restart.values())
    if not nodes or total <= 0:
        return {}
    place = {node: n for n, node in enumerate(nodes)}
    start = np.array([restart.get(node, 0.0) / total for node in nodes])
    ends = np.array([(place[a], place[b]) for a, b in edges], dtype=np.int64).reshape(-1, 2)
    rows, columns = np.concatenate((ends, ends[:, ::-1])).T
    joined = coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(nodes), len(nodes))).tocsr()
    degrees = np.maximum(np.asarray(joined.sum(axis=1)).reshape(-1), 1.0)
    shares = start
    for _ in range(rounds):
        shares = damping * (joined @ (shares / degrees)) + (1.0 - damping) * start
    return dict(zip(nodes, shares.tolist(), strict=True))
