"""A model asks one smaller question after another; GNN-Ret's distances remember the steps before: RGNN-Ret.

RGNN-Ret (Li et al. 2024, section 4.3): the model writes the next sub-question; GNN-Ret passes
messages for it (eq. 1, 2); the distances are joined with those of the step before, ĥᵗ = β hᵗ + (1 − β)
ĥᵗ⁻¹ (eq. 4); the passages of smallest ĥᵗ answer the sub-question; a critique that sees the answers
alone says whether they are enough.

Departures: the paper has no cap on steps, ours is ``steps``; its prompts for the critique and the last
answer are not in the published text, ours are our own, without examples; the evidence returned is that of
all steps, joined by reciprocal rank fusion (``pool=last``: of the last step alone), as the answer is
written from evidence here and not from sub-answers.
"""

from __future__ import annotations

from typing import Final

from hopline.flow.requests import Flow
from hopline.learned.collection_parameters import learned_for
from hopline.retrieval.agent.evidence_sources import Recurrence
from hopline.retrieval.agent.sub_questions import ask_on
from hopline.retrieval.pooling import Pool, pooled
from hopline.retrieval.ranking import Ranking

NEEDS_MODEL: Final = True


def rank(
    question: str, k: int, *, steps: int = 6, beta: float = 0.9, pool: Pool = "rrf", trained: bool = False
) -> Flow[Ranking]:
    """The ``k`` best over at most ``steps`` sub-questions; ``beta`` in [0, 1] is the share of the present one.

    ``trained`` takes α and β as they were learned in this collection (`hopline.training.gnn`).
    """
    source = Recurrence(beta)
    if trained:
        learned = yield from learned_for("rgnn")
        source = Recurrence(learned["beta"], learned["alphas"])
    found = yield from ask_on(question, k, source, steps=steps, critique=True)
    return pooled(found, k, pool)
