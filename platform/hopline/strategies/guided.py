"""KGP's guide without its graph: search for the next evidence among all passages.

This is a baseline in the released code of KGP (Wang et al. 2024), which the paper does not report: ``seeds`` passages
by TF-IDF; for each the guide predicts the next evidence, which is then searched for. ``encoder`` searches with question
and passage as one vector, ``mdr`` with the vector of the encoder of ``hopline train mdr``; ``model`` lets a language
model write the next evidence, ``writer`` the local model of ``hopline train writer``, and passages are ranked by TF-IDF
to it: the scores are those of `kgp`, so that the two differ by the graph alone.

Departures: TF-IDF is fitted on the 50 best by BM25, where `kgp` fits it on the neighbours of a passage. ``encoder``,
the default, is not trained, so that it leaves out what a guide learns. ``model`` is prompted with our own prompt, not
fine-tuned. The passages by TF-IDF and those that the guide finds are joined by reciprocal rank fusion into one ranking.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from hopline.errors import BudgetSpent
from hopline.flow.requests import Flow
from hopline.results import Evidence
from hopline.retrieval.agent.llm_session import LlmExhausted, LlmSession
from hopline.retrieval.agent.next_passage import encode_next_queries, find_next_passages
from hopline.retrieval.agent.passage_guides import RankedIds, WritingGuide, write_next_evidence
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
    scores: dict[str, float] = {}
    try:
        if guide in ("model", "writer"):
            passages = yield from _search_by_text(question, evidence, guide, branching)
        else:
            passages = yield from _search_by_vector(question, evidence, branching, trained=guide == "mdr")
    except (LlmExhausted, BudgetSpent):
        passages = []
    for id, score in passages:
        scores[id] = max(score, scores.get(id, score))
    return pool_rankings([first, Ranking.from_scores(scores, len(scores), {})], k, "rrf")


def _search_by_text(question: str, evidence: Sequence[Evidence], guide: WritingGuide, n: int) -> Flow[RankedIds]:
    """Return the ``n`` passages most similar to what the guide writes after each evidence, by TF-IDF.

    The question takes the place of a text that cannot be used.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    trails = [[format_evidence(item)] for item in evidence]
    texts = yield from write_next_evidence(guide, LlmSession(), question, trails)
    passages: RankedIds = []
    for item, text in zip(evidence, texts, strict=True):
        ranking = yield from tfidf.rank(text or question, n + 1, depth=SEEDS_DEPTH)
        pairs = zip(ranking.ids, ranking.scores, strict=True)
        passages += [(id, score) for id, score in pairs if id != item.id][:n]
    return passages


def _search_by_vector(question: str, evidence: Sequence[Evidence], n: int, *, trained: bool) -> Flow[RankedIds]:
    """Return the ``n`` passages whose vectors are nearest to that of the question with each evidence."""
    vectors = yield from encode_next_queries(
        [f"{question} {format_evidence(item)}" for item in evidence], trained=trained
    )
    passages: RankedIds = []
    for item, vector in zip(evidence, vectors, strict=True):
        passages += yield from find_next_passages(item.id, vector, n)
    return passages
