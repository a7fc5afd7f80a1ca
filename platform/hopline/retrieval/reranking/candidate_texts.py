"""The candidates' texts: what they say of the question, and what a scorer is shown of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.candidates import Gathered, lead_by_link, links_of
from hopline.retrieval.evidence_texts import read_texts, titled
from hopline.retrieval.reranking.features import Link, Look
from hopline.retrieval.reranking.neural_features import PARENTS, Extra, guided_from, listened
from hopline.scoring.mmr import Floats, covering, said

SHOWN: Final = 40  # candidates of highest sum
COVER: Final = 2.5  # the most that words add which no better candidate says
LINKED: Final = 10  # of these, the best whose links are followed: what they lead to is shown as well


def covered(question: str, found: Gathered, weight: float) -> Flow[dict[str, float]]:
    """The sums, raised by up to ``weight`` for words of the question that no better candidate says; 0: as they are."""
    if not weight:
        return dict(found.sums)
    shown = found.best(SHOWN)
    columns = yield fetch("read/texts", ids=shown)
    texts = dict(zip(columns["id"], columns["text"], strict=True))
    sums = {id: found.sums[id] for id in shown if id in texts}
    return {**found.sums, **covering(sums, said(question, [texts[id] for id in sums]), weight)}


def look_at(question: str, found: Gathered, extras: Sequence[Extra] = ()) -> Flow[Look]:
    """The candidates of highest sum and what the best of them link to; the pool keeps the ways to the latter.

    ``extras`` are the trained parts that are asked as well; the guide adds what it finds.

    Raises:
        UsageError: one of them was not trained on this machine; says how to.
    """
    order = found.best(SHOWN)
    links = yield from links_of(found.pool, order[:LINKED], found.names, question, asked=1.0)
    for _, row in links:
        if row["id"] not in found.sums:
            lead_by_link(found.pool, row)
    guided = None
    if "guide" in extras:
        parents = yield from read_texts(order[:PARENTS])
        guided = yield from guided_from(question, order[:PARENTS], {one.id: titled(one) for one in parents})
    more = guided.ids if guided else ()
    shown = list(dict.fromkeys([*order, *(row["id"] for _, row in links), *more]))
    columns = yield fetch("hopline/shown", ids=shown)
    texts = dict(zip(columns["id"], columns["text"], strict=True))
    of_id = dict(zip(columns["id"], columns["vector"], strict=True))
    ids = [id for id in shown if id in texts]
    asked = found.pool.both.vector.astype(np.float64)
    unknown = np.zeros_like(asked)  # evidence without a vector is like nothing
    vectors = np.array([unknown if of_id[id] is None else of_id[id] for id in ids], dtype=np.float64)
    words = found.pool.both.words
    read = [texts[id] for id in ids]
    look = Look(
        ids=tuple(ids),
        sums=_column(ids, found.sums),
        parts=np.column_stack([_column(ids, found.parts[name]) for name in ("base", "linked", "passed", "shares")]),
        cosines=vectors @ asked,
        words=_column(ids, words) / (max(words.values(), default=0.0) or 1.0),
        named=_column(ids, found.raised),
        lengths=np.array([len(texts[id]) for id in ids]) / 1000.0,
        vectors=vectors,
        question=asked,
        says=said(question, read),
        links=_placed(links, {id: place for place, id in enumerate(ids)}),
    )
    return (yield from listened(extras, question, look, read, guided))


def _placed(links: Sequence[tuple[float, Mapping[str, Any]]], place: Mapping[str, int]) -> tuple[Link, ...]:
    led: defaultdict[str, set[str]] = defaultdict(set)
    for _, row in links:
        led[row["seed"]].add(row["id"])
    return tuple(
        Link(place[row["seed"]], place[row["id"]], weight, len(led[row["seed"]]))
        for weight, row in links
        if row["seed"] in place and row["id"] in place
    )


def _column(ids: Sequence[str], scores: Mapping[str, float]) -> Floats:
    return np.array([scores.get(id, 0.0) for id in ids])
