"""Candidates of a question: evidence with named score columns, and the links by which the graph reached it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import compress, repeat

import numpy as np
from numpy.typing import NDArray

from hopline.entities.linking import EntityName
from hopline.flow.requests import Vector
from hopline.results import PathStep
from hopline.retrieval.ranking import Ranking
from hopline.scoring.fusion import sum_scaled

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ParentLink:
    """How the graph reached the evidence ``target``: the steps from ``source``, an evidence or an entity."""

    source: str
    target: str
    steps: tuple[PathStep, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The N candidates of a question; stages add evidence and columns, and remove none.

    ``columns`` are (N,) float64 by name, NaN where a score is missing. The first ``seeds`` ids are the hits of the
    search. ``parents`` has one link for each evidence that the graph reached. ``entities`` are those that the question
    names. ``dense`` is the weight of the cosine relative to BM25 in the column ``similarity``; None: the cosine alone.
    """

    question: str
    vector: Vector
    dense: float | None = None
    ids: tuple[str, ...] = ()
    columns: Mapping[str, Floats] = field(default_factory=dict)
    parents: Mapping[str, ParentLink] = field(default_factory=dict)
    seeds: int = 0
    entities: tuple[EntityName, ...] = ()

    @classmethod
    def from_ranking(cls, question: str, vector: Vector, ranking: Ranking) -> Candidates:
        """Create candidates from a ranking, in its order and with its paths. Column: ``base``, 1 / rank."""
        base = np.array([1.0 / rank for rank in range(1, len(ranking.ids) + 1)])
        parents = {id: ParentLink(steps[0].source.id, id, steps) for id, steps in ranking.paths.items()}
        return cls(question, vector, None, ranking.ids, {"base": base}, parents, len(ranking.ids))

    def column(self, name: str) -> Floats:
        """Return a column, (N,); all NaN if no stage has written it."""
        return self.columns.get(name, np.full(len(self.ids), np.nan))

    def scores(self, name: str) -> dict[str, float]:
        """Return the values of a column by id, without the missing ones."""
        values = self.columns.get(name)
        if values is None:
            return {}
        return dict(compress(zip(self.ids, values.tolist(), strict=True), (~np.isnan(values)).tolist()))

    def with_column(self, name: str, values: Floats) -> Candidates:
        """Return the candidates with a column, (N,), added or replaced."""
        return replace(self, columns={**self.columns, name: values})

    def with_scores(self, name: str, scores: Mapping[str, float]) -> Candidates:
        """Return the candidates with a column added or replaced by values by id; unknown ids become candidates."""
        ids = tuple(dict.fromkeys((*self.ids, *scores)))
        missing = np.full(len(ids) - len(self.ids), np.nan)
        columns = {key: np.concatenate([values, missing]) for key, values in self.columns.items()}
        columns[name] = np.fromiter(map(scores.get, ids, repeat(np.nan)), np.float64, len(ids))
        return replace(self, ids=ids, columns=columns)

    def with_cosines(self, cosines: Mapping[str, float]) -> Candidates:
        """Return the candidates with the missing cosines added, and with the column ``similarity`` of all of them."""
        extended = self.with_scores("cosine", {**cosines, **self.scores("cosine")})
        cosine = similarity = extended.column("cosine")
        if self.dense is not None:
            similarity = sum_scaled([(self.dense, cosine), (1.0 - self.dense, extended.column("bm25"))])
        return extended.with_column("similarity", similarity)

    def select(self, ids: tuple[str, ...]) -> Candidates:
        """Return these candidates in this order, none as a seed; ids that are no candidates have no scores."""
        index = {id: n for n, id in enumerate(self.ids)}
        order = [index.get(id, len(self.ids)) for id in ids]
        columns = {name: np.append(values, np.nan)[order] for name, values in self.columns.items()}
        return replace(self, ids=ids, columns=columns, seeds=0)

    def with_links(self, links: Iterable[ParentLink]) -> Candidates:
        """Return the candidates with parent links; the first link to an evidence counts, and none may form a cycle."""
        parents = dict(self.parents)
        for link in links:
            if link.target not in parents and link.target not in _list_ancestors(link.source, parents):
                parents[link.target] = link
        return replace(self, parents=parents)

    def top(self, count: int, by: str = "score") -> list[str]:
        """Return the ``count`` ids of highest value in a column, ties by id; those without a value are left out."""
        scores = self.scores(by)
        return sorted(scores, key=lambda id: (-scores[id], id))[:count]

    def path(self, id: str) -> tuple[PathStep, ...]:
        """Return the steps to a candidate from a seed or an entity of the question; empty for a seed without a link."""
        links = [self.parents[node] for node in _list_ancestors(id, self.parents) if node in self.parents]
        return tuple(step for link in reversed(links) for step in link.steps)

    def paths(self) -> dict[str, tuple[PathStep, ...]]:
        """Return the path to each evidence that the graph reached, by id."""
        return {id: self.path(id) for id in self.parents}

    def to_ranking(self, k: int, by: str = "score") -> Ranking:
        """Return the ``k`` of highest value in a column, ties by id, with their paths."""
        ids, scores = self.top(k, by), self.scores(by)
        paths = {id: self.path(id) for id in ids if id in self.parents}
        return Ranking(tuple(ids), tuple(scores[id] for id in ids), paths)


def _list_ancestors(id: str, parents: Mapping[str, ParentLink]) -> list[str]:
    """Return an id and the sources from which it was reached, nearest first."""
    ancestors = [id]
    while ancestors[-1] in parents:
        ancestors.append(parents[ancestors[-1]].source)
    return ancestors
