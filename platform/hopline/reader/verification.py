"""Verification: whether a sentence or a table row supports an answer, contradicts it, or does not state it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from math import exp, log
from typing import Final

from hopline.flow.requests import Flow, infer

MAX_LOGIT: Final = 5.0


@dataclass(frozen=True, slots=True)
class Claim:
    """An answer to a question, or a statement (no question), and the header and text that may support it."""

    question: str
    answer: str
    header: str
    text: str


@dataclass(frozen=True, slots=True)
class Support:
    """The probabilities that a text supports a claim, contradicts it, or does not state it; their sum is 1."""

    supported: float
    contradicted: float
    not_stated: float

    @property
    def logit(self) -> float:
        """The logit of "supported", within ±`MAX_LOGIT`."""
        return compute_logit(self.supported)


UNVERIFIED: Final = Support(0.0, 0.0, 1.0)


def compute_logit(probability: float) -> float:
    """Compute the logit of a probability, within ±`MAX_LOGIT`."""
    low = 1 / (1 + exp(MAX_LOGIT))
    bounded = min(1 - low, max(low, probability))
    return log(bounded / (1 - bounded))


def verify_claims(claims: Sequence[Claim]) -> Flow[list[Support]]:
    """Verify claims with the trained verifier (`hopline.learned.verifier`); returns the support of each."""
    if not claims:
        return []
    rows = yield infer("verifier", claims=[list(astuple(claim)) for claim in claims])
    return [_apply_softmax(*map(float, row)) for row in rows]


def _apply_softmax(*logits: float) -> Support:
    highest = max(logits)
    weights = [exp(logit - highest) for logit in logits]
    return Support(*(weight / sum(weights) for weight in weights))
