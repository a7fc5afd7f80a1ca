"""No retrieval: the closed-book answer of the language model, a lower bound for answers.

Nothing is searched and nothing can be cited. With a model the answer is its reply, and every sentence is marked as not
supported by evidence; without one there is no answer.

Departure from the papers that have this baseline ("Direct" in GNN-Ret, "None" in KGP, "No Passages" in GEAR): the model
may say that it does not know, which is no answer. With ``hopline evaluate --answers paper`` it has to answer, as there.
"""

from __future__ import annotations

from typing import Final

from hopline.flow.requests import Flow
from hopline.retrieval.ranking import Ranking

CLOSED_BOOK: Final = True


def rank(question: str, k: int) -> Flow[Ranking]:  # noqa: ARG001 - the signature of every strategy
    """Return an empty ranking."""
    yield from ()
    return Ranking()
