"""`hopline doctor --model`, over HTTP: a server whose models, context length and faults are scripted."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

import pytest
from scripted import Body, Handler, Server, Turn

from hopline.cli.model_checks import check_model_in_depth, check_size, check_speed
from hopline.config import Settings, load_settings
from hopline.llm.model_probe import ProbeReply
from hopline.testing import FakeHopline

CAPITAL = json.dumps({"capital": "Paris", "population": 2_100_000})
JSON_LINE = "accepts a JSON schema; the reply can be read"


@dataclass
class Model:
    """A model whose server reads the last ``context`` characters of a prompt, and gets what ``gets`` names."""

    context: int = 1_000_000
    formats: tuple[str, ...] = ("json_schema", "json_object")
    rejection: int = 400
    reply: str = CAPITAL
    long: Turn | None = None
    chat: Turn | None = None  # the reply to every prompt
    gets: Mapping[str, Any] = field(default_factory=lambda: {"/v1/models": {"data": [{"id": "m-7b"}]}})
    shown: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""
    requests: int = 0

    def answer(self, body: Body, number: int) -> Turn:
        if "messages" not in body:
            return Turn(raw=json.dumps(self.shown).encode())
        if self.chat is not None:
            return self.chat
        form = body.get("response_format")
        if form and form["type"] not in self.formats:
            return Turn(status=self.rejection)
        text = body["messages"][-1]["content"]
        if "capital" in text:
            return Turn(self.reply)
        if self.long is not None:
            return self.long
        code = re.search(r"code is (\d+)", text[-self.context :])
        return Turn(f"{code[1] if code else 'none'}, 1, 2, 3")


class ModelHandler(Handler):
    model: Model

    def do_GET(self) -> None:  # noqa: N802
        self.model.requests += 1
        if self.model.key and self.headers.get("authorization") != f"Bearer {self.model.key}":
            return self._send_json(401, {"error": "no"}, {})
        content = self.model.gets.get(self.path)
        if content is None:
            return self._send_json(404, {}, {})
        return self._send_json(200, content, {"content-type": "text/html"} if isinstance(content, bytes) else {})

    def do_POST(self) -> None:  # noqa: N802
        self.model.requests += 1
        super().do_POST()


@contextmanager
def run_server(model: Model) -> Iterator[str]:
    server = Server(model.answer)
    server.RequestHandlerClass = type("BoundHandler", (ModelHandler,), {"model": model})
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.state.url
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def check(scripted_model: Model, *, path: str = "/v1", **chosen: Any) -> dict[str, tuple[str, str, str]]:
    """Return the state, result and advice of each check of a model, by name."""
    with run_server(scripted_model) as url:
        values = {"model": "m-7b", "openai_base_url": url.removesuffix("/v1") + path, "openai_api_key": "k", **chosen}
        return {item.name: (item.state, item.result, item.advice) for item in check_model_in_depth(Settings(**values))}


def test_a_model_without_faults_has_no_advice_and_is_called_three_times() -> None:
    model = Model(gets={"/v1/models": {"data": [{"id": "m-7b", "context_length": 32768}]}})
    checks = check(model)
    assert {name: (state, advice) for name, (state, _, advice) in checks.items()} == dict.fromkeys(
        ("endpoint", "model name", "JSON", "context", "speed", "size"), ("good", "")
    )
    assert checks["JSON"][1] == JSON_LINE
    assert "the endpoint states 32,768" in checks["context"][1]
    assert "tokens/s of reply; a long answer takes about" in checks["speed"][1]
    assert model.requests == 3


def test_a_refused_connection_names_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    [refused] = check_model_in_depth(Settings(model="m", openai_base_url=url))
    assert (refused.name, refused.state) == ("endpoint", "bad")
    assert f"{url}: cannot be reached" in refused.result
    assert "refused" in refused.result
    assert "OPENAI_BASE_URL" in refused.advice


def test_a_missing_endpoint_and_a_missing_model_are_named(run: Callable[..., Any], fake: FakeHopline) -> None:
    [missing] = check_model_in_depth(load_settings(model="m", openai_base_url="", openai_api_key=""))
    assert (missing.state, missing.result) == ("bad", "m has no endpoint")
    [unset] = check_model_in_depth(load_settings(model=""))
    assert (unset.state, unset.name) == ("note", "model")
    assert run("doctor", "--model").stdout.startswith("· model")


def test_a_path_without_version_1_is_corrected() -> None:
    for page in ({}, {"/models": b"<html>"}):
        checks = check(Model(gets={"/v1/models": {"data": []}, **page}), path="")
        assert list(checks) == ["endpoint"]
        assert checks["endpoint"][0] == "bad"
        assert re.fullmatch(r"set OPENAI_BASE_URL to http://127\.0\.0\.1:\d+/v1", checks["endpoint"][2])


def test_a_wrong_key_is_named_and_so_is_a_missing_one() -> None:
    for key, problem in (("wrong", "is not accepted"), ("", "is not set")):
        checks = check(Model(key="right"), openai_api_key=key)
        assert list(checks) == ["endpoint"]
        assert checks["endpoint"][0] == "bad"
        assert f"OPENAI_API_KEY {problem}" in checks["endpoint"][1]
    only_chat = check(Model(chat=Turn(status=401)))["endpoint"]
    assert (only_chat[0], only_chat[2]) == ("bad", "set OPENAI_API_KEY to a key of this endpoint")


def test_a_model_that_does_not_reply_in_time_is_slow() -> None:
    checks = check(Model(chat=Turn(CAPITAL, delay=0.6)), model_timeout=0.3)
    assert list(checks) == ["endpoint"]
    assert "raise HOPLINE_MODEL_TIMEOUT (0.3 s)" in checks["endpoint"][2]


def test_an_unknown_name_is_bad_if_it_is_refused_and_has_the_closest_names() -> None:
    gets = {"/v1/models": {"data": [{"id": name} for name in ("other", "qwen2.5:7b", "qwen2.5:14b")]}}
    checks = check(Model(gets=gets, chat=Turn(status=404)), model="qwen2.5-7b")
    assert checks["endpoint"][2] == "check HOPLINE_MODEL"
    assert checks["model name"][:2] == ("bad", "the endpoint has no model qwen2.5-7b")
    assert "one of its 3 models, such as qwen2.5:7b or qwen2.5:14b" in checks["model name"][2]
    assert check(Model(gets=gets), model="qwen2.5-7b")["model name"][0] == "note"  # a server that takes any name
    latest = {"/v1/models": {"data": [{"id": "m-7b:latest"}]}}
    assert check(Model(gets=latest))["model name"] == ("good", "m-7b", "")


def test_an_endpoint_that_does_not_list_its_models_is_checked_by_calling_it() -> None:
    checks = check(Model(gets={}))
    assert [state for state, _, _ in checks.values()] == ["good"] * 6
    assert "path of OPENAI_BASE_URL" in check(Model(gets={}, chat=Turn(status=404)))["endpoint"][2]


@pytest.mark.parametrize("rejection", [400, 422, 500])
def test_the_json_mode_that_is_accepted_is_named(rejection: int) -> None:
    only_objects = check(Model(formats=("json_object",), rejection=rejection))["JSON"]
    assert only_objects == ("good", "accepts JSON mode, but no JSON schema; the reply can be read", "")
    text = check(Model(formats=(), rejection=rejection))["JSON"]
    assert text[0] == "note"
    assert text[1].startswith("accepts no JSON mode")


def test_a_reply_that_is_no_json_is_bad() -> None:
    state, result, advice = check(Model(reply="It is Paris."))["JSON"]
    assert state == "bad"
    assert "'It is Paris.'" in result
    assert "another model" in advice


def test_a_prompt_whose_beginning_is_cut_is_noticed() -> None:
    state, result, advice = check(Model(context=4000))["context"]
    assert state == "bad"
    assert "it was cut to 11 tokens" in result
    assert "OLLAMA_CONTEXT_LENGTH" in advice
    assert "lower HOPLINE_MODEL_CONTEXT" in advice


def test_a_long_prompt_that_is_refused_is_bad() -> None:
    refusal = Turn(status=400, error={"message": "maximum context length is 4096 tokens"})
    state, result, advice = check(Model(long=refusal))["context"]
    assert state == "bad"
    assert "maximum context length is 4096 tokens" in result
    assert "lower HOPLINE_MODEL_CONTEXT" in advice


def test_a_long_prompt_that_takes_too_long_is_slow() -> None:
    checks = check(Model(long=Turn("1", delay=0.9)), model_timeout=0.5)
    assert checks["context"][0] == "bad"
    assert checks["context"][2].startswith("raise HOPLINE_MODEL_TIMEOUT")
    assert "speed" not in checks


@pytest.mark.parametrize(
    ("entry", "props", "shown"),
    [
        ({"context_length": 4096}, None, {}),
        ({"max_model_len": 4096}, None, {}),
        ({"meta": {"n_ctx": 4096, "n_ctx_train": 32768}}, None, {}),
        ({"meta": {"n_ctx_train": 32768}}, {"default_generation_settings": {"n_ctx": 4096}}, {}),
        ({"meta": {"n_ctx_train": 4096}}, None, {}),
        ({"owned_by": "library"}, None, {"parameters": "stop x\nnum_ctx   4096", "model_info": {"q.context_length": 9999}}),
        ({"owned_by": "library"}, None, {"model_info": {"q.context_length": 4096}}),
    ],
)  # fmt: skip
def test_a_context_length_that_the_endpoint_states_is_compared(
    entry: Mapping[str, Any], props: Any, shown: Mapping[str, Any]
) -> None:
    gets = {"/v1/models": {"data": [{"id": "m-7b", **entry}]}} | ({"/props": props} if props else {})
    model = Model(gets=gets, shown=shown)
    state, result, advice = check(model)["context"]
    assert (state, result) == ("bad", "the endpoint states 4,096 tokens, and HOPLINE_MODEL_CONTEXT is 8,192")
    assert advice.startswith("set HOPLINE_MODEL_CONTEXT=4096")
    assert model.requests <= 4


def test_an_answer_that_would_exceed_the_time_out_is_noted() -> None:
    reply = ProbeReply("x", tokens_in=8000, tokens_out=101, first_token=80.0, seconds=100.0)
    slow = check_speed(reply, 120.0)
    assert slow.state == "note"
    assert slow.result == (
        "first token after 80.0 s, 100 tokens/s of prompt, 5 tokens/s of reply; a long answer takes about 160 s"
    )
    assert slow.advice.startswith("raise HOPLINE_MODEL_TIMEOUT (120 s) to 240")
    assert check_speed(reply, 200.0).state == "good"


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("qwen2.5-coder-1.5b-instruct", "note"), ("llama3.2:3b", "note"), ("Llama-3.1-8B-Instruct", "good"),
        ("qwen3-30b-a3b", "good"), ("mixtral-8x7b", "good"), ("gpt-4o", "good"), ("gemma3n:e2b", "note"),
    ],
)  # fmt: skip
def test_a_small_model_is_recognised_by_its_name(name: str, state: str) -> None:
    result = check_size(name)
    assert result.state == state
    assert ("HOPLINE_VERIFY=strict" in result.advice) == (state == "note")


def test_a_langchain_model_is_checked_as_far_as_possible(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    code = (
        "from langchain_core.language_models.fake_chat_models import GenericFakeChatModel\n"
        f"chat = GenericFakeChatModel(messages=iter([{CAPITAL!r}, 'I cannot say']))\n"
    )
    (tmp_path / "chat_of_the_doctor.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    checks = {item.name: item for item in check_model_in_depth(Settings(model="langchain:chat_of_the_doctor:chat"))}
    assert "cannot be checked" in checks["endpoint"].result
    assert checks["JSON"].state == "note"
    assert checks["context"].state == "bad"
    assert "speed" not in checks
    [unknown] = check_model_in_depth(Settings(model="langchain:chat_of_the_doctor:nothing"))
    assert unknown.state == "bad"


def test_the_command_prints_each_check_and_fails_if_one_is_bad(
    run: Callable[..., Any], run_json: Callable[..., Any], fake: FakeHopline, monkeypatch: pytest.MonkeyPatch
) -> None:
    with run_server(Model(context=4000)) as url:
        for name, value in (("HOPLINE_MODEL", "m-7b"), ("OPENAI_BASE_URL", url)):
            monkeypatch.setenv(name, value)
        result = run("doctor", "--model")
        checks = run_json("doctor", "--model")["checks"]
    assert result.exit_code == 3
    assert "✓ JSON" in result.stdout
    assert "✗ context" in result.stdout
    assert [item["name"] for item in checks] == ["endpoint", "model name", "JSON", "context", "speed", "size"]
    assert fake.state.calls == []  # the database is not opened
