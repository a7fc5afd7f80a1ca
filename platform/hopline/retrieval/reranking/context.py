"""Features of candidates in the context of the best ones, for the later rounds of the learned reranker.

The evidence of a second hop is characterised by what the first hop lacks: the terms of the question that no better
candidate matches, and the part of the question's vector that the candidate's parent does not cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hopline.entities.linking import FAN_OUT_EXPONENT
from hopline.retrieval.reranking.features import CandidateFeatures, CandidateLink, compute_ranks
from hopline.scoring.query_coverage import Bools, Floats, compute_term_weights

MAX_PARENTS: Final = 5  # best candidates, whose links count
MAX_ABOVE: Final = 3  # best candidates, whose terms count as matched
CONTEXT_COLUMNS: Final = (
    "probability", "probability_rank", "probability_of_best", "link", "link_probability", "link_rank", "link_fan_out",
    "link_back", "rest_cosine", "parent_cosine", "terms_new", "terms_with_parent", "parent_probability",
    "terms_new_to_above", "terms_new_to_best",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Parents:
    """The parent of each candidate, and the strength of its links to and from the best candidates; all (N,)."""

    index: NDArray[np.int64]
    strength: Floats  # of the link from the parent
    probability: Floats  # of the parent; -1 without a link
    rank: Floats  # of the parent; 99 without a link
    fan_out: Floats  # strongest link, weighted by the fan-out of its source
    back: Floats  # strongest link to one of the best candidates


def _find_parents(links: Sequence[CandidateLink], probabilities: Floats, ranks: Floats) -> _Parents:
    """Find the parent of each candidate: the best candidate with the strongest link to it, else the best of all."""
    count = len(probabilities)
    order = np.argsort(-probabilities, kind="stable")
    index = np.where(np.arange(count) == order[0], order[min(1, count - 1)], order[0])
    parents = _Parents(
        index, np.zeros(count), np.full(count, -1.0), np.full(count, 99.0), np.zeros(count), np.zeros(count)
    )
    for link in links:
        source, target = link.source, link.target
        strength = probabilities[source] * link.weight
        if ranks[target] < MAX_PARENTS:
            parents.back[source] = max(parents.back[source], probabilities[target] * link.weight)
        if ranks[source] >= MAX_PARENTS or source == target:
            continue
        parents.fan_out[target] = max(parents.fan_out[target], strength * link.crowd**-FAN_OUT_EXPONENT)
        if strength > parents.strength[target]:
            parents.strength[target], index[target] = strength, source
            parents.probability[target], parents.rank[target] = probabilities[source], ranks[source]
    return parents


def compute_context_columns(features: CandidateFeatures, probabilities: Floats) -> Floats:
    """Return the features of each candidate in the context of the best by ``probabilities`` (N,): `CONTEXT_COLUMNS`.

    The result is (N, 15). The parent of a candidate is the best candidate with the strongest link to it; without such
    a link, the best of all.
    """
    order, ranks = np.argsort(-probabilities, kind="stable"), compute_ranks(probabilities)
    matches, weights = features.term_matches, compute_term_weights(features.term_matches)
    parents = _find_parents(features.links, probabilities, ranks)
    parent_vectors, parent_matches = features.vectors[parents.index], matches[parents.index]
    question = features.candidates.vector.astype(np.float64)
    rest = question - (parent_vectors @ question)[:, None] * parent_vectors
    rest /= np.maximum(np.linalg.norm(rest, axis=1), 1e-6)[:, None]
    return np.column_stack(
        [
            probabilities,
            ranks,
            probabilities / (probabilities.max() or 1.0),
            parents.strength,
            parents.probability,
            parents.rank,
            parents.fan_out,
            parents.back,
            np.einsum("nd,nd->n", rest, features.vectors),
            np.einsum("nd,nd->n", parent_vectors, features.vectors),
            (matches & ~parent_matches) @ weights,
            (matches | parent_matches) @ weights,
            probabilities[parents.index],
            (matches & ~_match_above(matches, order)) @ weights,
            (matches & ~matches[order[0]]) @ weights,
        ]
    )


def _match_above(matches: Bools, order: NDArray[np.int64]) -> Bools:
    """Return the terms that the `MAX_ABOVE` best candidates before each candidate match together."""
    above = np.zeros_like(matches)
    so_far = np.zeros(matches.shape[1], dtype=np.bool_)
    for rank, index in enumerate(order):
        above[index] = so_far
        if rank < MAX_ABOVE:
            so_far = so_far | matches[index]
    return above
