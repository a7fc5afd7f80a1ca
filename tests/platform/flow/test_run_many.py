"""Concurrent flows: the same results as one by one, in fewer calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopline.errors import BudgetSpent, Cancelled, EngineError, FlowError, HoplineError, ModelError, UsageError
from hopline.flow import execution, pending_requests
from hopline.flow.requests import Flow, Reply, ask, embed, fetch, search
from hopline.flow.run import Budget, CancelToken, Outcome, run, run_many
from hopline.flow.services import Scope, Services

SCRIPT = st.lists(st.sampled_from(["dense", "text", "hybrid", "fetch", "embed", "ask", "broken", "poison"]), max_size=5)


def send_script(script: list[str], name: str) -> Flow[list[Any]]:
    """Send the requests of a script; returns all responses."""
    came: list[Any] = [name]
    for word in script:
        try:
            if word == "fetch":
                came.append((yield fetch("tiny/neighbours", ids=["a", "b"])))
            elif word == "embed":
                came.append((yield embed([name, word])).tolist())
            elif word == "ask":
                came.append((yield ask([name, word])))
            elif word in ("broken", "poison"):
                came.append((yield search(word, 2, by="text" if word == "broken" else "dense")))
            else:
                came.append((yield search(name, 2, by=word)))  # type: ignore[arg-type]
        except (EngineError, ModelError) as error:
            came.append(str(error))
            if name.startswith("fragile"):
                raise
    return came


def run_alone(flow: Flow[Any], services: Services, scope: Scope) -> Any:
    try:
        return run(flow, services, scope).result
    except HoplineError as error:
        return str(error)


@given(scripts=st.lists(SCRIPT, max_size=9), concurrency=st.integers(1, 5), fragile=st.booleans())
@settings(max_examples=40, deadline=None)
def test_concurrent_flows_have_the_results_of_single_runs(
    make_services: Callable[[], Services], scripts: list[list[str]], concurrency: int, fragile: bool
) -> None:
    names = [f"{'fragile' if fragile else 'sturdy'} {n}" for n in range(len(scripts))]
    services, scope = make_services(), Scope("c1")
    wanted = [
        run_alone(send_script(script, name), services, scope) for script, name in zip(scripts, names, strict=True)
    ]
    flows = [send_script(script, name) for script, name in zip(scripts, names, strict=True)]
    came = run_many(flows, services, scope, concurrency=concurrency, threads=2)
    assert [outcome.result if isinstance(outcome, Outcome) else str(outcome) for outcome in came] == wanted


def test_a_batch_embeds_in_one_call_and_completes_in_one_call(
    services: Services, scope: Scope, embedder: Any, language_model: Any, graph: Any
) -> None:
    flows = [send_script(["dense", "embed", "ask", "hybrid", "ask"], f"question {n}") for n in range(8)]
    outcomes = run_many(flows, services, scope)
    assert len(outcomes) == 8
    assert embedder.calls == [8, 9, 8], "the texts of one batch are embedded together, each text once"
    assert language_model.calls == [16, 16]
    assert len(graph.requests) == 16


def test_concurrency_limits_the_number_of_active_flows(services: Services, scope: Scope, embedder: Any) -> None:
    run_many([send_script(["dense", "dense"], f"q {n}") for n in range(10)], services, scope, concurrency=4)
    assert embedder.calls == [4, 4, 4, 4, 2, 2]


def test_a_flow_that_ends_is_replaced_by_the_next(services: Services, scope: Scope, embedder: Any) -> None:
    flows = [send_script(["dense"] * length, f"q {n}") for n, length in enumerate([1, 3, 1, 1])]
    run_many(flows, services, scope, concurrency=2)
    assert embedder.calls == [2, 2, 2]


def test_each_flow_has_its_own_scope(services: Services, graph: Any) -> None:
    scopes = [Scope("c1"), Scope("c2"), Scope("c1", ("d9",))]
    run_many([send_script(["text"], f"q {n}") for n in range(3)], services, scopes, threads=1)
    assert sorted((request[1].query, request[2]) for request in graph.requests) == [
        (f"q {n}", scopes[n]) for n in range(3)
    ]


def test_a_flow_that_fails_does_not_affect_others(services: Services, scope: Scope) -> None:
    def fail() -> Flow[Any]:
        yield search("q", 1, by="text")
        raise ZeroDivisionError("in the scoring")

    def no_request() -> Flow[Any]:
        yield 7  # type: ignore[misc]

    flows = [
        send_script(["text"], "one"),
        fail(),
        no_request(),
        send_script(["poison"], "fragile"),
        send_script(["ask"], "two"),
    ]
    first, zero, seven, poison, last = run_many(flows, services, scope)
    assert isinstance(first, Outcome)
    assert isinstance(zero, FlowError)
    assert "ZeroDivisionError: in the scoring" in str(zero)
    assert isinstance(zero.__cause__, ZeroDivisionError)
    assert isinstance(seven, UsageError)
    assert isinstance(poison, ModelError)
    assert isinstance(last, Outcome)


def test_a_batch_that_fails_is_retried_for_each_flow_alone(
    services: Services, scope: Scope, language_model: Any
) -> None:
    class Choosy:
        name = "choosy"

        def complete(self, prompts: Any) -> Any:
            if any(prompt.text == "bad" for prompt in prompts):
                raise EngineError("choked on a prompt")
            return language_model.complete(prompts)

    outcomes = run_many(
        [send_script(["ask"], name) for name in ("good", "bad", "fine")],
        replace(services, language_model=Choosy()),
        scope,
    )
    assert [isinstance(outcome, Outcome) and outcome.result[1] for outcome in outcomes][1] == "choked on a prompt"
    assert language_model.calls == [2, 2]


def test_the_budget_applies_to_each_flow(services: Services, scope: Scope) -> None:
    flows = [send_script(["ask"] * length, f"q {n}") for n, length in enumerate([1, 3, 2])]
    first, second, third = run_many(flows, services, scope, budget=Budget(calls=4))
    assert isinstance(first, Outcome)
    assert isinstance(second, BudgetSpent)
    assert isinstance(third, Outcome)


class Clock:
    """A clock that only the test advances, because other processes share the cores."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def read(self) -> float:
        return self.seconds

    monotonic = perf_counter = read


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (execution, pending_requests):
        monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.mark.parametrize("concurrency", [1, 10])
def test_the_limit_on_seconds_excludes_the_time_of_other_flows(
    services: Services, scope: Scope, clock: Clock, concurrency: int
) -> None:
    def flow() -> Flow[int]:
        yield search("q", 1, by="text")
        clock.seconds += 2
        yield search("q", 1, by="text")
        return 2

    outcomes = run_many([flow() for _ in range(10)], services, scope, concurrency=concurrency, budget=Budget(seconds=3))
    assert [outcome.result if isinstance(outcome, Outcome) else outcome for outcome in outcomes] == [2] * 10


def test_the_limit_on_seconds_includes_requests_and_computation_of_a_flow(
    services: Services, scope: Scope, clock: Clock
) -> None:
    class SlowModel:
        name = "slow"

        def complete(self, prompts: Any) -> Any:
            clock.seconds += 6
            return [Reply("yes")] * len(prompts)

    def slow_request() -> Flow[None]:
        yield ask(["q"])
        yield search("q", 1, by="text")

    def slow_computation() -> Flow[None]:
        clock.seconds += 6
        yield search("q", 1, by="text")

    slow_services = replace(services, language_model=SlowModel())
    outcomes = run_many([slow_request(), slow_computation()], slow_services, scope, budget=Budget(seconds=5))
    assert [type(outcome) for outcome in outcomes] == [BudgetSpent, BudgetSpent]


def test_cancelling_keeps_finished_results_and_closes_the_other_flows(services: Services, scope: Scope) -> None:
    cancel, closed = CancelToken(), []

    def flow(rounds: int) -> Flow[int]:
        try:
            for _ in range(rounds):
                yield search("q", 1, by="text")
            return rounds
        finally:
            closed.append(rounds)

    def listen(index: int, step: Any) -> None:
        if index == 2 and len(closed) == 1:
            cancel.cancel()

    came = run_many([flow(1), flow(5), flow(6), flow(7)], services, scope, concurrency=3, cancel=cancel, on_step=listen)
    assert isinstance(came[0], Outcome)
    assert [type(outcome) for outcome in came[1:]] == [Cancelled] * 3
    assert sorted(closed) == [1, 5, 6], "the fourth had not started, so there was nothing to clean up"


def test_a_flow_that_cannot_be_closed_does_not_keep_others_open(services: Services, scope: Scope) -> None:
    closed = []

    def stubborn() -> Flow[None]:
        try:
            yield search("q", 1, by="text")
        finally:
            yield search("not yet", 1, by="text")

    def good() -> Flow[None]:
        try:
            while True:
                yield search("q", 1, by="text")
        finally:
            closed.append(True)

    cancel = CancelToken()
    flows = [stubborn(), good()]
    came = run_many(flows, services, scope, cancel=cancel, on_step=lambda index, step: cancel.cancel())
    assert [type(outcome) for outcome in came] == [Cancelled, Cancelled]
    assert closed == [True]


def test_on_step_gets_the_index_of_the_flow(services: Services, scope: Scope) -> None:
    heard: list[tuple[int, str]] = []
    flows = [send_script(["text", "fetch"], "one"), send_script(["ask"], "two")]
    run_many(flows, services, scope, on_step=lambda index, step: heard.append((index, step.request)))
    assert heard == [(0, "search"), (1, "ask"), (0, "fetch")]


def test_no_flows_give_no_outcomes(services: Services, scope: Scope) -> None:
    assert run_many([], services, scope) == []


def test_a_missing_scope_is_refused(services: Services, scope: Scope) -> None:
    with pytest.raises(UsageError, match="2 flows, 1 scopes"):
        run_many([send_script([], "one"), send_script([], "two")], services, [scope])
