"""One flow: its requests are answered, recorded and capped; it is always closed."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hopline.errors import BudgetSpent, Cancelled, EngineError, ModelError, ModelUnavailable, UsageError
from hopline.flow.budget import FINAL_REQUESTS
from hopline.flow.requests import Flow, Hits, ask, embed, fetch, search
from hopline.flow.run import Budget, CancelToken, run
from hopline.flow.services import Price, Scope, Services
from hopline.results import TraceStep


def hops(question: str, rounds: int) -> Flow[list[str]]:
    """Search, then fetch the neighbours a few times: a loop as in strategies."""
    hits: Hits = yield search(question, 1, by="text")
    walked = list(hits.ids)
    ids: list[str] = list(hits.ids)
    for _ in range(rounds):
        columns = yield fetch("tiny/neighbours", ids=ids)
        ids = [id for group in columns["next"] for id in group]
        walked += ids
    return walked


def chatter(prompts: int) -> Flow[list[str]]:
    """Send prompts repeatedly; return the replies when the budget is spent."""
    replies: list[str] = []
    try:
        for number in range(prompts):
            (reply,) = yield ask([f"prompt {number}"])
            replies.append(reply.text)
    except BudgetSpent:
        replies.append("stopped")
    return replies


def test_a_loop_is_answered_in_every_round(services: Services, scope: Scope) -> None:
    outcome = run(hops("q", 3), services, scope)
    assert outcome.result == ["a", "b", "c"]
    assert [step.request for step in outcome.trace.steps] == ["search", "fetch", "fetch", "fetch"]
    assert [step.rows for step in outcome.trace.steps] == [1, 1, 1, 1]


def test_every_request_has_the_scope_of_the_runner(services: Services, scope: Scope, graph: Any) -> None:
    run(hops("q", 2), services, scope)
    assert {request[2] for request in graph.requests} == {scope}


@pytest.mark.parametrize(("by", "calls"), [("dense", [1]), ("hybrid", [1]), ("text", [])])
def test_the_runner_embeds_the_text_of_dense_and_hybrid_searches(
    services: Services, scope: Scope, embedder: Any, by: Any, calls: list[int]
) -> None:
    def flow() -> Flow[Hits]:
        return (yield search("a question", 2, by=by))

    outcome = run(flow(), services, scope)
    assert len(outcome.result) == 2
    assert embedder.calls == calls
    assert [step.request for step in outcome.trace.steps] == ["embed"] * len(calls) + ["search"]


def test_a_search_by_vector_is_not_embedded(services: Services, scope: Scope, embedder: Any) -> None:
    def flow() -> Flow[Hits]:
        return (yield search(np.array([1, 0], dtype=np.float32), 3))

    assert run(flow(), services, scope).result.ids == ("b", "c", "a")
    assert embedder.calls == []


def test_embeddings_are_rows_and_no_text_gives_no_row(services: Services, scope: Scope) -> None:
    def flow() -> Flow[list[tuple[int, ...]]]:
        some = yield embed(["one", "three"])
        none = yield embed([])
        return [some.shape, none.shape]

    assert run(flow(), services, scope).result == [(2, 2), (0, 2)]


def test_an_error_of_the_graph_is_raised_after_the_flow_has_cleaned_up(services: Services, scope: Scope) -> None:
    cleaned = []

    def flow() -> Flow[None]:
        try:
            yield fetch("tiny/broken")
        finally:
            cleaned.append(True)

    with pytest.raises(EngineError, match="no such label"):
        run(flow(), services, scope)
    assert cleaned == [True]


def test_a_flow_may_catch_an_error_and_continue(services: Services, scope: Scope) -> None:
    def flow() -> Flow[tuple[str, ...]]:
        try:
            yield search("broken", 2, by="text")
        except EngineError:
            hits = yield search("whole", 2, by="text")
        return hits.ids

    outcome = run(flow(), services, scope)
    assert outcome.result == ("a", "b")
    assert outcome.trace.steps[0].detail["error"] == {"kind": "EngineError", "says": "the index is gone"}


def test_a_failed_embedding_fails_its_search(services: Services, scope: Scope, graph: Any) -> None:
    def flow() -> Flow[Hits]:
        return (yield search("poison", 2))

    with pytest.raises(ModelError, match="cannot be embedded"):
        run(flow(), services, scope)
    assert graph.requests == []


def test_asking_without_a_model_raises_an_error_that_names_the_setting(services: Services, scope: Scope) -> None:
    def flow() -> Flow[str]:
        assert (yield ask([])) == []
        try:
            yield ask(["hello"])
        except ModelUnavailable as error:
            return str(error)
        return ""

    assert "HOPLINE_MODEL" in run(flow(), replace(services, language_model=None), scope).result


def test_a_bad_reply_is_returned_as_a_reply(services: Services, scope: Scope) -> None:
    def flow() -> Flow[Any]:
        return (yield ask(["refuse", "hello"]))

    bad, good = run(flow(), services, scope).result
    assert (bad.ok, good.text) == (False, "HELLO")


def test_a_value_that_is_not_a_request_is_refused(services: Services, scope: Scope) -> None:
    def flow() -> Flow[None]:
        yield "search please"  # type: ignore[misc]

    with pytest.raises(UsageError, match="this one yielded 'search please'"):
        run(flow(), services, scope)


def test_calls_are_capped_and_the_flow_returns_what_it_has(
    services: Services, scope: Scope, language_model: Any
) -> None:
    outcome = run(chatter(10), services, scope, budget=Budget(calls=3))
    assert outcome.result == ["PROMPT 0", "PROMPT 1", "PROMPT 2", "stopped"]
    assert language_model.calls == [1, 1, 1]
    assert outcome.trace.calls == 3


def test_several_prompts_that_would_exceed_the_cap_are_not_sent(
    services: Services, scope: Scope, language_model: Any
) -> None:
    def flow() -> Flow[None]:
        yield ask(["one", "two", "three"])

    with pytest.raises(BudgetSpent, match="3 more calls after 0 exceed the budget of 2 calls") as raised:
        run(flow(), services, scope, budget=Budget(calls=2))
    assert not raised.value.out_of_time
    assert language_model.calls == []


def test_tokens_are_capped_including_those_of_the_next_prompt(services: Services, scope: Scope) -> None:
    assert run(chatter(10), services, scope, budget=Budget(tokens=31)).result == ["PROMPT 0", "PROMPT 1", "stopped"]


def test_cost_is_capped(services: Services, scope: Scope) -> None:
    priced = replace(services, price=Price(tokens_in=100_000, tokens_out=0))  # one for each prompt
    outcome = run(chatter(10), priced, scope, budget=Budget(cost=2))
    assert outcome.result == ["PROMPT 0", "PROMPT 1", "stopped"]
    assert [step.cost for step in outcome.trace.steps] == [1.0, 1.0, 0.0]


def test_searches_continue_where_only_calls_are_spent(services: Services, scope: Scope) -> None:
    def flow() -> Flow[int]:
        with suppress(BudgetSpent):
            yield ask(["hello"])
        for _ in range(50):
            yield search("q", 1, by="text")
        return 50

    assert run(flow(), services, scope, budget=Budget(calls=0)).result == 50


def test_seconds_cap_every_request_but_allow_a_few_to_return(services: Services, scope: Scope) -> None:
    def flow() -> Flow[int]:
        count = 0
        try:
            while True:
                yield search("q", 1, by="text")
                time.sleep(0.02)
                count += 1
        except BudgetSpent:
            yield fetch("tiny/neighbours", ids=["a"])
        return count

    assert 1 <= run(flow(), services, scope, budget=Budget(seconds=0.05)).result <= 3


def test_a_flow_that_ignores_a_spent_budget_is_closed(services: Services, scope: Scope, graph: Any) -> None:
    def flow() -> Flow[None]:
        while True:
            try:
                yield search("q", 1, by="text")
            except BudgetSpent:
                continue

    with pytest.raises(BudgetSpent, match="0 seconds") as raised:
        run(flow(), services, scope, budget=Budget(seconds=0))
    assert raised.value.out_of_time
    assert len(graph.requests) == FINAL_REQUESTS


def test_a_flow_that_keeps_sending_prompts_over_budget_is_closed(
    services: Services, scope: Scope, language_model: Any
) -> None:
    def flow() -> Flow[None]:
        while True:
            try:
                yield ask(["again"])
            except BudgetSpent:
                continue

    with pytest.raises(BudgetSpent):
        run(flow(), services, scope, budget=Budget(calls=1))
    assert language_model.calls == [1]


def test_cancelling_closes_the_flow_before_its_next_request(services: Services, scope: Scope, graph: Any) -> None:
    cancel, closed = CancelToken(), []

    def flow() -> Flow[None]:
        try:
            yield search("q", 1, by="text")
            cancel.cancel()
            yield search("q", 1, by="text")
            yield search("q", 1, by="text")
        finally:
            closed.append(True)

    with pytest.raises(Cancelled):
        run(flow(), services, scope, cancel=cancel)
    assert closed == [True]
    assert len(graph.requests) == 2, "the request that was pending at the cancellation is the last"


def test_a_flow_cannot_catch_its_cancellation(services: Services, scope: Scope) -> None:
    cancel = CancelToken()

    def flow() -> Flow[str]:
        try:
            yield search("q", 1, by="text")
        except Exception:  # noqa: BLE001 - what a careless strategy does
            return "went on"
        return "done"

    with pytest.raises(Cancelled):
        run(flow(), services, scope, cancel=cancel, on_step=lambda _: cancel.cancel())


def test_a_keyboard_interrupt_during_a_request_closes_the_flow(services: Services, scope: Scope) -> None:
    closed = []

    class Interrupted:
        name = "interrupted"

        def complete(self, prompts: Any) -> Any:
            raise KeyboardInterrupt

    def flow() -> Flow[None]:
        try:
            yield ask(["hello"])
        finally:
            closed.append(True)

    with pytest.raises(KeyboardInterrupt):
        run(flow(), replace(services, language_model=Interrupted()), scope)
    assert closed == [True]


def test_on_step_gets_every_step_when_it_ends(services: Services, scope: Scope) -> None:
    steps: list[TraceStep] = []
    outcome = run(hops("q", 2), services, scope, on_step=steps.append)
    assert tuple(steps) == outcome.trace.steps


def test_on_step_that_fails_does_not_stop_the_flow(
    services: Services, scope: Scope, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(step: TraceStep) -> None:
        raise ZeroDivisionError

    assert run(hops("q", 1), services, scope, on_step=fail).result == ["a", "b"]
    assert "on_step" in caplog.text


def test_a_trace_without_recording_has_sizes_and_a_short_query_only(services: Services, scope: Scope) -> None:
    def flow() -> Flow[None]:
        yield search("long " * 1000, 3)
        yield fetch("tiny/neighbours", ids=["a", "b"], k=3, title="x" * 500)
        yield ask(["hello", "you"], schema={"type": "object"})

    steps = run(flow(), services, scope).trace.steps
    assert [step.detail for step in steps[1:]] == [
        {"query": ("long " * 16), "k": 3},
        {"ids": "2 values", "k": 3, "title": "x" * 80},
        {"prompts": 2, "schema": True},
    ]
    assert [(step.name, step.rows, step.tokens, step.calls) for step in steps] == [
        ("tiny", 1, 0, 0),
        ("evidence by dense", 3, 0, 0),
        ("tiny/neighbours", 2, 0, 0),
        ("tiny-chat", 2, 30, 2),
    ]
    assert all(step.ms >= 0 for step in steps)
