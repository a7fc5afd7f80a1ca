"""The runner: it does the I/O that flows ask for, and records every step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

from hopline.errors import FlowError, HoplineError, UsageError
from hopline.flow.budget import Budget, Cancel
from hopline.flow.execution import Course, Listener
from hopline.flow.pending_requests import answer_round
from hopline.flow.requests import Flow
from hopline.flow.services import Scope, World
from hopline.types import Trace, TraceStep

__all__ = ["Budget", "Cancel", "Listener", "Outcome", "run", "run_many"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What a flow returned, and every request it made."""

    result: T
    trace: Trace


def run(
    flow: Flow[T],
    world: World,
    scope: Scope,
    *,
    budget: Budget | None = None,
    cancel: Cancel | None = None,
    listener: Listener | None = None,
    record: bool = False,
) -> Outcome[T]:
    """Run a flow to its end, and close it.

    An error of the graph or the model is thrown into the flow, which may catch it and go on.
    ``listener`` gets each step as it ends; ``record`` keeps requests and answers for `replay`.

    Raises:
        EngineError, ModelError: what the flow did not catch.
        BudgetSpent: a cap was reached, and the flow did not return what it had.
        Cancelled: ``cancel`` was set.
    """
    course = Course(flow, scope, budget=budget, cancel=cancel, listener=listener, record=record)
    try:
        course.start()
        while (waiting := course.waiting) is not None:
            course.receive(answer_round([waiting], world)[0], world)
    finally:
        course.close()
    if course.error is not None:
        raise course.error
    return Outcome(course.result, course.trace)


def run_many(
    flows: Sequence[Flow[T]],
    world: World,
    scopes: Scope | Sequence[Scope],
    *,
    side_by_side: int = 32,
    threads: int = 4,
    budget: Budget | None = None,
    cancel: Cancel | None = None,
    listener: Callable[[int, TraceStep], None] | None = None,
    record: bool = False,
) -> list[Outcome[T] | HoplineError]:
    """Run many flows side by side; outcomes in the order of the flows, the same as of `run`.

    Flows advance in rounds (`answer_round`), ``side_by_side`` of them at a time. One that fails
    leaves its error in its place. ``budget`` is each flow's own. ``listener`` gets the place of
    the flow and the step, on this thread.
    """
    places = [scopes] * len(flows) if isinstance(scopes, Scope) else list(scopes)
    if len(places) != len(flows) or side_by_side < 1 or threads < 1:
        wanted = "one scope a flow, and side_by_side and threads of at least 1"
        raise UsageError(f"run_many wants {wanted}; got {len(flows)} flows, {len(places)} scopes")
    courses = [
        Course(flow, scope, budget=budget, cancel=cancel, listener=_of(listener, n), record=record)
        for n, (flow, scope) in enumerate(zip(flows, places, strict=True))
    ]
    try:
        with ThreadPoolExecutor(threads, thread_name_prefix="hopline-graph") as pool:
            _advance_all(courses, world, pool, side_by_side=side_by_side, threads=threads)
    finally:
        for course in courses:
            course.close()
    return [_outcome(course) for course in courses]


def _advance_all(
    courses: Sequence[Course[T]], world: World, pool: ThreadPoolExecutor, *, side_by_side: int, threads: int
) -> None:
    ahead = iter(courses)
    active: list[Course[T]] = []
    while True:
        while len(active) < side_by_side and (course := next(ahead, None)) is not None:
            course.start()
            active += [course] if course.waiting is not None else []
        if not active:
            return
        asked = [course.waiting for course in active if course.waiting is not None]
        answers = answer_round(asked, world, pool=pool, width=threads)
        for course, done in zip(active, answers, strict=True):
            course.receive(done, world)
        active = [course for course in active if course.waiting is not None]


def _of(listener: Callable[[int, TraceStep], None] | None, place: int) -> Listener | None:
    return None if listener is None else lambda step: listener(place, step)


def _outcome(course: Course[T]) -> Outcome[T] | HoplineError:
    error = course.error
    if error is None:
        return Outcome(course.result, course.trace)
    if isinstance(error, HoplineError):
        return error
    broken = FlowError(f"the flow broke: {type(error).__name__}: {error}")
    broken.__cause__ = error
    return broken
