"""What GNN-Ret sees of a question, fetched once and for good: distances, neighbours, gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.entities.linking import UNLINKED
from hopline.flow.requests import Flow, Vector, embed, fetch, search

DEPTH: Final = 200  # evidence nearest to each query
REACH: Final = 40  # evidence whose neighbours are known: T is chosen among these in every layer
HUB: Final = 20  # as `gnn_ret`

Floats = NDArray[np.float32]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Turn:
    """One query over the N evidence of its sample.

    ``distances`` (N,) is h⁰ = 1 − cos; ``senders`` and ``receivers`` (E,) are the edges from the evidence nearest to
    the query; ``gold`` the places of what is to be found by now or later.
    """

    distances: Floats
    senders: Places
    receivers: Places
    gold: Places


@dataclass(frozen=True, slots=True)
class Sample:
    """A question as its queries in turn: one for GNN-Ret, its smaller questions for RGNN-Ret; N ids in order."""

    ids: tuple[str, ...]
    turns: tuple[Turn, ...]


def sample_of(queries: Sequence[str], gold: Sequence[str]) -> Flow[Sample | None]:
    """The sample of a question; None where none of its gold evidence is in the collection.

    ``gold`` are ids or source ids. Of several queries each has its own gold, the nearest of those left
    (GNN-Ret, appendix B), and is taught to find that and the gold of the later ones (eq. 5).
    """
    columns = yield fetch("gold/evidence", wanted=list(gold))
    wanted: list[str] = list(columns["id"])
    if not wanted:
        return None
    vectors: list[Vector] = list((yield embed(queries)))
    seen: list[dict[str, float]] = []
    links: list[list[tuple[str, str]]] = []
    for vector in vectors:
        hits = yield search(vector, DEPTH, by="dense")
        near = dict(zip(hits.ids, hits.scores, strict=True))
        columns = yield fetch(
            "gnn_ret/neighbours", seeds=hits.ids[:REACH], hub=HUB, unlinked=list(UNLINKED), vector=vector.tolist()
        )
        pairs = zip(columns["id"], columns["links"], strict=True)
        links.append([(seed, id) for id, found in pairs for seed in {link[0] for link in found}])
        seen.append({**dict(zip(columns["id"], columns["score"], strict=True)), **near})
    ids = sorted({*wanted}.union(*seen))
    for vector, known in zip(vectors, seen, strict=True):
        lacking = [id for id in ids if id not in known]
        columns = yield fetch("read/similarity", ids=lacking, vector=vector.tolist())
        known |= dict(zip(columns["id"], columns["score"], strict=True))
    ids = [id for id in ids if all(id in known for known in seen)]
    turns = [_turn(ids, known, edges) for known, edges in zip(seen, links, strict=True)]
    return Sample(tuple(ids), tuple(_with_gold(turns, [ids.index(id) for id in wanted if id in ids])))


def _turn(ids: Sequence[str], cosines: dict[str, float], edges: Sequence[tuple[str, str]]) -> Turn:
    place = {id: n for n, id in enumerate(ids)}
    inside = sorted((place[a], place[b]) for a, b in edges if a in place and b in place)
    ends = np.array(inside, dtype=np.int64).reshape(-1, 2)
    distances = np.array([1.0 - cosines[id] for id in ids], dtype=np.float32)
    return Turn(distances, ends[:, 0], ends[:, 1], np.array([], dtype=np.int64))


def _with_gold(turns: Sequence[Turn], gold: list[int]) -> list[Turn]:
    """Each turn with its own gold and that of the later ones; a single turn has all of it."""
    own: list[list[int]] = []
    left = list(gold)
    for n, turn in enumerate(turns):
        last = n == len(turns) - 1
        own.append(left if last else [min(left, key=turn.distances.__getitem__)] if left else [])
        left = [place for place in left if place not in own[-1]]
    later = [sorted(place for some in own[n:] for place in some) for n in range(len(turns))]
    return [
        Turn(turn.distances, turn.senders, turn.receivers, np.array(places, dtype=np.int64))
        for turn, places in zip(turns, later, strict=True)
    ]
