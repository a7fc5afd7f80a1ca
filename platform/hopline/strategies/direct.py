"""No retrieval: what the model knows by itself, a lower bound for answers.

Nothing is searched and nothing can be cited; with a model the answer is what it says, every sentence marked as not
backed, and without one there is no answer.
"""

from __future__ import annotations

from typing import Final

from hopline.flow.requests import Flow
from hopline.retrieval.ranking import Ranking

UNAIDED: Final = True


def rank(question: str, k: int) -> Flow[Ranking]:  # noqa: ARG001 - the form of every strategy
    """Nothing."""
    yield from ()
    return Ranking()
