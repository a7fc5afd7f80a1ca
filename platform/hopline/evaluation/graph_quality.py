"""How good a graph of passages is for going from a question's first passages to its gold (KGP, figure 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hopline.evaluation.questions import Question
from hopline.flow.requests import Flow, embed, fetch
from hopline.strategies import tfidf
from hopline.strategies.kgp import SEEDS_DEPTH, Joined


@dataclass(frozen=True, slots=True)
class Reached:
    """What can be reached within some hops of the seeds: means over the questions, shares in [0, 1].

    ``complete`` (SF-EM) is the share of questions all of whose gold is reached, ``recall`` the mean share of
    gold reached, ``precision`` gold over distinct evidence reached, ``evidence`` the mean number of these.
    """

    hops: int
    complete: float
    recall: float
    precision: float
    evidence: float


def reached_by(question: Question, graph: Joined, *, seeds: int = 5, hops: int = 2) -> Flow[list[tuple[int, int, int]]]:
    """Gold reached, gold, and evidence reached, within 0, 1, … ``hops`` of the seeds, the seeds included.

    Seeds are the best by TF-IDF. Directed edges are followed in their direction (CODE-NOTES 3).
    """
    columns = yield fetch("gold/evidence", wanted=list(question.gold))
    gold = set(columns["id"])
    first = yield from tfidf.rank(question.text, seeds, depth=SEEDS_DEPTH)
    [vector] = yield embed([question.text])
    seen, edge = set(first.ids), list(first.ids)
    counts = [(len(seen & gold), len(gold), len(seen))]
    for _ in range(hops):
        around = yield from graph.around(edge, vector)
        edge = [id for id in dict.fromkeys(id for found in around.values() for id in found) if id not in seen]
        seen |= set(edge)
        counts.append((len(seen & gold), len(gold), len(seen)))
    return counts


def quality(counts: Sequence[Sequence[tuple[int, int, int]]]) -> list[Reached]:
    """The means over questions, hop by hop; a question without gold in the collection counts as not reached."""
    rows = []
    for hops, column in enumerate(zip(*counts, strict=True)):
        number = len(column)
        rows.append(
            Reached(
                hops,
                sum(gold > 0 and found == gold for found, gold, _ in column) / number,
                sum(found / gold if gold else 0.0 for found, gold, _ in column) / number,
                sum(found / seen if seen else 0.0 for found, _, seen in column) / number,
                sum(seen for _, _, seen in column) / number,
            )
        )
    return rows
