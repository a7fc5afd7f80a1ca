"""Retrievals and answers from the dictionaries that `hopline.types.serialization` makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from hopline.errors import UsageError
from hopline.types import (
    EXTRACTIVE,
    NO_GRAPH,
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
    TraceStep,
)

T = TypeVar("T")
Data = Mapping[str, Any]


def retrieval_of(data: Data) -> Retrieval:
    """The retrieval that `retrieval_dict` was given; what was recorded for replay is not in it.

    Raises:
        UsageError: the data is no retrieval; says what is missing or wrong.
    """
    return _read(_retrieval, data, "a retrieval")


def answer_of(data: Data) -> Answer:
    """The answer that `answer_dict` was given; what was recorded for replay is not in it.

    Raises:
        UsageError: the data is no answer; says what is missing or wrong.
    """
    return _read(_answer, data, "an answer")


def _read(read: Callable[[Data], T], data: Data, kind: str) -> T:
    try:
        return read(data)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        wanted = f"wanted the dictionary that to_dict() of {kind} gives"
        raise UsageError(f"{wanted}; got one that cannot be read: {type(error).__name__}: {error}") from error


def _retrieval(data: Data) -> Retrieval:
    return Retrieval(
        data.get("understood_as", data["question"]),
        data["strategy"],
        data["collection"],
        _each(_evidence, data["evidence"]),
        _each(_path, data["paths"]),
        Trace(_each(_trace_step, data["trace"])),
        _graph(data["graph"]) if "graph" in data else NO_GRAPH,
        data.get("unaided", False),
    )


def _answer(data: Data) -> Answer:
    retrieval = _retrieval(data)
    additional = _each(_evidence, data.get("additional_evidence", ()))
    paths = _each(_path, data.get("additional_paths", ()))
    evidence = {one.id: one for one in (*additional, *retrieval.evidence)}
    leading = {path.evidence: path for path in reversed((*retrieval.paths, *paths))}
    return Answer(
        data["question"],
        tuple(_sentence(one, evidence, leading) for one in data["answer"]),
        retrieval,
        data["abstained"],
        tuple(data["missing"]),
        data["short"],
        additional,
        paths,
        data.get("written_by", EXTRACTIVE),
        data.get("model_error", ""),
    )


def _sentence(data: Data, evidence: Mapping[str, Evidence], paths: Mapping[str, EvidencePath]) -> Sentence:
    citations = tuple(_citation(one, evidence, paths) for one in data["citations"])
    return Sentence(data["text"], citations, data.get("backed", True))


def _citation(data: Data, evidence: Mapping[str, Evidence], paths: Mapping[str, EvidencePath]) -> Citation:
    path = paths.get(data["evidence"])
    if "path" in data:
        path = _path(data["path"]) if data["path"] is not None else None
    return Citation(evidence[data["evidence"]], data["quote"], data["start"], data["end"], path)


def _evidence(data: Data) -> Evidence:
    return Evidence(
        data["id"],
        data["kind"],
        data["score"],
        data["text"],
        data.get("document", ""),
        data.get("document_id", ""),
        data.get("title", ""),
        tuple(data.get("section", ())),
        data.get("caption", ""),
        data.get("number", ""),
        tuple(data.get("pages", ())),
        _each(_box, data.get("boxes", ())),
        _each(_span, data.get("lines", ())),
        _each(_span, data.get("sentences", ())),
        data.get("source_id", ""),
    )


def _box(data: Data) -> Box:
    return Box(data["page"], data["x0"], data["y0"], data["x1"], data["y1"])


def _span(data: Iterable[int]) -> tuple[int, int]:
    start, end = data
    return start, end


def _path(data: Data) -> EvidencePath:
    return EvidencePath(data["evidence"], _node(data["seed"]), _each(_step, data["steps"]))


def _step(data: Data) -> Step:
    return Step(_node(data["from"]), data["edge"], _node(data["to"]))


def _node(data: Data) -> Node:
    return Node(data["id"], data["kind"], data["name"])


def _graph(data: Data) -> EvidenceGraph:
    return EvidenceGraph(_each(_node, data["nodes"]), tuple((edge["from"], edge["to"]) for edge in data["edges"]))


def _trace_step(data: Data) -> TraceStep:
    return TraceStep(
        data["request"],
        data["name"],
        data["ms"],
        data["rows"],
        data["tokens"],
        data.get("calls", 0),
        data.get("cost", 0.0),
        dict(data.get("detail", {})),
    )


def _each(read: Callable[[Any], T], rows: Iterable[Any]) -> tuple[T, ...]:
    return tuple(read(row) for row in rows)
