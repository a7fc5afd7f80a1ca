"""A model splits the question, one follow-up question after another, and each is searched for: Self-Ask.

Self-Ask (Press et al. 2023) with a search engine: the model sees the question and the follow-up
questions answered so far, and asks the next one or says that it knows enough; each follow-up is
searched for, and answered from the passages found.

Departures: no examples in the prompt; the evidence is that of all follow-ups, joined by reciprocal
rank fusion, where the paper hands on answers only; where no follow-up came, the question itself is
searched for.
"""

from __future__ import annotations

from typing import Final

from hopline.flow.requests import Flow
from hopline.retrieval.agent.evidence_sources import Base, source_of
from hopline.retrieval.agent.sub_questions import ask_on
from hopline.retrieval.pooling import Pool, pooled
from hopline.retrieval.ranking import Ranking

NEEDS_MODEL: Final = True


def rank(
    question: str,
    k: int,
    *,
    base: Base = "hybrid",
    steps: int = 5,
    pool: Pool = "rrf",
    recurrent: bool = False,
    beta: float = 0.9,
) -> Flow[Ranking]:
    """The ``k`` best over at most ``steps`` follow-ups; ``recurrent`` searches with RGNN-Ret's eq. 4."""
    source = source_of(base, recurrent=recurrent, beta=beta)
    found = yield from ask_on(question, k, source, steps=steps, critique=False)
    return pooled(found, k, pool)
