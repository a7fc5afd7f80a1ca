"""Evidence whose triples are near, in the graph of triples, to what the question names: HippoRAG without a model.

HippoRAG (Gutiérrez et al. 2024, the version that GEAR measures against): personalised PageRank over
the entities that triples join, each edge as heavy as the triples that state it, restarting at the
entities of the question, each with the share 1 / (evidence that mentions it). Evidence scores the sum of
the shares of its triples' ends (an end counts once a triple).

Departures: the question's entities are those whose names it says, where the paper asks a model for
names and takes the nearest phrase of each; edges between synonyms are left out, aliases being one entity
already; the graph is the neighbourhood of two hops around the question's entities, where the paper
walks over all of it; what no triple reaches follows in dense order, with score 0. Where the question
names nothing, the dense list stands alone, as no start is as good as any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hopline.entities.question_entities import question_names
from hopline.flow.requests import Flow, fetch, search
from hopline.retrieval.ranking import Ranking
from hopline.scoring.pagerank import personalised_pagerank
from hopline.types import Node, Step

MOST: Final = 3000  # triples


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple with its evidence and its ends."""

    id: str
    evidence: str
    subject: Node
    object: Node

    def role(self, entity: str) -> str:
        """The edge to one of its ends."""
        return "SUBJECT" if self.subject.id == entity else "OBJECT"

    @property
    def ends(self) -> dict[str, Node]:
        """Its ends by id; one where they are the same."""
        return {self.subject.id: self.subject, self.object.id: self.object}


def rank(question: str, k: int, *, damping: float = 0.5, hub: int = 100) -> Flow[Ranking]:
    """The ``k`` of largest sum of shares; ``damping`` is the share that walks on, in [0, 1]."""
    near = yield search(question, k, by="dense")
    names = yield from question_names(question)
    if not names:
        return Ranking.of_hits(near)
    columns = yield fetch("hipporag/facts", entities=[one.id for one in names], hub=hub, limit=MOST)
    rows = zip(*(columns[name] for name in columns), strict=True)
    facts = [Fact(id, evidence, Node(s, "entity", sn), Node(o, "entity", on)) for id, evidence, s, sn, o, on in rows]
    restart = {one.id: 1.0 / max(1, one.mentioned) for one in names}
    edges = [(fact.subject.id, fact.object.id) for fact in facts if len(fact.ends) == 2]
    shares = personalised_pagerank(edges, restart, damping=damping)
    scores: defaultdict[str, float] = defaultdict(float)
    weights = {fact.id: sum(shares.get(end, 0.0) for end in fact.ends) for fact in facts}
    for fact in facts:
        scores[fact.evidence] += weights[fact.id]
    order = sorted(scores, key=lambda id: (-scores[id], id))[:k]
    order += [id for id in near.ids if id not in scores][: k - len(order)]
    ways = _ways(facts, set(restart), shares, weights)
    return Ranking(tuple(order), tuple(scores.get(id, 0.0) for id in order), ways)


def _ways(
    facts: Sequence[Fact], asked: set[str], shares: Mapping[str, float], weights: Mapping[str, float]
) -> dict[str, tuple[Step, ...]]:
    """From an entity of the question over one triple, or two, to the evidence that states the last."""
    reached: dict[str, tuple[Step, ...]] = dict.fromkeys(asked, ())
    ways: dict[str, tuple[Step, ...]] = {}
    for far in (False, True):
        for fact in sorted(facts, key=lambda fact: (-weights[fact.id], fact.id)):
            known = [end for end in fact.ends if end in (reached if far else asked)]
            if not known:
                continue
            start = max(known, key=lambda end: (-len(reached[end]), shares.get(end, 0.0), end))
            triple = Node(fact.id, "triple")
            there = (*reached[start], Step(fact.ends[start], fact.role(start), triple))
            ways.setdefault(fact.evidence, (*there, Step(triple, "STATES", Node(fact.evidence, "passage"))))
            for end, node in fact.ends.items() if not far else ():
                reached.setdefault(end, (*there, Step(triple, fact.role(end), node)))
    return ways
