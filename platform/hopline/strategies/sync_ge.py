"""Beam search over triples that starts at facts which a language model extracts from the base list: SyncGE of GEAR.

GEAR (Shen et al. 2025), equations 1 to 3 and algorithm 1: the model extracts the triples of the base list that help
with the question (proximal triples), tripleLink finds the nearest triple of the graph to each, and the diverse beam
search starts there; its evidence is joined with the base list by reciprocal rank fusion.

Departures: those of `naive_ge`, and as there the base list has ``k`` passages, so that the model reads more of them
with a larger ``k``; the prompt is our own, without the paper's example; the model reads as much of the base list as
fits into 3,500 tokens, and gives at most 12 triples; if its reply cannot be used or has no triple, the beam starts at
all triples of the base list, as in NaiveGE; with a spent budget the base list is returned. ``over=both`` is not the
paper's single-step setting, which searches passages alone.
"""

from __future__ import annotations

from typing import Final, Literal

from hopline.errors import BudgetSpent
from hopline.flow.requests import Flow, embed
from hopline.retrieval.agent.llm_session import LlmExhausted, LlmSession
from hopline.retrieval.agent.llm_triples import Over, extract_triples, link_triples, search_base
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.scoring import fuse_ranks
from hopline.retrieval.stages.triples import BeamConfig, expand_triples
from hopline.retrieval.strategy_options import BeamLength, HubDegree, ListSize, SearchDepth

NEEDS_MODEL: Final = True


def rank(
    question: str,
    k: int,
    *,
    base: Literal["text", "dense", "hybrid"] = "hybrid",
    over: Over = "passages",
    beam: ListSize = 10,
    length: BeamLength = 2,
    neighbours: SearchDepth = 100,
    hub: HubDegree = 300,
    diverse: bool = True,
) -> Flow[Ranking]:
    """Return the ``k`` best of base list and beam; ``over=both`` searches triples for the base list too (eq. 10).

    ``diverse`` is that of `naive_ge`.
    """
    base_list = yield from search_base(question, k, by=base, over=over)
    config = BeamConfig(beam, length, neighbours, hub, diverse)
    try:
        return (yield from expand_base_list(LlmSession(), question, base_list, k, config))
    except (LlmExhausted, BudgetSpent):
        return base_list


def expand_base_list(session: LlmSession, question: str, base: Ranking, k: int, config: BeamConfig) -> Flow[Ranking]:
    """Join the base list with the beam from the triples that the model extracts; from all triples if it extracts none.

    Raises:
        LlmExhausted: as `LlmSession.ask`.
    """
    if not base.ids:
        return base
    [vector] = yield embed([question])
    candidates = Candidates.from_ranking(question, vector, base)
    proximal = yield from extract_triples(session, question, base.ids)
    start = yield from link_triples(proximal)
    candidates = yield from expand_triples(candidates, config, start if start["id"] else None)
    return fuse_ranks(candidates, ("base", "beam")).to_ranking(k)
