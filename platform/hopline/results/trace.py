"""The trace of a flow: every request with its duration, size, tokens and cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One request of a flow with what it cost. ``detail`` holds what replay needs.

    ``calls``, ``tokens`` and ``cost`` are those that were charged. ``cached_calls`` is the number of replies that were
    not, as they came from the reply cache or from an equal prompt of the same batch; ``cached_tokens`` and
    ``cached_cost`` are what they would have cost.
    """

    request: str
    name: str
    ms: float
    rows: int = 0
    tokens: int = 0
    calls: int = 0
    cost: float = 0.0
    cached_calls: int = 0
    cached_tokens: int = 0
    cached_cost: float = 0.0
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """Every request that a flow made, in order."""

    steps: tuple[TraceStep, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens sent to and received from the model, without those of cached replies."""
        return sum(step.tokens for step in self.steps)

    @property
    def calls(self) -> int:
        """Model calls; a reply from the cache counts as none."""
        return sum(step.calls for step in self.steps)

    @property
    def cost(self) -> float:
        """Cost of the calls, in the currency of the prices in the settings; 0 without prices."""
        return sum(step.cost for step in self.steps)

    @property
    def cached_calls(self) -> int:
        """Replies from the cache; each counts as one call."""
        return sum(step.cached_calls for step in self.steps)

    @property
    def ms(self) -> float:
        """Milliseconds spent in requests."""
        return sum(step.ms for step in self.steps)


EMPTY_TRACE: Final = Trace()
