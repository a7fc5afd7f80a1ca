"""Two graphs of evidence, found from both ends of the reasoning, made into one: the reconstruction of Graph-Hop.

Zhu et al. 2024, section 4.2. A graph is its edges, in the order in which they were found; it starts at `QUESTION`.
The paper, its text and its released code each merge in another way (CODE-NOTES 4): `merged` has all three, and the
order of edges makes each of them the same in every run. A merged graph has no circle: an edge that would close one is
left out, which the paper's constraints ask for and its union does not ensure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

GAMMA: Final = 0.1  # how far two graphs must agree to be joined
QUESTION: Final = ""  # the node from which a graph starts; every other node is the id of an evidence

Edge = tuple[str, str]
Way = Literal["forward", "backward"]
Merge = Literal["equation", "text_code", "intersection", "forward", "backward"]


def confidence(forward: Iterable[Edge], backward: Iterable[Edge]) -> float:
    """How far two graphs agree, in [0, 1]: shared edges over all edges (equation 1); 0 where there are none."""
    one, other = set(forward), set(backward)
    return len(one & other) / len(one | other) if one or other else 0.0


def merged(forward: Sequence[Edge], backward: Sequence[Edge], *, rule: Merge, gamma: float) -> list[Edge]:
    """One graph of two.

    ``equation`` (2): the union where `confidence` is above ``gamma``, else the backward graph. ``text_code``: above it
    the backward graph, else the guarded union of the released code. ``intersection``: what both have; parts of it may
    hang from nothing, as in that of the guarded union. ``forward`` and ``backward`` keep one of them.
    """
    alike = confidence(forward, backward) > gamma
    if rule == "forward":
        return list(forward)
    if rule == "backward" or (rule == "text_code" and alike) or (rule == "equation" and not alike):
        return list(backward)
    if rule == "intersection":
        return [edge for edge in forward if edge in set(backward)]
    every = _every(forward, backward)
    return rooted(acyclic(every)) if rule == "equation" else _guarded(every)


def acyclic(edges: Iterable[Edge]) -> list[Edge]:
    """The edges in order, without those that would close a circle with earlier ones."""
    kept: list[Edge] = []
    after: dict[str, set[str]] = {}
    for source, target in dict.fromkeys(edges):
        if source not in _reached(target, after):
            kept.append((source, target))
            after.setdefault(source, set()).add(target)
    return kept


def rooted(edges: Sequence[Edge]) -> list[Edge]:
    """The same graph, with what follows no evidence hung from the question, and only that."""
    followed = {target for source, target in edges if source != QUESTION}
    roots = [node for node in nodes_of(edges) if node not in followed]
    return [(QUESTION, node) for node in roots] + [edge for edge in edges if edge[0] != QUESTION]


def nodes_of(edges: Iterable[Edge]) -> list[str]:
    """The evidence of a graph, in the order in which its edges name it."""
    return [node for node in dict.fromkeys(node for edge in edges for node in edge) if node != QUESTION]


def in_order(edges: Sequence[Edge]) -> list[str]:
    """The evidence of a graph without circles as it is read: each behind all that it follows, else by its edges."""
    waiting: dict[str, set[str]] = {node: set() for node in nodes_of(edges)}
    for source, target in edges:
        if source != QUESTION:
            waiting[target].add(source)
    read: list[str] = []
    while waiting:
        ready = [node for node, before in waiting.items() if before <= set(read)] or list(waiting)[:1]
        read += ready
        waiting = {node: before for node, before in waiting.items() if node not in ready}
    return read


def _every(forward: Sequence[Edge], backward: Sequence[Edge]) -> list[Edge]:
    """All edges: what both have, then the backward graph's, then the forward graph's."""
    both = set(forward) & set(backward)
    return list(dict.fromkeys([*(edge for edge in forward if edge in both), *backward, *forward]))


def _guarded(edges: Sequence[Edge]) -> list[Edge]:
    """One edge into each node, the first; then the others into what is then a leaf (CODE-NOTES 4, merge rule)."""
    first: dict[str, Edge] = {}
    for edge in edges:
        first.setdefault(edge[1], edge)
    kept = acyclic(first.values())
    inner = {source for source, _ in kept}
    return acyclic([*kept, *(edge for edge in edges if edge[1] not in inner)])


def _reached(start: str, after: Mapping[str, set[str]]) -> set[str]:
    found, ahead = {start}, [start]
    while ahead:
        onward = after.get(ahead.pop(), set()) - found
        found |= onward
        ahead += onward
    return found
