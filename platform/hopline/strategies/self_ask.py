"""Follow-up questions of a language model, each searched for and answered: Self-Ask.

Self-Ask (Press et al. 2023) with a search engine: the model sees the question and the follow-up questions answered so
far, and asks the next one or says that it knows enough; each follow-up question is searched for, and answered in a
phrase from the passages that were found.

Departures: no examples in the prompt; a follow-up question is answered from the ``k`` passages that were found for it,
as far as they fit into 3,500 tokens; at most ``steps`` follow-up questions; the evidence is that of all of them, joined
by reciprocal rank fusion, where the paper passes on answers only; if the model asks none, the question itself is
searched for; so it is in a step whose reply cannot be used, and if it was searched for before, the loop ends; a
repeated question ends the loop.
"""

from __future__ import annotations

from typing import Final

from hopline.flow.requests import Flow
from hopline.retrieval.agent.evidence_sources import Base, create_source
from hopline.retrieval.agent.sub_questions import search_sub_questions
from hopline.retrieval.pooling import PoolMethod, pool_rankings
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import Fraction, StepCount

NEEDS_MODEL: Final = True


def rank(
    question: str,
    k: int,
    *,
    base: Base = "hybrid",
    steps: StepCount = 5,
    pool: PoolMethod = "rrf",
    recurrent: bool = False,
    beta: Fraction = 0.9,
) -> Flow[Ranking]:
    """Return the ``k`` best over at most ``steps`` follow-ups; ``recurrent`` searches with RGNN-Ret's eq. 4."""
    source = create_source(base, recurrent=recurrent, beta=beta)
    rankings = yield from search_sub_questions(question, k, source, steps=steps, critique=False)
    return pool_rankings(rankings, k, pool)
