"""Neural features of candidates: the outputs of trained models, for a reranker that was trained with them.

guide    the retriever of the next passage (MDR): adds candidates of its own; the cosine of each candidate to the
         predicted first passage, to the predicted passage behind one of the best candidates, and its rank in the latter
themes   the cosine of each candidate's topics and those expected of the answer (RAS)
hops     the probabilities that each candidate comes first after the question, and last before the answer (Graph-Hop)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from hopline.flow.requests import Flow, Vectors, fetch, infer
from hopline.retrieval.agent.bidirectional_search import PART
from hopline.retrieval.agent.next_passage import encode_next_queries, find_next_passages
from hopline.retrieval.reranking.features import NEURAL_COLUMNS, CandidateFeatures, compute_ranks
from hopline.scoring.query_coverage import Floats
from hopline.topics.topic_scope import TopicScope

NeuralFeature = Literal["guide", "themes", "hops"]

MAX_PARENTS: Final = 3  # best candidates behind which the guide searches
MAX_HITS: Final = 8  # evidence that the guide adds for the question and for each parent


@dataclass(frozen=True, slots=True)
class GuideHits:
    """The guide's query vectors for the question and for each of ``parents``, (1 + P, d), and the evidence it found."""

    parents: tuple[str, ...]
    vectors: Vectors
    ids: tuple[str, ...]


def search_with_guide(question: str, parents: Sequence[str], texts: Mapping[str, str]) -> Flow[GuideHits]:
    """Search with the guide for the first passage, and for the passage behind each parent.

    Raises:
        UsageError: the guide was not trained on this machine; names the command that trains it.
    """
    known = [id for id in parents if id in texts]
    queries = [question, *(f"{question} {texts[id]}" for id in known)]
    vectors = yield from encode_next_queries(queries, trained=True)
    ids: dict[str, None] = {}
    for parent, vector in zip(["", *known], vectors, strict=True):
        ids |= dict.fromkeys(id for id, _ in (yield from find_next_passages(parent, vector, MAX_HITS)))
    return GuideHits(tuple(known), vectors, tuple(ids))


def add_neural_features(
    extras: Sequence[NeuralFeature],
    question: str,
    features: CandidateFeatures,
    texts: Sequence[str],
    guide_hits: GuideHits | None,
) -> Flow[CandidateFeatures]:
    """Add the columns of ``extras`` in the order of `NEURAL_COLUMNS`; ``texts`` are those of the candidates."""
    columns: list[Floats] = []
    for name in NEURAL_COLUMNS:
        if name not in extras:
            continue
        if name == "guide":
            empty = np.zeros((len(features.ids), len(NEURAL_COLUMNS[name])))
            columns.append(_compute_guide_columns(features, guide_hits) if guide_hits else empty)
        elif name == "themes":
            columns.append((yield from _compute_topic_column(features)))
        else:
            columns.append((yield from _compute_hop_columns(question, texts)))
    return replace(features, neural=np.column_stack(columns)) if columns else features


def _compute_guide_columns(features: CandidateFeatures, guide_hits: GuideHits) -> Floats:
    cosines = features.vectors @ guide_hits.vectors.astype(np.float64).T
    behind = cosines[:, 1:].copy() if guide_hits.parents else np.zeros((len(features.ids), 1))
    for column, parent in enumerate(guide_hits.parents):
        if parent in features.ids:
            behind[features.ids.index(parent), column] = -1.0
    best = behind.max(axis=1)
    return np.column_stack([cosines[:, 0], best, compute_ranks(best)])


def _compute_topic_column(features: CandidateFeatures) -> Flow[Floats]:
    topics = yield from TopicScope(1.0, 0.0).build_filter(features.question.astype(np.float32))
    if topics is None:
        return np.zeros((len(features.ids), 1))
    columns = yield fetch("hopline/topic_vectors", ids=list(features.ids), property=topics.property)
    similarity = {
        id: float(np.asarray(row) @ topics.vector)
        for id, row in zip(columns["id"], columns["vector"], strict=True)
        if row is not None
    }
    return np.array([[similarity.get(id, 0.0)] for id in features.ids])


def _compute_hop_columns(question: str, texts: Sequence[str]) -> Flow[Floats]:
    columns = []
    for direction in ("forward", "backward"):
        probabilities = yield infer(PART, direction=direction, question=question, facts=list(texts), paths=[[]])
        columns.append(np.asarray(probabilities[0], dtype=np.float64))
    return np.column_stack(columns)
