"""Every strategy with a language model that fails after its first reply: the retrieval says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from hopline.answers.pipeline import answer_question
from hopline.errors import BudgetSpent, ModelUnavailable
from hopline.flow.requests import Ask, Flow, Reply, Request, ask
from hopline.flow.run import Budget, run
from hopline.flow.services import Prompt, Services
from hopline.results import Answer, Retrieval
from hopline.results.labels import format_model_error, format_retrieval_error
from hopline.retrieval.evidence_retrieval import retrieve_evidence
from hopline.retrieval.ranking import Ranking, Strategy
from hopline.strategies import load_strategy

QUESTION = "Where did the designer of the Skarv Bridge study?"
WRITTEN = "Ingrid Vale studied in Bergen"  # each text of a reply
ONE_REQUEST = ["sync_ge", "guided:guide=model", "graph_hop:follows=model"]
SEVERAL_REQUESTS = [
    "gear",
    "self_ask",
    "rgnn_ret",
    "ircot",
    "iter_retgen:base=dense,rounds=3",
    "kgp:guide=model,hops=3",
    "kgp:guide=model,structure=model",
    "ras:planner=model",
    "ras:planner=model,facts=model",
]


def fill_with(schema: Any, text: str) -> Any:
    """A value that fits a schema, with the same text wherever it wants one."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: fill_with(value, text) for name, value in schema["properties"].items()}
        case "array":
            return [fill_with(schema["items"], text)]
    return {"boolean": False, "integer": 1}.get(schema.get("type", ""), text)


class FailingChat:
    """Replies to the first request; then the model is unavailable or, with ``raises=False``, times out."""

    name = "failing"

    def __init__(self, *, raises: bool = True) -> None:
        self.raises = raises
        self.requests = self.replies = 0

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        self.requests += 1
        if self.requests == 1:
            self.replies = len(prompts)
            return [Reply("", fill_with(prompt.schema or {}, WRITTEN), "", 10, 5) for prompt in prompts]
        if self.raises:
            raise ModelUnavailable("the endpoint is gone")
        return [Reply(error="the endpoint is gone", calls=0) for _ in prompts]


@pytest.fixture
def graph(tiny: Any) -> Any:
    graph = tiny()
    for number, key in enumerate("abcd"):
        graph.passage(key, f"{key}: Ingrid Vale, who designed the Skarv Bridge, studied in Bergen.", [1, number, 0, 0])
        graph.triple(key, "Ingrid Vale", "studied in", f"Bergen {key}", [1, number, 0, 0])
    graph.entity("Ingrid Vale", *"abcd")
    graph.embedder.known[f"{QUESTION} {WRITTEN}"] = [1, 3, 0, 0]
    return graph


def retrieve(graph: Any, chat: Any, spec: str, budget: Budget | None = None) -> Retrieval:
    flow = retrieve_evidence(load_strategy(spec), QUESTION, 3, collection=graph.name)
    return run(flow, Services(graph.store, graph.embedder, chat), graph.scope(), budget=budget).result


@pytest.mark.parametrize("raises", [True, False], ids=["unavailable", "no reply"])
@pytest.mark.parametrize("spec", SEVERAL_REQUESTS)
def test_a_model_that_fails_after_its_first_reply_is_reported(graph: Any, spec: str, raises: bool) -> None:
    chat = FailingChat(raises=raises)
    retrieval = retrieve(graph, chat, spec)
    assert chat.requests > 1
    assert retrieval.evidence
    replies = "1 reply" if chat.replies == 1 else f"{chat.replies} replies"
    assert retrieval.model_error == f"after {replies}: the endpoint is gone"
    assert f"failed after {replies}: the endpoint is gone" in format_retrieval_error(retrieval)


@pytest.mark.parametrize("spec", [*ONE_REQUEST, *SEVERAL_REQUESTS])
def test_a_spent_budget_of_calls_is_reported(graph: Any, spec: str) -> None:
    retrieval = retrieve(graph, FailingChat(), spec, Budget(calls=0))
    assert retrieval.evidence
    assert retrieval.model_error.startswith("after 0 replies: ")
    assert "budget of 0 calls" in retrieval.model_error


def refuse_after_reply(flow: Flow[Retrieval]) -> Flow[Retrieval]:
    """Run a flow in which the time is spent after the first reply: the request that follows is refused, if it is none.

    A model that replies takes its time, so that it is often a search that is refused.
    """
    request: Request = next(flow)
    has_replied = is_refused = False
    try:
        while True:
            if has_replied and not is_refused and not isinstance(request, Ask):
                is_refused = True
                request = flow.throw(BudgetSpent("the budget of 9 seconds is spent", out_of_time=True))
                continue
            answer = yield request
            has_replied = has_replied or isinstance(request, Ask)
            request = flow.send(answer)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


@pytest.mark.parametrize("spec", ["sync_ge", "guided:guide=model", *SEVERAL_REQUESTS])
def test_what_was_found_is_returned_if_the_time_is_spent_before_a_search(graph: Any, spec: str) -> None:
    flow = refuse_after_reply(retrieve_evidence(load_strategy(spec), QUESTION, 3, collection=graph.name))
    retrieval = run(flow, Services(graph.store, graph.embedder, CountingChat("new")), graph.scope()).result
    assert retrieval.evidence
    assert "the budget of 9 seconds is spent" in retrieval.model_error


class CountingChat:
    """Replies to every prompt with no usable reply, with the same texts, or with new ones; counts the prompts."""

    name = "counting"

    def __init__(self, replies: str) -> None:
        self.replies = replies
        self.counts: Counter[tuple[str, str]] = Counter()

    def complete(self, prompts: Sequence[Prompt]) -> list[Reply]:
        return [self._reply(prompt) for prompt in prompts]

    def _reply(self, prompt: Prompt) -> Reply:
        self.counts[prompt.system, prompt.text] += 1
        if self.replies == "unusable":
            return Reply("…", None, "the reply contains no JSON", 10, 5)
        text = WRITTEN if self.replies == "same" else f"{WRITTEN} {self.counts.total()}"
        return Reply("", fill_with(prompt.schema or {}, text), "", 10, 5)


@pytest.mark.parametrize("replies", ["unusable", "same", "new"])
@pytest.mark.parametrize("spec", [*ONE_REQUEST, *SEVERAL_REQUESTS])
def test_no_prompt_is_sent_twice(graph: Any, spec: str, replies: str) -> None:
    chat = CountingChat(replies)
    retrieval = retrieve(graph, chat, spec)
    assert retrieval.evidence
    assert set(chat.counts.values()) == {1}


@pytest.mark.parametrize("spec", ["bm25", "hopline", *ONE_REQUEST])
def test_without_a_failure_there_is_no_model_error(graph: Any, spec: str) -> None:
    retrieval = retrieve(graph, FailingChat(), spec)
    assert retrieval.model_error == format_retrieval_error(retrieval) == ""


def test_a_strategy_of_a_user_that_catches_the_error_is_reported_too(graph: Any) -> None:
    def rank(question: str, k: int) -> Any:
        for _ in range(2):
            try:
                yield ask([question])
            except ModelUnavailable:
                break
        return Ranking((graph.id("a"),), (1.0,))

    flow = retrieve_evidence(Strategy("own", rank, "Own strategy."), QUESTION, 3, collection=graph.name)
    retrieval = run(flow, Services(graph.store, graph.embedder, FailingChat()), graph.scope()).result
    assert retrieval.model_error == "after 1 reply: the endpoint is gone"


def test_a_failure_is_in_the_json_of_retrieval_and_answer_and_can_be_loaded_again(graph: Any) -> None:
    retrieval = retrieve(graph, FailingChat(), "ircot")
    assert retrieval.to_dict()["model_error"] == retrieval.model_error != ""
    assert Retrieval.from_dict(retrieval.to_dict()).model_error == retrieval.model_error
    answer = Answer(QUESTION, (), retrieval)
    assert answer.to_dict()["model_error"] == ""
    assert answer.to_dict()["retrieval_model_error"] == retrieval.model_error
    assert Answer.from_dict(answer.to_dict()).retrieval.model_error == retrieval.model_error


def test_an_answer_reports_the_failure_of_its_retrieval(graph: Any) -> None:
    retrieval = retrieve_evidence(load_strategy("ircot"), QUESTION, 3, collection=graph.name)
    flow = answer_question(QUESTION, lambda _: retrieval, reader=False)
    answer = run(flow, Services(graph.store, graph.embedder, FailingChat()), graph.scope()).result
    assert "failed after 1 reply: the endpoint is gone" in format_model_error(answer)


def test_a_closed_retrieval_closes_its_strategy(graph: Any) -> None:
    closed = []

    def rank(question: str, k: int) -> Any:
        try:
            yield ask([question])
        finally:
            closed.append(k)

    flow = retrieve_evidence(Strategy("own", rank, "Own strategy."), QUESTION, 3, collection=graph.name)
    assert isinstance(next(flow), Ask)
    flow.close()
    assert closed == [3]
