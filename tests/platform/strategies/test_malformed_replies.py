"""Every strategy that needs a model, over HTTP, with an endpoint of malformed replies: the question still gets evidence."""

import json

import pytest
from scripted import Turn, serve

from hopline.llm.client import LlmClient
from hopline.llm.endpoint import Endpoint
from hopline.llm.openai_provider import OpenAIProvider
from hopline.llm.retries import RateLimiter
from hopline.strategies import list_strategy_names, load_strategy

QUESTION, EAST = "Who built the harbour?", [1, 0, 0, 0]
LED = [name for name in list_strategy_names() if load_strategy(name).needs_model]
SPECS = [*LED, "kgp:guide=model", "kgp:structure=model", "guided:guide=model", "ircot:recurrent=true"]
BAD = {
    "429": Turn(status=429),
    "500": Turn(status=500),
    "cut stream": Turn('{"answer": "Vale"}', cut="middle"),
    "broken JSON": Turn('{"answer": '),
    "wrong form": Turn('{"colour": "red"}'),
    "empty": Turn(""),
    "refusal": Turn(refusal="I cannot help with that."),
    "10 MB": Turn("x" * 10_000_000),
}


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage("a", "The harbour was built by Vale.", EAST)
    graph.passage("b", "Vale studied in Trondheim.", [0, 1, 0, 0], "two.pdf")
    graph.triple("a", "Vale", "built", "the harbour", EAST)
    graph.triple("b", "Vale", "studied in", "Trondheim", [0.6, 0.8, 0, 0])
    return graph


def schema_of(body):
    return body["response_format"]["json_schema"]["schema"]


def run(graph, spec, script, **endpoint):
    with serve(script) as server:
        pace = RateLimiter(sleep=lambda seconds: None)
        port = LlmClient(OpenAIProvider("tiny", Endpoint(server.url, "key", limiter=pace, retries=1, timeout=10.0)))
        try:
            return graph.rank(spec, QUESTION, EAST, chat=port), server
        finally:
            port.close()


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("spec", SPECS)
def test_a_permanently_failing_endpoint_returns_the_evidence_of_the_question_itself(graph, spec, bad):
    ranking, server = run(graph, spec, [BAD[bad]])
    assert "a" in graph.keys(ranking.ids)
    assert 0 < len(server.requests) <= 40


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("spec", SPECS)
def test_bad_replies_before_good_ones_leave_the_evidence_of_the_question(graph, fill_schema, spec, bad):
    def script(body, number):
        return BAD[bad] if number < 4 else Turn(json.dumps(fill_schema(schema_of(body))))

    ranking, _ = run(graph, spec, script)
    assert "a" in graph.keys(ranking.ids)
