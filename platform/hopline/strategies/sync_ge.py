"""A model reads the first passages into triples; the beam of GEAR starts at their nearest in the graph: SyncGE.

GEAR (Shen et al. 2025), equations 1 to 3 and algorithm 1: the model writes the triples of the base list
that help with the question (proximal triples), tripleLink finds the nearest triple of the graph to each, and
the diverse beam search goes from there; its evidence is joined with the base list by reciprocal rank fusion.

Departures: those of `naive_ge`; where the model's reply is of no use, or names no triple, the beam starts at all
triples of the base list, as NaiveGE does.
"""

from __future__ import annotations

from typing import Final, Literal

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.agent.llm_session import Silence, Talk
from hopline.retrieval.agent.llm_triples import Over, base_list, link_triples, read_triples
from hopline.retrieval.ranking import Ranking
from hopline.strategies.naive_ge import Width, expand

NEEDS_MODEL: Final = True


def rank(
    question: str,
    k: int,
    *,
    base: Literal["text", "dense", "hybrid"] = "hybrid",
    over: Over = "passages",
    beam: int = 10,
    length: int = 2,
    neighbours: int = 100,
    hub: int = 300,
) -> Flow[Ranking]:
    """The ``k`` best of base list and beam; ``over=both`` looks for the base list among triples too (eq. 10)."""
    found = yield from base_list(question, k, by=base, over=over)
    try:
        return (yield from synchronised(Talk(), question, found, k, Width(beam, length, neighbours, hub)))
    except Silence:
        return found


def synchronised(talk: Talk, question: str, base: Ranking, k: int, width: Width) -> Flow[Ranking]:
    """The base list joined with the beam from what the model reads in it; NaiveGE's start where it reads nothing.

    Raises:
        Silence: as `Talk.told`.
    """
    if not base.ids:
        return base
    proximal = yield from read_triples(talk, question, base.ids)
    start = yield from link_triples(proximal)
    if not start["id"]:
        start = yield fetch("naive_ge/start", ids=list(base.ids))
    ranked = yield from expand(question, base.ids, start, k, width)
    return _with_ways(ranked, base)


def _with_ways(ranked: Ranking, base: Ranking) -> Ranking:
    """The ways of the base list kept, for evidence that it found through a triple."""
    return Ranking(
        ranked.ids, ranked.scores, {**ranked.ways, **{id: base.ways[id] for id in ranked.ids if id in base.ways}}
    )
