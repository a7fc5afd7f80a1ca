"""Beam search over triples that share an entity, from the base list: NaiveGE, GEAR's graph expansion without a model.

GEAR (Shen et al. 2025), algorithm 1 and equation 3: the triples of the base list start a diverse beam search over
triples that share an entity; its evidence is joined with the base list by reciprocal rank fusion.

Departures: the paper embeds the concatenated triples of a beam at question time; we use the sum of their stored
vectors, which is the same for one triple and needs no encoder call for the 1,000 sequences of a step. A negative cosine
counts as 0, as the weights of diversity would raise it. Of a beam's neighbours only the ``neighbours`` nearest to the
question are scored (the paper has 100 and leaves open which), before those that are in beams already are left out;
entities of more than ``hub`` triples are not followed. If every beam ends, the result is the base list. The triples are
those of the collection: rules give at most six a passage and forty a table, which is evidence too; a language model
gives all that it writes in 1,500 tokens, by our own prompt, without triples that have no listed entity at either end
(the paper's gives 10 to 12 a chunk). Two triples share an entity if their names are the same but for case, accents,
punctuation and a leading article, are aliases within one document, or were merged by the user; the paper resolves no
names. The encoder is MiniLM unless another one is configured, not mpnet. The base list has ``k`` passages, as in the
paper's single-step runs, so that another ``k`` is another search. Recall need not rise over the base: with the triples
of the rules it falls among the first two (docs/benchmarks/papers.md).
"""

from __future__ import annotations

from typing import Literal

from hopline.flow.requests import Flow, embed, search
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.scoring import fuse_ranks
from hopline.retrieval.stages.triples import BeamConfig, expand_triples
from hopline.retrieval.strategy_options import BeamLength, HubDegree, ListSize, SearchDepth


def rank(
    question: str,
    k: int,
    *,
    base: Literal["text", "dense", "hybrid"] = "hybrid",
    beam: ListSize = 10,
    length: BeamLength = 2,
    neighbours: SearchDepth = 100,
    hub: HubDegree = 300,
    diverse: bool = True,
) -> Flow[Ranking]:
    """Return the ``k`` best of base list and beam; scores are those of the fusion.

    Without ``diverse``, many extensions of one beam are not weighted down (the paper's ablation).
    """
    [vector] = yield embed([question])
    hits = yield search(question, k, by=base)
    candidates = Candidates.from_ranking(question, vector, Ranking.from_hits(hits))
    candidates = yield from expand_triples(candidates, BeamConfig(beam, length, neighbours, hub, diverse))
    return fuse_ranks(candidates, ("base", "beam")).to_ranking(k)
