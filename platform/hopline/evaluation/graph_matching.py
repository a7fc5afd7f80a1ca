"""How near a graph of evidence comes to the right one: GM, GS, GED, and its evidence as a set.

Graph-Hop (Zhu et al. 2024), section 5.3. The question counts as a node, as in the released code. Its GED compares
shapes alone; here are both, unlabelled (``ged``) and labelled (``labelled_ged``). An edit distance is searched for
`SECONDS` and is from above where that does not end it; precision and recall are not exchanged (CODE-NOTES 4, defect 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from hopline.scoring.evidence_graph import QUESTION, Edge, nodes_of

SECONDS: Final = 0.8  # for one edit distance; the released code's limit


@dataclass(frozen=True, slots=True)
class SetScores:
    """Evidence as a set against the right one, each in [0, 1]."""

    precision: float
    recall: float
    f1: float
    em: float


@dataclass(frozen=True, slots=True)
class Match:
    """One graph against the right one.

    ``gm``: the same edges. ``gs``: the same shape. ``ged``, ``labelled_ged``: edits of nodes and edges that lead to the
    right graph, without and with the nodes' names. ``precision``, ``recall``, ``f1``, ``em``: the evidence as a set.
    """

    gm: float
    gs: float
    ged: float
    labelled_ged: float
    precision: float
    recall: float
    f1: float
    em: float


def match(found: Sequence[Edge], gold: Sequence[Edge], *, seconds: float = SECONDS) -> Match:
    """How a graph that was found compares with the right one."""
    import networkx as nx

    one, right, alike = _graph(found), _graph(gold), set_scores(found, gold)
    by_name = labelled_distance(found, gold)
    return Match(
        gm=float(set(found) == set(gold)),
        gs=float(nx.is_isomorphic(one, right)),
        ged=_distance(one, right, seconds, most=by_name),
        labelled_ged=by_name,
        precision=alike.precision,
        recall=alike.recall,
        f1=alike.f1,
        em=alike.em,
    )


def set_scores(found: Sequence[Edge], gold: Sequence[Edge]) -> SetScores:
    """How the evidence of two graphs compares, whatever joins it."""
    got, wanted = set(nodes_of(found)), set(nodes_of(gold))
    shared = len(got & wanted)
    return SetScores(
        precision=shared / len(got) if got else 0.0,
        recall=shared / len(wanted) if wanted else 0.0,
        f1=2 * shared / (len(got) + len(wanted)) if got or wanted else 0.0,
        em=float(got == wanted),
    )


def labelled_distance(found: Sequence[Edge], gold: Sequence[Edge]) -> float:
    """Nodes and edges to take away and to add; a name is not changed into another, so it is exact."""
    nodes = set(nodes_of(found)) ^ set(nodes_of(gold))
    return float(len(nodes) + len(set(found) ^ set(gold)))


def _graph(edges: Sequence[Edge]) -> Any:
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_node(QUESTION)
    graph.add_edges_from(edges)
    return graph


def _distance(one: Any, other: Any, seconds: float, *, most: float) -> float:
    """The fewest edits that are found in time; those by name, ``most``, are always there to take."""
    import networkx as nx

    if nx.is_isomorphic(one, other):
        return 0.0
    fewest = nx.graph_edit_distance(one, other, upper_bound=most, timeout=seconds)
    return most if fewest is None else float(fewest)
