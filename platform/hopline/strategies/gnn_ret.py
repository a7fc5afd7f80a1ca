"""Message passing over the graph brings the neighbours of the nearest evidence nearer: GNN-Ret.

GNN-Ret (Li et al. 2024), equations 1 and 2: the distance of evidence to the question is h⁰ = 1 − cos; the K nearest
send their distance to their neighbours; the new distance of a neighbour is α times its own plus 1 − α times the
smallest that it receives. Every further layer does the same with the new distances. Neighbours are the previous and the
next evidence, and evidence that mentions or is about the same entity.

Departures: the graph is never built; only the neighbourhood of the K nearest is fetched, which gives the same result
while the dense search is exact: in scopes of up to 1,000 passages and within chosen documents; in others it is that of
the vector index. Passages have at most 200 tokens, as in the paper, only where documents are divided; a row of a
`.jsonl` file is one passage unless it is marked to be split, and the encoder reads its beginning. Evidence without a
vector is no neighbour. The paper lets a model write the Wikipedia links of a passage; here the names that were found
when the document was added link evidence, and one spelling is one entity: namesakes are joined, and two spellings in
two documents are not, unless they were merged by the user. Only proper names link: no dates and amounts, no common
nouns ("live music"), no nationalities and languages (names that only a language model found are proper names whatever
they name), and no names that more than ``hub`` passages mention. Evidence about an entity, as its title says, is linked
like evidence that mentions it. There is a next evidence in documents of several passages only: HotpotQA and 2Wiki, with
one passage for each title, have none, and in MuSiQue it is the next row of the file with the same title. The encoder
sees the title with the text, and is MiniLM unless another one is configured, not mpnet. ``k`` evidence are returned,
where the paper fills 3,500 tokens. ``trained`` α was learned with the default ``nodes``, ``hub``, ``base``, ``message``
and ``edges``, whatever these are here. ``base="hybrid"`` replaces the cosine by the sum of cosine and BM25, each
divided by its best score and weighted by ``dense`` and 1 − ``dense``; a neighbour that is not in the full-text list has
no BM25.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from hopline.flow.requests import Flow
from hopline.learned.collection_parameters import load_parameters
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.expansion import Edges, propagate_distances
from hopline.retrieval.stages.seeds import SEARCH_DEPTH, search_seeds
from hopline.retrieval.strategy_options import Fraction, HubDegree, ListSize, Range


def rank(
    question: str,
    k: int,
    *,
    nodes: ListSize = 5,
    layers: Annotated[int, Range(1, 10)] = 1,
    alpha: Fraction = 0.5,
    hub: HubDegree = 20,
    base: Literal["dense", "hybrid"] = "dense",
    dense: Fraction = 0.6,
    message: Literal["min", "mean"] = "min",
    edges: Edges = "all",
    trained: bool = False,
) -> Flow[Ranking]:
    """Return the ``k`` of smallest final distance; scores are 1 − distance.

    ``nodes`` is the paper's K (5 or 10), ``layers`` its L, ``alpha`` in [0, 1] its α, the same in every layer;
    ``trained`` uses the layers and α that were trained for the collection (`hopline.training.gnn`). ``message="mean"``
    is the paper's ablation: a neighbour receives the mean instead of the smallest distance. ``edges`` are those between
    evidence that shares an entity ("entities", the paper's shared keywords), those between adjacent evidence
    ("position", its structural information), or both.
    """
    alphas: Sequence[float] = (yield from load_parameters("gnn"))["alphas"] if trained else [alpha] * layers
    candidates = yield from search_seeds(question, by=base, depth=max(SEARCH_DEPTH, 3 * k), dense=dense)
    candidates = yield from propagate_distances(
        candidates, nodes=nodes, alphas=alphas, hub=hub, message=message, edges=edges, by="similarity"
    )
    return candidates.to_ranking(k, by="gnn")
