"""k-nearest neighbours of evidence within its collection, by cosine similarity.

Both directions are updated: new evidence gets its `NEIGHBOURS` nearest, and existing evidence gets the new one as a
neighbour if it is nearer than its farthest. So the graph does not depend on the order of ingestion. Scores are
rounded so that they do not depend on batching; ties are broken by id.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from hopline.flow.columns import to_rows
from hopline.store.graph import Store

NEIGHBOURS: Final = 10
EXACT_UP_TO: Final = 20_000  # evidence of a collection: all pairs are compared; beyond it the vector index is used
CANDIDATES: Final = 100  # neighbours from the collection requested per query of the vector index
MAX_CANDIDATES: Final = 10_000  # candidates from all collections; beyond it all pairs are compared
_BLOCK: Final = 500  # rows of a matrix product
_IDS_PER_QUERY: Final = 2000
_DIGITS: Final = 5

Pair = tuple[str, str, float]  # (evidence, neighbour, cosine)
Lists = dict[str, list[tuple[str, float]]]  # evidence -> its neighbours with cosines, nearest first


class NearestNeighbours:
    """Finds neighbours exactly in collections of up to ``exact_up_to`` evidence, by the vector index in larger ones.

    The vectors of the current collection are cached between calls, so that each is fetched once.
    """

    def __init__(self, store: Store, embedder: str, *, exact_up_to: int = EXACT_UP_TO) -> None:
        self._store = store
        self._by = embedder
        self._exact_up_to = exact_up_to
        self._vectors = CollectionVectors(store)

    def find(self, collection: str, ids: Sequence[str]) -> Lists:
        """Return the neighbours of these ids, and the changed neighbours of other evidence that is already related."""
        inside, total = self._store.count_evidence(collection)
        width = math.ceil(CANDIDATES * total / max(inside, 1))
        exact = inside <= self._exact_up_to or width > MAX_CANDIDATES
        pairs, offers = self._find_exact(collection, ids) if exact else self._find_by_index(ids, width)
        neighbours = keep_nearest(pairs)
        return self._merge_offers(offers) | {id: neighbours.get(id, []) for id in ids}

    def _find_exact(self, collection: str, ids: Sequence[str]) -> tuple[list[Pair], list[Pair]]:
        names, vectors = self._vectors.fetch(collection, ids)
        row_of = {id: row for row, id in enumerate(names)}
        rows = [row_of[id] for id in ids if id in row_of]
        min_scores = self._compute_min_scores(names, ids)
        pairs: list[Pair] = []
        offers: list[Pair] = []
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            scores = np.round((vectors[block] @ vectors.T).astype(np.float64), _DIGITS)
            scores[np.arange(len(block)), block] = -np.inf
            for row, columns in enumerate(top_k_columns(scores, NEIGHBOURS)):
                pairs += [(names[block[row]], names[column], float(scores[row, column])) for column in columns]
            for row, column in zip(*np.nonzero(scores >= min_scores[None, :]), strict=True):
                offers.append((names[column], names[block[row]], float(scores[row, column])))
        return pairs, offers

    def _find_by_index(self, ids: Sequence[str], width: int) -> tuple[list[Pair], list[Pair]]:
        self._vectors.clear()
        parameters = {"index": f"evidence_{self._store.embedding}", "embedding": self._store.embedding, "width": width}
        pairs: list[Pair] = []
        for start in range(0, len(ids), _BLOCK):
            neighbours = self._store.read(
                "ingest/nearest_neighbours", {"ids": list(ids[start : start + _BLOCK]), **parameters}
            )
            pairs += [(row["id"], row["other"], round(row["score"], _DIGITS)) for row in to_rows(neighbours)]
        others = sorted({other for _, other, _ in pairs})
        min_scores = dict(zip(others, self._compute_min_scores(others, ids).tolist(), strict=True))
        return pairs, [(other, id, score) for id, other, score in pairs if score >= min_scores[other]]

    def _compute_min_scores(self, names: Sequence[str], ids: Sequence[str]) -> np.ndarray:
        """Return the minimum score (N,) of a new neighbour of each; infinite if unrelated or one of ``ids``."""
        row_of = {id: row for row, id in enumerate(names)}
        min_scores = np.full(len(names), np.inf)
        for start in range(0, len(names), _IDS_PER_QUERY):
            parameters = {"ids": list(names[start : start + _IDS_PER_QUERY]), "by": self._by}
            for row in to_rows(self._store.read("ingest/farthest_neighbours", parameters)):
                min_scores[row_of[row["id"]]] = row["score"] if row["others"] >= NEIGHBOURS else -1.0
        min_scores[[row_of[id] for id in ids if id in row_of]] = np.inf
        return min_scores

    def _merge_offers(self, offers: Iterable[Pair]) -> Lists:
        """Return the neighbour lists that change when the offered pairs are added."""
        offered: defaultdict[str, list[Pair]] = defaultdict(list)
        for offer in offers:
            offered[offer[0]].append(offer)
        changed: Lists = {}
        ids = sorted(offered)
        for start in range(0, len(ids), _IDS_PER_QUERY):
            part = ids[start : start + _IDS_PER_QUERY]
            known = to_rows(self._store.read("ingest/similar_edges", {"ids": part, "by": self._by}))
            lists = keep_nearest((row["id"], row["other"], row["score"]) for row in known)
            for id in part:
                updated = keep_nearest([(id, *pair) for pair in lists.get(id, [])] + offered[id])[id]
                if updated != lists.get(id):
                    changed[id] = updated
        return changed


class CollectionVectors:
    """The vectors of one collection's evidence, cached between calls."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._collection = ""
        self._names: list[str] = []
        self._vectors = np.empty((0, 0), dtype=np.float32)

    def clear(self) -> None:
        """Clear the cache."""
        self._collection, self._names, self._vectors = "", [], np.empty((0, 0), dtype=np.float32)

    def fetch(self, collection: str, fresh: Iterable[str]) -> tuple[list[str], np.ndarray]:
        """Return the sorted ids and their vectors (N, d); those of ``fresh`` are fetched again."""
        if collection != self._collection:
            self.clear()
        parameters = {"collection": collection, "embedding": self._store.embedding}
        embedded = sorted(self._store.read("ingest/embedded_evidence", parameters)["id"])
        again = set(fresh)
        known = {id: row for row, id in enumerate(self._names) if id not in again}
        new = self._load([id for id in embedded if id not in known])
        names = [id for id in embedded if id in known or id in new]
        rows = [new[id] if id in new else self._vectors[known[id]] for id in names]
        self._collection, self._names = collection, names
        self._vectors = np.asarray(rows, dtype=np.float32) if rows else np.empty((0, 0), dtype=np.float32)
        return names, self._vectors

    def _load(self, ids: Sequence[str]) -> dict[str, np.ndarray]:
        neighbours: dict[str, np.ndarray] = {}
        for start in range(0, len(ids), _IDS_PER_QUERY):
            parameters = {"ids": list(ids[start : start + _IDS_PER_QUERY]), "embedding": self._store.embedding}
            columns = self._store.read("retrieval/vectors", parameters)
            vectors = np.asarray(columns["vector"], dtype=np.float32)
            neighbours |= dict(zip(columns["id"], vectors, strict=True))
        return neighbours


def keep_nearest(pairs: Iterable[Pair]) -> Lists:
    """Return the `NEIGHBOURS` with the highest cosine for each evidence; a repeated pair counts once."""
    scores: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for id, other, score in pairs:
        scores[id][other] = score
    return {
        id: sorted(by_neighbour.items(), key=lambda pair: (-pair[1], pair[0]))[:NEIGHBOURS]
        for id, by_neighbour in scores.items()
    }


def top_k_columns(scores: np.ndarray, k: int) -> np.ndarray:
    """Return the ``k`` columns with the highest scores in each row of ``scores`` (b, N), ties by column; never -inf.

    The result is (b, min(k, N - 1)) columns in no particular order.
    """
    count = min(k, scores.shape[1] - 1)
    if count < 1:
        return np.empty((len(scores), 0), dtype=int)
    whole = np.where(np.isfinite(scores), np.rint(scores * 10**_DIGITS), -(10.0 ** (_DIGITS + 1)))
    keys = whole * scores.shape[1] - np.arange(scores.shape[1])
    return np.argpartition(-keys, count - 1, axis=1)[:, :count]
