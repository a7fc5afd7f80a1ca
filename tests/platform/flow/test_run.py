"""One flow: its requests are answered, recorded, capped; it is always closed."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hopline.errors import BudgetSpent, Cancelled, EngineError, ModelUnavailable, UsageError
from hopline.flow.budget import LAST_REQUESTS
from hopline.flow.requests import Flow, Hits, ask, embed, fetch, search
from hopline.flow.run import Budget, Cancel, run
from hopline.flow.services import Price, Scope, World
from hopline.types import TraceStep


def hops(question: str, rounds: int) -> Flow[list[str]]:
    """Search, then walk to the neighbours a few times: a loop as strategies have them."""
    hits: Hits = yield search(question, 1, by="text")
    walked = list(hits.ids)
    ids: list[str] = list(hits.ids)
    for _ in range(rounds):
        columns = yield fetch("tiny/neighbours", ids=ids)
        ids = [one for group in columns["next"] for one in group]
        walked += ids
    return walked


def chatter(prompts: int) -> Flow[list[str]]:
    """Ask again and again; return what came when the budget is spent."""
    said: list[str] = []
    try:
        for number in range(prompts):
            (reply,) = yield ask([f"prompt {number}"])
            said.append(reply.text)
    except BudgetSpent:
        said.append("stopped")
    return said


def test_a_loop_is_answered_for_as_many_rounds_as_it_runs(world: World, scope: Scope) -> None:
    outcome = run(hops("q", 3), world, scope)
    assert outcome.result == ["a", "b", "c"]
    assert [step.request for step in outcome.trace.steps] == ["search", "fetch", "fetch", "fetch"]
    assert [step.rows for step in outcome.trace.steps] == [1, 1, 1, 1]


def test_the_scope_goes_with_every_request(world: World, scope: Scope, graph: Any) -> None:
    run(hops("q", 2), world, scope)
    assert {asked[2] for asked in graph.asked} == {scope}


@pytest.mark.parametrize(("by", "calls"), [("dense", [1]), ("hybrid", [1]), ("text", [])])
def test_the_runner_embeds_the_text_of_dense_and_hybrid_searches(
    world: World, scope: Scope, embedder: Any, by: Any, calls: list[int]
) -> None:
    def flow() -> Flow[Hits]:
        return (yield search("a question", 2, by=by))

    outcome = run(flow(), world, scope)
    assert len(outcome.result) == 2
    assert embedder.calls == calls
    assert [step.request for step in outcome.trace.steps] == ["embed"] * len(calls) + ["search"]


def test_a_search_by_vector_is_not_embedded(world: World, scope: Scope, embedder: Any) -> None:
    def flow() -> Flow[Hits]:
        return (yield search(np.array([1, 0], dtype=np.float32), 3))

    assert run(flow(), world, scope).result.ids == ("b", "c", "a")
    assert embedder.calls == []


def test_embeddings_come_as_rows_and_no_text_as_no_row(world: World, scope: Scope) -> None:
    def flow() -> Flow[list[tuple[int, ...]]]:
        some = yield embed(["one", "three"])
        none = yield embed([])
        return [some.shape, none.shape]

    assert run(flow(), world, scope).result == [(2, 2), (0, 2)]


def test_an_error_of_the_engine_is_thrown_in_and_raised_after_the_flow_cleaned_up(world: World, scope: Scope) -> None:
    cleaned = []

    def flow() -> Flow[None]:
        try:
            yield fetch("tiny/broken")
        finally:
            cleaned.append(True)

    with pytest.raises(EngineError, match="no such label"):
        run(flow(), world, scope)
    assert cleaned == [True]


def test_a_flow_may_catch_an_error_and_go_another_way(world: World, scope: Scope) -> None:
    def flow() -> Flow[tuple[str, ...]]:
        try:
            yield search("broken", 2, by="text")
        except EngineError:
            hits = yield search("whole", 2, by="text")
        return hits.ids

    outcome = run(flow(), world, scope)
    assert outcome.result == ("a", "b")
    assert outcome.trace.steps[0].detail["error"] == {"kind": "EngineError", "says": "the index is gone"}


def test_an_embedder_that_fails_fails_the_search_it_was_for(world: World, scope: Scope, graph: Any) -> None:
    def flow() -> Flow[Hits]:
        return (yield search("poison", 2))

    with pytest.raises(EngineError, match="cannot be embedded"):
        run(flow(), world, scope)
    assert graph.asked == []


def test_asking_without_a_model_throws_in_words_that_name_the_setting(world: World, scope: Scope) -> None:
    def flow() -> Flow[str]:
        assert (yield ask([])) == []
        try:
            yield ask(["hello"])
        except ModelUnavailable as error:
            return str(error)
        return ""

    assert "HOPLINE_MODEL" in run(flow(), replace(world, chat=None), scope).result


def test_a_bad_reply_comes_back_as_a_reply(world: World, scope: Scope) -> None:
    def flow() -> Flow[Any]:
        return (yield ask(["refuse", "hello"]))

    bad, good = run(flow(), world, scope).result
    assert (bad.ok, good.text) == (False, "HELLO")


def test_what_is_no_request_is_refused_inside_the_flow(world: World, scope: Scope) -> None:
    def flow() -> Flow[None]:
        yield "search please"  # type: ignore[misc]

    with pytest.raises(UsageError, match="this one yielded 'search please'"):
        run(flow(), world, scope)


def test_calls_are_capped_and_the_flow_returns_what_it_has(world: World, scope: Scope, chat: Any) -> None:
    outcome = run(chatter(10), world, scope, budget=Budget(calls=3))
    assert outcome.result == ["PROMPT 0", "PROMPT 1", "PROMPT 2", "stopped"]
    assert chat.calls == [1, 1, 1]
    assert outcome.trace.calls == 3


def test_several_prompts_at_once_are_not_begun_where_they_would_pass_the_cap(
    world: World, scope: Scope, chat: Any
) -> None:
    def flow() -> Flow[None]:
        yield ask(["one", "two", "three"])

    with pytest.raises(BudgetSpent, match="3 more calls after 0 pass the budget of 2 calls"):
        run(flow(), world, scope, budget=Budget(calls=2))
    assert chat.calls == []


def test_tokens_are_capped_counting_what_the_next_prompt_will_take(world: World, scope: Scope) -> None:
    assert run(chatter(10), world, scope, budget=Budget(tokens=31)).result == ["PROMPT 0", "PROMPT 1", "stopped"]


def test_money_is_capped(world: World, scope: Scope) -> None:
    priced = replace(world, price=Price(tokens_in=100_000, tokens_out=0))  # one for each prompt
    outcome = run(chatter(10), priced, scope, budget=Budget(cost=2))
    assert outcome.result == ["PROMPT 0", "PROMPT 1", "stopped"]
    assert [step.cost for step in outcome.trace.steps] == [1.0, 1.0, 0.0]


def test_searches_go_on_where_only_calls_are_spent(world: World, scope: Scope) -> None:
    def flow() -> Flow[int]:
        with suppress(BudgetSpent):
            yield ask(["hello"])
        for _ in range(50):
            yield search("q", 1, by="text")
        return 50

    assert run(flow(), world, scope, budget=Budget(calls=0)).result == 50


def test_seconds_cap_every_request_but_leave_room_to_return(world: World, scope: Scope) -> None:
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

    assert 1 <= run(flow(), world, scope, budget=Budget(seconds=0.05)).result <= 3


def test_a_flow_that_ignores_a_spent_budget_is_ended(world: World, scope: Scope, graph: Any) -> None:
    def flow() -> Flow[None]:
        while True:
            try:
                yield search("q", 1, by="text")
            except BudgetSpent:
                continue

    with pytest.raises(BudgetSpent, match="0 seconds"):
        run(flow(), world, scope, budget=Budget(seconds=0))
    assert len(graph.asked) == LAST_REQUESTS


def test_a_flow_that_keeps_asking_a_spent_model_is_ended(world: World, scope: Scope, chat: Any) -> None:
    def flow() -> Flow[None]:
        while True:
            try:
                yield ask(["again"])
            except BudgetSpent:
                continue

    with pytest.raises(BudgetSpent):
        run(flow(), world, scope, budget=Budget(calls=1))
    assert chat.calls == [1]


def test_cancelling_closes_the_flow_before_its_next_request(world: World, scope: Scope, graph: Any) -> None:
    cancel, closed = Cancel(), []

    def flow() -> Flow[None]:
        try:
            yield search("q", 1, by="text")
            cancel.cancel()
            yield search("q", 1, by="text")
            yield search("q", 1, by="text")
        finally:
            closed.append(True)

    with pytest.raises(Cancelled):
        run(flow(), world, scope, cancel=cancel)
    assert closed == [True]
    assert len(graph.asked) == 2, "the request that was out when somebody cancelled is the last"


def test_a_flow_cannot_catch_its_cancelling(world: World, scope: Scope) -> None:
    cancel = Cancel()

    def flow() -> Flow[str]:
        try:
            yield search("q", 1, by="text")
        except Exception:  # noqa: BLE001 - what a careless strategy does
            return "went on"
        return "done"

    with pytest.raises(Cancelled):
        run(flow(), world, scope, cancel=cancel, listener=lambda _: cancel.cancel())


def test_a_key_pressed_during_a_request_closes_the_flow(world: World, scope: Scope) -> None:
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
        run(flow(), replace(world, chat=Interrupted()), scope)
    assert closed == [True]


def test_a_listener_hears_every_step_as_it_ends(world: World, scope: Scope) -> None:
    heard: list[TraceStep] = []
    outcome = run(hops("q", 2), world, scope, listener=heard.append)
    assert tuple(heard) == outcome.trace.steps


def test_a_listener_that_fails_does_not_break_the_flow(
    world: World, scope: Scope, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(step: TraceStep) -> None:
        raise ZeroDivisionError

    assert run(hops("q", 1), world, scope, listener=broken).result == ["a", "b"]
    assert "listener" in caplog.text


def test_a_trace_that_is_not_recorded_keeps_sizes_and_a_short_query_only(world: World, scope: Scope) -> None:
    def flow() -> Flow[None]:
        yield search("long " * 1000, 3)
        yield fetch("tiny/neighbours", ids=["a", "b"], k=3, title="x" * 500)
        yield ask(["hello", "you"], schema={"type": "object"})

    steps = run(flow(), world, scope).trace.steps
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
