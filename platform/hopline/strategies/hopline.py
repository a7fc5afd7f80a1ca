"""What the best evidence mentions, other evidence is about: links, PageRank and GNN-Ret, summed. Hopline's own.

Most second hops are found not by likeness but because a first passage mentions what another is
about. So three scores are summed, each scaled to [0, 1] over the evidence it knows:

links: cosine and BM25, raised for evidence about what the question names; the two best pass a part
of theirs on, over MENTIONS and ABOUT, shared by all that is about one name, and twice where the words
beside the mention are those that the question asks with ("directed by X" for "the director of").
GNN-Ret: one layer of its equations 1 and 2 on the same base (see `gnn_ret`).
PageRank: personalised, on the names of the ten best by links and of the question.

A page or table that the question names comes first (`hopline.structure`).

Nothing is trained and no model is asked. What is fetched is the neighbourhood of a few evidence,
whatever the size of the collection.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hopline.flow.columns import rows_of
from hopline.flow.requests import Flow, fetch
from hopline.naming import question_names
from hopline.ranking import Ranking, steps_between
from hopline.scoring.gnn import nearest, propagate
from hopline.scoring.links import UNLINKED, Name, asked_roots, says
from hopline.scoring.pagerank import personalised_pagerank
from hopline.strategies.hybrid import Both, read_both
from hopline.structure import with_structures
from hopline.types import Node, Step

DEPTH: Final = 50  # how deep both searches are read: the graph finds the rest
ABOUT: Final = 50  # evidence about one entity
BEFORE, AFTER = 60, 30  # characters beside a mention that say what it is to its text
NAMED: Final = 0.5  # raise of evidence about what the question names, over the root of how many there are
CROWD: Final = 0.3  # a link counts (number of links)^-this
LAYER: Final = 1.5  # weight of GNN-Ret's layer beside links and PageRank
FLOOR: Final = 1e-4  # added to a share of PageRank before its logarithm is taken
HUB_OF_LAYER, HUB_OF_PAGERANK = 10, 30  # an entity that more evidence mentions joins nothing

Ways = dict[str, tuple[Step, ...]]


def rank(
    question: str, k: int, *, parents: int = 2, nodes: int = 5, seeds: int = 10, link: float = 0.7, asked: float = 1.0
) -> Flow[Ranking]:
    """The ``k`` of highest sum, at most 3.5.

    ``parents`` evidence pass on ``link`` times their score; a link counts 1 + ``asked`` where its
    words are those of the question. ``nodes`` is GNN-Ret's K and the number at which PageRank
    restarts; the names of ``seeds`` evidence are its edges.
    """
    content = _content(question, k, parents=parents, nodes=nodes, seeds=seeds, link=link, asked=asked)
    return (yield from with_structures(question, k, content))


def _content(
    question: str, k: int, *, parents: int, nodes: int, seeds: int, link: float, asked: float
) -> Flow[Ranking]:
    both = yield from read_both(question, max(DEPTH, 3 * k))
    if not both.cosines:
        return Ranking()
    pool = Pool(both, dict(both.cosines))
    names = yield from question_names(question)
    base = yield from _raised(pool, names)
    linked = yield from _linked(pool, base, names, question, parents=parents, link=link, asked=asked)
    passed = yield from _passed(pool, base, nodes)
    shares = yield from _shares(pool, linked, names, nodes=nodes, seeds=seeds)
    parts = [(1.0, _scaled(linked)), (LAYER, _scaled(passed)), (1.0, _scaled(shares))]
    known = set().union(*(part for _, part in parts))
    sums = {id: sum(weight * part.get(id, 0.0) for weight, part in parts) for id in known}
    return Ranking.of_scores(sums, k, pool.ways)


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
        return {id: scores[id] for id in ids}

    def lead(self, id: str, source: str, *steps: Step) -> None:
        """Keep the way that goes on from that of ``source``, unless there is one already or it leads in a circle."""
        way = (*self.ways.get(source, ()), *steps)
        if id not in self.ways and all(step.source.id != id for step in way):
            self.ways[id] = way


def _raised(pool: Pool, names: Sequence[Name]) -> Flow[dict[str, float]]:
    """The base, raised for evidence about what the question names."""
    columns = yield fetch(
        "hopline/about", entities=[one.id for one in names], limit=ABOUT, vector=pool.both.vector.tolist()
    )
    rows = pool.meet(columns)
    base = pool.base(pool.cosines)
    sizes = Counter(row["entity"] for row in rows)
    called = {one.id: one.name for one in names}
    for row in rows:
        base[row["id"]] += NAMED * row["sure"] / math.sqrt(sizes[row["entity"]])
        named = Node(row["entity"], "entity", called[row["entity"]])
        pool.lead(row["id"], row["entity"], Step(named, "ABOUT", _node(row["id"])))
    return base


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
    seeds = nearest({id: -score for id, score in base.items()}, parents)
    columns = yield fetch(
        "hopline/links", seeds=seeds, before=BEFORE, after=AFTER, limit=ABOUT, vector=pool.both.vector.tolist()
    )
    roots = asked_roots(question, [one.name for one in names])
    rows = pool.meet(columns)
    shared = Counter((row["seed"], row["entity"]) for row in rows)
    weighed = [
        (row["sure"] * (1.0 + asked * says(row["words"], roots)) / shared[row["seed"], row["entity"]], row)
        for row in rows
    ]
    weights: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for weight, row in sorted(weighed, key=lambda pair: (-pair[0], seeds.index(pair[1]["seed"]), pair[1]["entity"])):
        weights[row["seed"]][row["id"]] = max(weight, weights[row["seed"]].get(row["id"], 0.0))
        if row["id"] not in seeds:
            way = ("MENTIONS", row["entity"], row["name"], "ABOUT")
            pool.lead(row["id"], row["seed"], *steps_between(row["seed"], row["id"], way))
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
    order = nearest({id: -score for id, score in linked.items()}, max(nodes, seeds))
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
    best = {id: linked[id] for id in order[:nodes]}
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
    for id, edge in edges.items():
        if id == source or id in pool.both.cosines:
            continue
        if source is None:
            pool.lead(id, row["entity"], Step(Node(row["entity"], "entity", row["name"]), edge, _node(id)))
        else:
            way = (edges[source], row["entity"], row["name"], edge)
            pool.lead(id, source, *steps_between(source, id, way))


def _node(id: str) -> Node:
    return Node(id, "passage")


def _scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores from 0 to 1."""
    least, most = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {id: (score - least) / ((most - least) or 1.0) for id, score in scores.items()}
