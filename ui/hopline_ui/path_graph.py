"""Evidence paths and evidence graphs as nodes and edges for the graph component."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hopline.graph_explorer import Neighbourhood
from hopline.ids import page_id
from hopline.results import Answer, Citation, Evidence, EvidenceGraph, Node
from hopline.results.labels import label_node, name_kind, number_citations, shorten
from hopline_ui.formatting import format_edge
from hopline_ui.passage_html import summarize
from hopline_ui.sources import AnswerSource

QUESTION = "question"  # id of the question's node
DETAIL_LENGTH = 260  # characters of a node's tooltip


@dataclass(frozen=True, slots=True)
class GraphDrawing:
    """Nodes and edges for the graph component, the ids of the path in order, and the evidence by node id."""

    nodes: tuple[dict[str, Any], ...]
    edges: tuple[dict[str, Any], ...]
    path: tuple[str, ...]
    evidence: Mapping[str, Evidence]

    def find_node(self, id: str | None) -> dict[str, Any] | None:
        """Return the node with this id, or None."""
        return next((node for node in self.nodes if node["id"] == id), None)


def build_path_drawing(answer: Answer, source: AnswerSource, known: Mapping[str, str] | None = None) -> GraphDrawing:
    """Return the path of one source: question, seeds and steps as the path, with their pages and documents.

    A source without a path is connected to the question directly. ``known`` has labels of nodes by id that are not
    those of their names, such as those of uncertain triples.
    """
    evidence = {item.id: item for item in (*answer.evidence, source.citation.evidence)}
    path = source.citation.path
    row = path.nodes if path else (Node(source.citation.evidence.id, source.citation.evidence.kind),)
    labels = _label_evidence(answer, source) | dict(known or {})
    nodes = {QUESTION: _make_node(QUESTION, "question", "Question", answer.question)}
    edges = [_make_edge(QUESTION, row[0].id, "names" if row[0].kind == "entity" else "found by search")]
    for node in row:
        kind = evidence[node.id].kind if node.id in evidence else node.kind
        name = label_node(node, labels) if node.name or node.id in labels else node.kind
        nodes[node.id] = _make_node(node.id, kind, name, _format_detail(node, evidence))
    edges += [_make_edge(step.source.id, step.target.id, format_edge(step)) for step in (path.steps if path else ())]
    for node in row:
        if node.id in evidence:
            page = _select_page(evidence[node.id], source.citation)
            _add_page_and_document(evidence[node.id], page, nodes, edges)
    ids = tuple(dict.fromkeys((QUESTION, *(node.id for node in row))))
    return GraphDrawing(tuple(nodes.values()), tuple(_deduplicate(edges)), ids, evidence)


def build_graph_drawing(answer: Answer) -> GraphDrawing:
    """Return the evidence graph of an answer with its longest chain as the path; empty where there is no graph."""
    graph = answer.retrieval.graph
    evidence = {item.id: item for item in answer.evidence}
    labels = _label_evidence(answer, None)
    nodes = [_make_node(QUESTION, "question", "Question", answer.question)] if graph else []
    nodes += [
        _make_node(node.id, node.kind, labels.get(node.id) or node.name, _format_detail(node, evidence))
        for node in graph.nodes
    ]
    edges = [
        _make_edge(source or QUESTION, target, "leads to" if source else "asks for") for source, target in graph.edges
    ]
    return GraphDrawing(tuple(nodes), tuple(edges), _find_longest_chain(graph), evidence)


def add_context(drawing: GraphDrawing, neighbourhoods: Sequence[Neighbourhood], limit: int = 8) -> GraphDrawing:
    """Return the drawing with further entities that its evidence mentions, above the path.

    At most ``limit``: those connected to most nodes of the drawing, ties by name.
    """
    drawn = {node["id"] for node in drawing.nodes}
    entities = {node.id: node for around in neighbourhoods for node in around.nodes if node.kind == "entity"}
    connections: dict[str, dict[str, str]] = {}
    for source, edge, target in dict.fromkeys(edge for around in neighbourhoods for edge in around.edges):
        if source in drawn and target in entities and target not in drawn:
            connections.setdefault(target, {}).setdefault(source, edge)
    best = sorted(connections, key=lambda id: (-len(connections[id]), entities[id].name, id))[:limit]
    nodes = [_make_node(id, "entity", entities[id].name, "mentioned on this path") | {"role": "context"} for id in best]
    edges = [
        _make_edge(source, id, edge.replace("_", " ").lower()) | {"role": "context"}
        for id in best
        for source, edge in connections[id].items()
    ]
    return replace(drawing, nodes=(*drawing.nodes, *nodes), edges=(*drawing.edges, *edges))


def _find_longest_chain(graph: EvidenceGraph) -> tuple[str, ...]:
    """Return the ids of the longest chain from the question, the first of several."""
    chains: dict[str, tuple[str, ...]] = {"": (QUESTION,)}
    for node in graph.nodes:  # in topological order
        before = [chains[source] for source, target in graph.edges if target == node.id and source in chains]
        chains[node.id] = (*max(before, key=len, default=(QUESTION,)), node.id)
    return max(chains.values(), key=len) if graph else ()


def _add_page_and_document(
    evidence: Evidence, page: int, nodes: dict[str, dict[str, Any]], edges: list[dict[str, Any]]
) -> None:
    """Add page and document of an evidence; formats without pages have the document only."""
    parent = evidence.id
    if evidence.pages:
        parent = page_id(evidence.document_id, page)
        nodes.setdefault(parent, _make_node(parent, "page", f"p. {page}", f"{evidence.document}, page {page}"))
        edges.append(_make_edge(evidence.id, parent, "is on"))
    name = evidence.document or evidence.title or "document"
    nodes.setdefault(evidence.document_id, _make_node(evidence.document_id, "document", name, evidence.title))
    edges.append(_make_edge(parent, evidence.document_id, "is in"))


def _label_evidence(answer: Answer, source: AnswerSource | None) -> dict[str, str]:
    """Return labels by id: "Passage [1]" if cited, "Passage, rank 4" if retrieved, "Passage" if additional evidence."""
    labels = {evidence.id: name_kind(evidence) for evidence in answer.additional_evidence}
    labels |= {
        evidence.id: f"{name_kind(evidence)}, rank {rank}" for rank, evidence in enumerate(answer.retrieval.evidence, 1)
    }
    numbers: dict[str, list[int]] = {}
    for citation, number in number_citations(answer).items():
        cited_as = numbers.setdefault(citation.evidence.id, [])
        cited_as.append(number)
        labels[citation.evidence.id] = name_kind(citation.evidence) + "".join(f" [{n}]" for n in cited_as)
    if source is None:
        return labels
    shown = source.citation.evidence
    return labels | ({} if shown.id in labels else {shown.id: name_kind(shown)})


def _format_detail(node: Node, evidence: Mapping[str, Evidence]) -> str:
    return shorten(summarize(evidence[node.id]), DETAIL_LENGTH) if node.id in evidence else node.kind


def _select_page(evidence: Evidence, citation: Citation) -> int:
    if evidence.id == citation.evidence.id:
        return citation.page
    return evidence.pages[0] if evidence.pages else 1


def _make_node(id: str, kind: str, name: str, detail: str = "") -> dict[str, Any]:
    return {"id": id, "kind": kind, "name": name, "detail": detail}


def _make_edge(source: str, target: str, label: str) -> dict[str, Any]:
    return {"source": source, "target": target, "label": label}


def _deduplicate(edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({(edge["source"], edge["target"], edge["label"]): edge for edge in edges}.values())
