"""Calls of a batch whose endpoint becomes unreachable."""

import pytest

from hopline.errors import ModelUnavailable
from hopline.flow.requests import ask
from hopline.flow.run import run
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
