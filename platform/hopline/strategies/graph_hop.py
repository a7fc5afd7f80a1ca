"""A graph of evidence found from the question and from what answers it, made into one: Graph-Hop's BGR.

Towards Graph-hop retrieval and reasoning (Zhu et al. 2024): bidirectional search over a base of facts
(`hopline.retrieval.agent.bidirectional_search`), subgraph reconstruction (`hopline.scoring.evidence_graph`), evidence
in the order of the
graph. The facts are the ``candidates`` best of ``base``. ``follows`` decides what follows a path: ``likeness``, the
sentence encoder as both directions, which works untrained on any collection; ``network``, trained on right graphs by
``hopline train graph_hop``; ``model``, a language model that lays the graph out. ``merge`` is the rule of
reconstruction (the usual one is equation 1, and ``forward`` by likeness), ``gamma`` its threshold.

Departures: the paper's base of facts is given with the question, ours is found first; behind the graph's evidence comes
the rest of the base list, so that ``k`` evidence come back; those of the network are named in
`hopline.learned.graph_hop_network`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.agent.bidirectional_search import Decides, Floats, Rule, laid_out
from hopline.retrieval.agent.evidence_sources import Base, source_of
from hopline.retrieval.evidence_texts import read_texts, titled
from hopline.retrieval.ranking import Ranking
from hopline.scoring.evidence_graph import GAMMA, Edge, in_order


def rank(
    question: str,
    k: int,
    *,
    follows: Decides = "likeness",
    merge: Rule = "usual",
    gamma: float = GAMMA,
    base: Base = "hybrid",
    candidates: int = 25,
) -> Flow[Ranking]:
    """The graph's evidence in its order, then the base list's; scores fall from 2 to 1, then from 1 to 0."""
    found = yield from source_of(base).find(question, max(candidates, k))
    facts = [(one.id, titled(one)) for one in (yield from read_texts(found.ids[:candidates]))]
    known = (yield from _vectors(facts)) if follows == "likeness" else {}
    edges = yield from laid_out(question, facts, follows=follows, rule=merge, gamma=gamma, known=known)
    return _ranking(edges, found, k)


def _vectors(facts: Sequence[tuple[str, str]]) -> Flow[dict[str, Floats]]:
    """The stored vectors of evidence, by its text."""
    columns = yield fetch("read/vectors", ids=[id for id, _ in facts])
    stored = dict(zip(columns["id"], np.asarray(columns["vector"], np.float32), strict=True))
    return {text: stored[id] for id, text in facts if id in stored}


def _ranking(edges: Sequence[Edge], base: Ranking, k: int) -> Ranking:
    """The graph's evidence, then the rest of the base list, each reached as the base list reached it."""
    first = in_order(edges)
    rest = [id for id in base.ids if id not in first]
    scores = [2.0 - n / max(len(first), 1) for n in range(len(first))]
    scores += [1.0 - n / max(len(rest), 1) for n in range(len(rest))]
    ids = (*first, *rest)[:k]
    ways = {id: base.ways[id] for id in ids if id in base.ways}
    return Ranking(ids, tuple(scores[:k]), ways, tuple(edges))
