"""Three scores of a question's candidates, and the ways to those that the graph found."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hopline.entities.linking import CROWD, UNLINKED, Name, asked_roots, says
from hopline.entities.question_entities import question_names
from hopline.flow.columns import rows_of
from hopline.flow.requests import Flow, Vector, fetch
from hopline.retrieval.candidate_pool import Pool
from hopline.retrieval.hybrid_search import read_both
from hopline.retrieval.ranking import steps_between
from hopline.scoring.gnn import nearest, propagate
from hopline.scoring.pagerank import personalised_pagerank
from hopline.types import Node, Step

DEPTH: Final = 50  # how deep both searches are read: the graph finds the rest
ABOUT: Final = 50  # evidence about one entity
BEFORE, AFTER = 60, 30  # characters beside a mention that say what it is to its text
NAMED: Final = 0.5  # raise of evidence about what the question names, over the root of how many there are
LAYER: Final = 1.5  # weight of GNN-Ret's layer beside links and PageRank
FLOOR: Final = 1e-4  # of a score at which PageRank restarts; added to a share before its logarithm is taken
HUB_OF_LAYER, HUB_OF_PAGERANK = 10, 30  # an entity that more evidence mentions joins nothing
PARTS: Final = {"linked": 1.0, "passed": LAYER, "shares": 1.0}  # what each counts in the sum


@dataclass(frozen=True, slots=True)
class Gathered:
    """Candidates with their ``parts``, by id and each in [0, 1]; ``raised`` for what the question names.

    Parts: ``base`` (cosine and BM25, raised), ``linked``, ``passed`` (GNN-Ret's layer), ``shares`` (PageRank).
    """

    pool: Pool
    names: Sequence[Name]
    parts: Mapping[str, Mapping[str, float]]
    raised: Mapping[str, float]
    sums: Mapping[str, float]

    def best(self, count: int) -> list[str]:
        """The ``count`` of highest sum, ties by id."""
        return _best(self.sums, count)


def gather(
    question: str, k: int, *, parents: int = 2, nodes: int = 5, seeds: int = 10, link: float = 0.7, asked: float = 1.0
) -> Flow[Gathered | None]:
    """The candidates of a question with all their parts; None where nothing is found.

    The options are those of `hopline.strategies.hopline`.
    """
    both = yield from read_both(question, max(DEPTH, 3 * k))
    if not both.ids:
        return None
    pool = Pool(both, dict(both.cosines))
    names = yield from question_names(question)
    raised = yield from _raised(pool, names)
    base = {id: score + raised.get(id, 0.0) for id, score in pool.base((*pool.cosines, *both.words)).items()}
    linked = yield from _linked(pool, base, names, question, parents=parents, link=link, asked=asked)
    passed = yield from _passed(pool, base, nodes)
    shares = yield from _shares(pool, linked, names, nodes=nodes, seeds=seeds)
    found = {"base": base, "linked": linked, "passed": passed, "shares": shares}
    parts = {name: _scaled(part) for name, part in found.items()}
    known = set().union(*(parts[name] for name in PARTS))
    sums = {id: sum(weight * parts[name].get(id, 0.0) for name, weight in PARTS.items()) for id in known}
    return Gathered(pool, names, parts, raised, sums)


def _raised(pool: Pool, names: Sequence[Name]) -> Flow[dict[str, float]]:
    """What evidence about what the question names is raised by."""
    columns = yield fetch(
        "hopline/about", entities=[one.id for one in names], limit=ABOUT, vector=pool.both.vector.tolist()
    )
    rows = pool.meet(columns)
    raised: defaultdict[str, float] = defaultdict(float)
    sizes = Counter(row["entity"] for row in rows)
    called = {one.id: one.name for one in names}
    for row in rows:
        raised[row["id"]] += NAMED * row["sure"] / math.sqrt(sizes[row["entity"]])
        named = Node(row["entity"], "entity", called[row["entity"]])
        pool.lead(row["id"], row["entity"], Step(named, "ABOUT", _node(row["id"])))
    return raised


def links_of(
    pool: Pool, seeds: Sequence[str], names: Sequence[Name], question: str, *, asked: float
) -> Flow[list[tuple[float, dict[str, Any]]]]:
    """`weighed_links`, their cosines kept in the pool."""
    weighed = yield from weighed_links(seeds, names, question, pool.both.vector, asked=asked)
    for _, row in weighed:
        pool.cosines.setdefault(row["id"], row["score"])
    return weighed


def weighed_links(
    seeds: Sequence[str], names: Sequence[Name], question: str, vector: Vector, *, asked: float = 1.0
) -> Flow[list[tuple[float, dict[str, Any]]]]:
    """From what seeds mention to what is about it: rows of ``hopline/links``, weighed from 0 to 1 + ``asked``.

    The heaviest first, ties in the order of the seeds.
    """
    columns = yield fetch(
        "hopline/links", seeds=list(seeds), before=BEFORE, after=AFTER, limit=ABOUT, vector=vector.tolist()
    )
    roots = asked_roots(question, [one.name for one in names])
    rows = rows_of(columns)
    shared = Counter((row["seed"], row["entity"]) for row in rows)
    weighed = [
        (row["sure"] * (1.0 + asked * says(row["words"], roots)) / shared[row["seed"], row["entity"]], row)
        for row in rows
    ]
    return sorted(weighed, key=lambda pair: (-pair[0], seeds.index(pair[1]["seed"]), pair[1]["entity"]))


def lead_by_link(pool: Pool, row: Mapping[str, Any]) -> None:
    """Keep the way of a row of ``hopline/links`` in the pool."""
    pool.lead(row["id"], row["seed"], *link_steps(row))


def link_steps(row: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps of a row of ``hopline/links``."""
    return steps_between(row["seed"], row["id"], ("MENTIONS", row["entity"], row["name"], "ABOUT"))


def _linked(
    pool: Pool,
    base: Mapping[str, float],
    names: Sequence[Name],
    question: str,
    *,
    parents: int,
    link: float,
    asked: float,
) -> Flow[dict[str, float]]:
    """The base with what the best pass on to the evidence that is about what they mention."""
    seeds = _best(base, parents)
    weighed = yield from links_of(pool, seeds, names, question, asked=asked)
    weights: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for weight, row in weighed:
        weights[row["seed"]][row["id"]] = max(weight, weights[row["seed"]].get(row["id"], 0.0))
        if row["id"] not in seeds:
            lead_by_link(pool, row)
    added: dict[str, float] = {}
    for seed, reached in weights.items():
        for id, weight in reached.items():
            added[id] = max(added.get(id, 0.0), link * base[seed] * len(reached) ** -CROWD * weight)
    whole = {**pool.base(added), **base}
    return {id: score + added.get(id, 0.0) for id, score in whole.items()}


def _passed(pool: Pool, base: Mapping[str, float], nodes: int) -> Flow[dict[str, float]]:
    """The base after one layer of GNN-Ret."""
    distances = {id: 1.0 - score for id, score in base.items()}
    best = nearest(distances, nodes)
    columns = yield fetch(
        "gnn_ret/neighbours",
        seeds=best,
        hub=HUB_OF_LAYER,
        unlinked=list(UNLINKED),
        vector=pool.both.vector.tolist(),
    )
    rows = pool.meet(columns)
    fresh = pool.base(row["id"] for row in rows)
    distances = {**{id: 1.0 - score for id, score in fresh.items()}, **distances}
    edges = [(seed, row["id"]) for row in rows for seed, *_ in row["links"]]
    updated = propagate(distances, edges, 0.5)
    for row in rows:
        if row["id"] not in best and updated[row["id"]] < distances[row["id"]]:
            seed, *way = min(row["links"], key=lambda link: (distances[link[0]], *link))
            pool.lead(row["id"], seed, *steps_between(seed, row["id"], way))
    return {id: 1.0 - distance for id, distance in updated.items()}


def _shares(
    pool: Pool, linked: Mapping[str, float], names: Sequence[Name], *, nodes: int, seeds: int
) -> Flow[dict[str, float]]:
    """The logarithm of each evidence's share of PageRank."""
    order = _best(linked, max(nodes, seeds))
    columns = yield fetch(
        "hopline/sharing",
        seeds=order[:seeds],
        entities=[one.id for one in names],
        hub=HUB_OF_PAGERANK,
        unlinked=list(UNLINKED),
    )
    rows = rows_of(columns)
    edges = [(id, row["entity"]) for row in rows for id in row["ids"]]
    joined = {row["entity"] for row in rows}
    asked = {one.id: 1.0 / max(1, one.mentioned) for one in names if one.id in joined}
    best = {id: max(linked[id], FLOOR) for id in order[:nodes]}
    parts = [(0.5, asked), (0.5, best)] if asked else [(1.0, best)]
    restart = {id: part * share / sum(given.values()) for part, given in parts for id, share in given.items()}
    shares = personalised_pagerank(edges, restart)
    for row in rows:
        _lead_over(pool, row, order)
    return {id: math.log(share + FLOOR) for id, share in shares.items() if id not in joined}


def _lead_over(pool: Pool, row: Mapping[str, Any], order: Sequence[str]) -> None:
    """Ways to what no search found: from the best that shares a name, or from the name that the question says."""
    edges = dict(zip(row["ids"], row["edges"], strict=True))
    source = next((id for id in order if id in edges), None)
    searched = {*pool.both.cosines, *pool.both.words}
    for id, edge in edges.items():
        if id == source or id in searched:
            continue
        if source is None:
            pool.lead(id, row["entity"], Step(Node(row["entity"], "entity", row["name"]), edge, _node(id)))
        else:
            way = (edges[source], row["entity"], row["name"], edge)
            pool.lead(id, source, *steps_between(source, id, way))


def _best(scores: Mapping[str, float], count: int) -> list[str]:
    return nearest({id: -score for id, score in scores.items()}, count)


def _node(id: str) -> Node:
    return Node(id, "passage")


def _scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores from 0 to 1."""
    least, most = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {id: (score - least) / ((most - least) or 1.0) for id, score in scores.items()}
