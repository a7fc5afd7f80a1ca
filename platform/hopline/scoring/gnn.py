"""Message passing of GNN-Ret (Li et al. 2024) on distances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

Edge = tuple[str, str]  # a member of T, and one of its neighbours


def select_nearest(distances: Mapping[str, float], count: int) -> list[str]:
    """Return the ``count`` ids of smallest distance, ties by id: the set T of the paper."""
    return sorted(distances, key=lambda id: (distances[id], id))[:count]


def propagate(
    distances: Mapping[str, float], edges: Iterable[Edge], alpha: float, message: Literal["min", "mean"] = "min"
) -> dict[str, float]:
    """Apply one layer: h' = α h + (1 − α) m for every neighbour of a member of T (GNN-Ret eq. 1, 2).

    ``m`` is the smallest (or, in the paper's ablation, the mean) distance among its neighbours in T. A node without
    such a neighbour keeps its distance. A distance may rise: nothing is clipped.
    """
    received: dict[str, dict[str, float]] = {}
    for sender, receiver in edges:
        received.setdefault(receiver, {})[sender] = distances[sender]
    updated = dict(distances)
    for receiver, messages in received.items():
        values = messages.values()
        m = min(values) if message == "min" else sum(values) / len(values)
        updated[receiver] = alpha * distances[receiver] + (1.0 - alpha) * m
    return updated
