"""Traversal of a passage graph, with a guide that chooses the next passages of each path: KGP.

Knowledge graph prompting (Wang et al. 2024), algorithm 1 and equation 1: ``seeds`` passages by TF-IDF; the last passage
of each path has neighbours in a graph of passages; the guide predicts the next evidence, and the ``branching``
neighbours most similar to it extend the path, at most to ``paths`` paths of each length. Graphs: ``entities`` (shared
names), ``keywords`` (shared keywords, the best by TF-IDF), ``similar`` (nearest neighbours of the encoder, KNN-ST),
``mdr`` (the passages that the trained guide predicts after a passage, KNN-MDR). Guides: ``text`` ranks by TF-IDF to the
question (the paper's "w/o LM"), ``encoder`` by the inner product with question and path, ``mdr`` by that of the encoder
of ``hopline train mdr``, ``model`` lets a language model write the next evidence and ranks by TF-IDF to it, ``writer``
does so with the small local model of ``hopline train writer`` (the paper's T5 and LLaMA). Questions about pages and
tables are answered with these (`hopline.retrieval.page_table_references`).

Departures: the default leaves out the language model: ``guide=text`` is the paper's ablation "w/o LM", and a grammar
finds references to pages and tables unless ``structure=model``. Passages are the chunks or rows of the collection,
where the paper has the sentences of 12 documents a question. Seeds are chosen among the 50 best by BM25. The name and
the keyword graph are read from MENTIONS, ``entities`` also from ABOUT and NEXT, instead of being stored pair by pair;
names and keywords in more than ``hub`` passages are not followed, and titles are no keywords. Names are those of the
collection, where the paper has the Wikipedia entities of TAGME. ``model`` is prompted with our own prompt, not
fine-tuned, and reads 6,000 characters of a path. Only ``neighbours`` neighbours of a passage are ranked, where the
paper ranks all: the nearest to the question for ``entities`` and ``keywords``, the nearest to the passage for
``similar``, whose at most 10 edges of a passage ingestion stores, and the first that the guide predicts for ``mdr``;
with ``neighbours=10``, a passage has at most 10 edges in every graph, which makes them comparable. The paper's budget
of 30 paths is used up by 10 seeds with 3 neighbours each, so that it has no third hop; here each length has its own
``paths``. How well passages continue a path is compared between paths, though TF-IDF is fitted on the neighbours of one
path each. With ``keep=fused``, the list of at least ``k`` passages by TF-IDF and the passages of each hop are joined by
reciprocal rank fusion into one ranking, so that about half of it are passages by TF-IDF whatever the guide does; the
paper reads all paths, which is ``keep=paths``: the passages of the paths alone, path by path.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

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

Keep = Literal["fused", "paths"]
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
    keep: Keep = "fused",
) -> Flow[Ranking]:
    """Return the ``k`` best of seeds and hops; ``hops`` counts the passages of a path, including the seed."""
    traversal = Traversal(PassageGraph(graph, neighbours, hub, keywords), guide, seeds, branching, hops, paths)
    session = LlmSession()
    content = _rank_content(question, k, traversal, session, keep)
    return (yield from prepend_references(question, k, content, parser=structure, session=session))


def _rank_content(question: str, k: int, traversal: Traversal, session: LlmSession, keep: Keep) -> Flow[Ranking]:
    first = yield from tfidf.rank(question, max(k, traversal.seeds), depth=SEEDS_DEPTH)
    if not first.ids:
        return first
    [vector] = yield embed([question])
    candidates = Candidates.from_ranking(question, vector, first)
    candidates = yield from traverse_passages(candidates, traversal, session)
    if keep == "paths":
        return candidates.to_ranking(k, by="path")
    return fuse_ranks(candidates, ("base", *traversal.columns)).to_ranking(k)
