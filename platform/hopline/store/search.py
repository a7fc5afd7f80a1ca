"""Search within a scope: k results of a kind if k exist, best first, ties by id.

Dense: the vector index returns a wide list of candidates, whose cosines are recomputed exactly; a small scope is
scanned instead. Text: Lucene's BM25, with the scope in the query unless it has too many documents. Hybrid: reciprocal
rank fusion of both (Cormack et al. 2009, constant 60). A vector filter limits a dense search to the evidence nearest
in another vector property.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from hopline.errors import UsageError
from hopline.flow.requests import Hits, Search, Vector, VectorFilter
from hopline.flow.services import Columns, Scope
from hopline.scoring.fusion import reciprocal_rank_fusion
from hopline.store.lucene import build_scoped_query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCAN_BELOW: Final = 1000  # evidence: a scan is as fast as the index, and exact
CANDIDATE_FACTOR: Final = 4  # candidates from the index per result (k = 50 of 34,000: recall .997)…
MIN_CANDIDATES: Final = 100  # …but at least this many
MAX_CANDIDATES: Final = 1000  # …and at most this many, or 2 k
MAX_INDEX_WIDTH: Final = 10_000  # candidates; beyond it a scan of the collection is faster
QUERY_DOCUMENTS: Final = 400  # documents that a Lucene query names; it has 1,024 clauses, and 500 or fewer for words
MAX_QUERIES: Final = 5  # Lucene queries for parts of the documents of a scope; beyond it results are filtered
SCAN_DOCUMENTS: Final = 400  # documents whose evidence is scanned rather than searched for by the vector index
HYBRID_DEPTH: Final = 200  # minimum length of both lists of a fusion

_LABELS: Final = {
    "evidence": "",
    "passage": "Passage",
    "table": "Table",
    "figure": "Figure",
    "entity": "",
    "triple": "",
}
_INDEXES: Final = {kind: kind for kind in _LABELS} | {"passage": "evidence", "figure": "evidence"}


class SearchBackend(Protocol):
    """The methods of a store that searching needs."""

    embedding: str

    def read(self, name: str, parameters: Mapping[str, Any] | None = None) -> Columns:
        """Run a statement by its name and return its columns."""
        ...

    def count_evidence(self, collection: str) -> tuple[int, int]:
        """Return the number of evidence in the collection, and in the whole graph."""
        ...


def search_graph(store: SearchBackend, request: Search, scope: Scope, vector: Vector | None) -> Hits:
    """Return the ``request.k`` best results within ``scope``; fewer only where fewer exist or no word matches.

    Raises:
        UsageError: ``k`` below 1, or a query that does not fit the search method.
    """
    if request.k < 1:
        raise UsageError(f"k must be at least 1 (got {request.k})")
    if scope.is_empty:
        return Hits()
    if request.by == "text":
        return _search_text(store, request, scope, request.k)
    if vector is None:
        raise UsageError(f"a {request.by} search needs a vector; the runner embeds the query")
    if request.by == "dense":
        return _search_dense(store, request, scope, vector, request.k)
    if isinstance(request.query, str):
        depth = max(HYBRID_DEPTH, 2 * request.k)
        lists = [_search_dense(store, request, scope, vector, depth), _search_text(store, request, scope, depth)]
        ids, scores = reciprocal_rank_fusion([hits.ids for hits in lists])
        return Hits(tuple(ids[: request.k]), tuple(scores[: request.k]))
    raise UsageError("a hybrid search needs the question's text, got a vector; use by='dense'")


def _search_text(store: SearchBackend, request: Search, scope: Scope, k: int) -> Hits:
    if not isinstance(request.query, str):
        raise UsageError("a text search needs a text, got a vector; use by='dense'")
    if request.over == "entity" and scope.documents:
        scope = Scope(
            scope.collection, excluded=scope.excluded
        )  # an entity belongs to the collection, not to a document
    size, queries = QUERY_DOCUMENTS, math.ceil(len(scope.documents) / QUERY_DOCUMENTS)
    if queries <= MAX_QUERIES:
        parts = [scope.documents[n * size : (n + 1) * size] for n in range(max(queries, 1))]
        return _merge([_search_text_part(store, request, scope, k, named=part) for part in parts], k)
    return _search_text_part(store, request, scope, k, filtered=scope.documents)


def _search_text_part(
    store: SearchBackend,
    request: Search,
    scope: Scope,
    k: int,
    *,
    named: Sequence[str] = (),
    filtered: Sequence[str] = (),
) -> Hits:
    """Search in documents that the query names, or whose results are filtered; in neither: in all of the collection."""
    query = build_scoped_query(str(request.query), scope.collection, named)
    if not query:
        return Hits()
    label = _LABELS[request.over] if request.over in {"passage", "figure"} else ""  # the others have an index
    parameters = {
        "index": f"{_INDEXES[request.over]}_text",
        "query": query,
        "label": label,
        "documents": list(filtered),
        "excluded": list(scope.excluded),
        "k": k,
    }
    width = CANDIDATE_FACTOR * k if label or scope.excluded or filtered else k
    return _search_text_index(store, parameters, width=width)


def _merge(lists: Sequence[Hits], k: int) -> Hits:
    """Merge the results of searches in different documents: their scores do not depend on the documents."""
    if len(lists) == 1:
        return lists[0]
    scored = [pair for hits in lists for pair in zip(hits.ids, hits.scores, strict=True)]
    best = sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:k]
    return Hits(tuple(id for id, _ in best), tuple(score for _, score in best))


def _search_text_index(store: SearchBackend, parameters: Mapping[str, Any], *, width: int) -> Hits:
    """Search a full-text index: widen the search until k results are found or the index has no more.

    Excluded documents are left out of the results and not of the query, as Lucene limits the clauses of a query; so are
    the documents outside of a scope of many documents.
    """
    while True:
        columns = store.read("search/text", {**parameters, "width": width})
        [ids], [scores], [count] = columns["ids"], columns["scores"], columns["found"]
        if len(ids) >= parameters["k"] or count < width:
            return Hits(tuple(ids), tuple(scores))
        width *= 2


def _search_dense(store: SearchBackend, request: Search, scope: Scope, vector: Vector, k: int) -> Hits:
    if not np.any(vector):
        return Hits()
    kind = _INDEXES[request.over]
    inside, total = store.count_evidence(scope.collection)
    parameters: dict[str, Any] = {
        "vector": vector.tolist(),
        "embedding": store.embedding,
        "collection": scope.collection,
        "documents": list(scope.documents),
        "excluded": list(scope.excluded),
        "label": _LABELS[request.over],
        "k": k,
    }
    if request.vector_filter is not None:
        return _search_filtered(store, request.vector_filter, parameters, inside, total)
    by_document = bool(scope.documents) and kind != "entity"  # an entity belongs to the whole collection
    if not by_document and inside > SCAN_BELOW:
        width = _compute_width(k, inside, total)
        if width <= MAX_INDEX_WIDTH:
            hits = _to_hits(
                store.read(
                    "search/dense",
                    {**parameters, "documents": [], "index": f"{kind}_{store.embedding}", "width": width},
                )
            )
            if len(hits) >= k:
                return hits
    if by_document and inside > SCAN_BELOW and len(scope.documents) > SCAN_DOCUMENTS:
        index = {"index": f"{kind}_{store.embedding}"}
        if (nearest := _search_dense_documents(store, {**parameters, **index}, inside, total)) is not None:
            return nearest
    if by_document:
        return _to_hits(store.read(f"search/scan_{'evidence' if kind == 'table' else kind}_documents", parameters))
    return _to_hits(store.read(f"search/scan_{kind}", parameters))


def _search_dense_documents(
    store: SearchBackend, parameters: Mapping[str, Any], inside: int, total: int
) -> Hits | None:
    """Search the vector index for many documents of a collection; None if too few of its candidates are of these."""
    k = int(parameters["k"])
    wanted = _count_candidates(k)
    width = _compute_width(k, inside, total)
    while (width := 2 * width) <= MAX_INDEX_WIDTH:
        hits = _to_hits(store.read("search/dense", {**parameters, "k": wanted, "width": width}))
        if len(hits) >= wanted:
            return Hits(hits.ids[:k], hits.scores[:k])
        width *= max(2, min(wanted // max(len(hits), 1), 8))
    return None


def _search_filtered(
    store: SearchBackend, vector_filter: VectorFilter, parameters: Mapping[str, Any], inside: int, total: int
) -> Hits:
    """Search the evidence that a vector filter selects: by the index of its property where that is faster than a scan.

    A fraction of the collection is capped at `MAX_INDEX_WIDTH`: above it the index took 7 s on 100,000 passages, a scan
    of them all 5 s.
    """
    fraction = min(math.ceil(vector_filter.scope * inside), MAX_INDEX_WIDTH)
    within = max(fraction if vector_filter.scope < 1 else int(vector_filter.scope), parameters["k"])
    width = math.ceil(within * total / max(inside, 1))
    filter_parameters = {
        "property": vector_filter.property,
        "other": vector_filter.vector.tolist(),
        "mix": vector_filter.mix,
        "within": within,
    }
    if not parameters["documents"] and inside > SCAN_BELOW and width <= MAX_INDEX_WIDTH:
        hits = _to_hits(
            store.read(
                "search/dense_filtered",
                {**parameters, **filter_parameters, "index": f"evidence_{vector_filter.property}", "width": width},
            )
        )
        if len(hits) >= parameters["k"]:
            return hits
    return _to_hits(store.read("search/scan_filtered", {**parameters, **filter_parameters}))


def _compute_width(k: int, inside: int, total: int) -> int:
    """Compute the number of candidates from the index among which ``CANDIDATE_FACTOR * k`` are of the collection."""
    return math.ceil(_count_candidates(k) * total / inside)


def _count_candidates(k: int) -> int:
    return max(MIN_CANDIDATES, min(CANDIDATE_FACTOR * k, MAX_CANDIDATES), 2 * k)


def _to_hits(columns: Columns) -> Hits:
    return Hits(tuple(columns["id"]), tuple(columns["score"]))
