"""Features of candidates for the learned reranker: of each candidate by itself, and in the context of the best ones.

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
from hopline.scoring.query_coverage import Bools, Floats, compute_term_weights

MAX_PARENTS: Final = 5  # best candidates, whose links count
MAX_ABOVE: Final = 3  # best candidates, whose terms count as matched
CANDIDATE_COLUMNS: Final = (
    "sum", "of_best", "gap", "rank", "base", "linked", "passed", "shares", "cosine", "cosine_gap", "cosine_rank",
    "words", "words_rank", "named", "covered", "length", "asked",
)  # fmt: skip
CONTEXT_COLUMNS: Final = (
    "chance", "chance_rank", "chance_of_best", "link", "from", "from_rank", "link_in_crowd", "back", "rest", "alike",
    "adds", "together", "parent", "adds_to_above", "adds_to_best",
)  # fmt: skip
NEURAL_COLUMNS: Final[dict[str, tuple[str, ...]]] = {  # columns of trained models, by `NeuralFeature`
    "guide": ("guide_first", "guide_next", "guide_rank"), "themes": ("themes",), "hops": ("hop_first", "hop_last"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CandidateLink:
    """A link between two candidates, by index: the source mentions an entity that the target is about.

    ``weight`` in [0, 2]: its confidence, divided among the evidence about the entity, doubled if words of the question
    occur around the mention. ``crowd`` is the number of evidence that the source links to.
    """

    source: int
    target: int
    weight: float
    crowd: int


@dataclass(frozen=True, slots=True)
class CandidateFeatures:
    """The features of the N candidates of a question, highest sum first.

    ``sums``, ``cosines``, ``bm25`` (divided by the best), ``name_boosts`` (for entities that the question names) and
    ``lengths`` (thousands of characters) are (N,); ``parts`` (N, 4) are base, links, layer and PageRank in [0, 1];
    ``vectors`` (N, d) and ``question`` (d,) have unit length; ``term_matches`` (N, Q) has the stems of the question
    that occur in each candidate; ``neural`` (N, E) has the outputs of trained models, in the order of `NEURAL_COLUMNS`.
    """

    ids: tuple[str, ...]
    sums: Floats
    parts: Floats
    cosines: Floats
    bm25: Floats
    name_boosts: Floats
    lengths: Floats
    vectors: Floats
    question: Floats
    term_matches: Bools
    links: tuple[CandidateLink, ...] = ()
    neural: Floats | None = None


def compute_candidate_columns(features: CandidateFeatures) -> Floats:
    """Return the features of each candidate by itself, (N, 17 + E): `CANDIDATE_COLUMNS`, then `NEURAL_COLUMNS`."""
    best, nearest = features.sums.max(), features.cosines.max()
    return np.column_stack(
        [
            features.sums,
            features.sums / (best or 1.0),
            best - features.sums,
            compute_ranks(features.sums),
            features.parts,
            features.cosines,
            features.cosines - nearest,
            compute_ranks(features.cosines),
            features.bm25,
            compute_ranks(features.bm25),
            features.name_boosts,
            features.term_matches @ compute_term_weights(features.term_matches),
            features.lengths,
            np.full(len(features.ids), features.term_matches.shape[1]),
            *([] if features.neural is None else [features.neural]),
        ]
    )


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
    covered = parent_vectors @ features.question
    rest = features.question - covered[:, None] * parent_vectors
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


def compute_ranks(values: Floats) -> Floats:
    """Return the rank of each value from 0, greatest first; ties in order."""
    ranks = np.empty(len(values))
    ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return ranks
