"""A recorded trace is saved, loaded, and replayed without services."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hopline.errors import BudgetSpent, EngineError, FlowError, UsageError
from hopline.flow.encoding import decode, encode
from hopline.flow.replay import is_equivalent, replay
from hopline.flow.requests import Flow, Hits, Reply, ask, embed, fetch, search
from hopline.flow.run import Budget, run
from hopline.flow.services import Scope, Services
from hopline.flow.trace_file import load_trace, save_trace, trace_from_dict
from hopline.results import Trace


def send_all_requests(question: str, *, rounds: int = 2, k: int = 2) -> Flow[dict[str, Any]]:
    """Send each kind of request in a loop, catch an error, and spend the budget; returns the responses."""
    responses: dict[str, Any] = {"ids": [], "replies": []}
    vectors = yield embed([question])
    for number in range(rounds):
        hits = yield search(question, k, by="hybrid")
        near = yield search(vectors[0], k)
        columns = yield fetch("tiny/neighbours", ids=hits.ids, weights=np.array([0.1, number]))
        responses["ids"] += [*hits.ids, *near.ids, *columns["next"]]
        try:
            responses["replies"] += yield ask([question, f"round {number}"], schema={"type": "object"})
        except BudgetSpent as error:
            responses["spent"] = str(error)
    try:
        yield fetch("tiny/broken")
    except EngineError as error:
        responses["error"] = str(error)
    return responses


def test_a_trace_that_was_saved_and_loaded_replays_to_the_same_result(
    services: Services, scope: Scope, tmp_path: Path
) -> None:
    outcome = run(send_all_requests("who?"), services, scope, budget=Budget(calls=3), record=True)
    assert outcome.result["spent"]
    assert outcome.result["error"] == "line 3: no such label"
    save_trace(outcome.trace, tmp_path / "trace.json")
    again = load_trace(tmp_path / "trace.json")
    assert again == outcome.trace
    assert replay(send_all_requests("who?"), again) == outcome.result


def test_an_error_that_the_flow_does_not_catch_is_raised_with_its_class(
    services: Services, scope: Scope, make_recorder: Callable[..., Trace]
) -> None:
    def flow() -> Flow[None]:
        yield search("q", 1, by="text")
        yield fetch("tiny/broken")

    trace = make_recorder(flow, services, scope)
    with pytest.raises(EngineError, match="no such label"):
        replay(flow(), trace)


@pytest.fixture
def make_recorder() -> Callable[..., Trace]:
    def record(flow: Callable[[], Flow[Any]], services: Services, scope: Scope) -> Trace:
        steps: list[Any] = []
        with pytest.raises(EngineError):
            run(flow(), services, scope, record=True, on_step=steps.append)
        return Trace(tuple(steps))

    return record


@pytest.fixture
def trace(services: Services, scope: Scope) -> Trace:
    return run(send_all_requests("who?"), services, scope, record=True).trace


def test_a_different_question_is_refused_with_the_step_and_both_requests(trace: Trace) -> None:
    with pytest.raises(
        FlowError, match=r'step 1: the flow wants {"embed": \["why\?"\]}; recorded: {"embed": \["who\?"\]}'
    ):
        replay(send_all_requests("why?"), trace)


def test_a_different_parameter_is_refused_at_its_step(trace: Trace) -> None:
    with pytest.raises(FlowError, match=r'step 3: the flow wants .*"k": 3.*recorded: .*"k": 2'):
        replay(send_all_requests("who?", k=3), trace)


def test_a_flow_that_ends_early_is_refused_with_the_recorded_step(trace: Trace) -> None:
    with pytest.raises(FlowError, match=r"wants .*tiny/broken.*recorded: .*who"):
        replay(send_all_requests("who?", rounds=1), trace)

    def ends() -> Flow[int]:
        yield embed(["who?"])
        return 5

    with pytest.raises(FlowError, match="step 3: the flow ended with 5; recorded: search evidence by hybrid"):
        replay(ends(), trace)


def test_a_flow_that_continues_is_refused_with_its_request(trace: Trace) -> None:
    def longer() -> Flow[Any]:
        responses = yield from send_all_requests("who?")
        yield search("more", 1, by="text")
        return responses

    with pytest.raises(FlowError, match=r'after the last recorded step: it wants {"search": "more"'):
        replay(longer(), trace)


def test_a_trace_without_answers_is_refused(services: Services, scope: Scope) -> None:
    trace = run(send_all_requests("who?"), services, scope).trace
    with pytest.raises(FlowError, match="record=True"):
        replay(send_all_requests("who?"), trace)


def test_replay_closes_the_flow_when_it_refuses(trace: Trace) -> None:
    closed = []

    def flow() -> Flow[None]:
        try:
            yield search("other", 1)
        finally:
            closed.append(True)

    with pytest.raises(FlowError):
        replay(flow(), trace)
    assert closed == [True]


def test_a_file_that_is_not_a_trace_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{not json", encoding="utf-8")
    with pytest.raises(UsageError, match=r"x\.json is not a trace file"):
        load_trace(tmp_path / "x.json")
    with pytest.raises(UsageError, match="version 1; got 99"):
        trace_from_dict({"version": 99, "steps": []})
    with pytest.raises(UsageError, match="a step of the trace"):
        trace_from_dict({"version": 1, "steps": [{"request": "search"}]})


def test_floats_within_the_tolerance_are_equivalent() -> None:
    vector = np.array([0.6, 0.8], dtype=np.float32)
    assert is_equivalent({"search": vector, "k": 1}, {"search": vector + np.float32(1e-7), "k": 1})
    assert is_equivalent([0.1 + 0.2, float("nan")], [0.3, float("nan")])
    assert not is_equivalent({"search": vector}, {"search": -vector})
    assert not is_equivalent({"search": vector}, {"search": vector[:1]})
    assert not is_equivalent({"search": vector}, {"search": "text"})
    assert not is_equivalent({"a": 1}, {"b": 1})
    assert not is_equivalent([1], [1, 2])


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet="abc"), inner),
    max_leaves=10,
)
floats = arrays(np.float32, st.tuples(st.integers(0, 3), st.integers(0, 3)), elements=st.floats(-1, 1, width=32))


@given(plain)
def test_plain_data_round_trips(value: Any) -> None:
    assert decode(encode(value)) == value


@given(floats)
def test_arrays_round_trip_bit_for_bit(array: np.ndarray) -> None:
    back = decode(encode({"of": [array]}))["of"][0]
    assert (back.dtype, back.shape, back.tobytes()) == (array.dtype, array.shape, array.tobytes())


def test_hits_and_replies_round_trip() -> None:
    hits = Hits(("a", "b"), (0.5, 0.25))
    reply = Reply('{"x": 1}', {"x": 1}, "", 3, 4, cached=True)
    assert decode(encode([hits, reply])) == [hits, reply]
    assert encode({np.int64(3): {np.float32(0.5)}, "s": ("a",)}) == {"3": [0.5], "s": ["a"]}
