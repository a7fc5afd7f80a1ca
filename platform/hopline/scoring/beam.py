"""Diverse beam search over triples (GEAR, algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, sqrt


@dataclass(frozen=True, slots=True)
class BeamTriple:
    """A triple that may extend a beam, with its evidence and its cosines.

    ``to_question`` and ``to_beam`` are cosines to the question and to the sum of the beam's
    vectors; ``path`` connects it to the beam's last triple (role, entity, name, role).
    """

    id: str
    evidence: str
    to_question: float
    to_beam: float = 0.0
    path: tuple[str, str, str, str] = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Beam:
    """A sequence of triples and its score s (algorithm 1).

    ``dot`` is question · Σ vectors and ``norm`` the length of Σ vectors, so that the cosine of an extension is computed
    without vectors.
    """

    triples: tuple[BeamTriple, ...]
    score: float
    dot: float
    norm: float

    def extend(self, triple: BeamTriple, score: float) -> Beam:
        """Return the beam with one more triple and the ``score`` of all its triples."""
        dot, norm = self._extend_sums(triple)
        return Beam((*self.triples, triple), score, dot, norm)

    def cosine(self, triple: BeamTriple) -> float:
        """Cosine of the question and the sum of the vectors after one more triple, never below 0.

        A negative cosine would rise under the diversity weight, which is at most 1.
        """
        dot, norm = self._extend_sums(triple)
        return max(dot / norm, 0.0) if norm > 0 else 0.0

    def _extend_sums(self, triple: BeamTriple) -> tuple[float, float]:
        """Return ``dot`` and ``norm`` after one more triple."""
        squared = self.norm**2 + 2 * self.norm * triple.to_beam + 1.0
        return self.dot + triple.to_question, sqrt(max(squared, 0.0))


def start_beams(triples: Iterable[BeamTriple], width: int) -> list[Beam]:
    """Start a beam at each of the ``width`` triples nearest to the question; no diversity penalty, ties by id."""
    best = sorted(triples, key=lambda triple: (-triple.to_question, triple.id))[:width]
    return [Beam((triple,), max(triple.to_question, 0.0), triple.to_question, 1.0) for triple in best]


def extend_beams(
    beams: Sequence[Beam], neighbours: Sequence[Sequence[BeamTriple]], width: int, gamma: float
) -> list[Beam]:
    """Return the ``width`` best extensions: s' = (s + cosine) · exp(−min(n, γ) / γ) for the n-th of a beam (from 0).

    The weight is 1 if ``gamma`` is infinite. It applies to the sum, not to the cosine alone (algorithm 1, lines 13 and
    18). The extensions of a beam are numbered in descending order of their sums. Triples in any of ``beams`` are
    skipped; a beam without neighbours ends. Ties by the ids of the beam.
    """
    used = {triple.id for beam in beams for triple in beam.triples}
    grown = []
    for beam, triples in zip(beams, neighbours, strict=True):
        fresh = [(beam.cosine(triple), triple) for triple in triples if triple.id not in used]
        fresh.sort(key=lambda pair: (-pair[0], pair[1].id))
        for n, (cosine, triple) in enumerate(fresh):
            grown.append(beam.extend(triple, (beam.score + cosine) * exp(-min(n / gamma, 1.0))))
    grown.sort(key=lambda beam: (-beam.score, [triple.id for triple in beam.triples]))
    return grown[:width]


def flatten_beams(beams: Sequence[Beam]) -> list[str]:
    """Return the evidence of all first triples in the order of the beams, then of all second ones…, each once."""
    depth = max((len(beam.triples) for beam in beams), default=0)
    evidence = [beam.triples[i].evidence for i in range(depth) for beam in beams if i < len(beam.triples)]
    return list(dict.fromkeys(evidence))
