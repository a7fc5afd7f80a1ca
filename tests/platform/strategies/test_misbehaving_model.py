"""Every strategy that a model leads, over HTTP, with an endpoint that misbehaves: a bad reply never costs the question."""

import json

import pytest
from scripted import Turn, scripted

from hopline.llm.client import ChatPort
from hopline.llm.endpoint import Endpoint
from hopline.llm.openai_provider import OpenAIVoice
from hopline.llm.provider import Pace
from hopline.strategies import load_strategy, strategy_names

QUESTION, EAST = "Who built the harbour?", [1, 0, 0, 0]
LED = [name for name in strategy_names() if load_strategy(name).needs_model]
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
    with scripted(script) as server:
        pace = Pace(sleep=lambda seconds: None)
        port = ChatPort(OpenAIVoice("tiny", Endpoint(server.url, "key", pace=pace, retries=1, timeout=10.0)))
        try:
            return graph.rank(spec, QUESTION, EAST, chat=port), server
        finally:
            port.close()


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("spec", SPECS)
def test_an_endpoint_that_is_bad_for_ever_leaves_the_evidence_of_the_question_itself(graph, spec, bad):
    ranking, server = run(graph, spec, [BAD[bad]])
    assert "a" in graph.keys(ranking.ids)
    assert 0 < len(server.asked) <= 40


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("spec", SPECS)
def test_one_bad_reply_costs_a_step_and_the_loop_goes_on(graph, filling, spec, bad):
    def script(body, number):
        return BAD[bad] if number < 4 else Turn(json.dumps(filling(schema_of(body))))

    ranking, _ = run(graph, spec, script)
    assert "a" in graph.keys(ranking.ids)
