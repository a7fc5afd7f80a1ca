"""What texts say of a question, and an order in which each says what those before it left open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.nlp.stemmer import fold, root
from hopline.nlp.stop_words import STOP_WORDS

_WORD: Final = re.compile(r"[^\W_]+")

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def roots_of(text: str) -> frozenset[str]:
    """The roots of a text's words and numbers, without small words."""
    return frozenset(root(folded) for word in _WORD.findall(text) if (folded := fold(word)) not in STOP_WORDS)


def said(question: str, texts: Sequence[str]) -> Bools:
    """Which roots of the question each text says, (len(texts), Q); the columns in the roots' order."""
    asked = sorted(roots_of(question))
    told = [roots_of(text) for text in texts]
    return np.array([[one in roots for one in asked] for roots in told], dtype=np.bool_).reshape(len(texts), len(asked))


def rarity(says: Bools) -> Floats:
    """The weight of each root of the question, (Q,), of sum 1, by what N texts say, (N, Q): the rarer, the heavier."""
    weights = np.log1p(len(says) / (0.5 + says.sum(axis=0)))
    return np.asarray(weights / (weights.sum() or 1.0), dtype=np.float64)


def covering(scores: Mapping[str, float], says: Bools, weight: float) -> dict[str, float]:
    """Scores by id, raised by up to ``weight`` for what each says that none of those before it does.

    Greedy: the next is the one of highest raised score (ties: first), so that raised scores fall from one to the
    next. ``says`` (N, Q) has the rows in the order of ``scores``. Maximal marginal relevance (Carbonell and
    Goldstein 1998) with the question's own words in place of likeness.
    """
    ids, values, weights = list(scores), np.array(list(scores.values())), weight * rarity(says)
    left = np.ones(len(ids), dtype=np.bool_)
    open_ = np.ones(says.shape[1], dtype=np.bool_)
    raised: dict[str, float] = {}
    for _ in ids:
        each = np.where(left, values + (says & open_) @ weights, -np.inf)
        best = int(each.argmax())
        raised[ids[best]] = float(each[best])
        left[best] = False
        open_ &= ~says[best]
    return raised
