"""Training samples of Graph-Hop: every path through a gold graph in one direction, with its next evidence.

Paths lead from the question to each node (forward), or from each fact that entails the answer back (backward); targets
are the node's successors or predecessors. The first hop has all of its targets, including a fact that is both first and
last; the released code omits those, so that single-fact chains and stars are not learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.scoring.evidence_graph import QUESTION, Direction, Edge, list_nodes

MAX_PATHS: Final = 60  # of one graph


@dataclass(frozen=True, slots=True)
class PathSample:
    """One path: the evidence on it, the index of the path that it extends (None: the question), and what follows."""

    evidence: tuple[str, ...]
    parent: int | None
    targets: tuple[str, ...]


def enumerate_paths(edges: Sequence[Edge], direction: Direction) -> list[PathSample]:
    """Enumerate the paths of a graph in one direction, each before its extensions; at most `MAX_PATHS`."""
    successors = _build_successors(edges, direction)
    samples = [PathSample((), None, successors.get(QUESTION, ()))]
    n = 0
    while n < len(samples):
        for target in samples[n].targets[: max(MAX_PATHS - len(samples), 0)]:
            samples.append(PathSample((*samples[n].evidence, target), n, successors.get(target, ())))
        n += 1
    return samples


def _build_successors(edges: Sequence[Edge], direction: Direction) -> dict[str, tuple[str, ...]]:
    successors: dict[str, list[str]] = {}
    if direction == "forward":
        for source, target in edges:
            successors.setdefault(source, []).append(target)
    else:
        with_successor = {source for source, _ in edges}
        successors[QUESTION] = [node for node in list_nodes(edges) if node not in with_successor]
        for source, target in edges:
            if source != QUESTION:
                successors.setdefault(target, []).append(source)
    return {node: tuple(dict.fromkeys(targets)) for node, targets in successors.items()}
