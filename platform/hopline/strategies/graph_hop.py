"""Evidence graph from a bidirectional search between question and answer: the BGR of Graph-Hop.

Towards Graph-hop retrieval and reasoning (Zhu et al. 2024): bidirectional search over a base of facts
(`hopline.retrieval.agent.bidirectional_search`), subgraph reconstruction (`hopline.scoring.evidence_graph`), and
evidence in the order of the graph. The facts are the ``candidates`` best of ``base``. ``follows`` decides which
evidence follows a path: ``likeness`` is the untrained sentence encoder in both directions, for any collection;
``network`` was trained on gold graphs by ``hopline train graph_hop``; ``model`` is a language model that writes the
whole graph. ``merge`` is the rule of reconstruction: "usual" is equation 2, and "forward" for ``likeness``. ``gamma``
is the threshold γ of the bidirectional subgraph confidence (equation 1); if it is not set, it is that of the training
for ``network``, and .1 for ``likeness``.

Departures: the default leaves out what is trained in the paper: ``likeness`` searches forward only, so that nothing is
reconstructed. Equation 2, the text of section 4.2 and the released code merge differently (``equation``, ``text``,
``text_code``); of the union, an edge that would close a cycle is dropped; γ is selected in training, or .1 untrained,
while the paper names none and the released code has .02. The paper's facts are single sentences that are given with the
question; ours are chunks or rows that are retrieved first, of which the network reads the first 30 word pieces. The
search is breadth first, with limits (`hopline.retrieval.agent.bidirectional_search`). The evidence of the graph is
followed by the rest of the base list, so that ``k`` evidence are returned, and answers are read from these; the paper's
reader, a T5 that was trained on the graphs alone (equation 3), is not included. The prompt of ``model`` is our own,
without the paper's five worked graphs, and it writes lists of fact numbers, at most eight.
`hopline.learned.graph_hop_network` lists the departures of the network, `hopline.training.graph_hop` those of its
training.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.agent.bidirectional_search import Floats, FollowMethod, MergeOption, build_evidence_graph
from hopline.retrieval.agent.evidence_sources import Base, create_source
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import Fraction, ListSize
from hopline.scoring.evidence_graph import Edge, sort_topologically


def rank(
    question: str,
    k: int,
    *,
    follows: FollowMethod = "likeness",
    merge: MergeOption = "usual",
    gamma: Fraction | None = None,
    base: Base = "hybrid",
    candidates: ListSize = 25,
) -> Flow[Ranking]:
    """Return the evidence of the graph in its order, then the base list; scores fall from 2 to 1, then from 1 to 0."""
    base_list = yield from create_source(base).find(question, max(candidates, k))
    facts = [(item.id, format_evidence(item)) for item in (yield from fetch_evidence(base_list.ids[:candidates]))]
    known = (yield from _fetch_vectors(facts)) if follows == "likeness" else {}
    edges = yield from build_evidence_graph(question, facts, follows=follows, rule=merge, gamma=gamma, known=known)
    return _build_ranking(edges, base_list, k)


def _fetch_vectors(facts: Sequence[tuple[str, str]]) -> Flow[dict[str, Floats]]:
    """Fetch the stored vectors of evidence, by its text."""
    columns = yield fetch("retrieval/vectors", ids=[id for id, _ in facts])
    stored = dict(zip(columns["id"], np.asarray(columns["vector"], np.float32), strict=True))
    return {text: stored[id] for id, text in facts if id in stored}


def _build_ranking(edges: Sequence[Edge], base: Ranking, k: int) -> Ranking:
    """Rank the evidence of the graph, then the rest of the base list, with the paths of the base list."""
    first = sort_topologically(edges)
    rest = [id for id in base.ids if id not in first]
    scores = [2.0 - n / max(len(first), 1) for n in range(len(first))]
    scores += [1.0 - n / max(len(rest), 1) for n in range(len(rest))]
    ids = (*first, *rest)[:k]
    paths = {id: base.paths[id] for id in ids if id in base.paths}
    return Ranking(ids, tuple(scores[:k]), paths, tuple(edges))
