"""Beam search over triples that share an entity, from the base list: NaiveGE, GEAR's graph expansion without a model.

GEAR (Shen et al. 2025), algorithm 1 and equation 3: the triples of the base list start a diverse beam search over
triples that share an entity; its evidence is joined with the base list by reciprocal rank fusion.

Departures: the paper embeds the concatenated triples of a beam at question time; we use the sum of their stored
vectors, which is the same for one triple and needs no encoder call for the 1,000 sequences of a step. Of a beam's
neighbours only the ``neighbours`` nearest to the question are scored (the paper leaves open which), and entities of
more than ``hub`` triples are not followed. If every beam ends, the result is the base list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, SearchMethod, Vector, embed, fetch, search
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import BeamLength, HubDegree, ListSize, SearchDepth
from hopline.scoring.beam import Beam, BeamTriple, extend_beams, flatten_beams, start_beams
from hopline.scoring.fusion import reciprocal_rank_fusion
from hopline.types import Node, PathStep


def rank(
    question: str,
    k: int,
    *,
    base: Literal["text", "dense", "hybrid"] = "hybrid",
    beam: ListSize = 10,
    length: BeamLength = 2,
    neighbours: SearchDepth = 100,
    hub: HubDegree = 300,
) -> Flow[Ranking]:
    """Return the ``k`` best of base list and beam; scores are those of the fusion."""
    by: SearchMethod = base
    hits = yield search(question, k, by=by)
    if not hits.ids:
        return Ranking()
    start = yield fetch("naive_ge/start_triples", ids=list(hits.ids))
    return (yield from expand_beam(question, hits.ids, start, k, BeamConfig(beam, length, neighbours, hub)))


@dataclass(frozen=True, slots=True)
class BeamConfig:
    """Parameters of the beam search: beams per step, triples per beam, neighbours per beam, and the size of a hub."""

    beam: int = 10
    length: int = 2
    neighbours: int = 100
    hub: int = 300


def expand_beam(
    question: str, base: Sequence[str], start: Mapping[str, Sequence[Any]], k: int, config: BeamConfig
) -> Flow[Ranking]:
    """Return the ``k`` best of the base list joined with the evidence of the beam search (eq. 3).

    ``start`` has the columns ``id``, ``evidence`` and ``vector`` of the triples at which the beams start.
    """
    [vector] = yield embed([question])
    beams = yield from _search_beams(start, vector, config)
    order, scores = reciprocal_rank_fusion([base, flatten_beams(beams)])
    paths = _find_paths(beams, set(base))
    return Ranking(tuple(order[:k]), tuple(scores[:k]), {id: paths[id] for id in order[:k] if id in paths})


def _search_beams(columns: Mapping[str, Sequence[Any]], vector: Vector, config: BeamConfig) -> Flow[list[Beam]]:
    if not columns["id"]:
        return []
    vectors = dict(zip(columns["id"], np.asarray(columns["vector"], np.float32), strict=True))
    cosines = np.asarray(columns["vector"], np.float32) @ vector
    rows = zip(columns["id"], columns["evidence"], cosines.tolist(), strict=True)
    beams = start_beams((BeamTriple(*row) for row in rows), config.beam)
    for step in range(1, config.length):
        neighbours = yield fetch(
            "naive_ge/neighbours",
            beams=[_to_beam_parameter(number, beam, vectors) for number, beam in enumerate(beams)],
            limit=config.neighbours,
            hub=config.hub,
            vector=vector.tolist(),
        )
        beams = extend_beams(beams, _group_by_beam(neighbours, len(beams)), config.beam, 2.0 * config.beam)
        if step + 1 < config.length and beams:
            vectors |= yield from _fetch_vectors([beam.triples[-1].id for beam in beams])
    return beams


def _to_beam_parameter(number: int, beam: Beam, vectors: dict[str, Any]) -> dict[str, Any]:
    total = np.sum([vectors[triple.id] for triple in beam.triples], axis=0)
    return {"number": number, "last": beam.triples[-1].id, "sum": total.tolist()}


def _group_by_beam(columns: dict[str, list[Any]], count: int) -> list[list[BeamTriple]]:
    triples: list[list[BeamTriple]] = [[] for _ in range(count)]
    for row in to_rows(columns):
        path = (row["from_role"], row["entity"], row["name"], row["to_role"])
        triples[row["beam"]].append(BeamTriple(row["id"], row["evidence"], row["to_question"], row["to_beam"], path))
    return triples


def _fetch_vectors(ids: list[str]) -> Flow[dict[str, Any]]:
    columns = yield fetch("naive_ge/vectors", ids=ids)
    return dict(zip(columns["id"], np.asarray(columns["vector"], np.float32), strict=True))


def _find_paths(beams: Sequence[Beam], seeds: set[str]) -> dict[str, tuple[PathStep, ...]]:
    """Return the path to each evidence that only the beam search found, along its best beam.

    A path starts at the evidence of the first triple, or at that triple if its evidence is not in the base list.
    """
    paths: dict[str, tuple[PathStep, ...]] = {}
    for beam in beams:
        first, node = beam.triples[0], Node(beam.triples[0].id, "triple")
        start = Node(first.evidence, "passage")
        steps: list[PathStep] = [PathStep(start, "STATES", node)] if first.evidence in seeds else []
        if not steps:
            paths.setdefault(first.evidence, (PathStep(node, "STATES", start),))
        for triple in beam.triples[1:]:
            role, entity, name, next_role = triple.path
            shared, next_node = Node(entity, "entity", name), Node(triple.id, "triple")
            steps += [PathStep(node, role, shared), PathStep(shared, next_role, next_node)]
            node = next_node
            if triple.evidence not in seeds:
                last = Node(triple.evidence, "passage")
                paths.setdefault(triple.evidence, (*steps, PathStep(node, "STATES", last)))
    return paths
