"""Evidence that triples lead to: NaiveGE, the beam of GEAR without a model.

GEAR (Shen et al. 2025), algorithm 1 and equation 3: the triples of the base list start a diverse
beam search over triples that share an end; its evidence is joined with the base list by
reciprocal rank fusion.

Departures: the paper embeds the concatenated triples of a beam at question time; we take the sum
of their stored vectors, which is the same for one triple and needs no encoder call for the 1,000
sequences of a step. Of a beam's neighbours the ``neighbours`` nearest to the question are looked
at (the paper leaves open which), and entities that are an end of more than ``hub`` triples are
not followed. Where every beam ends, the base list stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hopline.flow.columns import rows_of
from hopline.flow.requests import By, Flow, Vector, embed, fetch, search
from hopline.retrieval.ranking import Ranking
from hopline.scoring.beam import Beam, Link, extend_beams, flatten, start_beams
from hopline.scoring.fusion import reciprocal_rank_fusion
from hopline.types import Node, Step


def rank(
    question: str,
    k: int,
    *,
    base: Literal["text", "dense", "hybrid"] = "hybrid",
    beam: int = 10,
    length: int = 2,
    neighbours: int = 100,
    hub: int = 300,
) -> Flow[Ranking]:
    """The ``k`` best of base list and beam; scores are those of the fusion."""
    by: By = base
    hits = yield search(question, k, by=by)
    if not hits.ids:
        return Ranking()
    start = yield fetch("naive_ge/start", ids=list(hits.ids))
    return (yield from expand(question, hits.ids, start, k, Width(beam, length, neighbours, hub)))


@dataclass(frozen=True, slots=True)
class Width:
    """How wide the beam is: beams kept, triples in each, neighbours looked at, and what counts as a hub."""

    beam: int = 10
    length: int = 2
    neighbours: int = 100
    hub: int = 300


def expand(
    question: str, base: Sequence[str], start: Mapping[str, Sequence[Any]], k: int, width: Width
) -> Flow[Ranking]:
    """The base list joined with the evidence of the beam that begins at some triples (eq. 3), the ``k`` best.

    ``start`` has their columns ``id``, ``evidence`` and ``vector``.
    """
    [vector] = yield embed([question])
    beams = yield from _beams(start, vector, width)
    order, scores = reciprocal_rank_fusion([base, flatten(beams)])
    ways = _ways(beams, set(base))
    return Ranking(tuple(order[:k]), tuple(scores[:k]), {id: ways[id] for id in order[:k] if id in ways})


def _beams(columns: Mapping[str, Sequence[Any]], vector: Vector, width: Width) -> Flow[list[Beam]]:
    if not columns["id"]:
        return []
    vectors = dict(zip(columns["id"], np.asarray(columns["vector"], np.float32), strict=True))
    cosines = np.asarray(columns["vector"], np.float32) @ vector
    rows = zip(columns["id"], columns["evidence"], cosines.tolist(), strict=True)
    beams = start_beams((Link(*row) for row in rows), width.beam)
    for step in range(1, width.length):
        asked = [_asked(number, one, vectors) for number, one in enumerate(beams)]
        found = yield fetch(
            "naive_ge/neighbours", beams=asked, limit=width.neighbours, hub=width.hub, vector=vector.tolist()
        )
        beams = extend_beams(beams, _by_beam(found, len(beams)), width.beam, 2.0 * width.beam)
        if step + 1 < width.length and beams:
            vectors |= yield from _vectors([one.links[-1].id for one in beams])
    return beams


def _asked(number: int, beam: Beam, vectors: dict[str, Any]) -> dict[str, Any]:
    total = np.sum([vectors[link.id] for link in beam.links], axis=0)
    return {"number": number, "last": beam.links[-1].id, "sum": total.tolist()}


def _by_beam(found: dict[str, list[Any]], count: int) -> list[list[Link]]:
    links: list[list[Link]] = [[] for _ in range(count)]
    for row in rows_of(found):
        way = (row["from_role"], row["entity"], row["name"], row["to_role"])
        links[row["beam"]].append(Link(row["id"], row["evidence"], row["to_question"], row["to_beam"], way))
    return links


def _vectors(ids: list[str]) -> Flow[dict[str, Any]]:
    columns = yield fetch("naive_ge/vectors", ids=ids)
    return dict(zip(columns["id"], np.asarray(columns["vector"], np.float32), strict=True))


def _ways(beams: Sequence[Beam], seeds: set[str]) -> dict[str, tuple[Step, ...]]:
    """The way to each evidence that only the beam found, along its best beam.

    It begins at the evidence of the first triple; at that triple where the base list lacks its evidence.
    """
    ways: dict[str, tuple[Step, ...]] = {}
    for beam in beams:
        first, triple = beam.links[0], Node(beam.links[0].id, "triple")
        begun = Node(first.evidence, "passage")
        steps: list[Step] = [Step(begun, "STATES", triple)] if first.evidence in seeds else []
        if not steps:
            ways.setdefault(first.evidence, (Step(triple, "STATES", begun),))
        for link in beam.links[1:]:
            role, entity, name, other = link.way
            shared, following = Node(entity, "entity", name), Node(link.id, "triple")
            steps += [Step(triple, role, shared), Step(shared, other, following)]
            triple = following
            if link.evidence not in seeds:
                last = Node(link.evidence, "passage")
                ways.setdefault(link.evidence, (*steps, Step(following, "STATES", last)))
    return ways
