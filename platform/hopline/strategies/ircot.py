"""Retrieval for every sentence of a language model's chain of thought: IRCoT.

IRCoT (Trivedi et al. 2023): the question is searched for; the model reads the evidence and writes the next sentence of
its reasoning; that sentence is the next query, until the model has the answer. ``base=hipporag`` is the combination
that GEAR compares with; ``recurrent`` searches with RGNN-Ret's eq. 4 (GNN-Ret, app. G), whatever ``base`` is.

Departures: no examples in the prompt; each search returns ``k`` passages (KGP: 5, until 30 are found), at most
``steps`` of them; a sentence is written from the best ``k`` passages so far, as far as they fit into 3,500 tokens,
where the paper reads all; the model says itself that it has the answer, where the paper looks for "the answer is"; the
lists of the steps are joined by ``pool`` (HippoRAG's runs take the best score, ``best``; the paper appends them in
order and retains 15). A reply that cannot be used ends the loop, as the same prompt would follow; so does a repeated
sentence.
"""

from __future__ import annotations

from typing import Any, Final

from hopline.errors import BudgetSpent
from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow
from hopline.retrieval.agent.evidence_sources import Base, create_source
from hopline.retrieval.agent.llm_session import TEXT, YES_NO, LlmExhausted, LlmSession, object_schema, to_one_line
from hopline.retrieval.evidence_texts import fetch_evidence, format_numbered
from hopline.retrieval.pooling import PoolMethod, pool_rankings
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.strategy_options import Fraction, StepCount

NEEDS_MODEL: Final = True
SYSTEM: Final = """You reason towards the answer of a question, one sentence at a time, from numbered passages.
You see the passages, the question and your sentences so far. Write the next sentence only: one fact that the passages
give or that must be looked up next, with full names. When your sentences already hold the answer, or this one does,
set "done" to true."""


def rank(
    question: str,
    k: int,
    *,
    base: Base = "hybrid",
    steps: StepCount = 4,
    pool: PoolMethod = "rrf",
    recurrent: bool = False,
    beta: Fraction = 0.9,
) -> Flow[Ranking]:
    """Return the ``k`` best over at most ``steps`` searches, the first of them for the question itself."""
    session, source = LlmSession(), create_source(base, recurrent=recurrent, beta=beta)
    rankings = [(yield from source.find(question, k))]
    thoughts: list[str] = []
    try:
        for _ in range(steps - 1):
            data = yield from _ask_next_thought(session, question, thoughts, pool_rankings(rankings, k, pool))
            thought = to_one_line(data["thought"]) if data and not data["done"] else ""
            if not thought or thought in thoughts:
                break
            thoughts.append(thought)
            rankings.append((yield from source.find(thought, k)))
    except (LlmExhausted, BudgetSpent):
        pass
    return pool_rankings(rankings, k, pool)


def _ask_next_thought(
    session: LlmSession, question: str, thoughts: list[str], ranking: Ranking
) -> Flow[dict[str, Any] | None]:
    evidence = yield from fetch_evidence(ranking.ids)
    so_far = quote_text(" ".join(thoughts)) if thoughts else "none"
    prompt = f"{format_numbered(evidence)}\n\nQuestion: {question}\nSentences so far: {so_far}"
    return (yield from session.ask(prompt, object_schema(thought=TEXT, done=YES_NO), system=SYSTEM))
