"""A first answer, right or not, goes into the next search: ITER-RETGEN.

ITER-RETGEN (Shao et al. 2023): retrieve for the question, have the model answer with its reasoning, retrieve
for that text and the question together, and again. ``recurrent`` searches with RGNN-Ret's eq. 4
(GNN-Ret, app. G).

Departures: no examples in the prompt; beside the paper's way, the list of the last round (``pool=last``), all rounds
can be joined (``rrf``, ``best``).
"""

from __future__ import annotations

from typing import Final

from hopline.flow.requests import Flow
from hopline.retrieval.agent.evidence_sources import Base, source_of
from hopline.retrieval.agent.llm_session import TEXT, Silence, Talk, form, one_line
from hopline.retrieval.evidence_texts import numbered, read_texts
from hopline.retrieval.pooling import Pool, pooled
from hopline.retrieval.ranking import Ranking

NEEDS_MODEL: Final = True
SYSTEM: Final = """You answer a question from numbered passages and say how you got there.
Write two to four short sentences that name every person, place, work and date on the way, then the answer. Where the
passages lack a step, say what is most likely: your text is used to search for more."""


def rank(
    question: str,
    k: int,
    *,
    base: Base = "hybrid",
    rounds: int = 2,
    pool: Pool = "last",
    recurrent: bool = False,
    beta: float = 0.9,
) -> Flow[Ranking]:
    """The ``k`` best of the last of ``rounds`` searches, the first of them for the question alone."""
    talk, source = Talk(), source_of(base, recurrent=recurrent, beta=beta)
    found = [(yield from source.find(question, k))]
    try:
        for _ in range(rounds - 1):
            evidence = yield from read_texts(found[-1].ids)
            prompt = f"{numbered(evidence)}\n\nQuestion: {question}"
            data = yield from talk.told(prompt, form(answer=TEXT), system=SYSTEM)
            written = one_line(data["answer"]) if data else ""
            if written:
                found.append((yield from source.find(f"{question} {written}", k)))
    except Silence:
        pass
    return pooled(found, k, pool)
