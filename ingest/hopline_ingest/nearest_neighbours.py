"""The nearest neighbours of evidence within its collection, and whose neighbour new evidence becomes.

Both directions are found: new evidence gets its `NEIGHBOURS` nearest, and evidence that was there before takes
the new one in where it is nearer than its farthest. So the graph does not depend on the order of adding. Scores
are cosines, rounded so that they do not depend on how they were batched; ties go by id.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from hopline.flow.columns import rows_of
from hopline.store.graph import Store

NEIGHBOURS: Final = 10
EXACT_UP_TO: Final = 20_000  # evidence of a collection: all pairs are compared; beyond it the vector index is asked
CANDIDATES: Final = 100  # of the collection, that the index gives for each
MOST_CANDIDATES: Final = 10_000  # of all collections; beyond it all pairs are compared
_BLOCK: Final = 500  # rows of a matrix product
_FETCHED: Final = 2000  # ids a query
_DIGITS: Final = 5

Pair = tuple[str, str, float]  # evidence, its neighbour, cosine
Lists = dict[str, list[tuple[str, float]]]  # evidence -> its neighbours with cosines, nearest first


class NearestNeighbours:
    """Finds neighbours: exactly in collections of up to ``exact_up_to`` evidence, by the vector index in larger ones.

    The vectors of the collection in hand stay in memory between calls, so that each is fetched once.
    """

    def __init__(self, store: Store, embedder: str, *, exact_up_to: int = EXACT_UP_TO) -> None:
        self._store = store
        self._by = embedder
        self._exact_up_to = exact_up_to
        self._vectors = CollectionVectors(store)

    def find(self, collection: str, ids: Sequence[str]) -> Lists:
        """The lists of these ids, and those lists of other evidence that change: what waits itself is left out."""
        inside, total = self._store.size(collection)
        width = math.ceil(CANDIDATES * total / max(inside, 1))
        exact = inside <= self._exact_up_to or width > MOST_CANDIDATES
        pairs, offers = self._by_product(collection, ids) if exact else self._by_index(ids, width)
        found = nearest(pairs)
        return self._merge(offers) | {id: found.get(id, []) for id in ids}

    def _by_product(self, collection: str, ids: Sequence[str]) -> tuple[list[Pair], list[Pair]]:
        names, vectors = self._vectors.fetch(collection, ids)
        place = {id: row for row, id in enumerate(names)}
        rows = [place[id] for id in ids if id in place]
        bars = self._bars(names, ids)
        pairs: list[Pair] = []
        offers: list[Pair] = []
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            scores = np.round((vectors[block] @ vectors.T).astype(np.float64), _DIGITS)
            scores[np.arange(len(block)), block] = -np.inf
            for at, found in enumerate(best_places(scores, NEIGHBOURS)):
                pairs += [(names[block[at]], names[other], float(scores[at, other])) for other in found]
            for at, other in zip(*np.nonzero(scores >= bars[None, :]), strict=True):
                offers.append((names[other], names[block[at]], float(scores[at, other])))
        return pairs, offers

    def _by_index(self, ids: Sequence[str], width: int) -> tuple[list[Pair], list[Pair]]:
        self._vectors.clear()
        given = {"index": f"evidence_{self._store.embedding}", "embedding": self._store.embedding, "width": width}
        pairs: list[Pair] = []
        for start in range(0, len(ids), _BLOCK):
            found = self._store.columns("ingest/nearest", {"ids": list(ids[start : start + _BLOCK]), **given})
            pairs += [(row["id"], row["other"], round(row["score"], _DIGITS)) for row in rows_of(found)]
        others = sorted({other for _, other, _ in pairs})
        bars = dict(zip(others, self._bars(others, ids).tolist(), strict=True))
        return pairs, [(other, id, score) for id, other, score in pairs if score >= bars[other]]

    def _bars(self, names: Sequence[str], ids: Sequence[str]) -> np.ndarray:
        """The least score at which each takes in a neighbour, (N,): infinite where it waits, or is one of ``ids``."""
        place = {id: row for row, id in enumerate(names)}
        bars = np.full(len(names), np.inf)
        for start in range(0, len(names), _FETCHED):
            given = {"ids": list(names[start : start + _FETCHED]), "by": self._by}
            for row in rows_of(self._store.columns("ingest/farthest", given)):
                bars[place[row["id"]]] = row["score"] if row["others"] >= NEIGHBOURS else -1.0
        bars[[place[id] for id in ids if id in place]] = np.inf
        return bars

    def _merge(self, offers: Iterable[Pair]) -> Lists:
        """The lists that change by what is offered."""
        offered: defaultdict[str, list[Pair]] = defaultdict(list)
        for offer in offers:
            offered[offer[0]].append(offer)
        changed: Lists = {}
        ids = sorted(offered)
        for start in range(0, len(ids), _FETCHED):
            part = ids[start : start + _FETCHED]
            known = rows_of(self._store.columns("ingest/similar", {"ids": part, "by": self._by}))
            lists = nearest((row["id"], row["other"], row["score"]) for row in known)
            for id in part:
                now = nearest([(id, *one) for one in lists.get(id, [])] + offered[id])[id]
                if now != lists.get(id):
                    changed[id] = now
        return changed


class CollectionVectors:
    """The vectors of one collection's evidence, kept from call to call."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._collection = ""
        self._names: list[str] = []
        self._vectors = np.empty((0, 0), dtype=np.float32)

    def clear(self) -> None:
        """Forget them."""
        self._collection, self._names, self._vectors = "", [], np.empty((0, 0), dtype=np.float32)

    def fetch(self, collection: str, fresh: Iterable[str]) -> tuple[list[str], np.ndarray]:
        """Ids in order and their vectors, (N, d); those of ``fresh`` are read from the graph again."""
        if collection != self._collection:
            self.clear()
        given = {"collection": collection, "embedding": self._store.embedding}
        there = sorted(self._store.columns("ingest/embedded", given)["id"])
        again = set(fresh)
        known = {id: row for row, id in enumerate(self._names) if id not in again}
        new = self._read([id for id in there if id not in known])
        names = [id for id in there if id in known or id in new]
        rows = [new[id] if id in new else self._vectors[known[id]] for id in names]
        self._collection, self._names = collection, names
        self._vectors = np.asarray(rows, dtype=np.float32) if rows else np.empty((0, 0), dtype=np.float32)
        return names, self._vectors

    def _read(self, ids: Sequence[str]) -> dict[str, np.ndarray]:
        found: dict[str, np.ndarray] = {}
        for start in range(0, len(ids), _FETCHED):
            given = {"ids": list(ids[start : start + _FETCHED]), "embedding": self._store.embedding}
            columns = self._store.columns("read/vectors", given)
            vectors = np.asarray(columns["vector"], dtype=np.float32)
            found |= dict(zip(columns["id"], vectors, strict=True))
        return found


def nearest(pairs: Iterable[Pair]) -> Lists:
    """The `NEIGHBOURS` of highest cosine of each evidence; a pair that comes twice counts once."""
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for id, other, score in pairs:
        scores[id][other] = score
    return {id: sorted(found.items(), key=lambda one: (-one[1], one[0]))[:NEIGHBOURS] for id, found in scores.items()}


def best_places(scores: np.ndarray, k: int) -> np.ndarray:
    """The ``k`` columns of highest score in each row of ``scores`` (b, N), ties by column; -inf is never among them.

    Returns (b, min(k, N - 1)) columns, in no order.
    """
    count = min(k, scores.shape[1] - 1)
    if count < 1:
        return np.empty((len(scores), 0), dtype=int)
    whole = np.where(np.isfinite(scores), np.rint(scores * 10**_DIGITS), -(10.0 ** (_DIGITS + 1)))
    keys = whole * scores.shape[1] - np.arange(scores.shape[1])
    return np.argpartition(-keys, count - 1, axis=1)[:, :count]
