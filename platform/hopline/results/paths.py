"""Nodes of the graph for display, and the paths and graphs of them that show how evidence is connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from hopline.records import MIN_CONFIDENCE

NodeKind = Literal["collection", "document", "page", "passage", "table", "figure", "entity", "triple", "reference"]


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph for display: id, kind and a short name; ``confidence`` is that of a triple."""

    id: str
    kind: NodeKind
    name: str = ""
    confidence: float = 1.0

    @property
    def uncertain(self) -> bool:
        """Whether it is a triple that was probably read wrongly: its confidence is below `MIN_CONFIDENCE`."""
        return self.confidence < MIN_CONFIDENCE


@dataclass(frozen=True, slots=True)
class PathStep:
    """One edge of a path, in the direction of the path, which may be opposite to that of the edge in the graph."""

    source: Node
    edge: str
    target: Node


@dataclass(frozen=True, slots=True)
class EvidencePath:
    """The edges that lead from a seed of the question to an evidence, by its id.

    ``steps`` is empty where the evidence is itself a seed: search found it directly.
    """

    evidence: str
    seed: Node
    steps: tuple[PathStep, ...] = ()

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every node of the path in order, the seed first."""
        return (self.seed, *(step.target for step in self.steps))


@dataclass(frozen=True, slots=True)
class EvidenceGraph:
    """A directed acyclic graph of the evidence that supports an answer.

    ``edges`` are (source, target) ids of evidence; the source "" is the question. ``nodes`` are the nodes of the edges
    in topological order.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.edges)


EMPTY_GRAPH: Final = EvidenceGraph()
