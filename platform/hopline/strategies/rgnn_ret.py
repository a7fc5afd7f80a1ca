"""Sub-questions of a language model, with GNN-Ret distances that depend on earlier steps: RGNN-Ret.

RGNN-Ret (Li et al. 2024, section 3.3): the model writes the next sub-question; GNN-Ret passes messages for it (eq. 1,
2); the distances are combined with those of the step before, ĥᵗ = β hᵗ + (1 − β) ĥᵗ⁻¹ (eq. 4); the passages of smallest
ĥᵗ answer the sub-question in a sentence; a critique judges whether the answers are sufficient, and only it ends the
loop.

Departures: those of `gnn_ret`, with one layer unless trained, and the dense search always. The paper has no limit on
steps, ours is ``steps``. All prompts are our own, without the paper's examples (app. I.6; those of the critique and the
last answer are not in the text that we have). A sub-question is answered from the ``k`` passages of smallest ĥ, as far
as they fit into 3,500 tokens, which the paper fills. The critique sees the sub-questions with their answers, where the
paper leaves them out, because the sentences of small models do not always say what was asked. A step whose reply cannot
be used, or asks nothing new, searches for the question itself, and if that was done before, the loop ends, as the same
prompt would follow; an unusable critique counts as no, an unusable answer as unknown. ĥ covers the passages that were
among the 200 nearest to a sub-question or neighbours of the K nearest (`hopline.retrieval.agent.evidence_sources`), in
the paper all. The evidence returned is that of all steps, joined by reciprocal rank fusion (``pool=last``: of the last
step alone), as the answer is written from evidence here and not from sub-answers.
"""

from __future__ import annotations

from typing import Final, Literal

from hopline.flow.requests import Flow
from hopline.learned.collection_parameters import load_parameters
from hopline.retrieval.agent.evidence_sources import RecurrentSource
from hopline.retrieval.agent.sub_questions import search_sub_questions
from hopline.retrieval.pooling import PoolMethod, pool_rankings
from hopline.retrieval.ranking import Ranking
from hopline.retrieval.stages.expansion import Edges
from hopline.retrieval.strategy_options import Fraction, HubDegree, ListSize, StepCount

NEEDS_MODEL: Final = True


def rank(
    question: str,
    k: int,
    *,
    steps: StepCount = 6,
    alpha: Fraction = 0.5,
    beta: Fraction = 0.9,
    nodes: ListSize = 5,
    hub: HubDegree = 20,
    edges: Edges = "all",
    message: Literal["min", "mean"] = "min",
    pool: PoolMethod = "rrf",
    trained: bool = False,
) -> Flow[Ranking]:
    """Return the ``k`` best over at most ``steps`` sub-questions; ``beta`` in [0, 1] is the weight of the current one.

    ``alpha``, ``nodes``, ``hub``, ``edges`` and ``message`` are those of `gnn_ret`, for one layer. The paper's
    ablations are ``alpha=1`` (no messages, "recurrent"), ``beta=1`` (each step by itself, "GNN"), and both ("SBERT").
    ``trained`` uses the α and β that were trained for the collection (`hopline.training.gnn`).
    """
    source = RecurrentSource(beta, [alpha], nodes, hub, edges, message)
    if trained:
        parameters = yield from load_parameters("rgnn")
        source = RecurrentSource(parameters["beta"], parameters["alphas"], nodes, hub, edges, message)
    rankings = yield from search_sub_questions(question, k, source, steps=steps, critique=True)
    return pool_rankings(rankings, k, pool)
