"""Retrievals and answers as plain dictionaries: what ``--json`` prints and the REST door sends."""

from __future__ import annotations

from typing import Any

from hopline.notebook import answer_html, retrieval_html
from hopline.types import (
    Answer,
    Box,
    Citation,
    Evidence,
    EvidenceGraph,
    EvidencePath,
    Node,
    Retrieval,
    Sentence,
    Step,
    Trace,
)

__all__ = ["answer_dict", "answer_html", "retrieval_dict", "retrieval_html"]


def retrieval_dict(retrieval: Retrieval) -> dict[str, Any]:
    """Question, strategy, collection, evidence, paths and trace; only what JSON can hold."""
    return _head(retrieval) | _body(retrieval)


def answer_dict(answer: Answer) -> dict[str, Any]:
    """As `retrieval_dict`, with the answer's sentences, what it missed, and the evidence looked up beside it."""
    said = {
        "answer": [_sentence(sentence) for sentence in answer.sentences],
        "abstained": answer.abstained,
        "missing": list(answer.missing),
        "short": answer.short,
        "written_by": answer.written_by,
        "model_error": answer.model_error,
    }
    beside = {
        "additional_evidence": [_evidence(evidence) for evidence in answer.additional_evidence],
        "additional_paths": [_path(path) for path in answer.additional_paths],
    }
    return _head(answer.retrieval) | {"question": answer.question} | said | beside | _body(answer.retrieval)


def _head(retrieval: Retrieval) -> dict[str, Any]:
    return {"question": retrieval.question, "strategy": retrieval.strategy, "collection": retrieval.collection}


def _body(retrieval: Retrieval) -> dict[str, Any]:
    return {
        "evidence": [_evidence(evidence) for evidence in retrieval.evidence],
        "paths": [_path(path) for path in retrieval.paths],
        "trace": _trace(retrieval.trace),
    } | _graph(retrieval.graph)


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {"text": sentence.text, "citations": [_citation(citation) for citation in sentence.citations]}


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "evidence": citation.evidence.id,
        "quote": citation.quote,
        "start": citation.start,
        "end": citation.end,
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "id": evidence.id,
        "source_id": evidence.source_id,
        "kind": evidence.kind,
        "document": evidence.document,
        "title": evidence.title,
        "section": list(evidence.section),
        "caption": evidence.caption,
        "number": evidence.number,
        "pages": list(evidence.pages),
        "boxes": [_box(box) for box in evidence.boxes],
        "text": evidence.text,
        "score": float(evidence.score),
    }


def _box(box: Box) -> dict[str, Any]:
    return {"page": box.page, "x0": float(box.x0), "y0": float(box.y0), "x1": float(box.x1), "y1": float(box.y1)}


def _path(path: EvidencePath) -> dict[str, Any]:
    return {
        "evidence": path.evidence,
        "seed": _node(path.seed),
        "steps": [_step(step) for step in path.steps],
    }


def _graph(graph: EvidenceGraph) -> dict[str, Any]:
    """The evidence graph, where there is one; an edge from the question has the id ""."""
    if not graph:
        return {}
    edges = [{"from": source, "to": target} for source, target in graph.edges]
    return {"graph": {"nodes": [_node(node) for node in graph.nodes], "edges": edges}}


def _step(step: Step) -> dict[str, Any]:
    return {"from": _node(step.source), "edge": step.edge, "to": _node(step.target)}


def _node(node: Node) -> dict[str, Any]:
    return {"id": node.id, "kind": node.kind, "name": node.name}


def _trace(trace: Trace) -> list[dict[str, Any]]:
    return [
        {"request": step.request, "name": step.name, "ms": round(step.ms, 3), "rows": step.rows, "tokens": step.tokens}
        for step in trace.steps
    ]
