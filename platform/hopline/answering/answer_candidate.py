"""A short answer that a text offers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """A part of an evidence's text that can be the short answer, and how well it fits the kind, 0 to 1.

    ``sure``: what it is offered for need not be said elsewhere, its measure or its lone place in a row says it.
    """

    start: int
    end: int
    fit: float
    sure: bool = False
