"""Extraction of the features of the learned reranker, with the outputs of trained models where it uses them.

guide    the retriever of the next passage (MDR): adds candidates; the cosine of each candidate to the predicted first
         passage, to the predicted passage after one of the best candidates, and its rank in the latter
themes   the cosine of each candidate's topics and those expected of the answer (RAS)
hops     the probabilities that each candidate comes first after the question, and last before the answer (Graph-Hop)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hopline.flow.requests import Flow, Vectors, fetch, infer
from hopline.retrieval.agent.bidirectional_search import PART
from hopline.retrieval.agent.next_passage import encode_next_queries, find_next_passages
from hopline.retrieval.candidates import Candidates
from hopline.retrieval.entity_links import fetch_entity_links
from hopline.retrieval.evidence_texts import fetch_evidence, format_evidence
from hopline.retrieval.reranking.features import (
    NEURAL_COLUMNS,
    CandidateFeatures,
    NeuralFeature,
    build_features,
    compute_ranks,
)
from hopline.retrieval.stages.expansion import add_linked_evidence
from hopline.retrieval.stages.scoring import MAX_COVERED
from hopline.scoring.query_coverage import Floats
from hopline.topics.topic_scope import TopicScope

MAX_LINK_SOURCES: Final = 10  # best candidates whose links are followed; the linked evidence becomes a candidate
MAX_PARENTS: Final = 3  # best candidates after which the guide searches
MAX_HITS: Final = 8  # evidence that the guide adds for the question and for each parent


def extract_features(
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
    hits = (yield from _search_with_guide(question, best[:MAX_PARENTS])) if "guide" in extras else None
    wanted = list(dict.fromkeys([*best, *(link.target for link in links), *(hits.ids if hits else ())]))
    columns = yield fetch("hopline/texts_and_vectors", ids=wanted)
    texts = dict(zip(columns["id"], columns["text"], strict=True))
    known = {id: vector for id, vector in zip(columns["id"], columns["vector"], strict=True) if vector is not None}
    texts = {id: texts[id] for id in wanted if id in texts}
    missing = np.zeros(len(candidates.vector))  # cosine 0 for evidence without a vector
    vectors = np.array([known.get(id, missing) for id in texts], dtype=np.float64)
    features = build_features(candidates, texts, vectors, links)
    for name in (name for name in NEURAL_COLUMNS if name in extras):
        values = yield from _compute_neural_columns(name, features, list(texts.values()), hits)
        features = features.with_features(dict(zip(NEURAL_COLUMNS[name], values, strict=True)))
    return candidates, features


def _compute_neural_columns(
    name: str, features: CandidateFeatures, texts: Sequence[str], hits: GuideHits | None
) -> Flow[Sequence[Floats]]:
    """Return the columns of a trained model, (N,) each; ``texts`` are those of the candidates."""
    if name == "themes":
        return [(yield from _compute_topic_column(features))]
    if name == "hops":
        return (yield from _compute_hop_columns(features.candidates.question, texts))
    return _compute_guide_columns(features, hits) if hits else [np.zeros(len(features.ids))] * len(NEURAL_COLUMNS[name])


@dataclass(frozen=True, slots=True)
class GuideHits:
    """The guide's query vectors for the question and for each of ``parents``, (1 + P, d), and the evidence it found."""

    parents: tuple[str, ...]
    vectors: Vectors
    ids: tuple[str, ...]


def _search_with_guide(question: str, parents: Sequence[str]) -> Flow[GuideHits]:
    """Search with the guide for the first passage, and for the passage after each parent.

    Raises:
        UsageError: the guide was not trained on this machine; names the command that trains it.
    """
    texts = {item.id: format_evidence(item) for item in (yield from fetch_evidence(parents))}
    known = [id for id in parents if id in texts]
    queries = [question, *(f"{question} {texts[id]}" for id in known)]
    vectors = yield from encode_next_queries(queries, trained=True)
    ids: dict[str, None] = {}
    for parent, vector in zip(["", *known], vectors, strict=True):
        ids |= dict.fromkeys(id for id, _ in (yield from find_next_passages(parent, vector, MAX_HITS)))
    return GuideHits(tuple(known), vectors, tuple(ids))


def _compute_guide_columns(features: CandidateFeatures, hits: GuideHits) -> list[Floats]:
    cosines = features.vectors @ hits.vectors.astype(np.float64).T
    after = cosines[:, 1:].copy() if hits.parents else np.zeros((len(features.ids), 1))
    for column, parent in enumerate(hits.parents):
        if parent in features.ids:
            after[features.ids.index(parent), column] = -1.0
    best = after.max(axis=1)
    return [cosines[:, 0], best, compute_ranks(best)]


def _compute_topic_column(features: CandidateFeatures) -> Flow[Floats]:
    topics = yield from TopicScope(1.0, 0.0).build_filter(features.candidates.vector)
    if topics is None:
        return np.zeros(len(features.ids))
    columns = yield fetch("hopline/topic_vectors", ids=list(features.ids), property=topics.property)
    similarity = {
        id: float(np.asarray(row) @ topics.vector)
        for id, row in zip(columns["id"], columns["vector"], strict=True)
        if row is not None
    }
    return np.array([similarity.get(id, 0.0) for id in features.ids])


def _compute_hop_columns(question: str, texts: Sequence[str]) -> Flow[list[Floats]]:
    columns = []
    for direction in ("forward", "backward"):
        probabilities = yield infer(PART, direction=direction, question=question, facts=list(texts), paths=[[]])
        columns.append(np.asarray(probabilities[0], dtype=np.float64))
    return columns
