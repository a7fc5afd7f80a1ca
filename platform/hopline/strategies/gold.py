"""The gold evidence of a question set: an upper bound for answers.

``hopline evaluate`` passes the gold passages of each question; without them nothing is found. Gold beyond ``k`` is cut
off, and gold that is given by page and quote is not passed. Answering adds evidence to it as to that of any strategy;
``--answers paper`` adds none, which is the upper bound of the papers ("Golden" in KGP, "Gold Passages" in GEAR).
"""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.ranking import Ranking

NEEDS_GOLD: Final = True


def rank(question: str, k: int, *, ids: str = "") -> Flow[Ranking]:  # noqa: ARG001 - the signature of every strategy
    """Return the evidence of ``ids``, at most ``k``, with score 1.

    ``ids`` are ids or source ids, URL-quoted and separated by ``|``.
    """
    wanted = [unquote(id) for id in ids.split("|") if id]
    columns = yield fetch("gold/evidence", wanted=wanted)
    evidence = tuple(columns["id"][:k])
    return Ranking(evidence, (1.0,) * len(evidence))
