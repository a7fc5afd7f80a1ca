"""From a ranking to evidence that can be cited, with named paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hopline.flow.columns import rows_of
from hopline.flow.requests import Flow, fetch
from hopline.retrieval.ranking import Ranking, Strategy
from hopline.scoring.evidence_graph import in_order, nodes_of
from hopline.types import NO_GRAPH, Box, Evidence, EvidenceGraph, EvidencePath, Node, Step
from hopline.types.evidence_place import short_place


@dataclass(frozen=True, slots=True)
class Read:
    """Evidence best first, a path for each, and the graph that it forms where the strategy makes one."""

    evidence: tuple[Evidence, ...] = ()
    paths: tuple[EvidencePath, ...] = ()
    graph: EvidenceGraph = NO_GRAPH
    unaided: bool = False


def read_ranking(strategy: Strategy, question: str, k: int) -> Flow[Read]:
    """The flow of a strategy with its evidence read."""
    question = " ".join(question.split())
    ranking = (yield from strategy.flow(question, k)) if question else Ranking()
    if not ranking.ids:
        return Read(unaided=ranking.unaided)
    wanted = dict.fromkeys([*ranking.ids, *_evidence_on(ranking.ways), *nodes_of(ranking.graph)])
    columns = yield fetch("read/evidence", ids=list(wanted))
    read = {one.id: one for one in evidence_rows(columns)}
    triples = yield from _triple_names(ranking.ways)
    scored = [(id, score) for id, score in zip(ranking.ids, ranking.scores, strict=True) if id in read]
    names = {id: Node(id, one.kind, short_place(one)) for id, one in read.items()} | triples
    evidence = tuple(_with_score(read[id], score) for id, score in scored)
    paths = tuple(_path(id, ranking.ways.get(id, ()), names) for id, _ in scored)
    nodes = tuple(names[id] for id in in_order(ranking.graph) if id in names)
    return Read(evidence, paths, EvidenceGraph(nodes, ranking.graph))


def evidence_rows(columns: Mapping[str, Sequence[Any]]) -> Iterable[Evidence]:
    """Rows of ``read/evidence`` as evidence of score 0."""
    for row in rows_of(columns):
        yield Evidence(
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
            boxes=tuple(Box(int(box[0]), *box[1:]) for box in _groups(row["boxes"], 5)),
            lines=tuple((a, b) for a, b in _groups(row["lines"], 2)),
            sentences=tuple((a, b) for a, b in _groups(row["sentences"], 2)),
            source_id=row["source_id"],
        )


def _groups(flat: Sequence[Any] | None, size: int) -> Iterable[tuple[Any, ...]]:
    values = flat or ()
    return zip(*(values[i::size] for i in range(size)), strict=True)


def _with_score(evidence: Evidence, score: float) -> Evidence:
    return replace(evidence, score=float(score))


def _nodes_of(ways: Mapping[str, Sequence[Step]]) -> Iterable[Node]:
    for steps in ways.values():
        for step in steps:
            yield step.source
            yield step.target


def _evidence_on(ways: Mapping[str, Sequence[Step]]) -> list[str]:
    return [node.id for node in _nodes_of(ways) if node.kind in {"passage", "table"}]


def _triple_names(ways: Mapping[str, Sequence[Step]]) -> Flow[dict[str, Node]]:
    ids = list(dict.fromkeys(node.id for node in _nodes_of(ways) if node.kind == "triple" and not node.name))
    if not ids:
        return {}
    columns = yield fetch("read/triples", ids=ids)
    return {id: Node(id, "triple", name) for id, name in zip(columns["id"], columns["text"], strict=True)}


def _path(id: str, steps: Sequence[Step], names: Mapping[str, Node]) -> EvidencePath:
    named = tuple(
        Step(names.get(step.source.id, step.source), step.edge, names.get(step.target.id, step.target))
        for step in steps
    )
    return EvidencePath(id, named[0].source if named else names[id], named)
