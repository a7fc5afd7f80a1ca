"""An evaluation with a language model whose replies are cached: calls, cost and time are those without the cache."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hopline import Hopline
from hopline.config import Settings
from hopline.evaluation import Question, evaluate

sys.path.insert(0, str(Path(__file__).parents[1] / "llm"))

from scripted import USAGE, Turn, serve

QUESTIONS = [
    Question("1", "Where did the designer of the Skarv Bridge study?", ("Bergen",)),
    Question("2", "Who designed the Skarv Bridge?", ("Ingrid Vale",)),
]
DELAY = 0.1  # seconds of every reply
CALLS = 2  # of each question: two thoughts, the second of which ends the loop
COST = len(QUESTIONS) * CALLS * (USAGE["prompt_tokens"] * 3 + USAGE["completion_tokens"] * 5) / 1e6
Open = Callable[..., tuple[Hopline, Any]]
_models = count()


def think(body: dict[str, Any], number: int) -> Turn:
    """Reply with a thought, and end the loop at the second."""
    prompt = body["messages"][-1]["content"]
    done = "Sentences so far: none" not in prompt
    return Turn(json.dumps({"thought": "Ingrid Vale designed it.", "done": done}), delay=DELAY)


@pytest.fixture
def model(settings: Settings, corpus: str) -> Iterator[tuple[Hopline, Any]]:
    """The SDK with a model of which no reply is cached yet, and its server."""
    with ExitStack() as stack:
        server = stack.enter_context(serve(think))
        hop = Hopline.open(
            home=settings.home,
            model=f"thinker-{next(_models)}",
            openai_base_url=server.url,
            price_in=3.0,
            price_out=5.0,
            worker=False,
        )
        yield stack.enter_context(hop), server


@pytest.mark.parametrize("strategies", [["ircot"], ["ircot", "ircot:steps=5"]], ids=["one strategy", "two"])
def test_every_run_and_strategy_is_charged_and_timed_without_the_cache(
    model: tuple[Hopline, Any], corpus: str, strategies: list[str]
) -> None:
    hop, server = model
    for _ in range(2):
        for row in evaluate(hop, QUESTIONS, strategies, collection=corpus, answers=False).strategies:
            assert (row.calls, row.cached_calls) == (len(QUESTIONS) * CALLS, 0)
            assert row.tokens == row.calls * USAGE["total_tokens"]
            assert row.cost == pytest.approx(COST)
            assert row.p50 >= 1000 * CALLS * DELAY
    warm_up = 2 * len(strategies) * CALLS  # of each run: without the cache, as what is measured
    assert len(server.requests) == warm_up + 2 * len(strategies) * len(QUESTIONS) * CALLS


def test_with_the_cache_cached_calls_are_reported_and_cost_what_they_would_without_it(
    model: tuple[Hopline, Any], corpus: str
) -> None:
    hop, server = model
    evaluate(hop, QUESTIONS, ["ircot"], collection=corpus, answers=False)
    before = len(server.requests)
    [row] = evaluate(hop, QUESTIONS, ["ircot"], collection=corpus, answers=False, cached=True).strategies
    assert len(server.requests) == before
    assert (row.calls, row.cached_calls) == (len(QUESTIONS) * CALLS, len(QUESTIONS) * CALLS)
    assert row.tokens == row.calls * USAGE["total_tokens"]
    assert row.cost == pytest.approx(COST)
    assert row.to_dict()["cached_calls"] == row.cached_calls


def test_questions_of_a_batch_with_the_same_prompt_are_charged_each(model: tuple[Hopline, Any], corpus: str) -> None:
    hop, _ = model
    batch = hop.create_uncached_client().retrieve_many([QUESTIONS[0].text] * 3, collection=corpus, strategy="ircot")
    traces = [retrieval.trace for retrieval in batch]  # type: ignore[union-attr]
    assert [trace.calls + trace.cached_calls for trace in traces] == [CALLS] * 3
    assert sum(trace.calls for trace in traces) == CALLS


def test_replies_of_an_uncached_client_are_cached_for_others(model: tuple[Hopline, Any], corpus: str) -> None:
    hop, server = model
    first = hop.create_uncached_client().retrieve(QUESTIONS[0].text, collection=corpus, strategy="ircot")
    second = hop.retrieve(QUESTIONS[0].text, collection=corpus, strategy="ircot")
    assert (first.trace.calls, first.trace.cached_calls) == (CALLS, 0)
    assert (second.trace.calls, second.trace.cached_calls) == (0, CALLS)
    assert len(server.requests) == CALLS
    assert second.to_dict()["trace"] == type(second).from_dict(second.to_dict()).to_dict()["trace"]
