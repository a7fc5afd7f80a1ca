"""The check of a language model in plain words, over HTTP: a server that is scripted, or none at all."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from scripted import Body, Turn, serve

from hopline.config import Settings, load_settings
from hopline.errors import ModelUnavailable, SettingsError
from hopline.llm import connection_check
from hopline.llm.connection_check import ConnectionCheck, check_connection, list_models

PARIS = Turn(json.dumps({"capital": "Paris"}))


def check(turns: list[Turn], models: list[str] | None = None, **values: Any) -> tuple[ConnectionCheck, Any]:
    with serve(turns, models) as server:
        result = check_connection(build(server.url, **values))
    return result, server


def build(url: str, **values: Any) -> Settings:
    return load_settings(
        **{"model": "small", "openai_base_url": url, "openai_api_key": "", "model_timeout": 30} | values
    )


def test_a_model_that_works_is_called_once_and_its_time_is_told() -> None:
    result, server = check([PARIS], openai_api_key="secret")
    assert result.state == "good"
    assert result.message.startswith(f"small at 127.0.0.1:{server.url.split(':')[2][:-3]} works. It answered in ")
    assert result.seconds < 15
    assert (len(server.requests), server.paths, server.keys) == (1, ["/v1/chat/completions"], ["secret"])
    assert [step.request for step in result.trace.steps] == ["ask"]
    assert (result.trace.calls, result.trace.tokens) == (1, 18)


def test_a_check_is_never_answered_from_the_cache_and_stores_nothing(tmp_path: Path) -> None:
    with serve([PARIS]) as server:
        settings = build(server.url, home=tmp_path / "home")
        assert [check_connection(settings).state for _ in range(2)] == ["good", "good"]
    assert len(server.requests) == 2
    assert not (tmp_path / "home").exists()


def test_an_unknown_host_and_a_refused_connection_are_told_apart() -> None:
    unknown = check_connection(build("http://no-such-host.invalid/v1", model_retries=0))
    assert (unknown.state, unknown.message) == ("bad", "The host no-such-host.invalid is unknown.")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    refused = check_connection(build(f"http://127.0.0.1:{port}/v1", model_retries=0))
    assert refused.message == f"127.0.0.1:{port} refused the connection."
    assert "port" in refused.advice


@pytest.mark.parametrize(("key", "message"), [("wrong", "does not accept the API key"), ("", "needs an API key")])
def test_a_wrong_key_and_a_missing_one_are_told_apart(key: str, message: str) -> None:
    result, server = check([Turn(status=401)], openai_api_key=key)
    assert result.state == "bad"
    assert message in result.message
    assert "wrong" not in f"{result}"
    assert len(server.requests) == 1


def test_the_closest_models_of_the_endpoint_are_named_for_one_that_it_does_not_have() -> None:
    result, _ = check([Turn(status=404)], ["large", "smaller", "embed"])
    assert result.message.endswith("has no model called small.")
    assert result.advice == "It has 3, such as smaller or large or embed."


def test_a_missing_path_is_named() -> None:
    with serve([Turn(status=404)], ["small"]) as server:
        result = check_connection(build(server.url.removesuffix("/v1")))
    assert "answers, but not at this address" in result.message
    assert result.advice == f"Use {server.url}."


def test_a_reply_without_json_is_a_warning() -> None:
    result, server = check([Turn("The capital is Paris.")])
    assert (result.state, "not with valid JSON" in result.message) == ("note", True)
    assert len(server.requests) == 2  # the reply is requested once more


def test_a_server_that_does_not_answer_in_time_is_asked_once() -> None:
    result, server = check([Turn("x", delay=1.5)], model_timeout=0.5)
    assert result.state == "bad"
    assert "did not answer within 0.5 seconds" in result.message
    assert len(server.requests) == 1


def test_a_slow_model_works_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_check, "SLOW_SECONDS", 0.2)
    result, _ = check([Turn(PARIS.text, delay=0.3)])
    assert (result.state, "works, but is slow" in result.message) == ("note", True)


def test_a_spent_quota_and_a_fault_of_the_server_are_named() -> None:
    quota, _ = check([Turn(status=429, error={"message": "spent", "code": "insufficient_quota"})])
    assert "refuses more calls" in quota.message
    fault, server = check([Turn(status=503)])
    assert "answered HTTP 503" in fault.message
    assert len(server.requests) <= 4  # one retry, in each form of the request


def test_a_check_without_model_or_endpoint_calls_nothing() -> None:
    assert check_connection(load_settings(model="")).message == "No model is chosen."
    without = check_connection(load_settings(model="small", openai_base_url="", openai_api_key=""))
    assert "needs an endpoint" in without.message


def test_the_models_of_an_endpoint_are_listed_by_name() -> None:
    with serve([PARIS], ["b", "a"]) as server:
        assert list_models(build(server.url, openai_api_key="k")) == ["a", "b"]
    assert (server.paths, server.keys) == (["/v1/models"], ["k"])


def test_an_endpoint_that_lists_nothing_and_one_that_is_missing_are_told_apart() -> None:
    with serve([PARIS]) as server:
        assert list_models(build(server.url)) == []
    with pytest.raises(ModelUnavailable, match="refused the connection"):
        list_models(build(server.url))
    with pytest.raises(SettingsError, match="needs an endpoint"):
        list_models(load_settings(model="m", openai_base_url="", openai_api_key=""))


def test_a_question_of_the_check_has_no_text_of_documents() -> None:
    def answer(body: Body, number: int) -> Turn:
        assert [message["content"] for message in body["messages"] if message["role"] == "user"] == [
            connection_check.QUESTION
        ]
        return PARIS

    with serve(answer) as server:
        assert check_connection(build(server.url)).state == "good"
