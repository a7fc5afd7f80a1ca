"""Reading in two hops or more: for "Who founded the company that operates the plant?", the company is read first.

What is known about the company may be in other documents than the plant, so the evidence is expanded over the graph.
A description with another one in it ("the company that operates the plant on the island where …") takes more hops.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from hopline.answering.evidence_expansion import fetch_new_evidence, insert_evidence
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.nlp.question_terms import find_content_words
from hopline.questions.two_hops import TwoHopQuestion, parse_two_hop_question
from hopline.reading.confidence import RatedReading, normalize_short, read_with_confidence
from hopline.reading.span_reading import SpanReading
from hopline.results import Evidence, EvidencePath, Node, PathStep, Retrieval
from hopline.results.evidence import make_node

MAX_EVIDENCE: Final = 8  # evidence that is read for each hop, besides what was added
MAX_BRIDGES: Final = 2  # names that are filled in
MIN_BRIDGE: Final = 0.2  # confidence of the first hop below which there is no second
MAX_ADDED: Final = 4  # evidence about the name of the first hop
MAX_DEGREE: Final = 30  # an entity that more evidence mentions is not followed


def read_two_hops(
    question: TwoHopQuestion, retrieval: Retrieval, direct: Sequence[RatedReading]
) -> Flow[tuple[Retrieval, list[RatedReading]]]:
    """Read for the name that the question describes, fill it in, and read again.

    Returns the retrieval with the evidence that was added, and all readings: the ``direct`` ones of the whole question,
    without those of a name that was filled in, unless their confidence is higher than in the first hop; then those of
    the second hop. Their confidence is the geometric mean of both hops: the hops are not independent, because a wrong
    name rarely has an answer. On 220 train questions of HotpotQA and MuSiQue with their paragraphs, a product between
    0.2 and 0.6 was about 0.2 lower than the share of right answers.
    """
    retrieval, bridges = yield from _read_bridges(question, retrieval)
    second_hop: list[RatedReading] = []
    for name, bridge in bridges.items():
        filled_in = question.fill_in(bridge.reading.short)
        known = retrieval.evidence
        retrieval = yield from _expand_over_bridge(filled_in, retrieval, bridge.reading)
        added = [evidence for evidence in retrieval.evidence if evidence not in known]
        readings = yield from read_with_confidence(filled_in, [*added, *known[:MAX_EVIDENCE]])
        second_hop += [
            RatedReading(item.reading, sqrt(bridge.confidence * item.confidence), (bridge.reading, *bridge.bridges))
            for item in readings
            if normalize_short(item.reading.short) != name
        ]
    limits = {name: bridge.confidence for name, bridge in bridges.items()}
    surer = [item for item in direct if item.confidence > limits.get(normalize_short(item.reading.short), -1.0)]
    return retrieval, [*surer, *second_hop]


def _read_bridges(question: TwoHopQuestion, retrieval: Retrieval) -> Flow[tuple[Retrieval, dict[str, RatedReading]]]:
    """Read the likeliest names of what the question describes; the keys are their normalized forms.

    A description with another one in it is read in two hops itself; the evidence that this adds is in the retrieval.
    """
    readings = yield from read_with_confidence(question.first, retrieval.evidence[:MAX_EVIDENCE])
    nested = parse_two_hop_question(question.first)
    if nested is not None and len(nested.description) < len(question.description):
        retrieval, readings = yield from read_two_hops(nested, retrieval, readings)
    bridges: dict[str, RatedReading] = {}
    for item in sorted(readings, key=lambda item: -item.confidence):
        if item.confidence < MIN_BRIDGE or len(bridges) == MAX_BRIDGES:
            break
        name = normalize_short(item.reading.short)
        if name and name not in bridges and name not in normalize_short(question.text):
            bridges[name] = item
    return retrieval, bridges


def _expand_over_bridge(question: str, retrieval: Retrieval, bridge: SpanReading) -> Flow[Retrieval]:
    """Add evidence about the name that was read; ``question`` has the name filled in.

    Follows the graph from the evidence of the reading to the entity of that name, and on to other evidence that
    mentions it. Evidence that shares most words with the question comes first.
    """
    entities = yield from _find_entities(bridge)
    if not entities:
        return retrieval
    rows = to_rows((yield fetch("answering/evidence_mentioning", entities=entities, hub=MAX_DEGREE)))
    words = find_content_words(question)
    ranked = sorted(rows, key=lambda row: -len(words & find_content_words(row["text"])))
    known = {evidence.id for evidence in retrieval.evidence}
    via: dict[str, Node] = {}
    for row in ranked:
        if row["id"] not in known:
            via.setdefault(row["id"], Node(row["entity"], "entity", row["name"]))
    added = yield from fetch_new_evidence(list(via)[:MAX_ADDED], retrieval.evidence)
    return insert_evidence(
        retrieval, added, [_extend_path(retrieval, bridge.evidence, via[item.id], item) for item in added]
    )


def _find_entities(bridge: SpanReading) -> Flow[list[str]]:
    """Find the entities that the evidence mentions within the span of the reading."""
    columns = yield fetch("answering/mentions", ids=[bridge.evidence.id])
    return [
        row["entity"]
        for row in to_rows(columns)
        if any(a < bridge.end and bridge.start < b for a, b in zip(row["spans"][::2], row["spans"][1::2], strict=True))
    ]


def _extend_path(retrieval: Retrieval, source: Evidence, entity: Node, target: Evidence) -> EvidencePath:
    """Extend the path of an evidence to another one that mentions the same entity."""
    start, end = make_node(source), make_node(target)
    steps = (PathStep(start, "MENTIONS", entity), PathStep(entity, "MENTIONS", end))
    path = retrieval.find_path(source.id) or EvidencePath(source.id, start)
    return EvidencePath(target.id, path.seed, (*path.steps, *steps))
