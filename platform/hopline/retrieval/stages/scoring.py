"""Stages that score candidates: PageRank, fusion of columns, and coverage of the terms of the question."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from hopline.entities.linking import UNLINKED_KINDS, EntityName
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, fetch
from hopline.results import Node, PathStep
from hopline.retrieval.candidates import Candidates, ParentLink
from hopline.retrieval.ranking import build_steps
from hopline.scoring.fusion import reciprocal_rank_fusion, scale_to_unit
from hopline.scoring.pagerank import compute_personalized_pagerank
from hopline.scoring.query_coverage import match_terms, raise_for_coverage

SCORE_FLOOR: Final = 1e-4  # least restart score of PageRank; added to a PageRank score before its logarithm
HUB: Final = 30  # entities that more evidence mentions are ignored
MAX_COVERED: Final = 40  # candidates of highest score that are raised for the terms they cover
COVERAGE_WEIGHT: Final = 2.5  # most that a score is raised


def rank_by_pagerank(candidates: Candidates, *, seeds: int, nodes: int, by: str = "links") -> Flow[Candidates]:
    """Add the evidence that shares entities with the best evidence, and score it by personalised PageRank.

    Edges link the entities of the ``seeds`` best by the column ``by``, and those of the question, to all evidence that
    mentions or is about them. Half of the restarts are at entities of the question, the others at the ``nodes`` best.
    Column: ``pagerank``, the logarithm of the score; missing for evidence without such an entity. Evidence that no
    search returned gets a path from the best evidence with its entity, or from the entity of the question.
    """
    if not candidates.ids:
        return candidates
    order = candidates.top(max(nodes, seeds), by)
    columns = yield fetch(
        "hopline/shared_entities",
        seeds=order[:seeds],
        entities=[entity.id for entity in candidates.entities],
        hub=HUB,
        unlinked=list(UNLINKED_KINDS),
    )
    rows = to_rows(columns)
    shared = {row["entity"] for row in rows}
    scores = candidates.scores(by)
    restart = _weight_restarts(
        {id: scores[id] for id in order[:nodes]}, [entity for entity in candidates.entities if entity.id in shared]
    )
    pagerank = compute_personalized_pagerank([(id, row["entity"]) for row in rows for id in row["ids"]], restart)
    searched = set(candidates.ids[: candidates.seeds])
    links = (link for row in rows for link in _list_entity_links(row, order) if link.target not in searched)
    logarithms = {id: math.log(score + SCORE_FLOOR) for id, score in pagerank.items() if id not in shared}
    return candidates.with_scores("pagerank", logarithms).with_links(links)


def _weight_restarts(scores: Mapping[str, float], entities: Sequence[EntityName]) -> dict[str, float]:
    """Return the restart weights of evidence and of entities; each kind has half of their sum, 1."""
    best = {id: max(score, SCORE_FLOOR) for id, score in scores.items()}
    named = {entity.id: 1.0 / max(1, entity.mentioned) for entity in entities}
    parts = [(0.5, named), (0.5, best)] if named else [(1.0, best)]
    return {id: weight * score / sum(part.values()) for weight, part in parts for id, score in part.items()}


def _list_entity_links(row: Mapping[str, Any], order: Sequence[str]) -> Iterator[ParentLink]:
    """Return the links to the evidence of an entity from the best evidence that has it, else from the entity itself."""
    edges = dict(zip(row["ids"], row["edges"], strict=True))
    source = next((id for id in order if id in edges), None)
    for id, edge in edges.items():
        if source is None:
            entity = Node(row["entity"], "entity", row["name"])
            yield ParentLink(entity.id, id, (PathStep(entity, edge, Node(id, "passage")),))
        elif id != source:
            connection = (edges[source], row["entity"], row["name"], edge)
            yield ParentLink(source, id, build_steps(source, id, connection))


def fuse_scores(candidates: Candidates, weights: Mapping[str, float]) -> Candidates:
    """Add the columns in ``weights``, each scaled to [0, 1]. Column: ``score``; missing values count 0."""
    parts = [weight * scale_to_unit(candidates.column(name)) for name, weight in weights.items()]
    return candidates.with_column("score", np.sum(parts, axis=0))


def fuse_ranks(candidates: Candidates, columns: Sequence[str]) -> Candidates:
    """Join the orders of columns by reciprocal rank fusion. Column: ``score``; missing where all of them are."""
    ids, scores = reciprocal_rank_fusion([candidates.top(len(candidates.ids), name) for name in columns])
    return candidates.with_scores("score", dict(zip(ids, scores, strict=True)))


def cover_query_terms(candidates: Candidates, *, weight: float = COVERAGE_WEIGHT) -> Flow[Candidates]:
    """Raise the column ``score`` of the best by up to ``weight`` for terms of the question that no better one matches.

    Terms and weights are those of `hopline.scoring.query_coverage`.
    """
    if not candidates.ids or not weight:
        return candidates
    best = candidates.top(MAX_COVERED)
    columns = yield fetch("retrieval/texts", ids=best)
    texts = dict(zip(columns["id"], columns["text"], strict=True))
    scores, ids = candidates.scores("score"), [id for id in best if id in texts]
    matches = match_terms(candidates.question, [texts[id] for id in ids])
    raised = raise_for_coverage(np.array([scores[id] for id in ids]), matches, weight)
    return candidates.with_scores("score", {**scores, **dict(zip(ids, raised.tolist(), strict=True))})
