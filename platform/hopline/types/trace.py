"""The trace of a flow: every request with its duration, size, tokens and cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One request of a flow with what it cost. ``detail`` holds what replay needs."""

    request: str
    name: str
    ms: float
    rows: int = 0
    tokens: int = 0
    calls: int = 0
    cost: float = 0.0
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """Every request that a flow made, in order."""

    steps: tuple[TraceStep, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens sent to and received from the model."""
        return sum(step.tokens for step in self.steps)

    @property
    def calls(self) -> int:
        """Model calls; a reply from the cache counts as none."""
        return sum(step.calls for step in self.steps)

    @property
    def ms(self) -> float:
        """Milliseconds spent in requests."""
        return sum(step.ms for step in self.steps)


EMPTY_TRACE: Final = Trace()
