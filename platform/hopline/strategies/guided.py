"""KGP's guide without its graph: search for the next evidence among all passages.

This is a baseline in the released code of KGP (Wang et al. 2024), which outperforms its own method in most of its runs:
``seeds`` passages by TF-IDF; for each the guide predicts the next evidence, which is then searched for. ``encoder``
searches with question and passage as one vector, ``mdr`` with the vector of the encoder of ``hopline train mdr``;
``model`` lets a language model write the next evidence, ``writer`` the local model of ``hopline train writer``.

Departures: the seeds and the passages found are joined by reciprocal rank fusion into one ranking.
"""

from __future__ import annotations

from typing import Literal

from hopline.flow.requests import Flow
from hopline.retrieval.agent.llm_session import LlmExhausted, LlmSession
from hopline.retrieval.agent.next_passage import encode_next_queries, find_next_passages
from hopline.retrieval.agent.passage_guides import write_next_evidence
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.pooling import pool_rankings
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import ListSize
from hopline.strategies import tfidf
from hopline.strategies.kgp import SEEDS_DEPTH


def rank(
    question: str,
    k: int,
    *,
    guide: Literal["encoder", "mdr", "model", "writer"] = "encoder",
    seeds: ListSize = 10,
    branching: ListSize = 3,
) -> Flow[Ranking]:
    """Return the ``k`` best of the seeds and of the passages that the guide finds for each of them."""
    first = yield from tfidf.rank(question, max(k, seeds), depth=SEEDS_DEPTH)
    evidence = yield from fetch_evidence(first.ids[:seeds])
    session = LlmSession()
    scores: dict[str, float] = {}
    try:
        texts = [format_evidence(item) for item in evidence]
        queries = [f"{question} {text}" for text in texts]
        if guide in ("model", "writer"):
            written = yield from write_next_evidence(guide, session, question, [[text] for text in texts])
            queries = [text or query for text, query in zip(written, queries, strict=True)]
        vectors = yield from encode_next_queries(queries, trained=guide == "mdr")
        for item, vector in zip(evidence, vectors, strict=True):
            for id, score in (yield from find_next_passages(item.id, vector, branching)):
                scores[id] = max(score, scores.get(id, score))
    except LlmExhausted:
        pass
    return pool_rankings([first, Ranking.from_scores(scores, len(scores), {})], k, "rrf")
