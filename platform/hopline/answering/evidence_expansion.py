"""Evidence expansion: tables and passages that the ranking of a strategy misses are added to its evidence.

Tables say much in few words, and passages that talk about them outrank them. A name of the question that none of the
evidence contains may be in a passage that is about little else. And where the evidence only leads to a further name
("the company that operates the plant"), what is asked about that name is elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hopline.answering.answer_evidence import AnswerEvidence
from hopline.flow.requests import Flow, fetch, search
from hopline.nlp.question_terms import contains_name, find_content_words, find_names
from hopline.reading.readable_text import heading
from hopline.reading.span_reading import SpanReading
from hopline.results import Evidence, EvidencePath, Node, PathStep
from hopline.results.evidence import format_location
from hopline.retrieval.evidence_retrieval import parse_evidence

LONGEST: Final = 2000  # characters of a question that are searched
TABLES: Final = 4
NAMED: Final = 2  # evidence for one name that no other evidence contains
BRIDGED: Final = 4  # evidence about the name that the first hop found
MAX_DEGREE: Final = 30  # an entity that more evidence mentions is not followed


def expand_evidence(question: str, given: AnswerEvidence) -> Flow[AnswerEvidence]:
    """Add the nearest tables, and passages for the names of the question that no evidence contains.

    Added evidence is its own seed.
    """
    question = question[:LONGEST]
    if not given.evidence or not find_content_words(question):
        return given
    hits = yield search(question, TABLES, over="table", by="hybrid")
    found = yield from read_new_evidence(hits.ids, given.evidence)
    for name in _find_absent_names(question, (*given.evidence, *found)):
        hits = yield search(name, NAMED, by="text")
        found = (*found, *(yield from read_new_evidence(hits.ids, (*given.evidence, *found))))
    return given.insert_seeds(found)


def expand_over_bridge(question: str, given: AnswerEvidence, bridge: SpanReading) -> Flow[AnswerEvidence]:
    """Add evidence about the name that the first hop of a question found; ``question`` has the name filled in.

    Follows the graph from the evidence of the first hop to the entity of that name, and on to other evidence that
    mentions it, that which shares most words with the question first.
    """
    entities = yield from _find_entities(bridge)
    if not entities:
        return given
    columns = yield fetch("answering/evidence_mentioning", entities=entities, hub=MAX_DEGREE)
    rows = list(zip(*(columns[name] for name in ("id", "entity", "name", "text")), strict=True))
    known = {one.id for one in given.evidence}
    words = find_content_words(question)
    new = [row for row in rows if row[0] not in known]
    new.sort(key=lambda row: -len(words & find_content_words(row[3])))
    via = {id: (entity, name) for id, entity, name, _ in reversed(new)}
    found = yield from read_new_evidence(list(dict.fromkeys(row[0] for row in new))[:BRIDGED], given.evidence)
    return given.insert(
        found, [_make_path(given, one, _make_steps(bridge.evidence, *via[one.id], one)) for one in found]
    )


def _find_entities(bridge: SpanReading) -> Flow[list[str]]:
    """The entities that the evidence mentions where the reader found the name."""
    columns = yield fetch("answering/mentions", ids=[bridge.evidence.id])
    return [
        entity
        for entity, spans in zip(columns["entity"], columns["spans"], strict=True)
        if any(a < bridge.end and bridge.start < b for a, b in zip(spans[::2], spans[1::2], strict=True))
    ]


def _make_steps(source: Evidence, entity: str, name: str, target: Evidence) -> tuple[PathStep, ...]:
    middle = Node(entity, "entity", name)
    return (PathStep(_node(source), "MENTIONS", middle), PathStep(middle, "MENTIONS", _node(target)))


def _node(evidence: Evidence) -> Node:
    return Node(evidence.id, evidence.kind, format_location(evidence))


def read_new_evidence(ids: Sequence[str], known: Sequence[Evidence]) -> Flow[tuple[Evidence, ...]]:
    """Read the evidence of these ids that is not in ``known``, in the order of the ids."""
    known_ids = {evidence.id for evidence in known}
    new = [id for id in ids if id not in known_ids]
    if not new:
        return ()
    columns = yield fetch("retrieval/evidence", ids=new)
    evidence_by_id = {evidence.id: evidence for evidence in parse_evidence(columns)}
    return tuple(evidence_by_id[id] for id in new if id in evidence_by_id)


def _find_absent_names(question: str, evidence: Sequence[Evidence]) -> list[str]:
    """The names of the question that no evidence and no heading contains."""
    text = "\n".join(f"{heading(one)}\n{one.text}" for one in evidence)
    return [name for name in find_names(question) if not contains_name(text, name)]


def _make_path(given: AnswerEvidence, evidence: Evidence, steps: tuple[PathStep, ...]) -> EvidencePath:
    """Extend the path of the evidence that the steps start from."""
    before = given.find_path(steps[0].source.id)
    if before is None:
        return EvidencePath(evidence.id, steps[0].source, steps)
    return EvidencePath(evidence.id, before.seed, (*before.steps, *steps))
