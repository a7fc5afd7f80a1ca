"""Two dense hops: each first passage, read behind the question, is searched for again: MDR.

Multi-hop dense retrieval (Xiong et al. 2021) as KGP measures it: ``first`` passages for the question, for each of them
``second`` for the question with that passage, and the pairs in order of the product of both scores.

``trained`` asks the encoder that ``hopline train mdr`` made, which has learned where the next passage is.

Departures: untrained, the encoder is the collection's own; trained, only the side that asks was
(`hopline.training.mdr`); pairs are laid out as single evidence, each where it first stands; ranks rather than 30 pairs
are cut.
"""

from __future__ import annotations

from hopline.flow.requests import Flow, search
from hopline.retrieval.agent.next_passage import behind, next_vectors
from hopline.retrieval.evidence_texts import read_texts, titled
from hopline.retrieval.ranking import Ranking


def rank(question: str, k: int, *, first: int = 15, second: int = 3, trained: bool = False) -> Flow[Ranking]:
    """The ``k`` first evidence of the pairs; an evidence scores as its best pair."""
    [asked] = yield from next_vectors([question], trained=trained)
    hits = yield search(asked, max(first, k), by="dense")
    evidence = yield from read_texts(hits.ids[:first])
    vectors = yield from next_vectors([f"{question} {titled(one)}" for one in evidence], trained=trained)
    pairs: list[tuple[float, str, str]] = []
    scores = dict(zip(hits.ids, hits.scores, strict=True))
    for one, vector in zip(evidence, vectors, strict=True):
        onward = yield from behind(one.id, vector, second)
        pairs += [(max(scores[one.id], 0.0) * max(score, 0.0), one.id, id) for id, score in onward]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    best: dict[str, float] = {}
    for product, *both in pairs:
        for id in both:
            best.setdefault(id, product)
    best = {**best, **{id: 0.0 for id in hits.ids if id not in best}}
    return Ranking(tuple(best)[:k], tuple(best.values())[:k])
