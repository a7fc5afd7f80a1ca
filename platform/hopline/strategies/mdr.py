"""Two dense hops, the second for the question together with each passage of the first: MDR.

Multi-hop dense retrieval (Xiong et al. 2021) as KGP measures it: ``first`` passages for the question, for each of them
``second`` passages for the question with that passage, and the pairs ranked by the product of both scores.

``trained`` uses the encoder of ``hopline train mdr``, which predicts the next passage.

Departures: the default leaves out the training that the method consists of: the encoder is that of the collection,
which has not learned to predict the next passage, and finds less than `dense` among the first five. Of the trained one
only the query encoder was trained (`hopline.training.mdr`). Scores below 0 count as 0, and vectors have unit length, so
that scores are cosines; the paper's are inner products. Passages are the chunks or rows of the collection, in KGP
sentences. Pairs are flattened to evidence, each at its first occurrence; the list is limited to ``k`` evidence instead
of 30 pairs, and where the pairs have fewer, the rest of the first hop follows with score 0.
"""

from __future__ import annotations

from hopline.flow.requests import Flow, search
from hopline.retrieval.agent.next_passage import encode_next_queries, find_next_passages
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import ListSize


def rank(question: str, k: int, *, first: ListSize = 15, second: ListSize = 3, trained: bool = False) -> Flow[Ranking]:
    """Return the first ``k`` evidence of the pairs; the score of evidence is that of its best pair."""
    [vector] = yield from encode_next_queries([question], trained=trained)
    hits = yield search(vector, max(first, k), by="dense")
    evidence = yield from fetch_evidence(hits.ids[:first])
    queries = [f"{question} {format_evidence(item)}" for item in evidence]
    vectors = yield from encode_next_queries(queries, trained=trained)
    pairs: list[tuple[float, str, str]] = []
    scores = dict(zip(hits.ids, hits.scores, strict=True))
    for item, query in zip(evidence, vectors, strict=True):
        following = yield from find_next_passages(item.id, query, second)
        pairs += [(max(scores[item.id], 0.0) * max(score, 0.0), item.id, id) for id, score in following]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    best: dict[str, float] = {}
    for product, *pair in pairs:
        for id in pair:
            best.setdefault(id, product)
    best = {**best, **{id: 0.0 for id in hits.ids if id not in best}}
    return Ranking(tuple(best)[:k], tuple(best.values())[:k])
