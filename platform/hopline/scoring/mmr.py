"""Maximal marginal relevance over the question's terms: prefer texts that match terms that no better text matches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.nlp.stemmer import normalize_word, stem
from hopline.nlp.stop_words import STOP_WORDS

_WORD: Final = re.compile(r"[^\W_]+")

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def extract_stems(text: str) -> frozenset[str]:
    """Return the stems of a text's words and numbers, without stop words."""
    words = map(normalize_word, _WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in STOP_WORDS)


def match_terms(question: str, texts: Sequence[str]) -> Bools:
    """Return which stems of the question occur in each text, (len(texts), Q); columns in the order of the stems."""
    terms = sorted(extract_stems(question))
    stems = [extract_stems(text) for text in texts]
    return np.array([[term in text for term in terms] for text in stems], dtype=np.bool_).reshape(
        len(texts), len(terms)
    )


def compute_term_weights(matches: Bools) -> Floats:
    """Inverse document frequency of each term of the question, (Q,), scaled to sum 1; ``matches`` is (N, Q)."""
    weights = np.log1p(len(matches) / (0.5 + matches.sum(axis=0)))
    return np.asarray(weights / (weights.sum() or 1.0), dtype=np.float64)


def rerank_for_coverage(scores: Mapping[str, float], matches: Bools, weight: float) -> dict[str, float]:
    """Raise each score by up to ``weight`` for the terms that it matches and no better one does.

    Greedy: the next id is the one of highest raised score (ties: first), so that raised scores fall. ``matches`` (N, Q)
    has its rows in the order of ``scores``. Maximal marginal relevance (Carbonell and Goldstein 1998) with the terms of
    the question in place of similarity.
    """
    ids, values, weights = list(scores), np.array(list(scores.values())), weight * compute_term_weights(matches)
    remaining = np.ones(len(ids), dtype=np.bool_)
    uncovered = np.ones(matches.shape[1], dtype=np.bool_)
    raised: dict[str, float] = {}
    for _ in ids:
        candidates = np.where(remaining, values + (matches & uncovered) @ weights, -np.inf)
        best = int(candidates.argmax())
        raised[ids[best]] = float(candidates[best])
        remaining[best] = False
        uncovered &= ~matches[best]
    return raised
