"""Topics of a collection: its passages are clustered and the clusters named, to train a topic classifier.

RAS uses the labels of DBPedia, which do not fit most collections. Spherical k-means on the stored vectors; a cluster is
named by its distinctive terms (class-based TF-IDF, Grootendorst 2022), or by a language model from these terms and its
most typical passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.flow.quoted_text import quote_text
from hopline.flow.requests import Flow, Vectors
from hopline.retrieval.agent.llm_session import TEXT, LlmExhausted, LlmSession, object_schema, to_one_line

MAX_PASSAGES: Final = 20_000  # that are clustered
MIN_TOPICS, MAX_TOPICS = 2, 128
MARGIN: Final = 0.05  # a passage also belongs to clusters whose similarity is lower than the highest by at most this
TERMS: Final = 3  # in a name
TYPICAL_PASSAGES: Final = 4  # in a prompt
PASSAGE_CHARACTERS: Final = 400  # of each
WORD_PATTERN: Final = r"(?u)\b[^\W\d_]{3,}\b"
NAME_CHARACTERS: Final = 40

SYSTEM: Final = """You name a group of passages from one collection with one to four words that say what they have in
common and what sets them apart from the rest of the collection, as a heading in an index would."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which passages belong to which clusters, (N, L), and their similarity to the centroids, (N, L)."""

    members: NDArray[np.bool_]
    similarity: NDArray[np.float32]


def choose_topic_count(passages: int) -> int:
    """Choose the number of topics of a collection: half the square root of the number of passages, within limits."""
    return int(min(max(round(sqrt(passages) / 2), MIN_TOPICS), MAX_TOPICS))


def cluster_passages(vectors: Vectors, count: int, *, seed: int = 42) -> Clusters:
    """Cluster unit vectors (N, d) into at most ``count`` non-empty clusters."""
    from sklearn.cluster import KMeans

    distinct = len(np.unique(vectors, axis=0))
    model = KMeans(n_clusters=min(count, distinct), n_init=3, random_state=seed).fit(vectors)
    centroids = model.cluster_centers_ / np.linalg.norm(model.cluster_centers_, axis=1, keepdims=True)
    similarity = (vectors @ centroids.T).astype(np.float32)
    best = similarity.max(axis=1, keepdims=True)
    members = similarity >= best - MARGIN
    members[np.arange(len(vectors)), similarity.argmax(axis=1)] = True
    is_used = members.any(axis=0)
    return Clusters(members[:, is_used], similarity[:, is_used])


def name_clusters(texts: Sequence[str], clusters: Clusters, *, by_model: bool) -> Flow[list[str]]:
    """Name each cluster; names are unique."""
    terms = extract_terms(texts, clusters.members)
    names = [", ".join(cluster_terms) for cluster_terms in terms]
    if by_model:
        names = yield from _name_with_llm(texts, clusters, names)
    return _make_unique(names)


def extract_terms(texts: Sequence[str], members: NDArray[np.bool_]) -> list[list[str]]:
    """Extract the `TERMS` terms with the highest class-based TF-IDF of each group of texts, (N, L)."""
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(stop_words="english", ngram_range=(1, 2), token_pattern=WORD_PATTERN)
    try:
        counts = counter.fit_transform(texts)
    except ValueError:  # no text has a word
        return [[f"topic {n}"] for n in range(1, members.shape[1] + 1)]
    words = counter.get_feature_names_out()
    cluster_counts = np.asarray(members.T.astype(np.float64) @ counts)
    weights = cluster_counts / np.maximum(cluster_counts.sum(axis=1, keepdims=True), 1.0)
    mean_words = cluster_counts.sum() / max(len(cluster_counts), 1)
    weights *= np.log1p(mean_words / np.maximum(cluster_counts.sum(axis=0, keepdims=True), 1.0))
    best = [np.argsort(-row, kind="stable")[: 8 * TERMS] for row in weights]
    return [_drop_repeated_words([str(words[n]) for n in row]) for row in best]


def _drop_repeated_words(terms: Sequence[str]) -> list[str]:
    """Return the first terms that share no word with an earlier one."""
    selected: list[str] = []
    for term in terms:
        if not set(term.split()) & {word for earlier in selected for word in earlier.split()}:
            selected.append(term)
    return selected[:TERMS]


def _name_with_llm(texts: Sequence[str], clusters: Clusters, names: Sequence[str]) -> Flow[list[str]]:
    """Name clusters by a language model; where its reply is not usable, the given names are returned."""
    prompts = []
    for n, name in enumerate(names):
        typical = np.argsort(-clusters.similarity[:, n])[:TYPICAL_PASSAGES]
        passages_text = "\n".join(f"- {texts[index][:PASSAGE_CHARACTERS]}" for index in typical)
        prompts.append(quote_text(f"Typical words: {name}\n\nTypical passages:\n{passages_text}"))
    try:
        replies = yield from LlmSession().ask_all(prompts, object_schema(name=TEXT), system=SYSTEM)
    except LlmExhausted:
        return list(names)
    model_names = [to_one_line(reply["name"])[:NAME_CHARACTERS] if reply else "" for reply in replies]
    return [name or term_name for name, term_name in zip(model_names, names, strict=True)]


def _make_unique(names: Sequence[str]) -> list[str]:
    totals: dict[str, int] = {}
    for name in names:
        totals[name] = totals.get(name, 0) + 1
    count: dict[str, int] = {}
    distinct = []
    for name in names:
        count[name] = count.get(name, 0) + 1
        distinct.append(name if totals[name] == 1 else f"{name} ({count[name]})")
    return distinct
