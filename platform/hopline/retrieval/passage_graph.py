"""Graphs of passages (KGP): by shared names, shared keywords, nearest neighbours, or the predictions of a guide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from hopline.entities.linking import UNLINKED_KINDS
from hopline.errors import UnknownName
from hopline.flow.requests import Flow, Vector, fetch
from hopline.retrieval.agent.next_passage import encode_next_queries, find_next_passages
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence

PassageGraphName = Literal["entities", "keywords", "similar", "mdr"]
NeighbourPath = tuple[str, str, str, str]  # edge, entity id, entity name, edge from the entity


@dataclass(frozen=True, slots=True)
class PassageGraph:
    """A graph of passages, and the limits of what is fetched of it."""

    graph: PassageGraphName
    neighbours: int
    hub: int
    keywords: int

    def fetch_neighbours(self, seeds: Sequence[str], vector: Vector) -> Flow[dict[str, dict[str, NeighbourPath]]]:
        """Fetch the neighbours of each seed, with the connection to each."""
        if self.graph == "mdr":
            return (yield from self._search_neighbours(seeds))
        parameters = self._build_parameters(vector)
        columns = yield fetch(f"kgp/{self.graph}", seeds=list(seeds), limit=self.neighbours, **parameters)
        names = ("seed", "id", "edge", "entity", "name", "second_edge")
        neighbours: dict[str, dict[str, NeighbourPath]] = {}
        for row in zip(*(columns[name] for name in names), strict=True):
            neighbours.setdefault(row[0], {})[row[1]] = row[2:]
        return neighbours

    def _search_neighbours(self, seeds: Sequence[str]) -> Flow[dict[str, dict[str, NeighbourPath]]]:
        """Search for the passages that the trained guide predicts after each seed; these edges are not stored."""
        evidence = yield from fetch_evidence(seeds)
        vectors = yield from encode_next_queries([format_evidence(item) for item in evidence], trained=True)
        neighbours: dict[str, dict[str, NeighbourPath]] = {}
        for item, vector in zip(evidence, vectors, strict=True):
            following = yield from find_next_passages(item.id, vector, self.neighbours)
            neighbours[item.id] = {id: ("SIMILAR", "", "", "") for id, _ in following}
        return neighbours

    def _build_parameters(self, vector: Vector) -> Mapping[str, Any]:
        if self.graph == "similar":
            return {"by": ""}
        if self.graph == "keywords":
            return {"keywords": self.keywords, "hub": self.hub, "vector": vector.tolist()}
        return {"unlinked": list(UNLINKED_KINDS), "hub": self.hub, "vector": vector.tolist()}


def create_passage_graph(graph: str, *, neighbours: int = 50, hub: int = 30, keywords: int = 10) -> PassageGraph:
    """Create a graph by its name.

    Raises:
        UnknownName: no such graph; lists the existing ones.
    """
    known: tuple[PassageGraphName, ...] = get_args(PassageGraphName)
    for name in known:
        if name == graph:
            return PassageGraph(name, neighbours, hub, keywords)
    raise UnknownName("graph of passages", graph, known)
