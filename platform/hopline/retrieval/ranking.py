"""The result of a strategy before its evidence is fetched (ids, scores, paths), and the strategy itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hopline.flow.requests import Flow, Hits
from hopline.results import Node, PathStep

Rank = Callable[..., Flow["Ranking"]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Evidence ids, best first, with their scores; ``paths`` maps ids to the steps from a seed.

    An id without a path is itself a seed, found by search. Evidence nodes of a path may have no name; names are added
    when the evidence is fetched. ``graph`` has the edges of the evidence graph, from the question ("") or an evidence
    to the evidence that follows; it is empty unless the strategy builds one. ``closed_book``: a model decided that no
    retrieval is needed. ``memory``: the triples that a language model collected while it searched.
    """

    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    paths: Mapping[str, tuple[PathStep, ...]] = field(default_factory=dict)
    graph: tuple[tuple[str, str], ...] = ()
    closed_book: bool = False
    memory: tuple[str, ...] = ()

    @classmethod
    def from_hits(cls, hits: Hits) -> Ranking:
        """Create a ranking from the hits of a search, unchanged."""
        return cls(hits.ids, hits.scores)

    @classmethod
    def from_scores(cls, scores: Mapping[str, float], k: int, paths: Mapping[str, tuple[PathStep, ...]]) -> Ranking:
        """Create a ranking of the ``k`` highest ``scores``, ties by id, with their paths."""
        ids = tuple(sorted(scores, key=lambda id: (-scores[id], id))[:k])
        return cls(ids, tuple(scores[id] for id in ids), {id: paths[id] for id in ids if id in paths})


def build_steps(source: str, target: str, connection: Sequence[str]) -> tuple[PathStep, ...]:
    """Build the steps from one evidence to another by ``connection``: edge, entity id, its name, edge from the entity.

    ``NEXT`` and ``SIMILAR`` are a single step; the other three values are then empty.
    """
    edge, entity, name, onward = connection
    first, last = Node(source, "passage"), Node(target, "passage")
    if not entity:
        return (PathStep(first, edge, last),)
    middle = Node(entity, "entity", name)
    return (PathStep(first, edge, middle), PathStep(middle, onward, last))


@dataclass(frozen=True, slots=True)
class Strategy:
    """One retrieval method with its options: ``rank(question, k, **options)`` is the flow.

    ``closed_book``: the model answers without evidence. ``needs_gold``: the gold evidence is an option of the strategy.
    ``spec`` is the name with the options in text form ("gnn_ret:nodes=10"); "" if it was not loaded by name.
    """

    name: str
    rank: Rank
    summary: str
    needs_model: bool = False
    closed_book: bool = False
    needs_gold: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    spec: str = ""

    def flow(self, question: str, k: int) -> Flow[Ranking]:
        """Return the flow that ranks evidence for one question."""
        return self.rank(question, k, **self.options)
