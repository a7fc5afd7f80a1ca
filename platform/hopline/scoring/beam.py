"""Diverse beam search over triples (GEAR, algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, sqrt


@dataclass(frozen=True, slots=True)
class Link:
    """A triple that extends a beam: its id and evidence, and its cosines.

    ``to_question`` and ``to_beam`` are cosines to the question and to the sum of the beam's
    vectors; ``way`` is how it joins the beam's last triple (role, entity, name, role).
    """

    id: str
    evidence: str
    to_question: float
    to_beam: float = 0.0
    way: tuple[str, str, str, str] = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Beam:
    """A sequence of triples and the sum of its scores.

    ``dot`` is question · Σ vectors and ``norm`` the length of Σ vectors, so that the cosine of an
    extension needs no vector.
    """

    links: tuple[Link, ...]
    score: float
    dot: float
    norm: float

    def extended(self, link: Link, score: float) -> Beam:
        """The beam with one more triple."""
        dot, norm = self._sums(link)
        return Beam((*self.links, link), self.score + score, dot, norm)

    def cosine(self, link: Link) -> float:
        """Cosine of the question to the sum of the vectors with one more triple, never below 0.

        A negative cosine would rise under the diversity weight (CODE-NOTES 2).
        """
        dot, norm = self._sums(link)
        return max(dot / norm, 0.0) if norm > 0 else 0.0

    def _sums(self, link: Link) -> tuple[float, float]:
        squared = self.norm**2 + 2 * self.norm * link.to_beam + 1.0
        return self.dot + link.to_question, sqrt(max(squared, 0.0))


def start_beams(links: Iterable[Link], width: int) -> list[Beam]:
    """The ``width`` triples nearest to the question, each a beam; no penalty, ties by id."""
    best = sorted(links, key=lambda link: (-link.to_question, link.id))[:width]
    return [Beam((link,), max(link.to_question, 0.0), link.to_question, 1.0) for link in best]


def extend_beams(beams: Sequence[Beam], neighbours: Sequence[Sequence[Link]], width: int, gamma: float) -> list[Beam]:
    """The ``width`` best extensions; the n-th of a beam (from 0) weighs exp(−min(n, γ) / γ).

    Triples in any of ``beams`` are skipped; a beam without a neighbour ends. Ties by the beams' ids.
    """
    used = {link.id for beam in beams for link in beam.links}
    grown = []
    for beam, links in zip(beams, neighbours, strict=True):
        fresh = [(beam.cosine(link), link) for link in links if link.id not in used]
        fresh.sort(key=lambda pair: (-pair[0], pair[1].id))
        for n, (cosine, link) in enumerate(fresh):
            grown.append(beam.extended(link, cosine * exp(-min(n, gamma) / gamma)))
    grown.sort(key=lambda beam: (-beam.score, [link.id for link in beam.links]))
    return grown[:width]


def flatten(beams: Sequence[Beam]) -> list[str]:
    """Evidence of all first triples in order of the beams, then of all second ones…, each once."""
    depth = max((len(beam.links) for beam in beams), default=0)
    found = [beam.links[i].evidence for i in range(depth) for beam in beams if i < len(beam.links)]
    return list(dict.fromkeys(found))
