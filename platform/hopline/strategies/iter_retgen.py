"""Retrieval with the model's previous answer as part of the query: ITER-RETGEN.

ITER-RETGEN (Shao et al. 2023): retrieve for the question, let the model answer with its reasoning, retrieve for that
text and the question together, and repeat. ``recurrent`` searches with RGNN-Ret's eq. 4 (GNN-Ret, app. G), whatever
``base`` is.

Departures: no examples in the prompt; the model reads the ``k`` passages of a round as far as they fit into 3,500
tokens, and writes at most four sentences; besides the paper's choice, the list of the last round (``pool=last``), all
rounds can be joined (``rrf``, ``best``). A reply that cannot be used or that repeats an earlier one ends the loop, as
the same search and the same prompt would follow.
"""

from __future__ import annotations

from typing import Final

from hopline.errors import BudgetSpent
from hopline.flow.requests import Flow
from hopline.retrieval.agent.evidence_sources import Base, create_source
from hopline.retrieval.agent.llm_session import TEXT, LlmExhausted, LlmSession, object_schema, to_one_line
from hopline.retrieval.evidence_texts import fetch_evidence, format_numbered
from hopline.retrieval.pooling import PoolMethod, pool_rankings
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import Fraction, StepCount

NEEDS_MODEL: Final = True
SYSTEM: Final = """You answer a question from numbered passages and say how you got there.
Write two to four short sentences that name every person, place, work and date on the way, then the answer. Where the
passages lack a step, say what is most likely: your text is used to search for more."""


def rank(
    question: str,
    k: int,
    *,
    base: Base = "hybrid",
    rounds: StepCount = 2,
    pool: PoolMethod = "last",
    recurrent: bool = False,
    beta: Fraction = 0.9,
) -> Flow[Ranking]:
    """Return the ``k`` best of ``rounds`` searches, by default of the last; the first is for the question alone."""
    session, source = LlmSession(), create_source(base, recurrent=recurrent, beta=beta)
    rankings = [(yield from source.find(question, k))]
    texts: list[str] = []
    try:
        for _ in range(rounds - 1):
            evidence = yield from fetch_evidence(rankings[-1].ids)
            prompt = f"{format_numbered(evidence)}\n\nQuestion: {question}"
            data = yield from session.ask(prompt, object_schema(answer=TEXT), system=SYSTEM)
            text = to_one_line(data["answer"]) if data else ""
            if not text or text in texts:
                break
            texts.append(text)
            rankings.append((yield from source.find(f"{question} {text}", k)))
    except (LlmExhausted, BudgetSpent):
        pass
    return pool_rankings(rankings, k, pool)
