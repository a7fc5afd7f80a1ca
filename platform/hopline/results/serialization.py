"""Conversion of retrievals and answers to the dictionaries that ``--json`` and the REST API return, and back.

The two conversions of a type are next to each other. What a trace recorded for replay is left out, except for prompts
and replies of a language model (`hopline.flow.trace_file` saves all of it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from hopline.errors import UsageError
from hopline.records import Box
from hopline.results.answers import EXTRACTIVE, Answer, Citation, Sentence
from hopline.results.context import Context, ContextBlock
from hopline.results.evidence import Evidence, Retrieval, add_correction
from hopline.results.paths import EMPTY_GRAPH, EvidenceGraph, EvidencePath, Node, PathStep
from hopline.results.trace import Trace, TraceStep
from hopline.tables.structure import TableStructure

__all__ = [
    "answer_from_dict",
    "answer_to_dict",
    "context_from_dict",
    "context_to_dict",
    "retrieval_from_dict",
    "retrieval_to_dict",
    "trace_step_from_dict",
    "trace_step_to_dict",
]

T = TypeVar("T")
Data = Mapping[str, Any]

CORRECTION: Final = ("id", "original", "author", "at")  # of evidence with a correction
CACHED: Final = ("cached_calls", "cached_tokens", "cached_cost")  # of a step, where there are any
RECORDED: Final = frozenset({"asked", "answer"})  # details of a step that only replay needs: large


def retrieval_to_dict(retrieval: Retrieval) -> dict[str, Any]:
    """Convert a retrieval: question, strategy, collection, evidence, paths and trace; only what JSON can hold."""
    return _pick(retrieval, "question", "strategy", "collection", "model_error") | _body_to_dict(retrieval)


def retrieval_from_dict(data: Data) -> Retrieval:
    """Build the retrieval from the dictionary that `retrieval_to_dict` made.

    Raises:
        UsageError: the data is not a retrieval; says what is missing or wrong.
    """
    return _parse(_parse_retrieval, data, "a retrieval")


def answer_to_dict(answer: Answer) -> dict[str, Any]:
    """Convert an answer: as `retrieval_to_dict`, with its sentences, what is missing, and the additional evidence.

    ``model_error`` is that of the answer, ``retrieval_model_error`` that of the retrieval.
    """
    content = {
        "understood_as": answer.retrieval.question,
        "retrieval_model_error": answer.retrieval.model_error,
        "answer": [_sentence_to_dict(sentence, answer) for sentence in answer.sentences],
        "status": answer.status,
        "abstained": answer.abstained,
        "missing": list(answer.missing),
        **_pick(answer, "short", "short_quoted", "written_by", "model_error", "confidence", "notice"),
        "nearest": [_sentence_to_dict(sentence, answer) for sentence in answer.nearest],
    }
    additional = {
        "additional_evidence": [_evidence_to_dict(evidence) for evidence in answer.additional_evidence],
        "additional_paths": [_path_to_dict(path) for path in answer.additional_paths],
    }
    head = _pick(answer.retrieval, "question", "strategy", "collection")
    return head | {"question": answer.question} | content | additional | _body_to_dict(answer.retrieval)


def answer_from_dict(data: Data) -> Answer:
    """Build the answer from the dictionary that `answer_to_dict` made.

    Raises:
        UsageError: the data is not an answer; says what is missing or wrong.
    """
    return _parse(_parse_answer, data, "an answer")


def context_to_dict(context: Context) -> dict[str, Any]:
    """Convert a context: its text and messages, and its blocks with their evidence; only what JSON can hold."""
    head = _pick(context, "question", "strategy", "collection", "model_error", "tokens", "limit", "text")
    return head | {
        "messages": context.messages(),
        "blocks": [_block_to_dict(block) for block in context.blocks],
        "paths": [_path_to_dict(path) for path in context.paths],
    }


def context_from_dict(data: Data) -> Context:
    """Build the context from the dictionary that `context_to_dict` made.

    Raises:
        UsageError: the data is not a context; says what is missing or wrong.
    """
    return _parse(_parse_context, data, "a context")


def _parse(parse: Callable[[Data], T], data: Data, kind: str) -> T:
    try:
        return parse(data)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        wanted = f"wanted the dictionary that to_dict() of {kind} gives"
        raise UsageError(f"{wanted}; got one that cannot be parsed: {type(error).__name__}: {error}") from error


def _body_to_dict(retrieval: Retrieval) -> dict[str, Any]:
    return {
        "evidence": [_evidence_to_dict(evidence) for evidence in retrieval.evidence],
        "paths": [_path_to_dict(path) for path in retrieval.paths],
        "trace": [trace_step_to_dict(step) for step in retrieval.trace.steps],
        **({"graph": _graph_to_dict(retrieval.graph)} if retrieval.graph else {}),
        **({"unaided": True} if retrieval.closed_book else {}),
        **({"memory": list(retrieval.memory)} if retrieval.memory else {}),
        **({"not_searched": retrieval.not_searched} if retrieval.not_searched else {}),
    }


def _parse_retrieval(data: Data) -> Retrieval:
    return Retrieval(
        data.get("understood_as", data["question"]),
        data["strategy"],
        data["collection"],
        _parse_each(_parse_evidence, data["evidence"]),
        _parse_each(_parse_path, data["paths"]),
        Trace(_parse_each(trace_step_from_dict, data["trace"])),
        _parse_graph(data["graph"]) if "graph" in data else EMPTY_GRAPH,
        data.get("unaided", False),
        data.get("retrieval_model_error" if "answer" in data else "model_error", ""),
        tuple(data.get("memory", ())),
        data.get("not_searched", ""),
    )


def _parse_answer(data: Data) -> Answer:
    retrieval = _parse_retrieval(data)
    additional = _parse_each(_parse_evidence, data.get("additional_evidence", ()))
    additional_paths = _parse_each(_parse_path, data.get("additional_paths", ()))
    evidence = {item.id: item for item in (*additional, *retrieval.evidence)}
    paths = {path.evidence: path for path in reversed((*retrieval.paths, *additional_paths))}
    return Answer(
        data["question"],
        tuple(_parse_sentence(sentence, evidence, paths) for sentence in data["answer"]),
        retrieval,
        data["abstained"],
        tuple(data["missing"]),
        data["short"],
        additional,
        additional_paths,
        data.get("written_by", EXTRACTIVE),
        data.get("model_error", ""),
        data.get("confidence"),
        tuple(_parse_sentence(sentence, evidence, paths) for sentence in data.get("nearest", ())),
        data.get("notice", ""),
        data.get("short_quoted", True),
    )


def _parse_context(data: Data) -> Context:
    return Context(
        data["question"],
        data["collection"],
        data["strategy"],
        _parse_each(_parse_block, data["blocks"]),
        data["messages"][0]["content"],
        data["tokens"],
        data["limit"],
        _parse_each(_parse_path, data["paths"]),
        data.get("model_error", ""),
    )


def _block_to_dict(block: ContextBlock) -> dict[str, Any]:
    return {
        **_pick(block, "number", "kind", "document", "document_id", "title", "text"),
        "section": list(block.section),
        "pages": list(block.pages),
        "boxes": [_box_to_dict(box) for box in block.boxes],
        "evidence": [_evidence_to_dict(evidence) for evidence in block.evidence],
    }


def _parse_block(data: Data) -> ContextBlock:
    return ContextBlock(data["number"], data["text"], _parse_each(_parse_evidence, data["evidence"]))


def _sentence_to_dict(sentence: Sentence, answer: Answer) -> dict[str, Any]:
    citations = [_citation_to_dict(citation, sentence, answer) for citation in sentence.citations]
    details = {"computation": sentence.computation} if sentence.computation else {}
    unfound = {"unfound_quotes": list(sentence.unfound_quotes)} if sentence.unfound_quotes else {}
    return {"text": sentence.text, "state": sentence.state, **details, **unfound, "citations": citations}


def _parse_sentence(data: Data, evidence: Mapping[str, Evidence], paths: Mapping[str, EvidencePath]) -> Sentence:
    citations = tuple(_parse_citation(citation, evidence, paths) for citation in data["citations"])
    unfound = tuple(data.get("unfound_quotes", ()))
    return Sentence(data["text"], citations, data["state"], data.get("computation", ""), unfound)


def _citation_to_dict(citation: Citation, sentence: Sentence, answer: Answer) -> dict[str, Any]:
    """Convert a citation with all that locates its quote; with its path only where that of its evidence differs."""
    data = {
        "evidence": citation.evidence.id,
        **_pick(citation, "quote", "start", "end", "document"),
        "document_id": citation.evidence.document_id,
        "page": citation.page,
        **({"label": citation.label} if citation.label else {}),
        "boxes": [_box_to_dict(box) for box in citation.boxes],
        "answer": list(citation.answer) if citation.answer else None,
        "state": sentence.state,
        **({"claimed": citation.claimed} if citation.claimed else {}),
    }
    if citation.path == answer.find_path(citation.evidence.id):
        return data
    return data | {"path": None if citation.path is None else _path_to_dict(citation.path)}


def _parse_citation(data: Data, evidence: Mapping[str, Evidence], paths: Mapping[str, EvidencePath]) -> Citation:
    path = paths.get(data["evidence"])
    if "path" in data:
        path = _parse_path(data["path"]) if data["path"] is not None else None
    answer = _parse_span(data["answer"]) if data.get("answer") else None
    return Citation(
        evidence[data["evidence"]], data["quote"], data["start"], data["end"], path, answer, data.get("claimed", "")
    )


def _evidence_to_dict(evidence: Evidence) -> dict[str, Any]:
    return {
        **_pick(evidence, "id", "source_id", "kind", "document", "document_id", "title"),
        "section": list(evidence.section),
        **_pick(evidence, "caption", "number"),
        "pages": list(evidence.pages),
        "boxes": [_box_to_dict(box) for box in evidence.boxes],
        "lines": [list(span) for span in evidence.lines],
        "sentences": [list(span) for span in evidence.sentences],
        "text": evidence.text,
        "score": float(evidence.score),
        **({"cells": [list(row) for row in evidence.cells]} if evidence.cells else {}),
        **({"structure": evidence.structure.to_dict()} if evidence.structure else {}),
        **({"page_labels": list(evidence.page_labels)} if evidence.page_labels else {}),
        **({"correction": _pick(evidence.correction, *CORRECTION)} if evidence.correction else {}),
    }


def _parse_evidence(data: Data) -> Evidence:
    texts = {
        name: data.get(name, "") for name in ("document", "document_id", "title", "caption", "number", "source_id")
    }
    evidence = Evidence(
        **{name: data[name] for name in ("id", "kind", "score", "text")},
        **texts,
        section=tuple(data.get("section", ())),
        pages=tuple(data.get("pages", ())),
        boxes=_parse_each(_parse_box, data.get("boxes", ())),
        lines=_parse_each(_parse_span, data.get("lines", ())),
        sentences=_parse_each(_parse_span, data.get("sentences", ())),
        cells=_parse_each(tuple, data.get("cells", ())),
        structure=TableStructure.from_dict(data["structure"]) if data.get("structure") else None,
        page_labels=tuple(data.get("page_labels", ())),
    )
    correction = data.get("correction")
    return add_correction(evidence, **{name: correction[name] for name in CORRECTION}) if correction else evidence


def _box_to_dict(box: Box) -> dict[str, Any]:
    return {"page": box.page, "x0": float(box.x0), "y0": float(box.y0), "x1": float(box.x1), "y1": float(box.y1)}


def _parse_box(data: Data) -> Box:
    return Box(data["page"], data["x0"], data["y0"], data["x1"], data["y1"])


def _parse_span(data: Iterable[int]) -> tuple[int, int]:
    start, end = data
    return start, end


def _path_to_dict(path: EvidencePath) -> dict[str, Any]:
    steps = [{"from": _node_to_dict(s.source), "edge": s.edge, "to": _node_to_dict(s.target)} for s in path.steps]
    return {"evidence": path.evidence, "seed": _node_to_dict(path.seed), "steps": steps}


def _parse_path(data: Data) -> EvidencePath:
    steps = [PathStep(_parse_node(step["from"]), step["edge"], _parse_node(step["to"])) for step in data["steps"]]
    return EvidencePath(data["evidence"], _parse_node(data["seed"]), tuple(steps))


def _node_to_dict(node: Node) -> dict[str, Any]:
    """Convert a node; the confidence is only there for triples, which can be uncertain."""
    confidence = {"confidence": node.confidence} if node.kind == "triple" else {}
    return _pick(node, "id", "kind", "name") | confidence


def _parse_node(data: Data) -> Node:
    return Node(data["id"], data["kind"], data["name"], data.get("confidence", 1.0))


def _graph_to_dict(graph: EvidenceGraph) -> dict[str, Any]:
    """Convert an evidence graph; an edge from the question has the source id ""."""
    edges = [{"from": source, "to": target} for source, target in graph.edges]
    return {"nodes": [_node_to_dict(node) for node in graph.nodes], "edges": edges}


def _parse_graph(data: Data) -> EvidenceGraph:
    edges = tuple((edge["from"], edge["to"]) for edge in data["edges"])
    return EvidenceGraph(_parse_each(_parse_node, data["nodes"]), edges)


def trace_step_to_dict(step: TraceStep) -> dict[str, Any]:
    """Convert a step of a trace."""
    detail = {name: value for name, value in step.detail.items() if name not in RECORDED or step.request == "ask"}
    cached = {name: getattr(step, name) for name in CACHED if getattr(step, name)}
    return _pick(step, "request", "name", "ms", "rows", "tokens", "calls", "cost") | cached | {"detail": detail}


def trace_step_from_dict(data: Data) -> TraceStep:
    """Build the step from the dictionary that `trace_step_to_dict` made."""
    required = {name: data[name] for name in ("request", "name", "ms", "rows", "tokens")}
    use = {name: data[name] for name in ("calls", "cost", *CACHED) if name in data}
    return TraceStep(**required, **use, detail=dict(data.get("detail", {})))


def _pick(value: object, *names: str) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def _parse_each(parse: Callable[[Any], T], rows: Iterable[Any]) -> tuple[T, ...]:
    return tuple(parse(row) for row in rows)
