"""Execution of one flow: the request that it waits for, what it has spent, how it ended."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from hopline.errors import Cancelled, UsageError
from hopline.flow.budget import Budget, BudgetMeter, CancelToken
from hopline.flow.pending_requests import PendingRequest, Response
from hopline.flow.requests import Ask, Embed, Fetch, Flow, Infer, Request, Search
from hopline.flow.services import Scope, Services
from hopline.flow.trace_recording import build_trace_steps
from hopline.results import Trace, TraceStep

log = logging.getLogger(__name__)

T = TypeVar("T")
StepCallback = Callable[[TraceStep], None]


class FlowExecution(Generic[T]):
    """Drives one flow from its first request to its result; it does no I/O.

    ``pending`` is the request to answer next. It is None when the flow has ended; then ``error`` is set, or ``result``
    holds what the flow returned.
    """

    def __init__(
        self,
        flow: Flow[T],
        scope: Scope,
        *,
        budget: Budget | None = None,
        cancel: CancelToken | None = None,
        on_step: StepCallback | None = None,
        record: bool = False,
    ) -> None:
        self.pending: PendingRequest | None = None
        self.result: T
        self.error: Exception | None = None
        self._flow = flow
        self._scope = scope
        self._meter = BudgetMeter(budget or Budget())
        self._cancel = cancel
        self._on_step = on_step
        self._record = record
        self._steps: list[TraceStep] = []

    @property
    def trace(self) -> Trace:
        """The requests made so far."""
        return Trace(tuple(self._steps))

    def start(self) -> None:
        """Run the flow to its first request."""
        self._advance(lambda: next(self._flow))

    def resume(self, response: Response, services: Services) -> None:
        """Send the flow the response to its pending request, and run it to its next request.

        Raises:
            UsageError: the flow has ended and waits for no response.
        """
        if self.pending is None:
            raise UsageError("this flow has ended and waits for no response")
        for step in build_trace_steps(self.pending.request, response, services, record=self._record):
            self._add_step(step)
        self.pending = None
        error = response.error
        self._advance(lambda: self._flow.send(response.answer) if error is None else self._flow.throw(error))

    def close(self) -> None:
        """Close the flow, whatever its state, so that it holds no resources."""
        self.pending = None
        try:
            self._flow.close()
        except Exception as error:  # noqa: BLE001 - a flow that cannot be closed must not keep others open
            self.error = self.error or error

    def _advance(self, move: Callable[[], Request]) -> None:
        """Run the flow until it yields a request that may be answered, or ends."""
        while True:
            if self._cancel is not None and self._cancel.cancelled:
                self.error = Cancelled("the flow was cancelled")
                return self.close()
            started = time.monotonic()
            try:
                request = move()
            except StopIteration as stop:
                self.result = stop.value
                return None
            except Exception as error:  # noqa: BLE001 - stored for the runner, which raises it
                self.error = error
                return None
            self._meter.add_computation(time.monotonic() - started)
            refusal = self._check_request(request)
            if refusal is None:
                self.pending = PendingRequest(request, self._scope, self._meter.compute_extra_calls(request))
                return None
            if self._meter.exhausted:
                self.error = refusal
                return self.close()
            move = self._throw_later(refusal)

    def _check_request(self, request: Any) -> Exception | None:
        if not isinstance(request, Search | Fetch | Embed | Ask | Infer):
            return UsageError(f"a flow yields search, fetch, embed, ask or infer; this one yielded {request!r:.80}")
        refusal = self._meter.check(request)
        if refusal is not None:
            for step in build_trace_steps(request, Response(error=refusal), None, record=self._record):
                self._add_step(step)
        return refusal

    def _throw_later(self, error: Exception) -> Callable[[], Request]:
        return lambda: self._flow.throw(error)

    def _add_step(self, step: TraceStep) -> None:
        self._steps.append(step)
        self._meter.add(step)
        if self._on_step is None:
            return
        try:
            self._on_step(step)
        except Exception:
            log.warning("on_step raised an error; the flow goes on", exc_info=True)
