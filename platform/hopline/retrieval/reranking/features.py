"""Features of candidates for the learned reranker, as columns of the candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from hopline.retrieval.candidates import Candidates
from hopline.retrieval.entity_links import EntityLink
from hopline.scoring.fusion import scale_to_unit
from hopline.scoring.query_coverage import Bools, Floats, compute_term_weights, match_terms

CANDIDATE_COLUMNS: Final = (
    "score", "score_of_best", "score_gap", "score_rank", "base", "links", "gnn", "pagerank", "cosine", "cosine_gap",
    "cosine_rank", "bm25", "bm25_rank", "boost", "coverage", "length", "terms",
)  # fmt: skip
NEURAL_COLUMNS: Final[dict[str, tuple[str, ...]]] = {  # columns of trained models, by `NeuralFeature`
    "guide": ("guide_first", "guide_next", "guide_rank"), "themes": ("themes",), "hops": ("hop_first", "hop_last"),
}  # fmt: skip
SCALED_COLUMNS: Final = ("base", "links", "gnn", "pagerank")  # to [0, 1] over all candidates of the question

NeuralFeature = Literal["guide", "themes", "hops"]


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
    """The N candidates that a reranker orders, highest score first, with their features as columns, none missing.

    ``columns`` names the features in order: `CANDIDATE_COLUMNS`, then those of trained models. ``vectors`` (N, d) have
    unit length, or are 0; ``term_matches`` (N, Q) has the stems of the question that occur in each candidate.
    """

    candidates: Candidates
    vectors: Floats
    term_matches: Bools
    links: tuple[CandidateLink, ...] = ()
    columns: tuple[str, ...] = CANDIDATE_COLUMNS

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the candidates."""
        return self.candidates.ids

    def to_matrix(self) -> Floats:
        """Return the features of each candidate by itself, (N, F)."""
        return np.column_stack([self.candidates.column(name) for name in self.columns])

    def with_features(self, columns: Mapping[str, Floats]) -> CandidateFeatures:
        """Return the features with further columns, (N,) each."""
        extended = replace(self.candidates, columns={**self.candidates.columns, **columns})
        return replace(self, candidates=extended, columns=(*self.columns, *columns))


def build_features(
    candidates: Candidates, texts: Mapping[str, str], vectors: Floats, links: Sequence[EntityLink] = ()
) -> CandidateFeatures:
    """Compute the features of the candidates in ``texts`` that need no model; ``vectors`` (N, d) are in its order.

    Missing scores become 0.
    """
    bm25 = candidates.column("bm25")
    scaled = {name: scale_to_unit(candidates.column(name)) for name in SCALED_COLUMNS}
    scaled["bm25"] = bm25 / (np.fmax.reduce(bm25, initial=0.0) or 1.0)
    selected = replace(candidates, columns={**candidates.columns, **scaled}).select(tuple(texts))
    columns = {name: np.nan_to_num(selected.column(name)) for name in (*SCALED_COLUMNS, "score", "bm25", "boost")}
    columns["cosine"] = vectors @ candidates.vector.astype(np.float64)
    matches = match_terms(candidates.question, list(texts.values()))
    columns |= {
        "score_of_best": columns["score"] / (columns["score"].max() or 1.0),
        "score_gap": columns["score"].max() - columns["score"],
        "cosine_gap": columns["cosine"] - columns["cosine"].max(),
        "coverage": matches @ compute_term_weights(matches),
        "length": np.array([len(text) for text in texts.values()]) / 1000.0,
        "terms": np.full(len(texts), float(matches.shape[1])),
        **{f"{name}_rank": compute_ranks(columns[name]) for name in ("score", "cosine", "bm25")},
    }
    return CandidateFeatures(replace(selected, columns=columns), vectors, matches, _index_links(links, selected.ids))


def _index_links(links: Sequence[EntityLink], ids: Sequence[str]) -> tuple[CandidateLink, ...]:
    """Convert links between ids to links between indices of candidates."""
    index = {id: n for n, id in enumerate(ids)}
    targets: defaultdict[str, set[str]] = defaultdict(set)
    for link in links:
        targets[link.source].add(link.target)
    return tuple(
        CandidateLink(index[link.source], index[link.target], link.weight, len(targets[link.source]))
        for link in links
        if link.source in index and link.target in index
    )


def compute_ranks(values: Floats) -> Floats:
    """Return the rank of each value from 0, greatest first; ties in order."""
    ranks = np.empty(len(values))
    ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return ranks
