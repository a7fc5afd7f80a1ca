"""An evidence path as nodes and edges for the component; plain data, no drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hopline.client import Neighbourhood
from hopline.ids import page_id
from hopline.rendering.labels import excerpt, numbered
from hopline.types import Answer, Citation, Evidence, EvidenceGraph, Node
from hopline_ui.formatting import edge_words
from hopline_ui.passage_html import summary
from hopline_ui.sources import Source

QUESTION = "question"  # id of the node that stands for what was asked
DETAIL = 260  # characters shown when a node is pointed at


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes and edges of a graph, the ids of its path in order, and what its nodes stand for."""

    nodes: tuple[dict[str, Any], ...]
    edges: tuple[dict[str, Any], ...]
    path: tuple[str, ...]
    evidence: Mapping[str, Evidence]

    def node(self, id: str | None) -> dict[str, Any] | None:
        """The node of that id, if it is drawn."""
        return next((node for node in self.nodes if node["id"] == id), None)


def draw_path(answer: Answer, source: Source) -> Drawing:
    """The path of one source: question, seeds and steps in a row, pages and documents beneath.

    A source without a path is drawn as found directly.
    """
    evidence = {one.id: one for one in (*answer.evidence, source.citation.evidence)}
    path = source.citation.path
    row = path.nodes if path else (Node(source.citation.evidence.id, source.citation.evidence.kind),)
    names = _names(answer, source)
    nodes = {QUESTION: _node(QUESTION, "question", "Question", answer.question)}
    edges = [_edge(QUESTION, row[0].id, "names" if row[0].kind == "entity" else "found by search")]
    for node in row:
        kind = evidence[node.id].kind if node.id in evidence else node.kind
        nodes[node.id] = _node(node.id, kind, names.get(node.id) or node.name or node.kind, _detail(node, evidence))
    edges += [_edge(step.source.id, step.target.id, edge_words(step)) for step in (path.steps if path else ())]
    for node in row:
        if node.id in evidence:
            _hang(evidence[node.id], _page(evidence[node.id], source.citation), nodes, edges)
    ids = tuple(dict.fromkeys((QUESTION, *(node.id for node in row))))
    return Drawing(tuple(nodes.values()), tuple(_distinct(edges)), ids, evidence)


def draw_graph(answer: Answer) -> Drawing:
    """The evidence graph of an answer: its longest chain in a row, what stands beside it beneath.

    Empty where the strategy makes no graph.
    """
    graph = answer.retrieval.graph
    evidence = {one.id: one for one in answer.evidence}
    names = _names(answer, None)
    nodes = [_node(QUESTION, "question", "Question", answer.question)] if graph else []
    nodes += [_node(one.id, one.kind, names.get(one.id) or one.name, _detail(one, evidence)) for one in graph.nodes]
    edges = [_edge(source or QUESTION, target, "then" if source else "asks for") for source, target in graph.edges]
    return Drawing(tuple(nodes), tuple(edges), _longest(graph), evidence)


def _longest(graph: EvidenceGraph) -> tuple[str, ...]:
    """The ids of the longest chain from the question; of equal ones the first."""
    chains: dict[str, tuple[str, ...]] = {"": (QUESTION,)}
    for node in graph.nodes:  # each stands behind all that it follows
        before = [chains[source] for source, target in graph.edges if target == node.id and source in chains]
        chains[node.id] = (*max(before, key=len, default=(QUESTION,)), node.id)
    return max(chains.values(), key=len) if graph else ()


def _hang(evidence: Evidence, page: int, nodes: dict[str, dict[str, Any]], edges: list[dict[str, Any]]) -> None:
    """Page and document under an evidence; formats without pages have the document only."""
    below = evidence.id
    if evidence.pages:
        below = page_id(evidence.document_id, page)
        nodes.setdefault(below, _node(below, "page", f"p. {page}", f"{evidence.document}, page {page}"))
        edges.append(_edge(evidence.id, below, "is on"))
    name = evidence.document or evidence.title or "document"
    nodes.setdefault(evidence.document_id, _node(evidence.document_id, "document", name, evidence.title))
    edges.append(_edge(below, evidence.document_id, "is in"))


def _names(answer: Answer, source: Source | None) -> dict[str, str]:
    """As "Passage [1]" where cited, "Passage, rank 4" where only found, "Passage" where looked up for the answer."""
    names = {evidence.id: _called(evidence) for evidence in answer.additional_evidence}
    names |= {
        evidence.id: f"{_called(evidence)}, rank {rank}" for rank, evidence in enumerate(answer.retrieval.evidence, 1)
    }
    marks: dict[str, list[int]] = {}
    for citation, number in numbered(answer).items():
        mine = marks.setdefault(citation.evidence.id, [])
        mine.append(number)
        names[citation.evidence.id] = _called(citation.evidence) + "".join(f" [{n}]" for n in mine)
    if source is None:
        return names
    shown = source.citation.evidence
    return names | ({} if shown.id in names else {shown.id: _called(shown)})


def _called(evidence: Evidence) -> str:
    return f"Table {evidence.number}".strip() if evidence.kind == "table" else "Passage"


def _detail(node: Node, evidence: Mapping[str, Evidence]) -> str:
    return excerpt(summary(evidence[node.id]), DETAIL) if node.id in evidence else node.kind


def _page(evidence: Evidence, citation: Citation) -> int:
    if evidence.id == citation.evidence.id:
        return citation.page
    return evidence.pages[0] if evidence.pages else 1


def _node(id: str, kind: str, name: str, detail: str = "") -> dict[str, Any]:
    return {"id": id, "kind": kind, "name": name, "detail": detail}


def _edge(source: str, target: str, label: str) -> dict[str, Any]:
    return {"source": source, "target": target, "label": label}


def _distinct(edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({(edge["source"], edge["target"], edge["label"]): edge for edge in edges}.values())


def add_context(drawing: Drawing, around: Sequence[Neighbourhood], limit: int = 8) -> Drawing:
    """The drawing with the entities that its evidence mentions besides, above the path.

    Of all there are, the ``limit`` that tie most of the drawn nodes together; ties by name.
    """
    drawn = {node["id"] for node in drawing.nodes}
    entities = {node.id: node for some in around for node in some.nodes if node.kind == "entity"}
    ties: dict[str, dict[str, str]] = {}
    for source, edge, target in dict.fromkeys(edge for some in around for edge in some.edges):
        if source in drawn and target in entities and target not in drawn:
            ties.setdefault(target, {}).setdefault(source, edge)
    best = sorted(ties, key=lambda id: (-len(ties[id]), entities[id].name, id))[:limit]
    above = [_node(id, "entity", entities[id].name, "mentioned on this path") | {"role": "context"} for id in best]
    edges = [
        _edge(source, id, edge.replace("_", " ").lower()) | {"role": "context"}
        for id in best
        for source, edge in ties[id].items()
    ]
    return replace(drawing, nodes=(*drawing.nodes, *above), edges=(*drawing.edges, *edges))
