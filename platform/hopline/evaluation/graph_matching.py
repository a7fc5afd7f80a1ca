"""Comparison of an evidence graph with the gold graph: GM, GS, GED, and its evidence as a set.

Graph-Hop (Zhu et al. 2024), section 5.3. The question counts as a node, as in the released code. Its GED compares
shapes only; this module has both, unlabelled (``ged``) and labelled (``labelled_ged``). The search for an edit distance
ends after `TIMEOUT` and then gives an upper bound; precision and recall are not swapped, as they are in the released
code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from hopline.scoring.evidence_graph import QUESTION, Edge, list_nodes

TIMEOUT: Final = 0.8  # seconds for one edit distance, as in the released code


@dataclass(frozen=True, slots=True)
class SetScores:
    """Evidence as a set, compared with the gold evidence; each in [0, 1]."""

    precision: float
    recall: float
    f1: float
    em: float


@dataclass(frozen=True, slots=True)
class GraphMatch:
    """One graph compared with the gold graph.

    ``gm``: the same edges. ``gs``: the same shape. ``ged``, ``labelled_ged``: edits of nodes and edges that lead to the
    gold graph, without and with the nodes' names. ``precision``, ``recall``, ``f1``, ``em``: the evidence as a set.
    """

    gm: float
    gs: float
    ged: float
    labelled_ged: float
    precision: float
    recall: float
    f1: float
    em: float


def match_graphs(predicted: Sequence[Edge], gold: Sequence[Edge], *, timeout: float = TIMEOUT) -> GraphMatch:
    """Compare a graph with the gold graph; ``timeout`` limits the search for an edit distance."""
    import networkx as nx

    graph, gold_graph, sets = _build_graph(predicted), _build_graph(gold), compute_set_scores(predicted, gold)
    labelled_ged = count_labelled_edits(predicted, gold)
    return GraphMatch(
        gm=float(set(predicted) == set(gold)),
        gs=float(nx.is_isomorphic(graph, gold_graph)),
        ged=_edit_distance(graph, gold_graph, timeout, upper_bound=labelled_ged),
        labelled_ged=labelled_ged,
        precision=sets.precision,
        recall=sets.recall,
        f1=sets.f1,
        em=sets.em,
    )


def compute_set_scores(predicted: Sequence[Edge], gold: Sequence[Edge]) -> SetScores:
    """Compare the evidence of two graphs, regardless of edges."""
    predicted_nodes, gold_nodes = set(list_nodes(predicted)), set(list_nodes(gold))
    common = len(predicted_nodes & gold_nodes)
    return SetScores(
        precision=common / len(predicted_nodes) if predicted_nodes else 0.0,
        recall=common / len(gold_nodes) if gold_nodes else 0.0,
        f1=2 * common / (len(predicted_nodes) + len(gold_nodes)) if predicted_nodes or gold_nodes else 0.0,
        em=float(predicted_nodes == gold_nodes),
    )


def count_labelled_edits(predicted: Sequence[Edge], gold: Sequence[Edge]) -> float:
    """The number of nodes and edges to remove and to add; nodes are not renamed, so that it is exact."""
    nodes = set(list_nodes(predicted)) ^ set(list_nodes(gold))
    return float(len(nodes) + len(set(predicted) ^ set(gold)))


def _build_graph(edges: Sequence[Edge]) -> Any:
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_node(QUESTION)
    graph.add_edges_from(edges)
    return graph


def _edit_distance(graph: Any, gold: Any, timeout: float, *, upper_bound: float) -> float:
    """The fewest edits found in time; the labelled edits, ``upper_bound``, are an upper bound."""
    import networkx as nx

    if nx.is_isomorphic(graph, gold):
        return 0.0
    edits = nx.graph_edit_distance(graph, gold, upper_bound=upper_bound, timeout=timeout)
    return upper_bound if edits is None else float(edits)
