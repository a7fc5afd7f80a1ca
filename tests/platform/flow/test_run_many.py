"""Many flows side by side: the same results as one by one, in fewer calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopline.errors import BudgetSpent, Cancelled, EngineError, FlowError, HoplineError, UsageError
from hopline.flow.requests import Flow, ask, embed, fetch, search
from hopline.flow.run import Budget, Cancel, Outcome, run, run_many
from hopline.flow.services import Scope, World

SCRIPT = st.lists(st.sampled_from(["dense", "text", "hybrid", "fetch", "embed", "ask", "broken", "poison"]), max_size=5)


def scripted(script: list[str], name: str) -> Flow[list[Any]]:
    """Does what the script says and returns everything that came."""
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
        except EngineError as error:
            came.append(str(error))
            if name.startswith("fragile"):
                raise
    return came


def alone(flow: Flow[Any], world: World, scope: Scope) -> Any:
    try:
        return run(flow, world, scope).result
    except HoplineError as error:
        return str(error)


@given(scripts=st.lists(SCRIPT, max_size=9), side_by_side=st.integers(1, 5), fragile=st.booleans())
@settings(max_examples=40, deadline=None)
def test_side_by_side_gives_what_one_by_one_gives(
    make_world: Callable[[], World], scripts: list[list[str]], side_by_side: int, fragile: bool
) -> None:
    names = [f"{'fragile' if fragile else 'sturdy'} {n}" for n in range(len(scripts))]
    world, scope = make_world(), Scope("c1")
    wanted = [alone(scripted(script, name), world, scope) for script, name in zip(scripts, names, strict=True)]
    flows = [scripted(script, name) for script, name in zip(scripts, names, strict=True)]
    came = run_many(flows, world, scope, side_by_side=side_by_side, threads=2)
    assert [one.result if isinstance(one, Outcome) else str(one) for one in came] == wanted


def test_a_round_embeds_in_one_call_and_asks_in_one_batch(
    world: World, scope: Scope, embedder: Any, chat: Any, graph: Any
) -> None:
    flows = [scripted(["dense", "embed", "ask", "hybrid", "ask"], f"question {n}") for n in range(8)]
    outcomes = run_many(flows, world, scope)
    assert len(outcomes) == 8
    assert embedder.calls == [8, 9, 8], "the texts of one round go together, each text once"
    assert chat.calls == [16, 16]
    assert len(graph.asked) == 16


def test_side_by_side_bounds_how_many_are_on_their_way(world: World, scope: Scope, embedder: Any) -> None:
    run_many([scripted(["dense", "dense"], f"q {n}") for n in range(10)], world, scope, side_by_side=4)
    assert embedder.calls == [4, 4, 4, 4, 2, 2]


def test_flows_of_different_length_let_the_next_one_in(world: World, scope: Scope, embedder: Any) -> None:
    flows = [scripted(["dense"] * length, f"q {n}") for n, length in enumerate([1, 3, 1, 1])]
    run_many(flows, world, scope, side_by_side=2)
    assert embedder.calls == [2, 2, 2]


def test_each_flow_has_its_own_scope(world: World, graph: Any) -> None:
    scopes = [Scope("c1"), Scope("c2"), Scope("c1", ("d9",))]
    run_many([scripted(["text"], f"q {n}") for n in range(3)], world, scopes, threads=1)
    assert sorted((asked[1].query, asked[2]) for asked in graph.asked) == [(f"q {n}", scopes[n]) for n in range(3)]


def test_one_broken_flow_costs_no_other(world: World, scope: Scope) -> None:
    def broken() -> Flow[Any]:
        yield search("q", 1, by="text")
        raise ZeroDivisionError("in the scoring")

    def no_request() -> Flow[Any]:
        yield 7  # type: ignore[misc]

    flows = [
        scripted(["text"], "one"),
        broken(),
        no_request(),
        scripted(["poison"], "fragile"),
        scripted(["ask"], "two"),
    ]
    one, zero, seven, poison, two = run_many(flows, world, scope)
    assert isinstance(one, Outcome)
    assert isinstance(zero, FlowError)
    assert "ZeroDivisionError: in the scoring" in str(zero)
    assert isinstance(zero.__cause__, ZeroDivisionError)
    assert isinstance(seven, UsageError)
    assert isinstance(poison, EngineError)
    assert isinstance(two, Outcome)


def test_a_model_that_fails_for_one_batch_is_asked_for_each_flow_alone(world: World, scope: Scope, chat: Any) -> None:
    class Choosy:
        name = "choosy"

        def complete(self, prompts: Any) -> Any:
            if any(prompt.text == "bad" for prompt in prompts):
                raise EngineError("choked on a prompt")
            return chat.complete(prompts)

    outcomes = run_many(
        [scripted(["ask"], name) for name in ("good", "bad", "fine")], replace(world, chat=Choosy()), scope
    )
    assert [isinstance(one, Outcome) and one.result[1] for one in outcomes][1] == "choked on a prompt"
    assert chat.calls == [2, 2]


def test_budgets_are_each_flows_own(world: World, scope: Scope) -> None:
    flows = [scripted(["ask"] * length, f"q {n}") for n, length in enumerate([1, 3, 2])]
    one, three, two = run_many(flows, world, scope, budget=Budget(calls=4))
    assert isinstance(one, Outcome)
    assert isinstance(three, BudgetSpent)
    assert isinstance(two, Outcome)


def test_cancelling_keeps_what_is_done_and_closes_the_rest(world: World, scope: Scope) -> None:
    cancel, closed = Cancel(), []

    def flow(rounds: int) -> Flow[int]:
        try:
            for _ in range(rounds):
                yield search("q", 1, by="text")
            return rounds
        finally:
            closed.append(rounds)

    def listen(place: int, step: Any) -> None:
        if place == 2 and len(closed) == 1:
            cancel.cancel()

    came = run_many([flow(1), flow(5), flow(6), flow(7)], world, scope, side_by_side=3, cancel=cancel, listener=listen)
    assert isinstance(came[0], Outcome)
    assert [type(one) for one in came[1:]] == [Cancelled] * 3
    assert sorted(closed) == [1, 5, 6], "the fourth had not begun, so there was nothing to clean up"


def test_a_flow_that_will_not_be_closed_does_not_keep_others_open(world: World, scope: Scope) -> None:
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

    cancel = Cancel()
    flows = [stubborn(), good()]
    came = run_many(flows, world, scope, cancel=cancel, listener=lambda place, step: cancel.cancel())
    assert [type(one) for one in came] == [Cancelled, Cancelled]
    assert closed == [True]


def test_the_listener_hears_which_flow_a_step_is_of(world: World, scope: Scope) -> None:
    heard: list[tuple[int, str]] = []
    flows = [scripted(["text", "fetch"], "one"), scripted(["ask"], "two")]
    run_many(flows, world, scope, listener=lambda place, step: heard.append((place, step.request)))
    assert heard == [(0, "search"), (1, "ask"), (0, "fetch")]


def test_no_flow_gives_no_outcome(world: World, scope: Scope) -> None:
    assert run_many([], world, scope) == []


def test_a_scope_too_few_is_refused(world: World, scope: Scope) -> None:
    with pytest.raises(UsageError, match="2 flows, 1 scopes"):
        run_many([scripted([], "one"), scripted([], "two")], world, [scope])
