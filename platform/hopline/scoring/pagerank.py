"""Personalised PageRank on a fetched neighbourhood of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array

from hopline.errors import UsageError

FloatArray = npt.NDArray[np.float64]
MAX_DAMPING: Final = 0.999  # about 20,000 steps; the iteration does not converge for 1
TOLERANCE: Final = 1e-9  # of the sum of absolute errors of the scores


def compute_personalized_pagerank(
    edges: Sequence[tuple[str, str]], restart: Mapping[str, float], *, damping: float = 0.5
) -> dict[str, float]:
    """Compute the PageRank score of each node: p = d (Wᵀp + m v) + (1 − d) v (Haveliwala 2002, eq. 5).

    Edges are undirected; W steps to every neighbour with equal probability. ``restart`` (v) is scaled to sum 1. The
    mass m of nodes without edges (dangling mass) returns to the nodes of ``restart``, so that scores sum to 1.
    ``damping`` (d) is in [0, 0.999]; the iteration ends when the error is below `TOLERANCE`, which takes about
    ln(10⁹) / (1 − d) steps. The result is empty without edges and restart.

    Raises:
        UsageError: ``damping`` is outside its range.
    """
    if not 0.0 <= damping <= MAX_DAMPING:
        raise UsageError(f"the damping of PageRank must be in [0, {MAX_DAMPING}], for example 0.5; got {damping!r}")
    nodes = sorted({node for edge in edges for node in edge} | set(restart))
    total = sum(restart.values())
    if not nodes or total <= 0:
        return {}
    start = np.array([restart.get(node, 0.0) / total for node in nodes])
    scores = _iterate(_build_adjacency(nodes, edges), start, damping)
    return dict(zip(nodes, scores.tolist(), strict=True))


def _build_adjacency(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> csr_array:
    """Return the symmetric (N, N) matrix of the number of edges between each two nodes."""
    index = {node: n for n, node in enumerate(nodes)}
    endpoints = np.array([(index[a], index[b]) for a, b in edges], dtype=np.int64).reshape(-1, 2)
    rows, columns = np.concatenate((endpoints, endpoints[:, ::-1])).T
    return coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(nodes), len(nodes))).tocsr()


def _iterate(adjacency: csr_array, start: FloatArray, damping: float) -> FloatArray:
    """Repeat the step of PageRank until its error, at most d / (1 − d) times the last change, is below `TOLERANCE`."""
    degrees = np.asarray(adjacency.sum(axis=1)).reshape(-1)
    isolated = degrees == 0
    divisors = np.maximum(degrees, 1.0)
    scores, error = start, 1.0
    while error > TOLERANCE:
        restarted = 1.0 - damping + damping * scores[isolated].sum()
        updated = damping * (adjacency @ (scores / divisors)) + restarted * start
        error = float(np.abs(updated - scores).sum()) * damping / (1.0 - damping)
        scores = updated
    return scores
