"""Retrieval: a strategy ranks evidence, which is fetched with its page locations and named paths."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hopline.flow.columns import to_rows
from hopline.flow.model_failures import detect_model_failure
from hopline.flow.requests import Flow, fetch
from hopline.records import Box
from hopline.results import Evidence, EvidenceGraph, EvidencePath, Node, PathStep, Retrieval
from hopline.results.evidence import add_correction, make_node
from hopline.retrieval.ranking import Strategy
from hopline.scoring.evidence_graph import list_nodes, sort_topologically
from hopline.tables.structure import TableStructure


def retrieve_evidence(strategy: Strategy, question: str, k: int, *, collection: str = "") -> Flow[Retrieval]:
    """Run a strategy and fetch the evidence of its ranking and paths; the runner adds the trace.

    ``collection`` is the name in the result; the scope of the search belongs to the runner.
    """
    retrieval = Retrieval(question, strategy.spec or strategy.name, collection, closed_book=strategy.closed_book)
    question = " ".join(question.split())
    if not question:
        return retrieval
    ranking, model_error = yield from detect_model_failure(strategy.flow(question, k))
    closed_book = strategy.closed_book or ranking.closed_book
    retrieval = replace(retrieval, closed_book=closed_book, model_error=model_error, memory=ranking.memory)
    if not ranking.ids:
        return retrieval
    wanted = dict.fromkeys([*ranking.ids, *_list_path_evidence(ranking.paths), *list_nodes(ranking.graph)])
    columns = yield fetch("retrieval/evidence", ids=list(wanted))
    fetched = {item.id: item for item in parse_evidence(columns)}
    triples = yield from _fetch_triple_names(ranking.paths)
    scored = [(id, score) for id, score in zip(ranking.ids, ranking.scores, strict=True) if id in fetched]
    names = {id: make_node(item) for id, item in fetched.items()} | triples
    evidence = tuple(replace(fetched[id], score=float(score)) for id, score in scored)
    paths = tuple(_build_path(id, ranking.paths.get(id, ()), names) for id, _ in scored)
    nodes = tuple(names[id] for id in sort_topologically(ranking.graph) if id in names)
    return replace(retrieval, evidence=evidence, paths=paths, graph=EvidenceGraph(nodes, ranking.graph))


def parse_evidence(columns: Mapping[str, Sequence[Any]]) -> Iterable[Evidence]:
    """Parse the rows of ``retrieval/evidence``; the score of the evidence is 0."""
    for row in to_rows(columns):
        evidence = Evidence(
            id=row["id"],
            kind=row["kind"],
            score=0.0,
            text=row["text"],
            document=row["document"],
            document_id=row["document_id"],
            title=row["title"],
            section=tuple(row["section"] or ()),
            caption=row["caption"],
            number=row["number"],
            pages=tuple(row["pages"] or ()),
            page_labels=tuple(row.get("page_labels") or ()),
            boxes=tuple(Box(int(box[0]), *box[1:]) for box in _split_groups(row["boxes"], 5)),
            lines=tuple((a, b) for a, b in _split_groups(row["lines"], 2)),
            sentences=tuple((a, b) for a, b in _split_groups(row["sentences"], 2)),
            source_id=row["source_id"],
            cells=tuple(tuple(texts) for texts in json.loads(row["cells"] or "[]")),
            structure=TableStructure.from_dict(json.loads(row["structure"])) if row["structure"] else None,
        )
        if row.get("correction"):
            id, original, author, at = row["correction"]
            evidence = add_correction(evidence, id, original, author, at / 1000.0)
        yield evidence


def _split_groups(flat: Sequence[Any] | None, size: int) -> Iterable[tuple[Any, ...]]:
    values = flat or ()
    return zip(*(values[i::size] for i in range(size)), strict=True)


def _iterate_nodes(paths: Mapping[str, Sequence[PathStep]]) -> Iterable[Node]:
    for steps in paths.values():
        for step in steps:
            yield step.source
            yield step.target


def _list_path_evidence(paths: Mapping[str, Sequence[PathStep]]) -> list[str]:
    return [node.id for node in _iterate_nodes(paths) if node.kind in {"passage", "table", "figure"}]


def _fetch_triple_names(paths: Mapping[str, Sequence[PathStep]]) -> Flow[dict[str, Node]]:
    ids = list(dict.fromkeys(node.id for node in _iterate_nodes(paths) if node.kind == "triple" and not node.name))
    if not ids:
        return {}
    columns = yield fetch("retrieval/triples", ids=ids)
    return {row["id"]: Node(row["id"], "triple", row["text"], row["confidence"]) for row in to_rows(columns)}


def _build_path(id: str, steps: Sequence[PathStep], names: Mapping[str, Node]) -> EvidencePath:
    named = tuple(
        PathStep(names.get(step.source.id, step.source), step.edge, names.get(step.target.id, step.target))
        for step in steps
    )
    return EvidencePath(id, named[0].source if named else names[id], named)
