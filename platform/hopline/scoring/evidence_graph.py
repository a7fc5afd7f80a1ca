"""Evidence graphs: merging the graphs of a forward and a backward search, as Graph-Hop's reconstruction does.

Zhu et al. 2024, section 4.2. A graph is a list of edges in the order in which they were found; it starts at `QUESTION`.
The paper's equation 2, its text and its released code merge in three different ways: `merge_graphs` implements all
three, each deterministic by the order of the edges. Where two graphs are joined, an edge that would close a cycle is
dropped, as an evidence graph has no cycle, which the paper's union does not ensure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

GAMMA: Final = 0.1  # agreement above which two graphs are joined; the paper names none, its released code has .02
QUESTION: Final = ""  # the start node of a graph; every other node is an evidence id

Edge = tuple[str, str]
Direction = Literal["forward", "backward"]
MergeRule = Literal["equation", "text", "text_code", "intersection", "forward", "backward"]


def confidence(forward: Iterable[Edge], backward: Iterable[Edge]) -> float:
    """Agreement of two graphs in [0, 1]: shared edges over all edges (equation 1); 0 if there are no edges."""
    first, second = set(forward), set(backward)
    return len(first & second) / len(first | second) if first or second else 0.0


def merge_graphs(forward: Sequence[Edge], backward: Sequence[Edge], *, rule: MergeRule, gamma: float) -> list[Edge]:
    """Merge the graphs of both directions.

    ``equation`` (2): the union if `confidence` is above ``gamma``, else the backward graph. ``text`` (section 4.2): the
    backward graph if it is above, else the shared edges, of which only the first into each node is taken ("new edges
    are not added twice for the existing nodes"). ``text_code``: the backward graph if it is above, else the guarded
    union of the released code. ``intersection``: the shared edges, whatever ``gamma`` is. ``forward`` and ``backward``
    return that graph. Parts of shared edges, and of the guarded union, may not be connected to the question.
    """
    agree = confidence(forward, backward) > gamma
    if rule == "forward":
        return list(forward)
    if rule == "backward" or (rule in ("text", "text_code") and agree) or (rule == "equation" and not agree):
        return list(backward)
    shared = [edge for edge in forward if edge in set(backward)]
    if rule == "intersection":
        return shared
    if rule == "text":
        return _take_first_edges(shared)
    union = list(dict.fromkeys([*shared, *backward, *forward]))
    return remove_cycles(union) if rule == "equation" else _merge_guarded(union)


def remove_cycles(edges: Iterable[Edge]) -> list[Edge]:
    """Return the edges in order, without those that would close a cycle with earlier ones."""
    acyclic: list[Edge] = []
    successors: dict[str, set[str]] = {}
    for source, target in dict.fromkeys(edges):
        if source not in _find_reachable(target, successors):
            acyclic.append((source, target))
            successors.setdefault(source, set()).add(target)
    return acyclic


def attach_to_question(edges: Sequence[Edge]) -> list[Edge]:
    """Return the graph with an edge from the question to exactly the evidence that has no other predecessor."""
    with_predecessor = {target for source, target in edges if source != QUESTION}
    roots = [node for node in list_nodes(edges) if node not in with_predecessor]
    return [(QUESTION, node) for node in roots] + [edge for edge in edges if edge[0] != QUESTION]


def list_nodes(edges: Iterable[Edge]) -> list[str]:
    """Return the evidence ids of a graph in the order of its edges."""
    return [node for node in dict.fromkeys(node for edge in edges for node in edge) if node != QUESTION]


def sort_topologically(edges: Sequence[Edge]) -> list[str]:
    """Return the evidence ids of an acyclic graph in topological order, ties in the order of the edges."""
    waiting: dict[str, set[str]] = {node: set() for node in list_nodes(edges)}
    for source, target in edges:
        if source != QUESTION:
            waiting[target].add(source)
    order: list[str] = []
    while waiting:
        ready = [node for node, predecessors in waiting.items() if predecessors <= set(order)] or list(waiting)[:1]
        order += ready
        waiting = {node: predecessors for node, predecessors in waiting.items() if node not in ready}
    return order


def _merge_guarded(edges: Sequence[Edge]) -> list[Edge]:
    """Take the first edge into each node, then the other edges into nodes that are leaves of that graph.

    This is the merge rule of the released code.
    """
    acyclic = remove_cycles(_take_first_edges(edges))
    inner = {source for source, _ in acyclic}
    return remove_cycles([*acyclic, *(edge for edge in edges if edge[1] not in inner)])


def _take_first_edges(edges: Iterable[Edge]) -> list[Edge]:
    """Return the first edge into each node."""
    first: dict[str, Edge] = {}
    for edge in edges:
        first.setdefault(edge[1], edge)
    return list(first.values())


def _find_reachable(start: str, successors: Mapping[str, set[str]]) -> set[str]:
    """Return ``start`` and every node that a path leads to from it."""
    reachable, frontier = {start}, [start]
    while frontier:
        new = successors.get(frontier.pop(), set()) - reachable
        reachable |= new
        frontier += new
    return reachable
