"""Every sentence of a model's chain of thought is searched for: IRCoT.

IRCoT (Trivedi et al. 2023): the question is searched for; the model, reading what was found, writes
the next sentence of its reasoning; that sentence is the next query, until the model has the answer. ``base=hipporag``
is the pair that GEAR measures against; ``recurrent`` searches with RGNN-Ret's eq. 4 (GNN-Ret, app. G).

Departures: no examples in the prompt; the steps' lists are joined by ``pool`` (HippoRAG's runs take the best
score, ``best``; the paper appends in order of finding, and keeps 15).
"""

from __future__ import annotations

from typing import Final

from hopline.flow.requests import Flow
from hopline.retrieval.agent.evidence_sources import Base, source_of
from hopline.retrieval.agent.llm_session import TEXT, YES_NO, Silence, Talk, form, one_line
from hopline.retrieval.evidence_texts import numbered, read_texts
from hopline.retrieval.pooling import Pool, pooled
from hopline.retrieval.ranking import Ranking

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
    steps: int = 4,
    pool: Pool = "rrf",
    recurrent: bool = False,
    beta: float = 0.9,
) -> Flow[Ranking]:
    """The ``k`` best over at most ``steps`` searches, the first of them for the question itself."""
    talk, source = Talk(), source_of(base, recurrent=recurrent, beta=beta)
    found = [(yield from source.find(question, k))]
    thoughts: list[str] = []
    try:
        for _ in range(steps - 1):
            data = yield from _next(talk, question, thoughts, pooled(found, k, pool))
            if data is None:
                continue
            thought = one_line(data["thought"])
            if data["done"] or not thought or thought in thoughts:
                break
            thoughts.append(thought)
            found.append((yield from source.find(thought, k)))
    except Silence:
        pass
    return pooled(found, k, pool)


def _next(talk: Talk, question: str, thoughts: list[str], found: Ranking) -> Flow[dict[str, str] | None]:
    evidence = yield from read_texts(found.ids)
    so_far = " ".join(thoughts) or "none"
    prompt = f"{numbered(evidence)}\n\nQuestion: {question}\nSentences so far: {so_far}"
    return (yield from talk.told(prompt, form(thought=TEXT, done=YES_NO), system=SYSTEM))
