"""Search within a scope: k of a kind if k exist, best first, ties by id.

Dense: the vector index gives a wide list of candidates, whose cosines are computed again exactly;
a small scope is scanned instead. Text: Lucene's BM25, the scope inside the query. Hybrid: reciprocal
rank fusion of both (Cormack et al. 2009, constant 60). Among: dense, over what another vector property is nearest in.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from hopline.errors import UsageError
from hopline.flow.requests import Among, Hits, Search, Vector
from hopline.flow.services import Columns, Scope
from hopline.scoring.fusion import reciprocal_rank_fusion
from hopline.store.lucene import scoped

if TYPE_CHECKING:
    from collections.abc import Mapping

EXACT_BELOW: Final = 1000  # evidence: a scan is as quick as the index, and exact
CANDIDATES: Final = 4  # how many times k the index is asked for (k = 50 of 34,000: recall .997)…
AT_LEAST: Final = 100  # …but never fewer than this
WIDE: Final = 1000  # …nor more, unless 2 k are
MOST: Final = 10_000  # candidates: beyond it a scan of the collection is quicker
HYBRID_DEPTH: Final = 200  # how deep both lists of a fusion go, at least

_KIND: Final = {"evidence": "", "passage": "Passage", "table": "Table", "entity": "", "triple": ""}
_INDEX: Final = {kind: kind for kind in _KIND} | {"passage": "evidence"}


class Searchable(Protocol):
    """What searching needs of a store."""

    embedding: str

    def columns(self, name: str, parameters: Mapping[str, Any] | None = None) -> Columns: ...
    def size(self, collection: str) -> tuple[int, int]: ...


def search_graph(store: Searchable, request: Search, scope: Scope, vector: Vector | None) -> Hits:
    """The ``request.k`` best within ``scope``; fewer only where there are fewer (or no word matches)."""
    if request.k < 1:
        raise UsageError(f"k must be at least 1 (got {request.k})")
    if request.by == "text":
        return _text(store, request, scope, request.k)
    if vector is None:
        raise UsageError(f"a {request.by} search needs a vector; the runner embeds the query")
    if request.by == "dense":
        return _dense(store, request, scope, vector, request.k)
    if isinstance(request.query, str):
        depth = max(HYBRID_DEPTH, 2 * request.k)
        lists = [_dense(store, request, scope, vector, depth), _text(store, request, scope, depth)]
        ids, scores = reciprocal_rank_fusion([hits.ids for hits in lists])
        return Hits(tuple(ids[: request.k]), tuple(scores[: request.k]))
    raise UsageError("a hybrid search needs the question's text, got a vector; use by='dense'")


def _text(store: Searchable, request: Search, scope: Scope, k: int) -> Hits:
    if not isinstance(request.query, str):
        raise UsageError("a text search needs a text, got a vector; use by='dense'")
    if request.over == "entity" and scope.documents:
        scope = Scope(scope.collection)  # an entity belongs to the collection, not to a document
    query = scoped(request.query, scope.collection, scope.documents, scope.excluded)
    if not query:
        return Hits()
    given = {"index": f"{_INDEX[request.over]}_text", "query": query, "k": k}
    if request.over == "passage":
        return _text_of_kind(store, {**given, "label": _KIND[request.over]})
    return _hits(store.columns("search/text", given))


def _text_of_kind(store: Searchable, given: Mapping[str, Any]) -> Hits:
    """The best of one kind in an index of several: it is read further until there are k, or it has no more."""
    width = CANDIDATES * given["k"]
    while True:
        columns = store.columns("search/text_of_kind", {**given, "width": width})
        [ids], [scores], [found] = columns["ids"], columns["scores"], columns["found"]
        if len(ids) >= given["k"] or found < width:
            return Hits(tuple(ids), tuple(scores))
        width *= 2


def _dense(store: Searchable, request: Search, scope: Scope, vector: Vector, k: int) -> Hits:
    if not np.any(vector):
        return Hits()
    kind = _INDEX[request.over]
    inside, total = store.size(scope.collection)
    given: dict[str, Any] = {
        "vector": vector.tolist(),
        "embedding": store.embedding,
        "collection": scope.collection,
        "documents": list(scope.documents),
        "excluded": list(scope.excluded),
        "label": _KIND[request.over],
        "k": k,
    }
    if request.among is not None:
        return _among(store, request.among, given, inside, total)
    by_document = bool(scope.documents) and kind != "entity"  # an entity belongs to the whole collection
    if not by_document and inside > EXACT_BELOW:
        width = _width(k, inside, total)
        if width <= MOST:
            hits = _hits(store.columns("search/dense", {**given, "index": f"{kind}_{store.embedding}", "width": width}))
            if len(hits) >= k:
                return hits
    if by_document:
        return _hits(store.columns(f"search/scan_{'evidence' if kind == 'table' else kind}_documents", given))
    return _hits(store.columns(f"search/scan_{kind}", given))


def _among(store: Searchable, among: Among, given: Mapping[str, Any], inside: int, total: int) -> Hits:
    """The nearest of those that are nearest in another property: by its index where that is quicker than a scan.

    A share is never more than `MOST`: beyond it 100,000 passages took 7 s, and a scan of them all 5.
    """
    share = min(math.ceil(among.scope * inside), MOST)
    within = max(share if among.scope < 1 else int(among.scope), given["k"])
    width = math.ceil(within * total / max(inside, 1))
    own = {"property": among.property, "other": among.vector.tolist(), "mix": among.mix, "within": within}
    if not given["documents"] and inside > EXACT_BELOW and width <= MOST:
        hits = _hits(
            store.columns("search/among", {**given, **own, "index": f"evidence_{among.property}", "width": width})
        )
        if len(hits) >= given["k"]:
            return hits
    return _hits(store.columns("search/scan_among", {**given, **own}))


def _width(k: int, inside: int, total: int) -> int:
    """How many candidates hold four times k (within limits) of a collection among all others."""
    wanted = max(AT_LEAST, min(CANDIDATES * k, WIDE), 2 * k)
    return math.ceil(wanted * total / inside)


def _hits(columns: Columns) -> Hits:
    return Hits(tuple(columns["id"]), tuple(columns["score"]))
