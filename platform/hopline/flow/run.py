"""The runner: does the I/O that flows request, and records every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from hopline.errors import FlowError, HoplineError, UsageError
from hopline.flow.budget import Budget, CancelToken
from hopline.flow.execution import FlowExecution, StepCallback
from hopline.flow.pending_requests import answer_requests
from hopline.flow.requests import Flow
from hopline.flow.services import Scope, Services
from hopline.results import Trace, TraceStep

__all__ = ["Budget", "CancelToken", "Outcome", "StepCallback", "run", "run_many"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """The result of a flow, and every request it made."""

    result: T
    trace: Trace


def run(
    flow: Flow[T],
    services: Services,
    scope: Scope,
    *,
    budget: Budget | None = None,
    cancel: CancelToken | None = None,
    on_step: StepCallback | None = None,
    record: bool = False,
) -> Outcome[T]:
    """Run a flow to its end, and close it.

    An error of the graph or the model is thrown into the flow, which may catch it and go on.
    ``on_step`` is called with each step when it has ended; ``record`` stores requests and answers for `replay`.

    Raises:
        EngineError, ModelError: an error that the flow did not catch.
        BudgetSpent: a cap was reached, and the flow did not return what it had.
        Cancelled: ``cancel`` was set.
    """
    execution = FlowExecution(flow, scope, budget=budget, cancel=cancel, on_step=on_step, record=record)
    try:
        execution.start()
        while (pending := execution.pending) is not None:
            execution.resume(answer_requests([pending], services)[0], services)
    finally:
        execution.close()
    if execution.error is not None:
        raise execution.error
    return Outcome(execution.result, execution.trace)


def run_many(
    flows: Sequence[Flow[T]],
    services: Services,
    scopes: Scope | Sequence[Scope],
    *,
    concurrency: int = 32,
    threads: int = 4,
    budget: Budget | None = None,
    cancel: CancelToken | None = None,
    on_step: Callable[[int, TraceStep], None] | None = None,
    record: bool = False,
) -> list[Outcome[T] | HoplineError]:
    """Run many flows concurrently; outcomes in the order of the flows, the same as those of `run`.

    At most ``concurrency`` flows are active at a time; their requests are answered in batches (`answer_requests`). The
    outcome of a flow that fails is its error. ``budget`` applies to each flow. ``on_step`` is called with the index of
    the flow and the step, on the calling thread.

    Raises:
        UsageError: not one scope per flow, or ``concurrency`` or ``threads`` below 1.
    """
    flow_scopes = [scopes] * len(flows) if isinstance(scopes, Scope) else list(scopes)
    if len(flow_scopes) != len(flows) or concurrency < 1 or threads < 1:
        wanted = "one scope per flow, and concurrency and threads of at least 1"
        raise UsageError(f"run_many wants {wanted}; got {len(flows)} flows, {len(flow_scopes)} scopes")
    executions = [
        FlowExecution(flow, scope, budget=budget, cancel=cancel, on_step=_bind_index(on_step, n), record=record)
        for n, (flow, scope) in enumerate(zip(flows, flow_scopes, strict=True))
    ]
    try:
        with ThreadPoolExecutor(threads, thread_name_prefix="hopline-graph") as pool:
            _advance_all(executions, services, pool, concurrency=concurrency, threads=threads)
    finally:
        for execution in executions:
            execution.close()
    return [_build_outcome(execution) for execution in executions]


def _advance_all(
    executions: Sequence[FlowExecution[T]],
    services: Services,
    pool: ThreadPoolExecutor,
    *,
    concurrency: int,
    threads: int,
) -> None:
    waiting = iter(executions)
    active: list[FlowExecution[T]] = []
    while True:
        while len(active) < concurrency and (execution := next(waiting, None)) is not None:
            execution.start()
            active += [execution] if execution.pending is not None else []
        if not active:
            return
        pending = [execution.pending for execution in active if execution.pending is not None]
        responses = answer_requests(pending, services, pool=pool, width=threads)
        for execution, response in zip(active, responses, strict=True):
            execution.resume(response, services)
        active = [execution for execution in active if execution.pending is not None]


def _bind_index(on_step: Callable[[int, TraceStep], None] | None, index: int) -> StepCallback | None:
    return None if on_step is None else lambda step: on_step(index, step)


def _build_outcome(execution: FlowExecution[T]) -> Outcome[T] | HoplineError:
    error = execution.error
    if error is None:
        return Outcome(execution.result, execution.trace)
    if isinstance(error, HoplineError):
        return error
    failure = FlowError(f"the flow raised an error: {type(error).__name__}: {error}")
    failure.__cause__ = error
    return failure
