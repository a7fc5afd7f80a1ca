"""Calls of a batch whose endpoint becomes unreachable."""

import pytest

from hopline.errors import ModelUnavailable
from hopline.flow.requests import Reply, ask
from hopline.flow.run import Outcome, run, run_many
from hopline.flow.services import Scope, Services
from hopline.llm.client import LlmClient
from hopline.llm.provider import Completion


class FailingProvider:
    """A provider that answers a number of prompts, after which the endpoint refuses every prompt."""

    name = "failing"
    endpoint = "http://failing/v1"

    def __init__(self, answered):
        self.answered = answered

    def complete(self, prompt):
        self.answered -= 1
        if self.answered < 0:
            return Completion(error="answered HTTP 401", unreachable=True)
        return Completion(prompt.text, 3, 2, calls=1)

    def close(self):
        pass


@pytest.mark.parametrize("answered", [0, 2])
def test_an_outage_reports_the_calls_that_were_answered_before(graph, embedder, answered):
    def flow():
        yield ask(["a", "b", "c", "d"])

    steps = []
    services = Services(graph, embedder, LlmClient(FailingProvider(answered), parallel=1))
    with pytest.raises(ModelUnavailable, match="HTTP 401"):
        run(flow(), services, Scope(""), on_step=steps.append)
    assert [step.calls for step in steps] == [answered]


class UnavailableFor:
    """A model that is unavailable for some prompts; records the size of each call."""

    name = "unavailable"

    def __init__(self, *texts):
        self.texts, self.calls = texts, []

    def complete(self, prompts):
        self.calls.append(len(prompts))
        if any(prompt.text in self.texts for prompt in prompts):
            raise ModelUnavailable("no answer within 60 s", calls=len(prompts))
        return [Reply(prompt.text) for prompt in prompts]


def ask_each(graph, embedder, model, questions):
    def flow(question):
        replies = yield ask([question])
        return replies[0].text

    outcomes = run_many([flow(question) for question in questions], Services(graph, embedder, model), Scope(""))
    return [outcome.result if isinstance(outcome, Outcome) else outcome for outcome in outcomes]


def test_a_model_that_is_down_is_not_asked_for_every_question_of_a_batch(graph, embedder):
    questions = [f"question {n}" for n in range(32)]
    model = UnavailableFor(*questions)
    outcomes = ask_each(graph, embedder, model, questions)
    assert model.calls == [32, 1, 1]
    assert [str(error) for error in outcomes] == ["no answer within 60 s"] * 32
    assert all(isinstance(error, ModelUnavailable) for error in outcomes)
    assert sum(error.calls for error in outcomes) == 2


def test_questions_without_an_answer_do_not_fail_the_others_of_a_batch(graph, embedder):
    questions = ["a", "too long", "b", "longer still", "c"]
    outcomes = ask_each(graph, embedder, UnavailableFor("too long", "longer still"), questions)
    assert [str(outcome) for outcome in outcomes] == ["a", "no answer within 60 s", "b", "no answer within 60 s", "c"]
