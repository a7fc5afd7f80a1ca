"""Traversal of a passage graph, with a guide that chooses the next passages of each path: KGP.

Knowledge graph prompting (Wang et al. 2024), algorithm 1 and equation 1: ``seeds`` passages by TF-IDF; the last passage
of each path has neighbours in a graph of passages; the guide predicts the next evidence, and the ``branching``
neighbours most similar to it extend the path, until there are ``paths`` paths. Graphs: ``entities`` (shared names),
``keywords`` (shared keywords, the best by TF-IDF), ``similar`` (nearest neighbours of the encoder, KNN-ST), ``mdr``
(the passages that the trained guide predicts after a passage, KNN-MDR). Guides: ``text`` ranks by TF-IDF to the
question (the paper's "w/o LM"), ``encoder`` by the inner product with question and path, ``mdr`` by that of the encoder
of ``hopline train mdr``, ``model`` lets a language model write the next evidence and ranks by TF-IDF to it, ``writer``
does so with the small local model of ``hopline train writer`` (the paper's T5 and LLaMA). Questions about pages and
tables are answered with these (`hopline.retrieval.page_table_references`).

Departures: only the ``neighbours`` neighbours of a passage that are nearest to the question are ranked, where the paper
ranks all; the keyword and the name graph are read from MENTIONS instead of being stored pair by pair, and titles are no
keywords; the seeds and the passages of each hop are joined by reciprocal rank fusion into one ranking, where the paper
reads all paths.
"""

from __future__ import annotations

from typing import Annotated, Final

from hopline.flow.requests import Flow, embed
from hopline.retrieval.agent.llm_session import LlmSession
from hopline.retrieval.agent.passage_guides import Guide
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.page_table_references.lookup import ReferenceParser, prepend_references
from hopline.retrieval.passage_graph import PassageGraph, PassageGraphName
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.scoring import fuse_ranks
from hopline.retrieval.stages.traversal import Traversal, traverse_passages
from hopline.retrieval.strategy_options import HubDegree, ListSize, Range, SearchDepth
from hopline.strategies import tfidf

SEEDS_DEPTH: Final = 50  # BM25 hits among which the seeds are chosen


def rank(
    question: str,
    k: int,
    *,
    graph: PassageGraphName = "entities",
    guide: Guide = "text",
    seeds: ListSize = 10,
    branching: ListSize = 3,
    hops: Annotated[int, Range(1, 10)] = 2,
    paths: SearchDepth = 30,
    neighbours: SearchDepth = 50,
    hub: HubDegree = 30,
    keywords: ListSize = 10,
    structure: ReferenceParser = "grammar",
) -> Flow[Ranking]:
    """Return the ``k`` best of seeds and hops; ``hops`` counts the passages of a path, including the seed."""
    traversal = Traversal(PassageGraph(graph, neighbours, hub, keywords), guide, seeds, branching, hops, paths)
    session = LlmSession()
    content = _rank_content(question, k, traversal, session)
    return (yield from prepend_references(question, k, content, parser=structure, session=session))


def _rank_content(question: str, k: int, traversal: Traversal, session: LlmSession) -> Flow[Ranking]:
    first = yield from tfidf.rank(question, max(k, traversal.seeds), depth=SEEDS_DEPTH)
    if not first.ids:
        return first
    [vector] = yield embed([question])
    candidates = Candidates.from_ranking(question, vector, first)
    candidates = yield from traverse_passages(candidates, traversal, session)
    return fuse_ranks(candidates, ("base", *traversal.columns)).to_ranking(k)
