"""The message-passing layer of GNN-Ret."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

Edge = tuple[str, str]  # a member of T, and a neighbour of it


def nearest(distances: Mapping[str, float], count: int) -> list[str]:
    """T: the ``count`` ids of smallest distance, ties by id (CODE-NOTES 1)."""
    return sorted(distances, key=lambda id: (distances[id], id))[:count]


def propagate(
    distances: Mapping[str, float], edges: Iterable[Edge], alpha: float, message: Literal["min", "mean"] = "min"
) -> dict[str, float]:
    """One layer: h' = α h + (1 − α) m for every node that a member of T neighbours (GNN-Ret eq. 1, 2).

    ``m`` is the smallest (or, the paper's ablation, the mean) distance among its neighbours in T.
    A node without such a neighbour keeps its distance. A distance may rise: nothing is clipped.
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
