"""An evaluation of answers as papers do it, over a real collection with a scripted model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hopline import Hopline
from hopline.config import Settings
from hopline.errors import ModelError
from hopline.evaluation import Question, evaluate

sys.path.insert(0, str(Path(__file__).parents[1] / "llm"))

from scripted import Turn, serve

# none of the answers is in the evidence, and the first question is not recognised as one for yes or no
REPLIES = {
    "Orre Lighthouse or the Skarv Bridge opened first, true?": "Yes.",
    "How many years after the Orre Lighthouse did the Skarv Bridge open?": "4 years",
    "Which bird dives on 7th Avenue? (A) The tern; (B) The gull": "(A)",
}
QUESTIONS = [
    Question("1", "Orre Lighthouse or the Skarv Bridge opened first, true?", ("yes",), documents=("Orre Lighthouse",)),
    Question(
        "2",
        "How many years after the Orre Lighthouse did the Skarv Bridge open?",
        ("4 years",),
        gold=("p0", "p5"),
        documents=("Orre Lighthouse", "Skarv Bridge"),
    ),
    Question(
        "3",
        "Which bird dives on 7th Avenue? (A) The tern; (B) The gull",
        ("The tern",),
        options=("The tern", "The gull"),
        documents=("Tern",),
    ),
]
_models = count()


@pytest.fixture
def model(settings: Settings, corpus: str) -> Iterator[tuple[Hopline, Any]]:
    """The SDK with a model that says what `REPLIES` has, and its server."""

    def say(body: dict[str, Any], number: int) -> Turn:
        prompt = body["messages"][-1]["content"]
        return Turn(json.dumps({"answer": next(reply for text, reply in REPLIES.items() if text in prompt)}))

    with ExitStack() as stack:
        server = stack.enter_context(serve(say))
        hop = Hopline.open(
            home=settings.home, model=f"answerer-{next(_models)}", openai_base_url=server.url, worker=False
        )
        yield stack.enter_context(hop), server


def test_verdicts_computed_values_and_choices_are_right(model: tuple[Hopline, Any], corpus: str) -> None:
    hop, _ = model
    table = evaluate(hop, QUESTIONS, ["dense"], collection=corpus, k=5, answers="paper")
    [row] = table.strategies
    scores = {name: figure.mean for name, figure in row.scores.items()}
    assert scores["answered"] == scores["EM"] == scores["F1"] == scores["choice"] == 1.0
    assert scores["R@5"] == 1.0
    assert (row.failed, row.calls) == (0, 3)
    assert row.tokens > 0


def test_the_prompt_has_as_many_passages_as_k_and_replies_are_cached(model: tuple[Hopline, Any], corpus: str) -> None:
    hop, server = model
    for k in (1, 3):
        evaluate(hop, QUESTIONS[1:2], ["bm25"], collection=corpus, k=k, answers="paper")
        assert server.requests[-1]["messages"][-1]["content"].count("<document>") == k
    request_count = len(server.requests)
    [row] = evaluate(hop, QUESTIONS[1:2], ["bm25"], collection=corpus, k=3, answers="paper", cached=True).strategies
    assert (row.calls, row.cached_calls, len(server.requests)) == (1, 1, request_count)


def test_a_question_may_be_answered_from_its_own_documents(model: tuple[Hopline, Any], corpus: str) -> None:
    hop, server = model
    evaluate(hop, QUESTIONS, ["dense"], collection=corpus, k=5, answers="paper", own_documents=True)
    prompts = [request["messages"][-1]["content"] for request in server.requests[-3:]]
    assert [prompt.count("<document>") for prompt in prompts] == [1, 2, 1]


def test_ras_answers_from_its_query_graph(model: tuple[Hopline, Any], corpus: str) -> None:
    hop, server = model
    strategies = ["ras:rounds=1", "ras:rounds=1,answer_from=graph"]
    passages, graph = evaluate(hop, QUESTIONS[1:2], strategies, collection=corpus, k=5, answers="paper").strategies
    assert passages.scores["EM"].mean == graph.scores["EM"].mean == 1.0
    assert passages.scores["R@5"] == graph.scores["R@5"]
    prompts = [request["messages"][-1]["content"] for request in server.requests]
    assert prompts[0].startswith("Passages:\n")
    assert prompts[-1].startswith(f"Sub-question: {QUESTIONS[1].text}\nFacts:\n")
    assert hop.answer_from_graph(QUESTIONS[1].text, collection=corpus, strategy=strategies[1]) == "4 years"


def test_graph_llm_answers_without_another_model_and_must_have_been_trained(hop: Hopline, corpus: str) -> None:
    [row] = evaluate(hop, QUESTIONS, ["ras:answer_from=graph_llm"], collection=corpus, answers="paper").strategies
    assert row.failed == 3
    assert "hopline train graph_llm" in next(iter(row.errors))


def test_without_a_model_every_question_fails_before_it_is_searched(hop: Hopline, corpus: str) -> None:
    [row] = evaluate(hop, QUESTIONS, ["dense"], collection=corpus, answers="paper").strategies
    assert row.failed == 3
    assert "none is configured" in next(iter(row.errors))
    with pytest.raises(ModelError, match="none is configured"):
        hop.answer_from_graph(QUESTIONS[1].text, collection=corpus, strategy="ras:answer_from=graph")
