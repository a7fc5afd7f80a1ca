"""The guide of KGP without its graph: the next evidence is searched for among all passages.

The baseline that the released code of KGP (Wang et al. 2024) holds beside its own method, and above it in most of its
runs (CODE-NOTES 3): ``seeds`` by TF-IDF; for each the guide says what comes next, and that is searched for. ``encoder``
searches with question and passage as one vector, ``mdr`` with that of the encoder that ``hopline train mdr`` made;
``model`` lets a language model write the next evidence, ``writer`` the local one that ``hopline train writer`` taught.

Departures: seeds and found passages are joined by reciprocal rank fusion into one ranking.
"""

from __future__ import annotations

from typing import Literal

from hopline.flow.requests import Flow
from hopline.retrieval.agent.llm_session import Silence, Talk
from hopline.retrieval.agent.next_passage import behind, next_vectors
from hopline.retrieval.agent.passage_guides import next_evidence
from hopline.retrieval.evidence_texts import read_texts, titled
from hopline.retrieval.pooling import pooled
from hopline.retrieval.ranking import Ranking
from hopline.strategies import tfidf
from hopline.strategies.kgp import SEEDS_DEPTH


def rank(
    question: str,
    k: int,
    *,
    guide: Literal["encoder", "mdr", "model", "writer"] = "encoder",
    seeds: int = 10,
    branching: int = 3,
) -> Flow[Ranking]:
    """The ``k`` best of the seeds and what the guide finds behind each."""
    first = yield from tfidf.rank(question, max(k, seeds), depth=SEEDS_DEPTH)
    evidence = yield from read_texts(first.ids[:seeds])
    talk = Talk()
    scores: dict[str, float] = {}
    try:
        wanted = [f"{question} {titled(one)}" for one in evidence]
        if guide in ("model", "writer"):
            written = yield from next_evidence(guide, talk, question, [[titled(one)] for one in evidence])
            wanted = [text or plain for text, plain in zip(written, wanted, strict=True)]
        vectors = yield from next_vectors(wanted, trained=guide == "mdr")
        for one, vector in zip(evidence, vectors, strict=True):
            for id, score in (yield from behind(one.id, vector, branching)):
                scores[id] = max(score, scores.get(id, score))
    except Silence:
        pass
    return pooled([first, Ranking.of_scores(scores, len(scores), {})], k, "rrf")
