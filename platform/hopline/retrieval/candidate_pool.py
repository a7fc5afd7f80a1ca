"""What is known of a question's candidates while they are gathered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hopline.flow.columns import rows_of
from hopline.retrieval.hybrid_search import Both
from hopline.types import Step

Ways = dict[str, tuple[Step, ...]]


@dataclass(slots=True)
class Pool:
    """The evidence that is known so far: cosines by id, and the ways of what the graph raised or found."""

    both: Both
    cosines: dict[str, float]
    ways: Ways = field(default_factory=dict)

    def meet(self, columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
        """The rows of an answer; the cosines in them are kept."""
        rows = rows_of(columns)
        for row in rows:
            self.cosines.setdefault(row["id"], row["score"])
        return rows

    def base(self, ids: Iterable[str]) -> dict[str, float]:
        """Cosine and BM25 of some evidence, each scaled by its best."""
        scores = self.both.scores(0.6, self.cosines)
        return {id: scores.get(id, 0.0) for id in ids}

    def lead(self, id: str, source: str, *steps: Step) -> None:
        """Keep the way that goes on from that of ``source``, unless there is one already or it leads in a circle."""
        way = (*self.ways.get(source, ()), *steps)
        if id not in self.ways and all(step.source.id != id for step in way):
            self.ways[id] = way
