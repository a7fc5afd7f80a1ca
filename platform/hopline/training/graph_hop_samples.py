"""What one direction of Graph-Hop learns from: every path through a right graph, and what follows each.

CODE-NOTES 4: paths from the question to each node (forward), or from each fact that answers back (backward); targets
are the node's successors or predecessors. A first hop has all of its targets, also a fact that is both first and last
(the released code's first defect, which leaves single-fact chains and stars unlearnt).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hopline.scoring.evidence_graph import QUESTION, Edge, Way, nodes_of

MOST_PATHS: Final = 60  # of one graph


@dataclass(frozen=True, slots=True)
class Walk:
    """One path: the facts on it, the place of the path that it goes on from (None: the question), what follows."""

    on: tuple[str, ...]
    parent: int | None
    next: tuple[str, ...]


def walks(edges: Sequence[Edge], way: Way) -> list[Walk]:
    """Every path of a graph in one direction, a shorter one before those that go on from it."""
    after = _after(edges, way)
    found = [Walk((), None, after.get(QUESTION, ()))]
    n = 0
    while n < len(found):
        for target in found[n].next[: max(MOST_PATHS - len(found), 0)]:
            found.append(Walk((*found[n].on, target), n, after.get(target, ())))
        n += 1
    return found


def _after(edges: Sequence[Edge], way: Way) -> dict[str, tuple[str, ...]]:
    after: dict[str, list[str]] = {}
    if way == "forward":
        for source, target in edges:
            after.setdefault(source, []).append(target)
    else:
        inner = {source for source, _ in edges}
        after[QUESTION] = [node for node in nodes_of(edges) if node not in inner]
        for source, target in edges:
            if source != QUESTION:
                after.setdefault(target, []).append(source)
    return {node: tuple(dict.fromkeys(targets)) for node, targets in after.items()}
