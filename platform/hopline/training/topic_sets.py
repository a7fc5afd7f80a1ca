"""Sets of themes: learned from a collection itself, or taught by labelled texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from hopline.errors import UsageError
from hopline.evaluation.labels import Labelled, as_matrix
from hopline.evaluation.questions import Question
from hopline.flow.requests import Flow, fetch
from hopline.flow.run import run
from hopline.flow.services import Embedder, Scope, World
from hopline.learned.weight_files import Card
from hopline.topics.collection_topics import own_set
from hopline.topics.topic_scope import theme_property
from hopline.training.collection_vectors import collection_vectors
from hopline.training.progress import Listener, unheard
from hopline.training.topic_classifier import LEAST, Taught, train_themes
from hopline.training.topic_clustering import SAMPLE, clustered, how_many, named
from hopline.training.training_loop import Recipe

PAIRS: Final = 2000  # texts that teach what the themes of a question become
LONGEST: Final = 300  # characters of a sentence that stands for a question
AT_ONCE: Final = 2000  # texts fetched
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


def learn_themes(
    world: World,
    scope: Scope,
    folder: Path,
    *,
    count: int | None = None,
    questions: Sequence[Question] = (),
    by_model: bool = False,
    listener: Listener = unheard,
) -> Card:
    """Cluster, name and teach the themes of a collection; the weights go into a folder of their own in ``folder``.

    Raises:
        UsageError: the collection has too few passages.
    """
    ids, vectors = run(collection_vectors(), world, scope).result
    if len(ids) < LEAST:
        raise UsageError(f"themes need {LEAST} passages that are embedded (the collection has {len(ids)})")
    chosen = evenly(len(ids), SAMPLE)
    texts = run(_texts([ids[n] for n in chosen]), world, scope).result
    clusters = clustered(vectors[chosen], count or how_many(len(ids)))
    labels = run(named(texts, clusters, by_model=by_model), world, scope).result
    asked = run(_asked(questions), world, scope).result
    place = {id: n for n, id in enumerate(ids)}
    pairs = [(text, place[id]) for text, id in asked if id in place]
    taught_by = "questions"
    if len(pairs) < LEAST:
        taught_by = "sentences of the passages"
        pairs = [(opening(texts[n]), chosen[n]) for n in evenly(len(texts), PAIRS)]
    both = world.embedder.embed([text for text, _ in pairs]), vectors[[n for _, n in pairs]]
    told = {"learned from": "the collection's own passages", "the shifter from": taught_by}
    taught = Taught(labels, vectors[chosen], clusters.about, both)
    return train_themes(taught, folder, f"{own_set(scope.collection)}_{len(labels)}", told=told, listener=listener)


def teach_themes(
    embedder: Embedder,
    rows: Sequence[Labelled],
    folder: Path,
    name: str,
    *,
    recipe: Recipe | None = None,
    told: Mapping[str, Any] | None = None,
    listener: Listener = unheard,
) -> Card:
    """Teach labelled texts as the set ``name``; the weights go into a folder of their own in ``folder``.

    Raises:
        UsageError: too few rows, or no set can have this name.
    """
    theme_property(name)
    labels = sorted({label for row in rows for label in row.labels})
    vectors = embedder.embed([row.text for row in rows])
    asked = evenly(len(rows), PAIRS)
    pairs = embedder.embed([opening(rows[n].text) for n in asked]), vectors[asked]
    taught = Taught(labels, vectors, as_matrix(rows, labels), pairs)
    told = {**(told or {}), "labels": len(labels)}
    return train_themes(taught, folder, name, recipe=recipe, told=told, listener=listener)


def opening(text: str) -> str:
    """The first sentence of a text, in place of a question that the text answers."""
    return _SENTENCE.split(text.strip(), maxsplit=1)[0][:LONGEST]


def evenly(count: int, most: int) -> list[int]:
    """At most ``most`` places of ``count``, as far apart as they can be."""
    return sorted({int(place) for place in np.linspace(0, count - 1, min(count, most))}) if count else []


def _texts(ids: Sequence[str]) -> Flow[list[str]]:
    texts: dict[str, str] = {}
    for start in range(0, len(ids), AT_ONCE):
        columns = yield fetch("read/texts", ids=list(ids[start : start + AT_ONCE]))
        texts |= zip(columns["id"], columns["text"], strict=True)
    return [texts.get(id, "") for id in ids]


def _asked(questions: Sequence[Question]) -> Flow[list[tuple[str, str]]]:
    """Each question with each of its gold evidence in the collection."""
    pairs: list[tuple[str, str]] = []
    for one in questions:
        if one.gold:
            columns = yield fetch("gold/evidence", wanted=list(one.gold))
            pairs += [(one.text, id) for id in columns["id"]]
    return pairs
