"""Feature extraction: the candidates of a question with the features of the learned reranker."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.candidates import Candidates, add_link_path, find_links
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.reranking.coverage import MAX_CANDIDATES
from hopline.retrieval.reranking.features import CandidateFeatures, CandidateLink
from hopline.retrieval.reranking.neural_features import (
    MAX_PARENTS,
    GuideHits,
    NeuralFeature,
    add_neural_features,
    search_with_guide,
)
from hopline.scoring.mmr import Floats, match_terms

MAX_LINK_SOURCES: Final = 10  # best candidates whose links are followed; the linked evidence becomes a candidate

Links = Sequence[tuple[float, Mapping[str, Any]]]


def compute_features(
    question: str, candidates: Candidates, extras: Sequence[NeuralFeature] = ()
) -> Flow[CandidateFeatures]:
    """Compute the features of the best candidates and of what they link to; stores the paths of the latter.

    ``extras`` are the trained models whose features are added; the guide also adds the evidence that it finds.

    Raises:
        UsageError: one of the models was not trained on this machine; names the command that trains it.
    """
    best = candidates.top(MAX_CANDIDATES)
    links = yield from find_links(candidates.pool, best[:MAX_LINK_SOURCES], candidates.names, question, asked=1.0)
    for _, row in links:
        if row["id"] not in candidates.sums:
            add_link_path(candidates.pool, row)
    guide_hits = (yield from _search_with_guide(question, best[:MAX_PARENTS])) if "guide" in extras else None
    guide_ids = guide_hits.ids if guide_hits else ()
    wanted = list(dict.fromkeys([*best, *(row["id"] for _, row in links), *guide_ids]))
    columns = yield fetch("hopline/texts_and_vectors", ids=wanted)
    texts = dict(zip(columns["id"], columns["text"], strict=True))
    vectors = dict(zip(columns["id"], columns["vector"], strict=True))
    ids = [id for id in wanted if id in texts]
    features = _build_features(question, candidates, {id: texts[id] for id in ids}, vectors, links)
    return (yield from add_neural_features(extras, question, features, [texts[id] for id in ids], guide_hits))


def _search_with_guide(question: str, parents: Sequence[str]) -> Flow[GuideHits]:
    evidence = yield from fetch_evidence(parents)
    texts = {item.id: format_evidence(item) for item in evidence}
    return (yield from search_with_guide(question, parents, texts))


def _build_features(
    question: str, candidates: Candidates, texts: Mapping[str, str], vectors: Mapping[str, Any], links: Links
) -> CandidateFeatures:
    """Build the features that need no model; ``texts`` has the candidates in their order."""
    ids = list(texts)
    asked = candidates.pool.hits.vector.astype(np.float64)
    missing = np.zeros_like(asked)  # cosine 0 for evidence without a vector
    rows = np.array([missing if vectors[id] is None else vectors[id] for id in ids], dtype=np.float64)
    bm25 = candidates.pool.hits.bm25
    parts = [_to_column(ids, candidates.parts[name]) for name in ("base", "linked", "passed", "shares")]
    return CandidateFeatures(
        ids=tuple(ids),
        sums=_to_column(ids, candidates.sums),
        parts=np.column_stack(parts),
        cosines=rows @ asked,
        bm25=_to_column(ids, bm25) / (max(bm25.values(), default=0.0) or 1.0),
        name_boosts=_to_column(ids, candidates.boosts),
        lengths=np.array([len(text) for text in texts.values()]) / 1000.0,
        vectors=rows,
        question=asked,
        term_matches=match_terms(question, list(texts.values())),
        links=_index_links(links, {id: index for index, id in enumerate(ids)}),
    )


def _index_links(links: Links, index: Mapping[str, int]) -> tuple[CandidateLink, ...]:
    """Convert links between ids to links between indices of candidates."""
    targets: defaultdict[str, set[str]] = defaultdict(set)
    for _, row in links:
        targets[row["seed"]].add(row["id"])
    return tuple(
        CandidateLink(index[row["seed"]], index[row["id"]], weight, len(targets[row["seed"]]))
        for weight, row in links
        if row["seed"] in index and row["id"] in index
    )


def _to_column(ids: Sequence[str], scores: Mapping[str, float]) -> Floats:
    return np.array([scores.get(id, 0.0) for id in ids])
