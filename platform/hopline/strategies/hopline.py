"""What the best evidence mentions, other evidence is about: links, PageRank and GNN-Ret, summed. Hopline's own.

Most second hops are found not by likeness but because a first passage mentions what another is
about. So three scores are summed, each scaled to [0, 1] over the evidence it knows:

links: cosine and BM25, raised for evidence about what the question names; the two best pass a part
of theirs on, over MENTIONS and ABOUT, shared by all that is about one name, and twice where the words
beside the mention are those that the question asks with ("directed by X" for "the director of").
GNN-Ret: one layer of its equations 1 and 2 on the same base (see `gnn_ret`).
PageRank: personalised, on the names of the ten best by links and of the question.

Of these the order is such that each says words of the question that those before it left open
(`hopline.scoring.mmr`): that is what a later hop is needed for.

A page or table that the question names comes first (`hopline.retrieval.page_table_references`).

Nothing is trained and no model is asked, unless ``trained`` is set: then the candidates are ordered by
what was learned from a user's own questions (`hopline.training.reranker`). What is fetched is the
neighbourhood of a few evidence, whatever the size of the collection.
"""

from __future__ import annotations

from typing import Any

from hopline.flow.requests import Flow
from hopline.retrieval.candidates import gather
from hopline.retrieval.page_table_references.lookup import with_structures
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.reranking.candidate_texts import COVER, covered, look_at
from hopline.retrieval.reranking.learned_reranker import judged, scorer_for


def rank(
    question: str,
    k: int,
    *,
    parents: int = 2,
    nodes: int = 5,
    seeds: int = 10,
    link: float = 0.7,
    asked: float = 1.0,
    cover: float = COVER,
    trained: bool = False,
) -> Flow[Ranking]:
    """The ``k`` of highest sum, at most 3.5 + ``cover``; with ``trained`` of highest chance, 0 to 1, then the rest.

    ``parents`` evidence pass on ``link`` times their score; a link counts 1 + ``asked`` where its
    words are those of the question. ``nodes`` is GNN-Ret's K and the number at which PageRank
    restarts; the names of ``seeds`` evidence are its edges. ``cover`` is the most that words add which
    no better evidence says.
    """
    content = _content(
        question, k, cover=cover, trained=trained, parents=parents, nodes=nodes, seeds=seeds, link=link, asked=asked
    )
    return (yield from with_structures(question, k, content))


def _content(question: str, k: int, *, cover: float, trained: bool, **options: Any) -> Flow[Ranking]:
    scorer = (yield from scorer_for()) if trained else None
    found = yield from gather(question, k, **options)
    if found is None:
        return Ranking()
    if scorer is None:
        scores = yield from covered(question, found, cover)
    else:
        scores = judged(scorer, (yield from look_at(question, found, scorer.extras)), found.sums)
    return Ranking.of_scores(scores, k, found.pool.ways)
