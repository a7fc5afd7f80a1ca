"""Candidates of a question: evidence with its scores by search, entity links, message passing and PageRank."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hopline.entities.linking import FAN_OUT_EXPONENT, UNLINKED_KINDS, EntityName, extract_question_stems, has_stem
from hopline.entities.question_entities import find_question_entities
from hopline.flow.columns import to_rows
from hopline.flow.requests import Flow, Vector, fetch
from hopline.retrieval.candidate_pool import CandidatePool
from hopline.retrieval.hybrid_search import search_hybrid
from hopline.retrieval.ranking import build_steps
from hopline.scoring.gnn import propagate, select_nearest
from hopline.scoring.pagerank import personalised_pagerank
from hopline.types import Node, PathStep

DEPTH: Final = 50  # hits of each search; the graph finds the rest
MAX_ABOUT: Final = 50  # evidence about one entity
CONTEXT_BEFORE, CONTEXT_AFTER = 60, 30  # characters around a mention that describe its role
NAME_BOOST: Final = 0.5  # of evidence about an entity of the question, over the root of the number of such evidence
LAYER_WEIGHT: Final = 1.5  # of the GNN-Ret layer relative to links and PageRank
SCORE_FLOOR: Final = 1e-4  # least restart score of PageRank; added to a PageRank score before its logarithm
LAYER_HUB, PAGERANK_HUB = 10, 30  # entities that more evidence mentions are ignored
PART_WEIGHTS: Final = {"linked": 1.0, "passed": LAYER_WEIGHT, "shares": 1.0}  # of the scores in their sum


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of a question with their partial scores.

    ``parts`` has four scores by id, each scaled to [0, 1]: ``base`` (cosine and BM25, with boosts), ``linked`` (entity
    links), ``passed`` (the layer of GNN-Ret) and ``shares`` (PageRank). ``boosts`` are those of evidence about the
    entities of the question, ``sums`` the weighted sums of the last three parts.
    """

    pool: CandidatePool
    names: Sequence[EntityName]
    parts: Mapping[str, Mapping[str, float]]
    boosts: Mapping[str, float]
    sums: Mapping[str, float]

    def top(self, count: int) -> list[str]:
        """Return the ``count`` ids of highest sum, ties by id."""
        return _top_ids(self.sums, count)


def find_candidates(
    question: str, k: int, *, parents: int = 2, nodes: int = 5, seeds: int = 10, link: float = 0.7, asked: float = 1.0
) -> Flow[Candidates | None]:
    """Find the candidates of a question with all their scores; None if the search finds nothing.

    The options are those of `hopline.strategies.hopline.rank`.
    """
    hits = yield from search_hybrid(question, max(DEPTH, 3 * k))
    if not hits.ids:
        return None
    pool = CandidatePool(hits, dict(hits.cosines))
    names = yield from find_question_entities(question)
    boosts = yield from _boost_named_evidence(pool, names)
    searched = pool.compute_base_scores((*pool.cosines, *hits.bm25))
    base = {id: score + boosts.get(id, 0.0) for id, score in searched.items()}
    linked = yield from _propagate_over_links(pool, base, names, question, parents=parents, link=link, asked=asked)
    passed = yield from _propagate_over_layer(pool, base, nodes)
    shares = yield from _compute_pagerank_scores(pool, linked, names, nodes=nodes, seeds=seeds)
    scores = {"base": base, "linked": linked, "passed": passed, "shares": shares}
    parts = {name: _scale(part) for name, part in scores.items()}
    ids = set().union(*(parts[name] for name in PART_WEIGHTS))
    sums = {id: sum(weight * parts[name].get(id, 0.0) for name, weight in PART_WEIGHTS.items()) for id in ids}
    return Candidates(pool, names, parts, boosts, sums)


def _boost_named_evidence(pool: CandidatePool, names: Sequence[EntityName]) -> Flow[dict[str, float]]:
    """Return the boosts of evidence about the entities that the question names."""
    columns = yield fetch(
        "hopline/evidence_about",
        entities=[name.id for name in names],
        limit=MAX_ABOUT,
        vector=pool.hits.vector.tolist(),
    )
    rows = pool.add_rows(columns)
    boosts: defaultdict[str, float] = defaultdict(float)
    sizes = Counter(row["entity"] for row in rows)
    name_of = {name.id: name.name for name in names}
    for row in rows:
        boosts[row["id"]] += NAME_BOOST * row["confidence"] / math.sqrt(sizes[row["entity"]])
        entity = Node(row["entity"], "entity", name_of[row["entity"]])
        pool.add_path(row["id"], row["entity"], PathStep(entity, "ABOUT", _to_node(row["id"])))
    return boosts


def find_links(
    pool: CandidatePool, seeds: Sequence[str], names: Sequence[EntityName], question: str, *, asked: float
) -> Flow[list[tuple[float, dict[str, Any]]]]:
    """Return the links of `fetch_weighted_links`, and store their cosines in the pool."""
    links = yield from fetch_weighted_links(seeds, names, question, pool.hits.vector, asked=asked)
    for _, row in links:
        pool.cosines.setdefault(row["id"], row["score"])
    return links


def fetch_weighted_links(
    seeds: Sequence[str], names: Sequence[EntityName], question: str, vector: Vector, *, asked: float = 1.0
) -> Flow[list[tuple[float, dict[str, Any]]]]:
    """Fetch links from the entities that seeds mention to the evidence about them, with weights in [0, 1 + ``asked``].

    A link is a row of ``hopline/mention_links``. Heaviest first, ties in the order of the seeds.
    """
    columns = yield fetch(
        "hopline/mention_links",
        seeds=list(seeds),
        before=CONTEXT_BEFORE,
        after=CONTEXT_AFTER,
        limit=MAX_ABOUT,
        vector=vector.tolist(),
    )
    stems = extract_question_stems(question, [name.name for name in names])
    rows = to_rows(columns)
    shared = Counter((row["seed"], row["entity"]) for row in rows)
    links = [
        (row["confidence"] * (1.0 + asked * has_stem(row["words"], stems)) / shared[row["seed"], row["entity"]], row)
        for row in rows
    ]
    return sorted(links, key=lambda pair: (-pair[0], seeds.index(pair[1]["seed"]), pair[1]["entity"]))


def add_link_path(pool: CandidatePool, row: Mapping[str, Any]) -> None:
    """Store the path of a row of ``hopline/mention_links`` in the pool."""
    pool.add_path(row["id"], row["seed"], *build_link_steps(row))


def build_link_steps(row: Mapping[str, Any]) -> tuple[PathStep, ...]:
    """Build the steps of a row of ``hopline/mention_links``."""
    return build_steps(row["seed"], row["id"], ("MENTIONS", row["entity"], row["name"], "ABOUT"))


def _propagate_over_links(
    pool: CandidatePool,
    base: Mapping[str, float],
    names: Sequence[EntityName],
    question: str,
    *,
    parents: int,
    link: float,
    asked: float,
) -> Flow[dict[str, float]]:
    """Add to the base scores what the best evidence passes on to evidence about the entities that it mentions."""
    seeds = _top_ids(base, parents)
    links = yield from find_links(pool, seeds, names, question, asked=asked)
    weights: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for weight, row in links:
        weights[row["seed"]][row["id"]] = max(weight, weights[row["seed"]].get(row["id"], 0.0))
        if row["id"] not in seeds:
            add_link_path(pool, row)
    added: dict[str, float] = {}
    for seed, targets in weights.items():
        for id, weight in targets.items():
            received = link * base[seed] * len(targets) ** -FAN_OUT_EXPONENT * weight
            added[id] = max(added.get(id, 0.0), received)
    scores = {**pool.compute_base_scores(added), **base}
    return {id: score + added.get(id, 0.0) for id, score in scores.items()}


def _propagate_over_layer(pool: CandidatePool, base: Mapping[str, float], nodes: int) -> Flow[dict[str, float]]:
    """Return the scores after one layer of GNN-Ret on the base scores."""
    distances = {id: 1.0 - score for id, score in base.items()}
    nearest = select_nearest(distances, nodes)
    columns = yield fetch(
        "gnn_ret/neighbours",
        seeds=nearest,
        hub=LAYER_HUB,
        unlinked=list(UNLINKED_KINDS),
        vector=pool.hits.vector.tolist(),
    )
    rows = pool.add_rows(columns)
    neighbours = pool.compute_base_scores(row["id"] for row in rows)
    distances = {**{id: 1.0 - score for id, score in neighbours.items()}, **distances}
    edges = [(seed, row["id"]) for row in rows for seed, *_ in row["links"]]
    updated = propagate(distances, edges, 0.5)
    for row in rows:
        if row["id"] not in nearest and updated[row["id"]] < distances[row["id"]]:
            seed, *connection = min(row["links"], key=lambda link: (distances[link[0]], *link))
            pool.add_path(row["id"], seed, *build_steps(seed, row["id"], connection))
    return {id: 1.0 - distance for id, distance in updated.items()}


def _compute_pagerank_scores(
    pool: CandidatePool, linked: Mapping[str, float], names: Sequence[EntityName], *, nodes: int, seeds: int
) -> Flow[dict[str, float]]:
    """Return the logarithm of each evidence's PageRank score."""
    order = _top_ids(linked, max(nodes, seeds))
    columns = yield fetch(
        "hopline/shared_entities",
        seeds=order[:seeds],
        entities=[name.id for name in names],
        hub=PAGERANK_HUB,
        unlinked=list(UNLINKED_KINDS),
    )
    rows = to_rows(columns)
    edges = [(id, row["entity"]) for row in rows for id in row["ids"]]
    entities = {row["entity"] for row in rows}
    named = {name.id: 1.0 / max(1, name.mentioned) for name in names if name.id in entities}
    best = {id: max(linked[id], SCORE_FLOOR) for id in order[:nodes]}
    parts = [(0.5, named), (0.5, best)] if named else [(1.0, best)]
    restart = {id: weight * score / sum(part.values()) for weight, part in parts for id, score in part.items()}
    scores = personalised_pagerank(edges, restart)
    for row in rows:
        _add_entity_paths(pool, row, order)
    return {id: math.log(score + SCORE_FLOOR) for id, score in scores.items() if id not in entities}


def _add_entity_paths(pool: CandidatePool, row: Mapping[str, Any], order: Sequence[str]) -> None:
    """Store paths to evidence that no search found, over a shared entity.

    A path starts at the best candidate with that entity, or at the entity itself if the question names it.
    """
    edges = dict(zip(row["ids"], row["edges"], strict=True))
    source = next((id for id in order if id in edges), None)
    searched = {*pool.hits.cosines, *pool.hits.bm25}
    for id, edge in edges.items():
        if id == source or id in searched:
            continue
        if source is None:
            pool.add_path(id, row["entity"], PathStep(Node(row["entity"], "entity", row["name"]), edge, _to_node(id)))
        else:
            connection = (edges[source], row["entity"], row["name"], edge)
            pool.add_path(id, source, *build_steps(source, id, connection))


def _top_ids(scores: Mapping[str, float], count: int) -> list[str]:
    return select_nearest({id: -score for id, score in scores.items()}, count)


def _to_node(id: str) -> Node:
    return Node(id, "passage")


def _scale(scores: Mapping[str, float]) -> dict[str, float]:
    """Scale scores to [0, 1]."""
    least, most = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {id: (score - least) / ((most - least) or 1.0) for id, score in scores.items()}
