"""Stage that adds the evidence of triples that share entities with those of the candidates: the beam search of GEAR."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, Vector, fetch
from hopline.results import Node, PathStep
from hopline.retrieval.candidates import Candidates, ParentLink
from hopline.scoring.beam import Beam, BeamTriple, extend_beams, flatten_beams, start_beams


@dataclass(frozen=True, slots=True)
class BeamConfig:
    """Parameters of the beam search: beams per step, triples per beam, neighbours per beam, and the size of a hub.

    Without ``diverse``, extensions have no diversity weight, however many a beam has (the paper's ablation).
    """

    beam: int = 10
    length: int = 2
    neighbours: int = 100
    hub: int = 300
    diverse: bool = True

    @property
    def gamma(self) -> float:
        """The γ of the diversity weight: 2 × ``beam``, or infinite, for a weight of 1."""
        return 2.0 * self.beam if self.diverse else math.inf


def expand_triples(
    candidates: Candidates, config: BeamConfig, start: Mapping[str, Sequence[Any]] | None = None
) -> Flow[Candidates]:
    """Add the evidence of a diverse beam search over triples that share an entity (GEAR, algorithm 1).

    The beams start at the triples ``start`` (columns ``id``, ``evidence`` and ``vector``), by default at all triples of
    the candidates. Column: ``beam``, 1 / rank by the beams, missing for other evidence. A path starts at the evidence
    of a beam's first triple, or at that triple if its evidence is no candidate.
    """
    if not candidates.ids:
        return candidates
    if start is None:
        start = yield fetch("naive_ge/start_triples", ids=list(candidates.ids))
    beams = yield from _search_beams(start, candidates.vector, config)
    ranks = {id: 1.0 / rank for rank, id in enumerate(flatten_beams(beams), 1)}
    known = set(candidates.ids)
    links = (link for beam in beams for link in _list_beam_links(beam, known) if link.target not in known)
    return candidates.with_scores("beam", ranks).with_links(links)


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
        beams = extend_beams(beams, _group_by_beam(neighbours, len(beams)), config.beam, config.gamma)
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


def _list_beam_links(beam: Beam, known: set[str]) -> Iterator[ParentLink]:
    """Return the links to the evidence of a beam's triples, from the evidence of the first or from that triple."""
    first, node = beam.triples[0], Node(beam.triples[0].id, "triple")
    states = PathStep(Node(first.evidence, "passage"), "STATES", node)
    source, steps = (first.evidence, [states]) if first.evidence in known else (first.id, [])
    yield ParentLink(first.id, first.evidence, (PathStep(node, "STATES", states.source),))
    for triple in beam.triples[1:]:
        role, entity, name, next_role = triple.path
        shared, following = Node(entity, "entity", name), Node(triple.id, "triple")
        steps += [PathStep(node, role, shared), PathStep(shared, next_role, following)]
        node = following
        evidence = Node(triple.evidence, "passage")
        yield ParentLink(source, triple.evidence, (*steps, PathStep(node, "STATES", evidence)))
