"""Replay of a flow on recorded answers: no store, no model, no clock."""

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
from hopline.flow.requests import Ask, Flow, Request, report_text
from hopline.flow.trace_recording import encode_request
from hopline.results import Trace, TraceStep

T = TypeVar("T")

TOLERANCE = 1e-5  # relative and absolute; another machine adds floats in another order


def replay(flow: Flow[T], trace: Trace) -> T:
    """Return the result of a flow that is sent the recorded answers and errors, in order.

    The ``on_text`` of a prompt is called once, with the whole text of the recorded reply.

    Raises:
        FlowError: the flow sends other requests than were recorded, more, or fewer; or the trace was made without
            ``record=True``. Names the step, what was wanted and what is recorded.
        HoplineError: an error that was recorded, and that the flow does not catch.
    """
    with closing(flow):
        move: Callable[[], Any] = lambda: next(flow)  # noqa: E731 - it is replaced by each answer
        for number, step in _flow_steps(trace):
            try:
                request = move()
            except StopIteration as stop:
                raise FlowError(
                    f"step {number}: the flow ended with {stop.value!r:.80}; recorded: {_describe_step(step)}"
                ) from None
            _check_request(number, encode_request(request), step)
            move = _prepare_answer(flow, number, step, request)
        try:
            request = move()
        except StopIteration as stop:
            result: T = stop.value
            return result
        wanted = _describe_request(encode_request(request))
        raise FlowError(f"the flow goes on after the last recorded step: it wants {wanted}")


def _flow_steps(trace: Trace) -> Iterator[tuple[int, TraceStep]]:
    """The flow's own steps with their numbers; the runner's embedding of a search text is left out."""
    return ((n, step) for n, step in enumerate(trace.steps, 1) if step.detail.get("for") != "search")


def _check_request(number: int, wanted: dict[str, Any], step: TraceStep) -> None:
    recorded = step.detail.get("asked")
    if recorded is None:
        raise FlowError(
            f"step {number} ({_describe_step(step)}) has no request to compare with; record with record=True"
        )
    if not is_equivalent(decode(wanted), decode(recorded)):
        raise FlowError(
            f"step {number}: the flow wants {_describe_request(wanted)}; recorded: {_describe_request(recorded)}"
        )


def _prepare_answer(flow: Flow[Any], number: int, step: TraceStep, request: Request) -> Callable[[], Any]:
    """A call that sends the flow the recorded answer of a step, or throws the recorded error into it."""
    if "error" in step.detail:
        error = _decode_error(step.detail["error"])
        return lambda: flow.throw(error)
    if "answer" not in step.detail:
        raise FlowError(f"step {number} ({_describe_step(step)}) has no answer; record with record=True")
    answer = decode(step.detail["answer"])
    if isinstance(request, Ask) and len(answer) == 1:
        report_text(request.on_text, answer[0].text)
    return lambda: flow.send(answer)


def _decode_error(recorded: dict[str, str]) -> HoplineError:
    """The recorded error, by the name of its class; one that is not a `HoplineError` becomes a `FlowError`."""
    kind = getattr(errors, recorded["kind"], FlowError)
    known = isinstance(kind, type) and issubclass(kind, HoplineError) and kind is not errors.UnknownName
    return kind(recorded["says"]) if known else FlowError(f"{recorded['kind']}: {recorded['says']}")


def is_equivalent(first: Any, second: Any) -> bool:
    """Whether two decoded requests are equal, their floats within `TOLERANCE`."""
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        array, other = np.asarray(first), np.asarray(second)
        return array.shape == other.shape and np.allclose(array, other, rtol=TOLERANCE, atol=TOLERANCE)
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_equivalent(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(is_equivalent(a, b) for a, b in zip(first, second, strict=True))
    if isinstance(first, float) and isinstance(second, float):
        close = math.isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        return close or (math.isnan(first) and math.isnan(second))
    return bool(first == second)


def _describe_step(step: TraceStep) -> str:
    return f"{step.request} {step.name}".strip()


def _describe_request(request: dict[str, Any]) -> str:
    text = json.dumps(request, ensure_ascii=False, default=str)
    return text if len(text) <= 300 else f"{text[:300]}…"
