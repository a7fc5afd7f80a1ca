"""Feature extraction: the candidates of a question with the features of the learned reranker."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from hopline.flow.requests import Flow, fetch
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.entity_links import EntityLink, fetch_entity_links
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.reranking.features import CandidateFeatures, CandidateLink
from hopline.retrieval.reranking.neural_features import (
    MAX_PARENTS,
    GuideHits,
    NeuralFeature,
    add_neural_features,
    search_with_guide,
)
from hopline.retrieval.stages.expansion import add_linked_evidence
from hopline.retrieval.stages.scoring import MAX_COVERED
from hopline.scoring.fusion import scale_to_unit
from hopline.scoring.query_coverage import Floats, match_terms

PART_COLUMNS: Final = ("base", "links", "gnn", "pagerank")
MAX_LINK_SOURCES: Final = 10  # best candidates whose links are followed; the linked evidence becomes a candidate


def compute_features(
    candidates: Candidates, extras: Sequence[NeuralFeature] = ()
) -> Flow[tuple[Candidates, CandidateFeatures]]:
    """Compute the features of the best candidates and of what they link to; returns the candidates with the latter.

    ``extras`` are the trained models whose features are added; the guide also adds the evidence that it finds.

    Raises:
        UsageError: one of the models was not trained on this machine; names the command that trains it.
    """
    question, best = candidates.question, candidates.top(MAX_COVERED)
    links = yield from fetch_entity_links(best[:MAX_LINK_SOURCES], candidates.entities, question, candidates.vector)
    scored = candidates.scores("score")
    candidates = add_linked_evidence(candidates, [link for link in links if link.target not in scored])
    guide_hits = (yield from _search_with_guide(question, best[:MAX_PARENTS])) if "guide" in extras else None
    guide_ids = guide_hits.ids if guide_hits else ()
    wanted = list(dict.fromkeys([*best, *(link.target for link in links), *guide_ids]))
    columns = yield fetch("hopline/texts_and_vectors", ids=wanted)
    texts = dict(zip(columns["id"], columns["text"], strict=True))
    vectors = dict(zip(columns["id"], columns["vector"], strict=True))
    ids = [id for id in wanted if id in texts]
    features = _build_features(candidates, {id: texts[id] for id in ids}, vectors, links)
    features = yield from add_neural_features(extras, question, features, [texts[id] for id in ids], guide_hits)
    return candidates, features


def _search_with_guide(question: str, parents: Sequence[str]) -> Flow[GuideHits]:
    evidence = yield from fetch_evidence(parents)
    texts = {item.id: format_evidence(item) for item in evidence}
    return (yield from search_with_guide(question, parents, texts))


def _build_features(
    candidates: Candidates, texts: Mapping[str, str], vectors: Mapping[str, Any], links: Sequence[EntityLink]
) -> CandidateFeatures:
    """Build the features that need no model; ``texts`` has the candidates in their order."""
    ids = list(texts)
    asked = candidates.vector.astype(np.float64)
    missing = np.zeros_like(asked)  # cosine 0 for evidence without a vector
    rows = np.array([missing if vectors[id] is None else vectors[id] for id in ids], dtype=np.float64)
    for name in PART_COLUMNS:
        candidates = candidates.with_column(name, scale_to_unit(candidates.column(name)))
    bm25 = _align(candidates, "bm25", ids)
    return CandidateFeatures(
        ids=tuple(ids),
        sums=_align(candidates, "score", ids),
        parts=np.column_stack([_align(candidates, name, ids) for name in PART_COLUMNS]),
        cosines=rows @ asked,
        bm25=bm25 / (np.nan_to_num(candidates.column("bm25")).max() or 1.0),
        name_boosts=_align(candidates, "boost", ids),
        lengths=np.array([len(text) for text in texts.values()]) / 1000.0,
        vectors=rows,
        question=asked,
        term_matches=match_terms(candidates.question, list(texts.values())),
        links=_index_links(links, {id: index for index, id in enumerate(ids)}),
    )


def _index_links(links: Sequence[EntityLink], index: Mapping[str, int]) -> tuple[CandidateLink, ...]:
    """Convert links between ids to links between indices of candidates."""
    targets: defaultdict[str, set[str]] = defaultdict(set)
    for link in links:
        targets[link.source].add(link.target)
    return tuple(
        CandidateLink(index[link.source], index[link.target], link.weight, len(targets[link.source]))
        for link in links
        if link.source in index and link.target in index
    )


def _align(candidates: Candidates, name: str, ids: Sequence[str]) -> Floats:
    """Return the values of a column in the order of ``ids``; missing ones are 0."""
    scores = candidates.scores(name)
    return np.array([scores.get(id, 0.0) for id in ids])
