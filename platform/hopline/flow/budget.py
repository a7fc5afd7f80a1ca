"""Caps on what one flow may spend, and the way to stop it from outside."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

from hopline.errors import BudgetSpent
from hopline.flow.requests import Ask, Request
from hopline.types import TraceStep

LAST_REQUESTS = 8  # what a flow that was told BudgetSpent may still do to return what it has
CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Budget:
    """Caps on one flow: model calls, tokens in and out, seconds of wall time, money. None: no cap.

    Calls, tokens and money stop prompts only; seconds stop every request. Calls are those that the model answered: a
    reply that cannot be used is asked for again only where there is one left. Time is looked at
    between requests: one that has begun is not interrupted.
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None


class Cancel:
    """Stops a flow from another thread: it is closed before its next request."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = Event()

    def cancel(self) -> None:
        """Stop every flow that runs with this token."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether somebody called `cancel`."""
        return self._event.is_set()


class Meter:
    """What one flow has spent, and whether its next request is within the budget."""

    __slots__ = ("_began", "_budget", "_calls", "_clock", "_cost", "_refusable", "_tokens")

    def __init__(self, budget: Budget, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._budget = budget
        self._clock = clock
        self._began = clock()
        self._calls = self._tokens = 0
        self._cost = 0.0
        self._refusable = 0  # requests that came when the budget was spent

    @property
    def exhausted(self) -> bool:
        """Whether the flow was told, went on, and has used up its last requests."""
        return self._refusable > 1 + LAST_REQUESTS

    def add(self, step: TraceStep) -> None:
        """Count what a request took."""
        self._calls += step.calls
        self._tokens += step.tokens
        self._cost += step.cost

    def refusal(self, request: Request) -> BudgetSpent | None:
        """Why this request may not be answered, or None.

        A flow that catches the refusal may still send `LAST_REQUESTS` searches and fetches, so
        that it can return what it has; it may ask the model nothing more.
        """
        over = self._over(request)
        if over is None:
            return None
        self._refusable += 1
        may_finish = 1 < self._refusable <= 1 + LAST_REQUESTS and not isinstance(request, Ask)
        return None if may_finish else BudgetSpent(over)

    def extra_calls(self, request: Request) -> int | None:
        """How many calls the budget leaves beyond one for each prompt of a request; None: as many as it takes."""
        if self._budget.calls is None or not isinstance(request, Ask):
            return None
        return max(0, self._budget.calls - self._calls - len(request.prompts))

    def _over(self, request: Request) -> str | None:
        budget, seconds = self._budget, self._clock() - self._began
        if budget.seconds is not None and seconds >= budget.seconds:
            return f"the budget of {budget.seconds:g} seconds is spent: {seconds:.1f} have passed"
        if not isinstance(request, Ask):
            return None
        tokens = sum(len(prompt) + len(request.system) for prompt in request.prompts) // CHARACTERS_A_TOKEN
        if budget.calls is not None and self._calls + len(request.prompts) > budget.calls:
            return f"{len(request.prompts)} more calls after {self._calls} pass the budget of {budget.calls} calls"
        if budget.tokens is not None and self._tokens + tokens > budget.tokens:
            return f"about {tokens} more tokens after {self._tokens} pass the budget of {budget.tokens} tokens"
        if budget.cost is not None and self._cost >= budget.cost:
            return f"the budget of {budget.cost:g} is spent: {self._cost:g} was paid"
        return None
