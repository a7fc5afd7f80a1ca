"""What has been explored so far, as nodes and edges for the component; plain data, no drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hopline.client import Neighbourhood
from hopline.rendering.labels import excerpt
from hopline.types import Node, Step
from hopline_ui.formatting import edge_words

MOST = 2000  # nodes drawn; more can be neither read nor moved
SHORT = 60  # characters of a node's name

Edge = tuple[str, str, str]  # source, edge, target


@dataclass(slots=True)
class Sketch:
    """Nodes and edges in the order in which they came; ``way`` are the ids of a way that was followed.

    ``total`` says of how many nodes these are a part, 0 where that is not known. A node that was put away
    (`hide`) stays away while others are opened, until it is looked for again.
    """

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[Edge, None] = field(default_factory=dict)
    way: tuple[str, ...] = ()
    pinned: set[str] = field(default_factory=set)
    away: set[str] = field(default_factory=set)
    total: int = 0

    def grow(self, around: Neighbourhood) -> int:
        """Adds a neighbourhood; returns how many nodes are new."""
        before = len(self.nodes)
        names = {node.id: node for node in around.nodes}
        for source, edge, target in around.edges:
            self._tie(names[source], edge, names[target])
        for node in around.nodes:
            self._take(node)
        return len(self.nodes) - before

    def show(self, node: Node) -> None:
        """Adds one node, even one that was put away."""
        self.away.discard(node.id)
        self._take(node)

    def follow(self, ways: Iterable[Sequence[Step]]) -> None:
        """Adds ways between two nodes; the first is the one that is drawn as the way."""
        self.way = ()
        for steps in ways:
            for step in steps:
                self.away -= {step.source.id, step.target.id}
                self._tie(step.source, step.edge, step.target)
            if not self.way:
                self.way = (steps[0].source.id, *(step.target.id for step in steps))

    def hide(self, id: str) -> None:
        """Puts a node away, with what it alone joined to the rest."""
        self.away.add(id)
        alone = {other for other in self._beside(id) if self._beside(other) <= {id} and other not in self.pinned}
        for gone in (id, *alone):
            self.nodes.pop(gone, None)
            self.pinned.discard(gone)
        self.edges = {edge: None for edge in self.edges if edge[0] in self.nodes and edge[2] in self.nodes}
        self.way = self.way if all(one in self.nodes for one in self.way) else ()

    def join(self, id: str, into: Node) -> None:
        """Draws two names as one: what stood at the node with this id stands at the other."""
        if id not in self.nodes:
            return
        self.nodes = {into.id if one == id else one: into if one == id else node for one, node in self.nodes.items()}
        ends = ((into.id if s == id else s, edge, into.id if t == id else t) for s, edge, t in self.edges)
        self.edges = {edge: None for edge in ends if edge[0] != edge[2]}
        self.pinned.discard(id)
        self.way = ()

    def pin(self, id: str) -> None:
        """Keeps a node at its place, or lets it go."""
        self.pinned ^= {id}

    def drawn(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Nodes and edges as the component takes them."""
        nodes = [
            {"id": node.id, "kind": node.kind, "name": _name(node), "pinned": node.id in self.pinned}
            for node in self.nodes.values()
        ]
        edges = [
            {
                "source": source,
                "target": target,
                "label": edge_words(Step(self.nodes[source], edge, self.nodes[target])),
            }
            for source, edge, target in self.edges
        ]
        return nodes, edges

    def shared(self, most: int) -> list[tuple[Node, int]]:
        """The names with the most edges in the picture, and how many; a name that joins nothing is left out."""
        degrees = Counter(end for source, _, target in self.edges for end in (source, target))
        named = [
            (self.nodes[id], count) for id, count in degrees.items() if self.nodes[id].kind == "entity" and count > 1
        ]
        return sorted(named, key=lambda pair: (-pair[1], pair[0].name))[:most]

    def told(self) -> str:
        """How much of how much is drawn."""
        part = f"Showing {len(self.nodes):,}"
        return f"{part} of {self.total:,} nodes" if self.total > len(self.nodes) else f"{part} nodes"

    def _take(self, node: Node) -> bool:
        if node.id in self.nodes:
            return True
        if node.id in self.away or len(self.nodes) >= MOST:
            return False
        self.nodes[node.id] = node
        return True

    def _tie(self, source: Node, edge: str, target: Node) -> None:
        if self._take(source) and self._take(target) and (target.id, edge, source.id) not in self.edges:
            self.edges[source.id, edge, target.id] = None

    def _beside(self, id: str) -> set[str]:
        ends = ({source, target} for source, _, target in self.edges)
        return {other for pair in ends if id in pair for other in pair} - {id}


def _name(node: Node) -> str:
    return f"p. {node.name}" if node.kind == "page" and node.name.isdigit() else excerpt(node.name, SHORT) or node.kind
