"""Coverage of the question's terms: prefer texts that match terms that no better text matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.text.words import STOP_WORDS, normalize_word, stem

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


def raise_for_coverage(scores: Floats, matches: Bools, weight: float) -> Floats:
    """Raise each score, (N,), by up to ``weight`` for the terms that its text matches and no better text does.

    Greedy: the next text is the one of highest raised score, ties in order, so that raised scores fall in the order of
    selection. ``matches`` is (N, Q). Maximal marginal relevance (Carbonell and Goldstein 1998) with the terms of the
    question in place of similarity.
    """
    weights = weight * compute_term_weights(matches)
    uncovered = np.ones(matches.shape[1], dtype=np.bool_)
    remaining = np.ones(len(scores), dtype=np.bool_)
    raised = scores.copy()
    for _ in scores:
        values = np.where(remaining, scores + (matches & uncovered) @ weights, -np.inf)
        best = int(values.argmax())
        raised[best] = values[best]
        remaining[best] = False
        uncovered &= ~matches[best]
    return raised
