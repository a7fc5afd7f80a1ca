"""The pool of a question's candidates: cosines and evidence paths, collected while candidates are searched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hopline.flow.columns import to_rows
from hopline.retrieval.hybrid_search import HybridHits
from hopline.types import PathStep

Paths = dict[str, tuple[PathStep, ...]]


@dataclass(slots=True)
class CandidatePool:
    """The evidence found so far: cosines by id, and the paths to evidence that the graph found or boosted."""

    hits: HybridHits
    cosines: dict[str, float]
    paths: Paths = field(default_factory=dict)

    def add_rows(self, columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
        """Return the rows of a statement's result, and store their cosines."""
        rows = to_rows(columns)
        for row in rows:
            self.cosines.setdefault(row["id"], row["score"])
        return rows

    def compute_base_scores(self, ids: Iterable[str]) -> dict[str, float]:
        """Return the weighted sum of cosine and BM25 of some evidence, each divided by its best score."""
        scores = self.hits.combine_scores(0.6, self.cosines)
        return {id: scores.get(id, 0.0) for id in ids}

    def add_path(self, id: str, source: str, *steps: PathStep) -> None:
        """Store the path of ``source`` extended by ``steps``, unless ``id`` has a path or the path would be a cycle."""
        path = (*self.paths.get(source, ()), *steps)
        if id not in self.paths and all(step.source.id != id for step in path):
            self.paths[id] = path
