"""Passage graphs: how much gold is within a few hops of a question's first passages, and how dense the graph is.

The first is that of KGP (figure 4), the second that of GNN-Ret (table 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hopline.entities.linking import UNLINKED_KINDS
from hopline.evaluation.questions import Question
from hopline.flow.requests import Flow, embed, fetch
from hopline.retrieval.evidence_texts import fetch_evidence
from hopline.retrieval.passage_graph import PassageGraph
from hopline.strategies import tfidf
from hopline.strategies.kgp import SEEDS_DEPTH


@dataclass(frozen=True, slots=True)
class Reachability:
    """The evidence within some hops of the seeds: means over the questions, fractions in [0, 1].

    ``complete`` (SF-EM) is the fraction of questions with all gold reached, ``recall`` the mean fraction of
    gold reached, ``precision`` gold over distinct evidence reached, ``evidence`` the mean number of the latter,
    ``degree`` the mean number of neighbours of the evidence whose neighbours were followed. Gold that the collection
    lacks counts as not reached; gold in several pieces is reached with the first of them.
    """

    hops: int
    complete: float
    recall: float
    precision: float
    evidence: float
    degree: float = 0.0


class ReachCount(NamedTuple):
    """Counts of one question within some hops: gold reached and gold, evidence reached, and the edges followed.

    ``edges`` are those from the evidence that was ``expanded``.
    """

    hits: int
    gold: int
    evidence: int
    expanded: int = 0
    edges: int = 0


@dataclass(frozen=True, slots=True)
class GraphDensity:
    """The size of the graph of GNN-Ret: ``nodes``, and undirected edges for each of them.

    ``density`` is the fraction of all pairs of nodes that are edges.
    """

    nodes: int
    edges_per_node: float

    @property
    def density(self) -> float:
        """2 |E| / (|V| (|V| − 1)), 0 if there are fewer than two nodes."""
        return 2 * self.edges_per_node / (self.nodes - 1) if self.nodes > 1 else 0.0


def measure_density(hub: int) -> Flow[GraphDensity]:
    """Count the nodes and edges of the graph that `hopline.strategies.gnn_ret` uses; ``hub`` is its option."""
    columns = yield fetch("gnn_ret/degrees", hub=hub, unlinked=list(UNLINKED_KINDS))
    [nodes], [ends] = columns["nodes"], columns["ends"]
    return GraphDensity(nodes, ends / 2 / nodes if nodes else 0.0)


def measure_reach(question: Question, graph: PassageGraph, *, seeds: int = 5, hops: int = 2) -> Flow[list[ReachCount]]:
    """Count what is reached within 0, 1, … ``hops`` of the seeds, including the seeds.

    Seeds are the best by TF-IDF. Directed edges are followed in their direction.
    """
    gold = yield from _fetch_gold(question)
    seed_passages = yield from tfidf.rank(question.text, seeds, depth=SEEDS_DEPTH)
    [vector] = yield embed([question.text])
    reached, frontier = set(seed_passages.ids), list(seed_passages.ids)
    expanded = edges = 0
    counts = [_count_reached(gold, reached)]
    for _ in range(hops):
        neighbours = yield from graph.fetch_neighbours(frontier, vector)
        expanded += len(frontier)
        edges += sum(len(ids) for ids in neighbours.values())
        frontier = [id for id in dict.fromkeys(id for ids in neighbours.values() for id in ids) if id not in reached]
        reached |= set(frontier)
        counts.append(_count_reached(gold, reached)._replace(expanded=expanded, edges=edges))
    return counts


def _fetch_gold(question: Question) -> Flow[list[set[str]]]:
    """Return for each gold passage of the question the ids of its evidence, none if the collection lacks it."""
    columns = yield fetch("gold/evidence", wanted=list(question.gold))
    evidence = yield from fetch_evidence(columns["id"])
    return [{item.id for item in evidence if name in (item.id, item.source_id)} for name in question.gold]


def _count_reached(gold: Sequence[set[str]], reached: set[str]) -> ReachCount:
    return ReachCount(sum(not ids.isdisjoint(reached) for ids in gold), len(gold), len(reached))


def average_reach(counts: Sequence[Sequence[ReachCount]]) -> list[Reachability]:
    """Average over questions, for each number of hops; a question without gold counts as 0."""
    rows = []
    for hops, column in enumerate(zip(*counts, strict=True)):
        count, expanded = len(column), sum(item.expanded for item in column)
        rows.append(
            Reachability(
                hops,
                sum(item.gold > 0 and item.hits == item.gold for item in column) / count,
                sum(item.hits / item.gold if item.gold else 0.0 for item in column) / count,
                sum(item.hits / item.evidence if item.evidence else 0.0 for item in column) / count,
                sum(item.evidence for item in column) / count,
                sum(item.edges for item in column) / expanded if expanded else 0.0,
            )
        )
    return rows
