"""Retrievals and answers as plain dictionaries: what ``--json`` prints and the REST door sends."""

from __future__ import annotations

from typing import Any

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

RECORDED = frozenset({"asked", "answer"})  # details of a step that replay needs: large

__all__ = ["answer_dict", "retrieval_dict"]


def retrieval_dict(retrieval: Retrieval) -> dict[str, Any]:
    """Question, strategy, collection, evidence, paths and trace; only what JSON can hold."""
    return _head(retrieval) | _body(retrieval)


def answer_dict(answer: Answer) -> dict[str, Any]:
    """As `retrieval_dict`, with the answer's sentences, what it missed, and the evidence looked up beside it."""
    said = {
        "understood_as": answer.retrieval.question,
        "answer": [_sentence(sentence, answer) for sentence in answer.sentences],
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
        **_graph(retrieval.graph),
        **({"unaided": True} if retrieval.unaided else {}),
    }


def _sentence(sentence: Sentence, answer: Answer) -> dict[str, Any]:
    citations = [_citation(citation, sentence, answer) for citation in sentence.citations]
    return {"text": sentence.text, "backed": sentence.backed, "citations": citations}


def _citation(citation: Citation, sentence: Sentence, answer: Answer) -> dict[str, Any]:
    """A citation with all that locates its quote; its path only where it is not that of its evidence."""
    data = {
        "evidence": citation.evidence.id,
        "quote": citation.quote,
        "start": citation.start,
        "end": citation.end,
        "document": citation.document,
        "document_id": citation.evidence.document_id,
        "page": citation.page,
        "boxes": [_box(box) for box in citation.boxes],
        "backed": sentence.backed,
    }
    if citation.path == answer.path_of(citation.evidence.id):
        return data
    return data | {"path": None if citation.path is None else _path(citation.path)}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "id": evidence.id,
        "source_id": evidence.source_id,
        "kind": evidence.kind,
        "document": evidence.document,
        "document_id": evidence.document_id,
        "title": evidence.title,
        "section": list(evidence.section),
        "caption": evidence.caption,
        "number": evidence.number,
        "pages": list(evidence.pages),
        "boxes": [_box(box) for box in evidence.boxes],
        "lines": [list(span) for span in evidence.lines],
        "sentences": [list(span) for span in evidence.sentences],
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
    """The steps without what was recorded for replay, which `hopline.flow.trace_file` saves."""
    return [
        {
            "request": step.request,
            "name": step.name,
            "ms": step.ms,
            "rows": step.rows,
            "tokens": step.tokens,
            "calls": step.calls,
            "cost": step.cost,
            "detail": {name: value for name, value in step.detail.items() if name not in RECORDED},
        }
        for step in trace.steps
    ]
