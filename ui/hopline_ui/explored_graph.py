"""The part of the graph that is shown on the Explore page, as nodes and edges for the graph component."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hopline.entities.communities import Community
from hopline.graph_explorer import Neighbourhood
from hopline.results import Node, PathStep
from hopline.results.labels import shorten
from hopline_ui.formatting import format_edge

MAX_NODES = 2000  # beyond it the graph is neither readable nor responsive
NAME_LENGTH = 60  # characters of a node's name

Edge = tuple[str, str, str]  # source, edge, target


@dataclass(slots=True)
class GraphCanvas:
    """The visible nodes and edges, in the order in which they were added.

    ``path`` has the ids of the highlighted path. ``total`` is the number of nodes in the collection, 0 where unknown.
    ``community`` is the community that was opened, if it was one.
    A node in ``hidden`` is not added again with its neighbours, only by `add_node` or `add_paths`.
    """

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[Edge, None] = field(default_factory=dict)
    path: tuple[str, ...] = ()
    pinned: set[str] = field(default_factory=set)
    hidden: set[str] = field(default_factory=set)
    total: int = 0
    community: Community | None = None

    def add_neighbourhood(self, neighbourhood: Neighbourhood) -> int:
        """Add nodes and edges; returns the number of new nodes."""
        before = len(self.nodes)
        by_id = {node.id: node for node in neighbourhood.nodes}
        for source, edge, target in neighbourhood.edges:
            self._add_edge(by_id[source], edge, by_id[target])
        for node in neighbourhood.nodes:
            self._add_node(node)
        return len(self.nodes) - before

    def add_node(self, node: Node) -> None:
        """Add one node, even a hidden one."""
        self.hidden.discard(node.id)
        self._add_node(node)

    def add_paths(self, paths: Iterable[Sequence[PathStep]]) -> None:
        """Add paths between two nodes and highlight the first."""
        self.path = ()
        for steps in paths:
            for step in steps:
                self.hidden -= {step.source.id, step.target.id}
                self._add_edge(step.source, step.edge, step.target)
            if not self.path:
                self.path = (steps[0].source.id, *(step.target.id for step in steps))

    def hide(self, id: str) -> None:
        """Hide a node and its neighbours that have no other edge; pinned neighbours stay."""
        self.hidden.add(id)
        leaves = {
            neighbour
            for neighbour in self._neighbours(id)
            if self._neighbours(neighbour) <= {id} and neighbour not in self.pinned
        }
        for removed in (id, *leaves):
            self.nodes.pop(removed, None)
            self.pinned.discard(removed)
        self.edges = {edge: None for edge in self.edges if edge[0] in self.nodes and edge[2] in self.nodes}
        self.path = self.path if all(node in self.nodes for node in self.path) else ()

    def remove(self, id: str) -> None:
        """Remove a node that is no longer in the graph; its neighbours stay."""
        self.nodes.pop(id, None)
        self.pinned.discard(id)
        self.edges = {edge: None for edge in self.edges if id not in (edge[0], edge[2])}
        self.path = () if id in self.path else self.path

    def merge(self, id: str, into: Node) -> None:
        """Replace the node ``id`` by ``into``, which takes over its edges."""
        if id not in self.nodes:
            return
        self.nodes = {into.id if key == id else key: into if key == id else node for key, node in self.nodes.items()}
        ends = ((into.id if s == id else s, edge, into.id if t == id else t) for s, edge, t in self.edges)
        self.edges = {edge: None for edge in ends if edge[0] != edge[2]}
        self.pinned.discard(id)
        self.path = ()

    def toggle_pin(self, id: str) -> None:
        """Pin a node at its position, or unpin it."""
        self.pinned ^= {id}

    def to_elements(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return nodes and edges as the graph component takes them."""
        nodes = [
            {"id": node.id, "kind": node.kind, "name": _format_name(node), "pinned": node.id in self.pinned}
            for node in self.nodes.values()
        ]
        edges = [
            {
                "source": source,
                "target": target,
                "label": format_edge(PathStep(self.nodes[source], edge, self.nodes[target])),
            }
            for source, edge, target in self.edges
        ]
        return nodes, edges

    def format_size(self) -> str:
        """As "Showing 300 of 2,623 nodes"."""
        part = f"Showing {len(self.nodes):,}"
        return f"{part} of {self.total:,} nodes" if self.total > len(self.nodes) else f"{part} nodes"

    def _add_node(self, node: Node) -> bool:
        """Add a node; returns whether it is visible now."""
        if node.id in self.nodes:
            return True
        if node.id in self.hidden or len(self.nodes) >= MAX_NODES:
            return False
        self.nodes[node.id] = node
        return True

    def _add_edge(self, source: Node, edge: str, target: Node) -> None:
        if self._add_node(source) and self._add_node(target) and (target.id, edge, source.id) not in self.edges:
            self.edges[source.id, edge, target.id] = None

    def _neighbours(self, id: str) -> set[str]:
        ends = ({source, target} for source, _, target in self.edges)
        return {end for pair in ends if id in pair for end in pair} - {id}


def _format_name(node: Node) -> str:
    if node.kind == "page" and node.name.isdigit():
        return f"p. {node.name}"
    return shorten(node.name, NAME_LENGTH) or node.kind
