"""A flow run again on recorded answers: no store, no model, no clock."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, TypeVar

import numpy as np

from hopline import errors
from hopline.errors import FlowError, HoplineError
from hopline.flow.encoding import decode
from hopline.flow.requests import Flow
from hopline.flow.trace_recording import asked_of
from hopline.types import Trace, TraceStep

T = TypeVar("T")

NEAR = 1e-5  # numbers this close are the same: another machine adds in another order


def replay(flow: Flow[T], trace: Trace) -> T:
    """What the flow returns when it is sent the recorded answers and errors, in order.

    Raises:
        FlowError: the flow asks something else than was recorded, more, or less; or the trace was
            made without ``record=True``. Names the step, what was wanted and what is recorded.
        HoplineError: an error that was recorded, and that the flow does not catch.
    """
    with closing(flow):
        move: Callable[[], Any] = lambda: next(flow)  # noqa: E731 - it is replaced by each answer
        for number, step in _own_steps(trace):
            try:
                request = move()
            except StopIteration as stop:
                raise FlowError(
                    f"step {number}: the flow ended with {stop.value!r:.80}; recorded: {_words(step)}"
                ) from None
            _compare(number, asked_of(request), step)
            move = _answering(flow, number, step)
        try:
            request = move()
        except StopIteration as stop:
            result: T = stop.value
            return result
        raise FlowError(f"the flow goes on after the last recorded step: it wants {_short(asked_of(request))}")


def _own_steps(trace: Trace) -> Iterator[tuple[int, TraceStep]]:
    """The flow's own steps with their numbers; not the runner's embedding of a search's text."""
    return ((n, step) for n, step in enumerate(trace.steps, 1) if step.detail.get("for") != "search")


def _compare(number: int, wanted: dict[str, Any], step: TraceStep) -> None:
    recorded = step.detail.get("asked")
    if recorded is None:
        raise FlowError(f"step {number} ({_words(step)}) has no request to compare with; record with record=True")
    if not same(decode(wanted), decode(recorded)):
        raise FlowError(f"step {number}: the flow wants {_short(wanted)}; recorded: {_short(recorded)}")


def _answering(flow: Flow[Any], number: int, step: TraceStep) -> Callable[[], Any]:
    if "error" in step.detail:
        error = _error(step.detail["error"])
        return lambda: flow.throw(error)
    if "answer" not in step.detail:
        raise FlowError(f"step {number} ({_words(step)}) has no answer; record with record=True")
    answer = decode(step.detail["answer"])
    return lambda: flow.send(answer)


def _error(recorded: dict[str, str]) -> HoplineError:
    """The recorded error, by its name; one that is not Hopline's comes back as a `FlowError`."""
    kind = getattr(errors, recorded["kind"], FlowError)
    fitting = isinstance(kind, type) and issubclass(kind, HoplineError) and kind is not errors.UnknownName
    return kind(recorded["says"]) if fitting else FlowError(f"{recorded['kind']}: {recorded['says']}")


def same(one: Any, other: Any) -> bool:
    """Whether two decoded requests ask the same; numbers to `NEAR`."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        first, second = np.asarray(one), np.asarray(other)
        return first.shape == second.shape and np.allclose(first, second, rtol=NEAR, atol=NEAR)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR) or (math.isnan(one) and math.isnan(other))
    return bool(one == other)


def _words(step: TraceStep) -> str:
    return f"{step.request} {step.name}".strip()


def _short(asked: dict[str, Any]) -> str:
    text = json.dumps(asked, ensure_ascii=False, default=str)
    return text if len(text) <= 300 else f"{text[:300]}…"
