"""Hybrid search combined with entity links, PageRank and GNN-Ret message passing: Hopline's own strategy.

Most second hops are not similar to the question; they are found because a first passage mentions what another is about.
Three scores are summed, each scaled to [0, 1] over the evidence that it covers:

Links: cosine and BM25, boosted for evidence about the entities that the question names; the two best pass part of their
score on over MENTIONS and ABOUT, divided among all evidence about one entity, and doubled if the words around the
mention are those of the question ("directed by X" for "the director of").
GNN-Ret: one layer of its equations 1 and 2 on the same base: the five nearest evidence send their distance to their
neighbours (the previous, the next, and those that share a name), whose new distance is the mean of their own and the
smallest that they receive; see `hopline.strategies.gnn_ret`.
PageRank: personalised, over the entities of the ten best by links and of the question, restarting at the five best and
at the entities of the question.

The evidence is then reranked so that each matches terms of the question that better evidence does not match
(`hopline.scoring.query_coverage`): a later hop is needed for these terms.

A page or table that the question refers to is ranked first (`hopline.retrieval.page_table_references`).

No training and no language model is needed. With ``trained`` the candidates are ordered by a reranker that was trained
on the user's own questions (`hopline.training.reranker`). Only the neighbourhood of a few evidence is fetched, whatever
the size of the collection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hopline.flow.requests import Flow
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.page_table_references.lookup import prepend_references
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.reranking.feature_extraction import extract_features
from hopline.retrieval.reranking.learned_reranker import load_reranker, rerank
from hopline.retrieval.stages.expansion import expand_links, propagate_distances
from hopline.retrieval.stages.scoring import COVERAGE_WEIGHT, cover_query_terms, fuse_scores, rank_by_pagerank
from hopline.retrieval.stages.seeds import link_question_entities, search_seeds
from hopline.retrieval.strategy_options import Fraction, ListSize, ScoreWeight

SEARCH_DEPTH: Final = 50  # least number of hits of each search; the graph adds the others
WEIGHTS: Final = {"links": 1.0, "gnn": 1.5, "pagerank": 1.0}  # of the columns in their sum


@dataclass(frozen=True, slots=True)
class CandidateOptions:
    """The options of `rank` for finding candidates."""

    parents: int = 2
    nodes: int = 5
    seeds: int = 10
    link: float = 0.7
    overlap: float = 1.0


DEFAULTS: Final = CandidateOptions()


def rank(
    question: str,
    k: int,
    *,
    parents: ListSize = DEFAULTS.parents,
    nodes: ListSize = DEFAULTS.nodes,
    seeds: ListSize = DEFAULTS.seeds,
    link: Fraction = DEFAULTS.link,
    overlap: ScoreWeight = DEFAULTS.overlap,
    cover: ScoreWeight = COVERAGE_WEIGHT,
    trained: bool = False,
) -> Flow[Ranking]:
    """Return the ``k`` of highest sum, at most 3.5 + ``cover``; with ``trained`` of highest probability, then the rest.

    The ``parents`` best evidence pass on ``link`` times their score; a link is weighted by 1 + ``overlap`` if the words
    around the mention are those of the question. ``nodes`` is GNN-Ret's K and the number of evidence at which PageRank
    restarts; the entities of the ``seeds`` best are its edges. ``cover`` is the most that a score is raised for terms
    that no better evidence matches.
    """
    options = CandidateOptions(parents, nodes, seeds, link, overlap)
    content = rank_content(question, k, options, cover=cover, trained=trained)
    # References are looked up first: the content is not ranked where the question asks for pages and tables alone.
    return (yield from prepend_references(question, k, content))


def rank_content(question: str, k: int, options: CandidateOptions, *, cover: float, trained: bool) -> Flow[Ranking]:
    """Return the ``k`` best candidates: by the trained reranker, or by coverage where that order was the better one.

    The reranker is loaded before the search, so that a missing one is reported at once.
    """
    reranker = (yield from load_reranker()) if trained else None
    candidates = yield from find_candidates(question, k, options)
    if reranker is None or not candidates.ids:
        return (yield from cover_query_terms(candidates, weight=cover)).to_ranking(k)
    candidates, features = yield from extract_features(candidates, reranker.extras)
    return rerank(reranker, candidates, features, max_score=sum(WEIGHTS.values())).to_ranking(k)


def find_candidates(question: str, k: int, options: CandidateOptions = DEFAULTS) -> Flow[Candidates]:
    """Find the candidates of a question with the column ``score``, at most the sum of `WEIGHTS`.

    The stages write the columns that later ones read: ``similarity``, ``base`` (with the boost of named entities),
    ``links``, ``gnn`` and ``pagerank``.
    """
    candidates = yield from search_seeds(question, by="hybrid", depth=max(SEARCH_DEPTH, 3 * k))
    candidates = yield from link_question_entities(candidates)
    candidates = yield from expand_links(
        candidates, parents=options.parents, link=options.link, overlap=options.overlap
    )
    candidates = yield from propagate_distances(candidates, nodes=options.nodes)
    candidates = yield from rank_by_pagerank(candidates, seeds=options.seeds, nodes=options.nodes)
    return fuse_scores(candidates, WEIGHTS)
