"""Personalised PageRank over triples, restarting at the entities of the question: HippoRAG without a model.

HippoRAG (Gutiérrez et al. 2024, the version that GEAR compares with): personalised PageRank over the entities that
triples connect, each edge weighted by the number of triples that state it, restarting at the entities of the question,
each with the weight 1 / (evidence that mentions it). The score of evidence is the sum of the PageRank scores of the
entities of its triples (an entity counts once per triple).

Departures: the question's entities are those whose names occur in it, where the paper asks a model for names and takes
the nearest phrase of each; edges between synonyms are left out, as aliases are one entity already; the graph is the
neighbourhood of two hops around the question's entities, where the paper uses the whole graph; evidence without such
triples follows in dense order, with score 0. If the question names no entity, the result is the dense list, as there is
no restart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from hopline.entities.question_entities import find_question_entities
from hopline.flow.requests import Flow, fetch, search
from hopline.results import Node, PathStep
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import HubDegree, Range
from hopline.scoring.pagerank import personalised_pagerank

MAX_TRIPLES: Final = 3000


@dataclass(frozen=True, slots=True)
class EvidenceTriple:
    """A triple with its evidence and its entities."""

    id: str
    evidence: str
    subject: Node
    object: Node

    def get_role(self, entity: str) -> str:
        """Return the type of the edge to one of its entities."""
        return "SUBJECT" if self.subject.id == entity else "OBJECT"

    @property
    def entities(self) -> dict[str, Node]:
        """Its entities by id; a single one if subject and object are the same."""
        return {self.subject.id: self.subject, self.object.id: self.object}


def rank(
    question: str, k: int, *, damping: Annotated[float, Range(0, 0.99)] = 0.5, hub: HubDegree = 100
) -> Flow[Ranking]:
    """Return the ``k`` of largest sum of PageRank scores; ``damping`` is that of PageRank."""
    near = yield search(question, k, by="dense")
    names = yield from find_question_entities(question)
    if not names:
        return Ranking.from_hits(near)
    columns = yield fetch("hipporag/facts", entities=[name.id for name in names], hub=hub, limit=MAX_TRIPLES)
    rows = zip(*(columns[name] for name in columns), strict=True)
    triples = [
        EvidenceTriple(id, evidence, Node(subject, "entity", subject_name), Node(object, "entity", object_name))
        for id, evidence, subject, subject_name, object, object_name in rows
    ]
    restart = {name.id: 1.0 / max(1, name.mentioned) for name in names}
    edges = [(triple.subject.id, triple.object.id) for triple in triples if len(triple.entities) == 2]
    pagerank = personalised_pagerank(edges, restart, damping=damping)
    scores: defaultdict[str, float] = defaultdict(float)
    weights = {triple.id: sum(pagerank.get(entity, 0.0) for entity in triple.entities) for triple in triples}
    for triple in triples:
        scores[triple.evidence] += weights[triple.id]
    order = sorted(scores, key=lambda id: (-scores[id], id))[:k]
    order += [id for id in near.ids if id not in scores][: k - len(order)]
    paths = _find_paths(triples, set(restart), pagerank, weights)
    return Ranking(tuple(order), tuple(scores.get(id, 0.0) for id in order), paths)


def _find_paths(
    triples: Sequence[EvidenceTriple], named: set[str], pagerank: Mapping[str, float], weights: Mapping[str, float]
) -> dict[str, tuple[PathStep, ...]]:
    """Return paths from an entity of the question over one or two triples to the evidence that states the last."""
    reached: dict[str, tuple[PathStep, ...]] = dict.fromkeys(named, ())
    paths: dict[str, tuple[PathStep, ...]] = {}
    for second_hop in (False, True):
        for triple in sorted(triples, key=lambda triple: (-weights[triple.id], triple.id)):
            known = [entity for entity in triple.entities if entity in (reached if second_hop else named)]
            if not known:
                continue
            start = max(known, key=lambda entity: (-len(reached[entity]), pagerank.get(entity, 0.0), entity))
            node = Node(triple.id, "triple")
            path = (*reached[start], PathStep(triple.entities[start], triple.get_role(start), node))
            paths.setdefault(triple.evidence, (*path, PathStep(node, "STATES", Node(triple.evidence, "passage"))))
            for id, entity in triple.entities.items() if not second_hop else ():
                reached.setdefault(id, (*path, PathStep(node, triple.get_role(id), entity)))
    return paths
