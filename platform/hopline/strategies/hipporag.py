"""Personalised PageRank over triples, restarting at the entities of the question: HippoRAG without a model.

HippoRAG (Gutiérrez et al. 2024, the version that GEAR compares with): personalised PageRank over the entities that
triples connect, each edge weighted by the number of triples that state it, restarting at the entities of the question,
each with the weight 1 / (evidence that mentions it). The score of evidence is the sum of the PageRank scores of the
entities of its triples (an entity counts once per triple).

Departures: the question's entities are those whose names occur in it, where the paper asks a model for names and takes
the nearest phrase of each; the triples are those of the collection, by rules unless a language model extracted them;
edges between synonyms are left out, as aliases are one entity already; the graph is the neighbourhood of two hops
around the question's entities, at most 3,000 triples, without entities of more than ``hub`` triples, where the paper
uses the whole graph; evidence without such triples follows in dense order, with score 0. If the question names no
entity, the result is the dense list, as there is no restart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final

from hopline.entities.linking import EntityName
from hopline.entities.question_entities import find_question_entities
from hopline.flow.requests import Flow, fetch
from hopline.results import Node, PathStep
from hopline.retrieval.candidates import Candidates, ParentLink
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.seeds import search_seeds
from hopline.retrieval.strategy_options import HubDegree, Range
from hopline.scoring.pagerank import compute_personalized_pagerank

MAX_TRIPLES: Final = 3000


def rank(
    question: str, k: int, *, damping: Annotated[float, Range(0, 0.99)] = 0.5, hub: HubDegree = 100
) -> Flow[Ranking]:
    """Return the ``k`` of largest sum of PageRank scores; ``damping`` is that of PageRank."""
    candidates = yield from search_seeds(question, by="dense", depth=k)
    candidates = yield from rank_by_triples(candidates, damping=damping, hub=hub)
    if not candidates.entities:
        return candidates.to_ranking(k, by="cosine")
    best = candidates.to_ranking(k, by="triples")
    rest = [id for id in candidates.ids[: candidates.seeds] if id not in best.ids][: k - len(best.ids)]
    return Ranking((*best.ids, *rest), (*best.scores, *(0.0 for _ in rest)), best.paths)


def rank_by_triples(candidates: Candidates, *, damping: float, hub: int) -> Flow[Candidates]:
    """Add the evidence of the triples near the entities of the question, and score it by personalised PageRank.

    Column: ``triples``, the sum of the PageRank scores of the entities of its triples; missing for evidence without
    such a triple. Paths start at an entity of the question. If it names none, nothing is added.
    """
    entities = yield from find_question_entities(candidates.question)
    if not entities:
        return candidates
    triples = yield from _fetch_triples(entities, hub)
    restart = {entity.id: 1.0 / max(1, entity.mentioned) for entity in entities}
    edges = [
        (triple.subject.id, triple.object.id)
        for triple in triples
        if triple.subject and triple.object and triple.subject != triple.object
    ]
    pagerank = compute_personalized_pagerank(edges, restart, damping=damping)
    weights = {triple.id: sum(pagerank.get(entity, 0.0) for entity in triple.entities) for triple in triples}
    scores: defaultdict[str, float] = defaultdict(float)
    for triple in triples:
        scores[triple.evidence] += weights[triple.id]
    links = _list_links(triples, set(restart), pagerank, weights)
    return replace(candidates.with_scores("triples", scores).with_links(links), entities=tuple(entities))


@dataclass(frozen=True, slots=True)
class EvidenceTriple:
    """A triple with its evidence and its entities; subject and object are None where they are no entities."""

    id: str
    evidence: str
    subject: Node | None
    object: Node | None

    def get_role(self, entity: str) -> str:
        """Return the type of the edge to one of its entities."""
        return "SUBJECT" if self.subject is not None and self.subject.id == entity else "OBJECT"

    @property
    def entities(self) -> dict[str, Node]:
        """Its entities by id; a single one if the other end is no entity, or both are the same."""
        return {end.id: end for end in (self.subject, self.object) if end is not None}


def _fetch_triples(entities: Sequence[EntityName], hub: int) -> Flow[list[EvidenceTriple]]:
    """Fetch the triples within two hops of entities."""
    columns = yield fetch("hipporag/facts", entities=[entity.id for entity in entities], hub=hub, limit=MAX_TRIPLES)
    rows = zip(*(columns[name] for name in columns), strict=True)
    return [
        EvidenceTriple(id, evidence, _to_entity(subject, subject_name), _to_entity(object, object_name))
        for id, evidence, subject, subject_name, object, object_name in rows
    ]


def _to_entity(id: str | None, name: str | None) -> Node | None:
    return Node(id, "entity", name or "") if id else None


def _list_links(
    triples: Sequence[EvidenceTriple], named: set[str], pagerank: Mapping[str, float], weights: Mapping[str, float]
) -> Iterator[ParentLink]:
    """Return links from an entity of the question over one or two triples to the evidence that states the last."""
    reached: dict[str, tuple[PathStep, ...]] = dict.fromkeys(named, ())
    for second_hop in (False, True):
        for triple in sorted(triples, key=lambda triple: (-weights[triple.id], triple.id)):
            known = [entity for entity in triple.entities if entity in (reached if second_hop else named)]
            if not known:
                continue
            start = max(known, key=lambda entity: (-len(reached[entity]), pagerank.get(entity, 0.0), entity))
            node = Node(triple.id, "triple")
            path = (*reached[start], PathStep(triple.entities[start], triple.get_role(start), node))
            states = PathStep(node, "STATES", Node(triple.evidence, "passage"))
            yield ParentLink(path[0].source.id, triple.evidence, (*path, states))
            for id, entity in triple.entities.items() if not second_hop else ():
                reached.setdefault(id, (*path, PathStep(node, triple.get_role(id), entity)))
