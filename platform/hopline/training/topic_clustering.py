"""Themes of a user's own collection: passages clustered, clusters named, and both taught to a classifier.

The paper takes DBPedia's labels; most collections are about something else. Spherical k-means on the stored vectors;
a cluster is named by the terms that its passages say and others do not (class-based TF-IDF, Grootendorst 2022), or by
a language model that sees those terms and its most typical passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.flow.requests import Flow, Vectors
from hopline.retrieval.agent.llm_session import TEXT, Silence, Talk, form, one_line

SAMPLE: Final = 20_000  # passages that are clustered
FEWEST, MOST = 2, 128  # themes
NEARLY: Final = 0.05  # a passage is also about clusters whose middle is so much less like it than the nearest
TERMS: Final = 3  # in a name
TYPICAL: Final = 4  # passages that a model is shown
SEEN: Final = 400  # characters of each
WORD: Final = r"(?u)\b[^\W\d_]{3,}\b"
LONGEST: Final = 40  # characters of a name

SYSTEM: Final = """You name a group of passages from one collection with one to four words that say what they have in
common and what sets them apart from the rest of the collection, as a heading in an index would."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """The middles (L, d) of clusters, which passages (N, L) are about them, and how like they are, (N, L)."""

    about: NDArray[np.bool_]
    likeness: NDArray[np.float32]


def how_many(passages: int) -> int:
    """How many themes a collection gets by itself: half the root of its size."""
    return int(min(max(round(sqrt(passages) / 2), FEWEST), MOST))


def clustered(vectors: Vectors, count: int, *, seed: int = 42) -> Clusters:
    """At most ``count`` clusters of unit vectors (N, d); none is empty."""
    from sklearn.cluster import KMeans

    distinct = len(np.unique(vectors, axis=0))
    model = KMeans(n_clusters=min(count, distinct), n_init=3, random_state=seed).fit(vectors)
    middles = model.cluster_centers_ / np.linalg.norm(model.cluster_centers_, axis=1, keepdims=True)
    likeness = (vectors @ middles.T).astype(np.float32)
    best = likeness.max(axis=1, keepdims=True)
    about = likeness >= best - NEARLY
    about[np.arange(len(vectors)), likeness.argmax(axis=1)] = True
    some = about.any(axis=0)
    return Clusters(about[:, some], likeness[:, some])


def named(texts: Sequence[str], clusters: Clusters, *, by_model: bool) -> Flow[list[str]]:
    """A name for each cluster, no two alike."""
    terms = typical_terms(texts, clusters.about)
    names = [", ".join(some) for some in terms]
    if by_model:
        names = yield from _by_model(texts, clusters, names)
    return _distinct(names)


def typical_terms(texts: Sequence[str], about: NDArray[np.bool_]) -> list[list[str]]:
    """The `TERMS` terms of each group of texts, (N, L), that weigh most by class-based TF-IDF."""
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(stop_words="english", ngram_range=(1, 2), token_pattern=WORD)
    try:
        counts = counter.fit_transform(texts)
    except ValueError:  # no text has a word
        return [[f"theme {n}"] for n in range(1, about.shape[1] + 1)]
    words = counter.get_feature_names_out()
    own = np.asarray(about.T.astype(np.float64) @ counts)
    weights = own / np.maximum(own.sum(axis=1, keepdims=True), 1.0)
    weights *= np.log1p(own.sum() / max(len(own), 1) / np.maximum(own.sum(axis=0, keepdims=True), 1.0))
    return [_apart([str(words[n]) for n in np.argsort(-row, kind="stable")[: 8 * TERMS]]) for row in weights]


def _apart(terms: Sequence[str]) -> list[str]:
    """The first terms of which none repeats a word of one before."""
    kept: list[str] = []
    for term in terms:
        if not set(term.split()) & {word for other in kept for word in other.split()}:
            kept.append(term)
    return kept[:TERMS]


def _by_model(texts: Sequence[str], clusters: Clusters, names: Sequence[str]) -> Flow[list[str]]:
    """The names that a model writes; where its reply is of no use, those there were."""
    prompts = []
    for n, name in enumerate(names):
        shown = "\n".join(f"- {texts[place][:SEEN]}" for place in np.argsort(-clusters.likeness[:, n])[:TYPICAL])
        prompts.append(f"Typical words: {name}\n\nTypical passages:\n{shown}")
    try:
        replies = yield from Talk().told_all(prompts, form(name=TEXT), system=SYSTEM)
    except Silence:
        return list(names)
    written = [one_line(reply["name"])[:LONGEST] if reply else "" for reply in replies]
    return [one or plain for one, plain in zip(written, names, strict=True)]


def _distinct(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    count: dict[str, int] = {}
    distinct = []
    for name in names:
        count[name] = count.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} ({count[name]})")
    return distinct
