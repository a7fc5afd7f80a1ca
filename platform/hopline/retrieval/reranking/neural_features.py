"""What trained parts say of candidates, for a scorer that was taught to listen to them.

guide    the guide to the next passage (MDR): candidates of its own, how near each candidate is to where the first
         passage should be, how near to where the passage behind one of the best should be, and its rank in that
themes   how like the themes of each are to those that are expected of what answers the question (RAS)
hops     the chances that each comes first from the question, and last before the answer (Graph-Hop)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from hopline.flow.requests import Flow, Vectors, fetch, infer
from hopline.retrieval.agent.bidirectional_search import PART
from hopline.retrieval.agent.next_passage import behind, next_vectors
from hopline.retrieval.reranking.features import EXTRAS, Look, ranks
from hopline.scoring.mmr import Floats
from hopline.topics.topic_scope import ThemeScope

Extra = Literal["guide", "themes", "hops"]

PARENTS: Final = 3  # the best, behind each of which the guide looks
FOUND: Final = 8  # evidence that it adds from the question, and behind each


@dataclass(frozen=True, slots=True)
class Guided:
    """Where the guide looks: from the question, and behind each of ``parents``, (1 + P, d); and what it found there."""

    parents: tuple[str, ...]
    vectors: Vectors
    ids: tuple[str, ...]


def guided_from(question: str, parents: Sequence[str], texts: Mapping[str, str]) -> Flow[Guided]:
    """What the guide finds from the question and behind each parent.

    Raises:
        UsageError: no guide was trained on this machine; says how to.
    """
    read = [id for id in parents if id in texts]
    vectors = yield from next_vectors([question, *(f"{question} {texts[id]}" for id in read)], trained=True)
    ids: dict[str, None] = {}
    for id, vector in zip(["", *read], vectors, strict=True):
        ids |= dict.fromkeys(other for other, _ in (yield from behind(id, vector, FOUND)))
    return Guided(tuple(read), vectors, tuple(ids))


def listened(
    extras: Sequence[Extra], question: str, look: Look, texts: Sequence[str], guided: Guided | None
) -> Flow[Look]:
    """The look with the columns of ``extras``, in the order of `EXTRAS`; ``texts`` are those of its candidates."""
    found: list[Floats] = []
    for name in EXTRAS:
        if name not in extras:
            continue
        if name == "guide":
            found.append(_of_guide(look, guided) if guided else np.zeros((len(look.ids), len(EXTRAS[name]))))
        elif name == "themes":
            found.append((yield from _of_themes(look)))
        else:
            found.append((yield from _of_hops(question, texts)))
    return replace(look, extra=np.column_stack(found)) if found else look


def _of_guide(look: Look, guided: Guided) -> Floats:
    near = look.vectors @ guided.vectors.astype(np.float64).T
    later = near[:, 1:].copy() if guided.parents else np.zeros((len(look.ids), 1))
    for column, parent in enumerate(guided.parents):
        if parent in look.ids:
            later[look.ids.index(parent), column] = -1.0
    best = later.max(axis=1)
    return np.column_stack([near[:, 0], best, ranks(best)])


def _of_themes(look: Look) -> Flow[Floats]:
    among = yield from ThemeScope(1.0, 0.0).of(look.question.astype(np.float32))
    if among is None:
        return np.zeros((len(look.ids), 1))
    columns = yield fetch("hopline/themes", ids=list(look.ids), property=among.property)
    likeness = {
        id: float(np.asarray(row) @ among.vector)
        for id, row in zip(columns["id"], columns["vector"], strict=True)
        if row is not None
    }
    return np.array([[likeness.get(id, 0.0)] for id in look.ids])


def _of_hops(question: str, texts: Sequence[str]) -> Flow[Floats]:
    both = []
    for way in ("forward", "backward"):
        chances = yield infer(PART, way=way, question=question, facts=list(texts), paths=[[]])
        both.append(np.asarray(chances[0], dtype=np.float64))
    return np.column_stack(both)
