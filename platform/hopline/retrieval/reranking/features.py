"""What a scorer sees of each candidate: by itself, and beside those that look best so far.

Much of what a second hop needs is what the first left open: the words of the question that no better candidate
says, and the part of the question's vector that the candidate it is linked from does not cover.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.entities.linking import CROWD
from hopline.scoring.mmr import Bools, Floats, rarity

PARENTS: Final = 5  # the best so far, whose links count
ABOVE: Final = 3  # the best so far, whose words are taken as said
ALONE: Final = (
    "sum", "of_best", "gap", "rank", "base", "linked", "passed", "shares", "cosine", "cosine_gap", "cosine_rank",
    "words", "words_rank", "named", "covered", "length", "asked",
)  # fmt: skip
BESIDE: Final = (
    "chance", "chance_rank", "chance_of_best", "link", "from", "from_rank", "link_in_crowd", "back", "rest", "alike",
    "adds", "together", "parent", "adds_to_above", "adds_to_best",
)  # fmt: skip
EXTRAS: Final[dict[str, tuple[str, ...]]] = {  # columns of trained parts, where a scorer listens to them
    "guide": ("guide_first", "guide_next", "guide_rank"), "themes": ("themes",), "hops": ("hop_first", "hop_last"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Link:
    """From the place of one candidate to that of another, over a name that the first mentions and the second is about.

    ``weight`` in [0, 2]: how sure it is, shared among those about the name, twice where the question asks with the
    words beside the mention. ``crowd``: how many evidence the first leads to.
    """

    source: int
    target: int
    weight: float
    crowd: int


@dataclass(frozen=True, slots=True)
class Look:
    """What is known of the N candidates of a question, highest sum first.

    ``sums``, ``cosines``, ``words`` (BM25 over its best), ``named`` (raise for what the question names) and
    ``lengths`` (thousands of letters) are (N,); ``parts`` (N, 4) are base, links, layer and PageRank in [0, 1];
    ``vectors`` (N, d) and ``question`` (d,) of unit length; ``says`` (N, Q): which roots of the question it says;
    ``extra`` (N, E): what trained parts say of it, in the order of `EXTRAS`.
    """

    ids: tuple[str, ...]
    sums: Floats
    parts: Floats
    cosines: Floats
    words: Floats
    named: Floats
    lengths: Floats
    vectors: Floats
    question: Floats
    says: Bools
    links: tuple[Link, ...] = ()
    extra: Floats | None = None


def alone(look: Look) -> Floats:
    """The features of each candidate by itself, (N, 17 + E), in the order of `ALONE` and then of `EXTRAS`."""
    best, nearest = look.sums.max(), look.cosines.max()
    return np.column_stack(
        [
            look.sums,
            look.sums / (best or 1.0),
            best - look.sums,
            ranks(look.sums),
            look.parts,
            look.cosines,
            look.cosines - nearest,
            ranks(look.cosines),
            look.words,
            ranks(look.words),
            look.named,
            look.says @ rarity(look.says),
            look.lengths,
            np.full(len(look.ids), look.says.shape[1]),
            *([] if look.extra is None else [look.extra]),
        ]
    )


def beside(look: Look, chances: Floats) -> Floats:
    """The features of each candidate beside the best by ``chances`` (N,), (N, 15), in the order of `BESIDE`.

    Its parent is the best that links to it most strongly; where none does, the best of all.
    """
    count = len(look.ids)
    order, places, weights = np.argsort(-chances, kind="stable"), ranks(chances), rarity(look.says)
    parent = np.where(np.arange(count) == order[0], order[min(1, count - 1)], order[0])
    link, source, source_rank, crowded, back = (
        np.zeros(count),
        np.full(count, -1.0),
        np.full(count, 99.0),
        *_none(count),
    )
    for one in look.links:
        strength = chances[one.source] * one.weight
        if places[one.target] < PARENTS:
            back[one.source] = max(back[one.source], chances[one.target] * one.weight)
        if places[one.source] >= PARENTS or one.source == one.target:
            continue
        crowded[one.target] = max(crowded[one.target], strength * one.crowd**-CROWD)
        if strength > link[one.target]:
            link[one.target], parent[one.target] = strength, one.source
            source[one.target], source_rank[one.target] = chances[one.source], places[one.source]
    of_parent = look.vectors[parent]
    covered = of_parent @ look.question
    rest = look.question - covered[:, None] * of_parent
    rest /= np.maximum(np.linalg.norm(rest, axis=1), 1e-6)[:, None]
    says_parent = look.says[parent]
    return np.column_stack(
        [
            chances,
            places,
            chances / (chances.max() or 1.0),
            link,
            source,
            source_rank,
            crowded,
            back,
            np.einsum("nd,nd->n", rest, look.vectors),
            np.einsum("nd,nd->n", of_parent, look.vectors),
            (look.says & ~says_parent) @ weights,
            (look.says | says_parent) @ weights,
            chances[parent],
            (look.says & ~_said_above(look.says, order)) @ weights,
            (look.says & ~look.says[order[0]]) @ weights,
        ]
    )


def _none(count: int) -> tuple[Floats, Floats]:
    return np.zeros(count), np.zeros(count)


def _said_above(says: Bools, order: NDArray[np.int64]) -> Bools:
    """What the `ABOVE` best of those before each candidate say together."""
    above = np.zeros_like(says)
    so_far = np.zeros(says.shape[1], dtype=np.bool_)
    for rank, place in enumerate(order):
        above[place] = so_far
        if rank < ABOVE:
            so_far = so_far | says[place]
    return above


def ranks(values: Floats) -> Floats:
    """Places from 0, the greatest first; ties keep their order."""
    places = np.empty(len(values))
    places[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return places
