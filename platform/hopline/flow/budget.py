"""Budgets that cap what one flow may spend, and tokens that cancel a flow from another thread."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event

from hopline.errors import BudgetSpent
from hopline.flow.requests import Ask, Request
from hopline.results import TraceStep

FINAL_REQUESTS = 8  # searches and fetches that a flow may still send after BudgetSpent, to return what it has
CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Budget:
    """Caps on one flow: model calls, tokens in and out, seconds, cost. None: no cap.

    Calls, tokens and cost stop prompts only; seconds stop every request. Calls are those that the model answered: a
    reply that cannot be used is requested again only while calls are left. Seconds are the time that the flow computes
    and that its requests take, without the time that it waits for other flows of `run_many`; a request that is answered
    in a batch takes the time of the batch divided by its size. They are checked between requests: a request that has
    started is not interrupted.
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None


class CancelToken:
    """Cancels flows from another thread: each is closed before its next request."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = Event()

    def cancel(self) -> None:
        """Cancel every flow that runs with this token."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._event.is_set()


class BudgetMeter:
    """Measures what one flow has spent, and decides whether its next request is within the budget."""

    __slots__ = ("_budget", "_calls", "_cost", "_requests_over_budget", "_seconds", "_tokens")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._calls = self._tokens = 0
        self._cost = self._seconds = 0.0
        self._requests_over_budget = 0

    @property
    def exhausted(self) -> bool:
        """Whether the flow went on after `BudgetSpent` and has used up its final requests."""
        return self._requests_over_budget > 1 + FINAL_REQUESTS

    def add(self, step: TraceStep) -> None:
        """Add the seconds, calls, tokens and cost of a request."""
        self._seconds += step.ms / 1000
        self._calls += step.calls
        self._tokens += step.tokens
        self._cost += step.cost

    def add_computation(self, seconds: float) -> None:
        """Add the time that the flow itself computed between two requests."""
        self._seconds += seconds

    def check(self, request: Request) -> BudgetSpent | None:
        """Return the error that refuses this request, or None when it may be answered.

        A flow that catches the error may still send `FINAL_REQUESTS` searches and fetches, so that it can return what
        it has; it may send no more prompts.
        """
        reason = self._find_exceeded_cap(request)
        if reason is None:
            return None
        self._requests_over_budget += 1
        may_finish = 1 < self._requests_over_budget <= 1 + FINAL_REQUESTS and not isinstance(request, Ask)
        return None if may_finish else BudgetSpent(reason, out_of_time=self._is_out_of_time())

    def compute_extra_calls(self, request: Request) -> int | None:
        """Return how many calls the budget leaves beyond one for each prompt of a request; None: no cap."""
        if self._budget.calls is None or not isinstance(request, Ask):
            return None
        return max(0, self._budget.calls - self._calls - len(request.prompts))

    def _find_exceeded_cap(self, request: Request) -> str | None:
        budget = self._budget
        if self._is_out_of_time():
            return f"the budget of {budget.seconds:g} seconds is spent: {self._seconds:.1f} were used"
        if not isinstance(request, Ask):
            return None
        tokens = sum(len(prompt) + len(request.system) for prompt in request.prompts) // CHARACTERS_PER_TOKEN
        if budget.calls is not None and self._calls + len(request.prompts) > budget.calls:
            return f"{len(request.prompts)} more calls after {self._calls} exceed the budget of {budget.calls} calls"
        if budget.tokens is not None and self._tokens + tokens > budget.tokens:
            return f"about {tokens} more tokens after {self._tokens} exceed the budget of {budget.tokens} tokens"
        if budget.cost is not None and self._cost >= budget.cost:
            return f"the budget of {budget.cost:g} is spent: {self._cost:g} was paid"
        return None

    def _is_out_of_time(self) -> bool:
        return self._budget.seconds is not None and self._seconds >= self._budget.seconds
