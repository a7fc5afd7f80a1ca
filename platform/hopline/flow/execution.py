"""One flow on its way: the request it waits for, what it has cost, how it ended."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from hopline.errors import Cancelled, UsageError
from hopline.flow.budget import Budget, Cancel, Meter
from hopline.flow.pending_requests import Asked, Done
from hopline.flow.requests import Ask, Embed, Fetch, Flow, Infer, Request, Search
from hopline.flow.services import Scope, World
from hopline.flow.trace_recording import steps_of
from hopline.types import Trace, TraceStep

log = logging.getLogger(__name__)

T = TypeVar("T")
Listener = Callable[[TraceStep], None]


class Course(Generic[T]):
    """A flow from its first request to its result; it does no I/O.

    ``waiting`` is the request to answer next. It is None when the flow has ended, and then
    ``error`` is set or ``result`` holds what it returned.
    """

    def __init__(
        self,
        flow: Flow[T],
        scope: Scope,
        *,
        budget: Budget | None = None,
        cancel: Cancel | None = None,
        listener: Listener | None = None,
        record: bool = False,
    ) -> None:
        self.waiting: Asked | None = None
        self.result: T
        self.error: Exception | None = None
        self._flow = flow
        self._scope = scope
        self._meter = Meter(budget or Budget())
        self._cancel = cancel
        self._listener = listener
        self._record = record
        self._steps: list[TraceStep] = []

    @property
    def trace(self) -> Trace:
        """What was asked so far."""
        return Trace(tuple(self._steps))

    def start(self) -> None:
        """Run the flow to its first request."""
        self._advance(lambda: next(self._flow))

    def receive(self, done: Done, world: World) -> None:
        """Give the flow what came of its request, and run it to its next."""
        if self.waiting is None:
            raise UsageError("this flow has ended and waits for nothing")
        for step in steps_of(self.waiting.request, done, world, record=self._record):
            self._keep(step)
        self.waiting = None
        error = done.error
        self._advance(lambda: self._flow.send(done.answer) if error is None else self._flow.throw(error))

    def close(self) -> None:
        """End the flow, whatever it is doing; nothing of it stays behind."""
        self.waiting = None
        try:
            self._flow.close()
        except Exception as error:  # noqa: BLE001 - a flow that cannot be closed must not keep others open
            self.error = self.error or error

    def _advance(self, move: Callable[[], Request]) -> None:
        """Run the flow until it sends a request that may be answered, or ends."""
        while True:
            if self._cancel is not None and self._cancel.cancelled:
                self.error = Cancelled("the flow was cancelled")
                return self.close()
            try:
                request = move()
            except StopIteration as stop:
                self.result = stop.value
                return None
            except Exception as error:  # noqa: BLE001 - kept for the runner, which raises it
                self.error = error
                return None
            refusal = self._refusal(request)
            if refusal is None:
                self.waiting = Asked(request, self._scope, self._meter.extra_calls(request))
                return None
            if self._meter.exhausted:
                self.error = refusal
                return self.close()
            move = self._throwing(refusal)

    def _refusal(self, request: Any) -> Exception | None:
        if not isinstance(request, Search | Fetch | Embed | Ask | Infer):
            return UsageError(f"a flow yields search, fetch, embed, ask or infer; this one yielded {request!r:.80}")
        refusal = self._meter.refusal(request)
        if refusal is not None:
            self._keep(*steps_of(request, Done(error=refusal), None, record=self._record))
        return refusal

    def _throwing(self, error: Exception) -> Callable[[], Request]:
        return lambda: self._flow.throw(error)

    def _keep(self, step: TraceStep) -> None:
        self._steps.append(step)
        self._meter.add(step)
        if self._listener is None:
            return
        try:
            self._listener(step)
        except Exception:
            log.warning("the listener of a flow failed; the flow goes on", exc_info=True)
