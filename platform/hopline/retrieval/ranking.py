"""What a strategy returns before its evidence is read: ids, scores, and the way to each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hopline.flow.requests import Flow, Hits
from hopline.types import Node, Step

Rank = Callable[..., Flow["Ranking"]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Evidence ids best first with their scores; ``ways`` has the steps from a seed to an id.

    An id without a way is itself a seed: search found it. Evidence nodes of a way may be left
    without a name; they get it when the evidence is read. ``graph`` has the edges of an evidence
    graph, from the question ("") or an evidence to the evidence that follows, where a strategy makes one.
    ``unaided``: a model chose to look nothing up.
    """

    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    ways: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    graph: tuple[tuple[str, str], ...] = ()
    unaided: bool = False

    @classmethod
    def of_hits(cls, hits: Hits) -> Ranking:
        """Hits as they are."""
        return cls(hits.ids, hits.scores)

    @classmethod
    def of_scores(cls, scores: Mapping[str, float], k: int, ways: Mapping[str, tuple[Step, ...]]) -> Ranking:
        """The k best of ``scores``, ties by id, with their ways."""
        ids = tuple(sorted(scores, key=lambda id: (-scores[id], id))[:k])
        return cls(ids, tuple(scores[id] for id in ids), {id: ways[id] for id in ids if id in ways})


def steps_between(source: str, target: str, way: Sequence[str]) -> tuple[Step, ...]:
    """The steps from one evidence to another by ``way``: edge, entity, its name, edge from there.

    ``NEXT`` and ``SIMILAR`` are one step, and the other three are then empty.
    """
    edge, entity, name, onward = way
    first, last = Node(source, "passage"), Node(target, "passage")
    if not entity:
        return (Step(first, edge, last),)
    middle = Node(entity, "entity", name)
    return (Step(first, edge, middle), Step(middle, onward, last))


@dataclass(frozen=True, slots=True)
class Strategy:
    """One retrieval method with its options: ``rank(question, k, **options)`` is the flow.

    ``unaided``: answers come from the model alone. ``needs_gold``: it is told the right evidence.
    """

    name: str
    rank: Rank
    summary: str
    needs_model: bool = False
    unaided: bool = False
    needs_gold: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def flow(self, question: str, k: int) -> Flow[Ranking]:
        """The flow that answers one question."""
        return self.rank(question, k, **self.options)
