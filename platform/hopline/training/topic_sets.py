"""Training of topic sets: from a collection's own passages, or from labelled texts.

The shifter of RAS is trained on pairs of a sub-query and a document that answers it. Here they are the sub-questions
and gold passages of questions whose steps have gold passages; of other questions, the whole question with each of its
gold passages; and where there are too few of both, the first sentence of a passage with the passage, which is not in
the paper. The model card says which.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from hopline.errors import UsageError
from hopline.evaluation.labels import LabelledText, to_label_matrix
from hopline.evaluation.questions import Question
from hopline.flow.requests import Flow, fetch
from hopline.flow.run import run
from hopline.flow.services import Embedder, Scope, Services
from hopline.learned.weight_files import ModelCard
from hopline.topics.collection_topics import build_own_set_name
from hopline.topics.topic_scope import topic_property
from hopline.training.collection_vectors import fetch_collection_vectors
from hopline.training.progress import ProgressCallback, ignore_progress
from hopline.training.topic_classifier import MIN_TEXTS, TopicTrainingData, train_topic_classifier
from hopline.training.topic_clustering import MAX_PASSAGES, choose_topic_count, cluster_passages, name_clusters
from hopline.training.training_loop import Recipe

MAX_PAIRS: Final = 2000  # for the training of the shifter
MAX_CHARACTERS: Final = 300  # of a sentence that is used as a question
BATCH: Final = 2000  # texts in one fetch
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


def train_topics(
    services: Services,
    scope: Scope,
    folder: Path,
    *,
    count: int | None = None,
    questions: Sequence[Question] = (),
    by_model: bool = False,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Cluster and name the topics of a collection and train a classifier; weights go to a subfolder of ``folder``.

    Raises:
        UsageError: the collection has too few passages.
    """
    ids, vectors = run(fetch_collection_vectors(), services, scope).result
    if len(ids) < MIN_TEXTS:
        raise UsageError(f"topics need {MIN_TEXTS} embedded passages (the collection has {len(ids)})")
    sampled = sample_evenly(len(ids), MAX_PASSAGES)
    texts = run(_fetch_texts([ids[n] for n in sampled]), services, scope).result
    clusters = cluster_passages(vectors[sampled], count or choose_topic_count(len(ids)))
    labels = run(name_clusters(texts, clusters, by_model=by_model), services, scope).result
    step_pairs, question_pairs = run(fetch_question_pairs(questions), services, scope).result
    index = {id: n for n, id in enumerate(ids)}
    pairs = [(text, index[id]) for text, id in (*step_pairs, *question_pairs) if id in index]
    sources = {"sub-questions": step_pairs, "questions": question_pairs}
    pair_source = " and ".join(name for name, source_pairs in sources.items() if source_pairs)
    if len(pairs) < MIN_TEXTS:
        pair_source = "sentences of the passages"
        pairs = [(extract_first_sentence(texts[n]), sampled[n]) for n in sample_evenly(len(texts), MAX_PAIRS)]
    pair_vectors = services.embedder.embed([text for text, _ in pairs]), vectors[[n for _, n in pairs]]
    metadata = {"learned from": "the collection's own passages", "the shifter from": pair_source}
    data = TopicTrainingData(labels, vectors[sampled], clusters.members, pair_vectors)
    name = f"{build_own_set_name(scope.collection)}_{len(labels)}"
    return train_topic_classifier(data, folder, name, metadata=metadata, on_progress=on_progress)


def train_topics_from_labels(
    embedder: Embedder,
    rows: Sequence[LabelledText],
    folder: Path,
    name: str,
    *,
    recipe: Recipe | None = None,
    metadata: Mapping[str, Any] | None = None,
    on_progress: ProgressCallback = ignore_progress,
) -> ModelCard:
    """Train the topic set ``name`` on labelled texts; weights go to a subfolder of ``folder``.

    Raises:
        UsageError: too few rows, or an invalid name.
    """
    topic_property(name)
    labels = sorted({label for row in rows for label in row.labels})
    vectors = embedder.embed([row.text for row in rows])
    sampled = sample_evenly(len(rows), MAX_PAIRS)
    pairs = embedder.embed([extract_first_sentence(rows[n].text) for n in sampled]), vectors[sampled]
    data = TopicTrainingData(labels, vectors, to_label_matrix(rows, labels), pairs)
    metadata = {**(metadata or {}), "labels": len(labels)}
    return train_topic_classifier(data, folder, name, recipe=recipe, metadata=metadata, on_progress=on_progress)


def extract_first_sentence(text: str) -> str:
    """Return the first sentence of a text, which is used as a question that the text answers."""
    return _SENTENCE.split(text.strip(), maxsplit=1)[0][:MAX_CHARACTERS]


def sample_evenly(count: int, limit: int) -> list[int]:
    """Return at most ``limit`` indices below ``count``, evenly spaced."""
    return sorted({int(index) for index in np.linspace(0, count - 1, min(count, limit))}) if count else []


def _fetch_texts(ids: Sequence[str]) -> Flow[list[str]]:
    texts: dict[str, str] = {}
    for start in range(0, len(ids), BATCH):
        columns = yield fetch("retrieval/texts", ids=list(ids[start : start + BATCH]))
        texts |= zip(columns["id"], columns["text"], strict=True)
    return [texts.get(id, "") for id in ids]


def fetch_question_pairs(questions: Sequence[Question]) -> Flow[tuple[list[tuple[str, str]], list[tuple[str, str]]]]:
    """Fetch pairs of a text and the id of one of its gold evidence in the collection.

    The first list has the steps of questions whose steps have gold evidence, the second all other questions.
    """
    step_pairs: list[tuple[str, str]] = []
    question_pairs: list[tuple[str, str]] = []
    for question in questions:
        steps = [(step.text, step.gold) for step in question.steps if step.gold]
        for text, gold in steps or [(question.text, question.gold)]:
            columns = (yield fetch("gold/evidence", wanted=list(gold))) if gold else {"id": []}
            (step_pairs if steps else question_pairs).extend((text, id) for id in columns["id"])
    return step_pairs, question_pairs
