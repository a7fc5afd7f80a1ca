"""The OpenAI provider with the real client against a scripted server."""

from __future__ import annotations

import json
import re
import socket
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from scripted import Body, Script, ServerState, Turn, serve

from hopline.config import load_settings
from hopline.errors import ModelUnavailable, SettingsError, UsageError
from hopline.flow.requests import Flow, Reply, ask
from hopline.flow.run import Budget, run
from hopline.flow.services import Prompt, Scope, Services
from hopline.llm.client import LlmClient, load_llm
from hopline.llm.endpoint import Endpoint, parse_retry_after
from hopline.llm.openai_provider import OpenAIProvider, RequestFormat, simplify_format
from hopline.llm.provider import Completion
from hopline.llm.retries import OUTAGE_SECONDS, RateLimiter, backoff_seconds, with_retries

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}
GOOD = Turn('{"name": "Halcyon"}')
Port = Callable[..., tuple[LlmClient, ServerState]]


@pytest.fixture
def port() -> Iterator[Port]:
    """Create clients of a scripted server that do not sleep between attempts unless given a limiter."""
    with ExitStack() as stack:

        def make(
            *turns: Turn, script: Script | None = None, parallel: int = 4, **endpoint: Any
        ) -> tuple[LlmClient, ServerState]:
            server = stack.enter_context(serve(script or turns))
            limiter = endpoint.pop("limiter", None) or RateLimiter(sleep=lambda seconds: None)
            arguments = {"retries": 2, "timeout": 5.0, **endpoint}
            chat = LlmClient(
                OpenAIProvider("tiny", Endpoint(server.url, "key", limiter=limiter, **arguments)), parallel=parallel
            )
            stack.callback(chat.close)
            return chat, server

        yield make


def complete(chat: LlmClient, text: str = "hello", **prompt: Any) -> Reply:
    (reply,) = chat.complete([Prompt(text, **prompt)])
    return reply


def test_a_reply_comes_whole_with_the_tokens_the_endpoint_counted(port: Port) -> None:
    chat, server = port(Turn("Halcyon was founded in 1987."))
    assert complete(chat, system="be short", max_tokens=50) == Reply("Halcyon was founded in 1987.", None, "", 11, 7)
    (request,) = server.requests
    assert request["messages"] == [{"role": "system", "content": "be short"}, {"role": "user", "content": "hello"}]
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("tiny", 0, 50)
    assert "response_format" not in request


def test_tokens_are_estimated_where_the_endpoint_does_not_count(port: Port) -> None:
    chat, _ = port(Turn("12345678", usage=False))
    reply = complete(chat, "1234")
    assert (reply.tokens_in, reply.tokens_out) == (1, 2)


def test_an_endpoint_that_does_not_stream_is_understood(port: Port) -> None:
    chat, _ = port(Turn("plain", stream=False))
    assert complete(chat) == Reply("plain", None, "", 11, 7)


def test_text_in_any_script_comes_back_as_it_was(port: Port) -> None:
    chat, _ = port(Turn("Ærø — 東京 🙂 «ё»" * 30))
    assert complete(chat).text == "Ærø — 東京 🙂 «ё»" * 30


def test_lone_surrogates_are_sent_as_question_marks(port: Port) -> None:
    chat, server = port(Turn("fine"))
    assert complete(chat, "half \ud800 a pair", system="\udfff").text == "fine"
    assert [message["content"] for message in server.requests[0]["messages"]] == ["?", "half ? a pair"]


@pytest.mark.parametrize(
    ("url", "error"), [("http://host:port/v1", SettingsError), ("no-protocol/v1", ModelUnavailable)]
)
def test_a_base_url_that_is_none_is_named(url: str, error: type[Exception]) -> None:
    chat = LlmClient(OpenAIProvider("tiny", Endpoint(url, retries=0)))
    with pytest.raises(error, match=re.escape(url)):
        complete(chat)
    chat.close()


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(port: Port, status: int) -> None:
    chat, server = port(Turn(status=status), Turn(status=status), Turn("at last"))
    assert complete(chat).text == "at last"
    assert len(server.requests) == 3


@pytest.mark.parametrize("cut", ["before", "middle", "end"])
@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_that_is_cut_off_is_asked_for_again(port: Port, cut: str, stream: bool) -> None:
    broken = Turn("half of the", cut=cut) if stream or cut == "before" else Turn(raw=b'{"choices": [{"mess')
    chat, server = port(broken, Turn("the whole reply"))
    assert complete(chat).text == "the whole reply"
    assert len(server.requests) == 2


def test_an_endpoint_that_breaks_off_with_an_error_is_asked_again(port: Port) -> None:
    chat, server = port(Turn(raw=b'{"error": {"message": "overloaded"}}'), Turn("better"))
    assert complete(chat).text == "better"
    assert len(server.requests) == 2


def test_retry_after_is_waited_for_by_every_thread(port: Port) -> None:
    def script(body: Body, number: int) -> Turn:
        return Turn(status=429, headers={"retry-after": "0.4"}) if number == 0 else Turn("fine")

    chat, server = port(script=script, parallel=1, limiter=RateLimiter())
    assert [reply.text for reply in chat.complete([Prompt("one"), Prompt("two")])] == ["fine", "fine"]
    assert server.times[1] - server.times[0] >= 0.4


def test_an_endpoint_that_asks_to_wait_too_long_is_given_up(port: Port) -> None:
    chat, server = port(Turn(status=429, headers={"retry-after": "3600"}))
    assert "429" in complete(chat).error
    assert len(server.requests) == 1


def test_a_server_that_sends_nothing_costs_one_timeout_however_often_it_is_asked(port: Port) -> None:
    chat, server = port(Turn("slow", delay=1.0), timeout=0.3, retries=4)
    started = time.monotonic()
    replies = [complete(chat, f"prompt {number}", schema=SCHEMA) for number in range(3)]
    replies += chat.complete([Prompt("a fourth"), Prompt("a fifth")])
    assert time.monotonic() - started < 0.8
    assert len(server.requests) == 1
    for reply in replies:
        assert f"{server.url} did not answer within 0.3 seconds" in reply.error
        assert "HOPLINE_MODEL_TIMEOUT" in reply.error


def test_all_prompts_of_a_batch_to_a_silent_server_cost_one_timeout(port: Port) -> None:
    chat, server = port(Turn("slow", delay=1.0), timeout=0.3, parallel=2)
    replies = chat.complete([Prompt(f"prompt {number}") for number in range(6)])
    assert len(server.requests) == 2
    assert all("did not answer within 0.3 seconds" in reply.error for reply in replies)


def test_a_slow_server_that_answers_some_prompts_of_a_batch_loses_only_the_others(port: Port) -> None:
    def script(body: Body, number: int) -> Turn:
        slow = body["messages"][-1]["content"].endswith("0")
        return Turn("fine", delay=6.0 if slow else 0.05)

    chat, server = port(script=script, timeout=2.0, parallel=2)
    replies = chat.complete([Prompt(f"prompt {number}") for number in range(20)])
    assert [reply.ok for reply in replies] == ([False] + [True] * 9) * 2
    assert len(server.requests) == 20


def test_a_silent_server_is_asked_again_after_a_while() -> None:
    now = [0.0]
    limiter = RateLimiter(lambda seconds: None, lambda: now[0])
    completions = iter([Completion(error="no answer", timed_out=True), Completion("fine", calls=1)])

    def attempt() -> Completion:
        now[0] += 5.0
        return next(completions)

    assert with_retries(attempt, retries=4, limiter=limiter).error == "no answer"
    now[0] += OUTAGE_SECONDS - 1
    assert with_retries(attempt, retries=4, limiter=limiter).error == "no answer"
    now[0] += 2
    assert with_retries(attempt, retries=4, limiter=limiter).text == "fine"
    assert not limiter.silence


def test_a_reply_that_stops_in_the_middle_is_not_waited_for_again(port: Port) -> None:
    chat, server = port(Turn("half of the reply", pause=1.0), timeout=0.3)
    assert "the reply stopped, and nothing came for 0.3 seconds; HOPLINE_MODEL_TIMEOUT" in complete(chat).error
    assert len(server.requests) == 1


def test_a_reply_that_does_not_end_is_given_up_at_ten_timeouts(port: Port) -> None:
    chat, server = port(Turn("x" * 7 * 40, pause=0.05), timeout=0.1)
    assert "the reply did not end within 1 seconds; HOPLINE_MODEL_TIMEOUT" in complete(chat).error
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (b'{"error": {"message": "CUDA out of memory", "type": "server"}}', "application/json", "CUDA out of memory"),
        (b'{"error": "model runner has stopped"}', "application/json", "model runner has stopped"),
        (b'{"detail": "no GPU is free"}', "application/json", "no GPU is free"),
        (
            b'{"detail": [{"loc": ["body"], "msg": "too long"}]}',
            "application/json",
            '[{"loc": ["body"], "msg": "too long"}]',
        ),
        (b'{"code": 7}', "application/json", '{"code": 7}'),
        (b"upstream connect error\nor disconnect", "text/plain", "upstream connect error or disconnect"),
        (
            b"<!DOCTYPE html><html><title>502</title><style>h1 {}</style><h1>Bad&nbsp;Gateway</h1><!-- x --><p>nginx</p>",
            "text/html",
            "502 Bad Gateway nginx",
        ),
        (b"x" * 5000, "text/plain", "x" * 300),
        (b"if a < b and <c", "text/plain", "if a < b and"),
        (b" ", "text/plain", ""),
    ],
)
@pytest.mark.parametrize("status", [500, 403])
def test_the_text_of_an_error_response_is_in_the_error(
    port: Port, body: bytes, content_type: str, text: str, status: int
) -> None:
    chat, server = port(Turn(status=status, raw=body, content_type=content_type), retries=0)
    try:
        error = complete(chat).error
    except ModelUnavailable as unavailable:
        error = str(unavailable)
    assert error.startswith(f"model 'tiny' at {server.url} answered HTTP {status}{': ' if text else ''}{text}")
    assert "<" not in error.replace("a < b", "")
    assert len(error) < 450


def test_out_of_retries_is_a_reply_that_says_why(port: Port) -> None:
    chat, server = port(Turn(status=503))
    reply = complete(chat)
    assert not reply.ok
    assert "model 'tiny'" in reply.error
    assert server.url in reply.error
    assert "HTTP 503" in reply.error
    assert len(server.requests) == 3


def test_a_bad_prompt_is_not_sent_again_and_costs_no_other(port: Port) -> None:
    def script(body: Body, number: int) -> Turn:
        long = body["messages"][-1]["content"] == "too long"
        return Turn(status=400, error={"message": "the context is 8192 tokens"}) if long else Turn("fine")

    chat, server = port(script=script)
    bad, good = chat.complete([Prompt("too long", schema=SCHEMA), Prompt("short")])
    assert "the context is 8192 tokens" in bad.error
    assert good.text == "fine"
    chat.complete([Prompt("a third", schema=SCHEMA)])
    assert server.requests[-1]["response_format"]["type"] == "json_schema", "the refusal was not about the schema"


@pytest.mark.parametrize(
    ("status", "error"), [(401, {}), (403, {}), (404, {}), (429, {"code": "insufficient_quota", "message": "pay"})]
)
def test_an_endpoint_that_refuses_every_prompt_is_unavailable_without_retries(
    port: Port, status: int, error: Body
) -> None:
    chat, server = port(Turn(status=status, error=error), parallel=1)
    with pytest.raises(ModelUnavailable, match=f"model 'tiny' at {server.url} answered HTTP {status}"):
        chat.complete([Prompt(f"prompt {n}") for n in range(20)])
    assert len(server.requests) == 1


def test_an_unreachable_endpoint_is_unavailable_and_the_error_names_model_and_endpoint() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        waited: list[float] = []
        chat = LlmClient(
            OpenAIProvider("tiny", Endpoint(url, limiter=RateLimiter(sleep=waited.append), retries=3)), parallel=2
        )
        with pytest.raises(ModelUnavailable, match=f"model 'tiny' at {url} cannot be reached"):
            chat.complete([Prompt(f"prompt {n}") for n in range(50)])
        assert 3 <= len(waited) <= 6
        with pytest.raises(ModelUnavailable):
            chat.complete([Prompt("another")])
        assert len(waited) <= 6, "a moment later one try is enough"
        chat.close()


def test_an_empty_reply_is_retried_and_then_reported(port: Port) -> None:
    chat, server = port(Turn("  "))
    assert complete(chat).error.endswith("the reply is empty")
    assert len(server.requests) == 3


@pytest.mark.parametrize("stream", [True, False])
def test_a_refusal_is_a_reply_that_says_so(port: Port, stream: bool) -> None:
    chat, server = port(Turn(refusal="I cannot help with that", stream=stream))
    assert "the model refused: I cannot help" in complete(chat).error
    assert len(server.requests) == 1


def test_a_filter_is_a_reply_that_says_so(port: Port) -> None:
    chat, _ = port(Turn("par", finish="content_filter"))
    assert "filter refused" in complete(chat).error


@pytest.mark.parametrize("schema", [SCHEMA, None])
def test_a_reply_cut_at_its_limit_says_so_and_keeps_what_came(port: Port, schema: Any) -> None:
    chat, server = port(Turn('{"name": "Hal', finish="length"))
    reply = complete(chat, schema=schema, max_tokens=4)
    assert "cut at max_tokens = 4" in reply.error
    assert (reply.text, reply.data, reply.truncated) == ('{"name": "Hal', None, True)
    assert len(server.requests) == 1


@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS"])
def test_the_beginning_of_a_reply_cut_at_its_limit_is_usable(port: Port, finish: str) -> None:
    schema = {"type": "object", "properties": {"names": {"type": "array"}, "count": {}}, "required": ["names", "count"]}
    chat, server = port(Turn('{"names": ["Halcyon", "Te', finish=finish))
    reply = complete(chat, schema=schema)
    assert (reply.ok, reply.data, reply.truncated) == (True, {"names": ["Halcyon"]}, True)
    assert len(server.requests) == 1


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "form",
    [
        {"parts": True},
        {"call": "tool", "finish": "tool_calls"},
        {"call": "function", "finish": "function_call"},
        {"finish": None},
        {"finish": None, "done": False},
        {"content_type": "text/plain"},
        {"content_type": "application/json"},
        {"content_type": "text/event-stream"},
        {"usage": False},
    ],
    ids=str,
)
def test_every_form_of_a_response_is_read_at_the_first_call(port: Port, form: dict[str, Any], stream: bool) -> None:
    text = json.dumps({"name": "Halcyon — founded by Ærø & sons"})
    chat, server = port(Turn(text, stream=stream, **form))
    reply = complete(chat, schema=SCHEMA)
    assert (reply.data, reply.error) == (json.loads(text), "")
    assert reply.text == text
    assert len(server.requests) == 1


def test_a_text_without_a_finish_reason_is_whole_if_the_stream_was_ended(port: Port) -> None:
    chat, server = port(Turn("half of", finish=None, done=False), Turn("the whole text", finish=None))
    assert complete(chat).text == "the whole text"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "body",
    [
        b': keep-alive\n\ndata: {"choices": [{"delta": {"content": "fine"}}]}\n\ndata: [DONE]',
        b'event: message\r\ndata:{"choices": [{"delta": {"content": "fine"}, "finish_reason": "stop"}]}\r\n\r\n',
        b'\n\ndata: \n\ndata: {"choices": [{"message": {"content": "fine"}, "finish_reason": "stop"}]}',
        b'\xef\xbb\xbf {"choices": [{"message": {"content": "fine", "reasoning_content": "hm"}}]}',
        b'{"choices": [{"message": {"content": [{"type": "thinking", "text": "hm"}, "fi", {"text": "ne"}]}}]}',
        b'{"choices": [{"message": {"content": "", "tool_calls": [{"function": {"arguments": "fine"}}]}}]}',
        b'{"choices": [{"message": {"content": "fine", "tool_calls": [{"function": {"arguments": "{}"}}]}}]}',
    ],
)
def test_bodies_as_gateways_send_them_are_read(port: Port, body: bytes) -> None:
    chat, server = port(Turn(raw=body))
    assert complete(chat).text == "fine"
    assert len(server.requests) == 1


def test_a_connection_that_breaks_after_a_whole_value_costs_no_second_call(port: Port) -> None:
    chat, server = port(Turn('{"name": "Halcyon"}', cut="after"))
    assert complete(chat, schema=SCHEMA).data == {"name": "Halcyon"}
    assert len(server.requests) == 1


@pytest.mark.parametrize("finish", ["stop", None])
def test_a_stream_that_stays_open_after_a_whole_value_costs_no_second_call(port: Port, finish: str | None) -> None:
    chat, server = port(Turn('{"name": "Halcyon"}', finish=finish, open_for=1.0), timeout=0.3)
    assert complete(chat, schema=SCHEMA).data == {"name": "Halcyon"}
    assert len(server.requests) == 1


def test_a_page_of_html_is_no_reply(port: Port) -> None:
    chat, _ = port(Turn(raw=b"<html>Sign in</html>", content_type="text/html"))
    assert "invalid JSON: b'<html>Sign in</html>'" in complete(chat).error


@pytest.mark.parametrize("stream", [True, False])
def test_a_reply_of_ten_megabytes_is_dropped_before_it_is_read(port: Port, stream: bool) -> None:
    chat, server = port(Turn("small"), Turn("x" * 10_000_000, stream=stream), Turn("small"))
    complete(chat)  # the client imports what it needs
    tracemalloc.start()
    try:
        reply = complete(chat, "again", max_tokens=100)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "larger than 1,200,000 bytes" in reply.error
    assert len(server.requests) == 2
    assert server.bytes_sent < 9_000_000, "what is not wanted is not read"
    assert peak < 60_000_000, "the server of this test holds the reply as well"
    assert complete(chat, "next").text == "small", "the connection is clean again"


def test_a_schema_is_sent_and_the_reply_is_parsed(port: Port) -> None:
    chat, server = port(GOOD)
    assert complete(chat, schema=SCHEMA).data == {"name": "Halcyon"}
    assert server.requests[0]["response_format"]["json_schema"]["schema"] == SCHEMA


@pytest.mark.parametrize(("status", "probes"), [(400, 1), (422, 1), (500, 2), (501, 2)])
def test_an_endpoint_that_refuses_schemas_gets_json_object_and_is_remembered(
    port: Port, status: int, probes: int
) -> None:
    """A 500 may pass, so it is believed to be a refusal only where all tries but the last end in one."""

    def script(body: Body, number: int) -> Turn:
        return Turn(status=status) if body["response_format"]["type"] == "json_schema" else GOOD

    chat, server = port(script=script)
    for number in range(4):
        assert complete(chat, f"prompt {number}", schema=SCHEMA).ok
    kinds = [body["response_format"]["type"] for body in server.requests]
    assert kinds == ["json_schema"] * probes + ["json_object"] * 4
    assert '"additionalProperties"' in server.requests[probes]["messages"][0]["content"], (
        "the schema goes into the system message"
    )


def test_an_endpoint_that_breaks_at_every_response_format_gets_plain_text_at_the_second_prompt(port: Port) -> None:
    def script(body: Body, number: int) -> Turn:
        return Turn(status=500) if "response_format" in body else GOOD

    chat, server = port(script=script, retries=2)
    replies = [complete(chat, f"prompt {number}", schema=SCHEMA) for number in range(3)]
    assert [reply.ok for reply in replies] == [False, True, True]
    assert len(server.requests) == 3 + 3 + 1


@pytest.mark.parametrize("retries", [0, 1, 4])
@pytest.mark.parametrize("status", [500, 503])
def test_a_broken_endpoint_costs_no_more_requests_with_a_schema_than_without(
    port: Port, status: int, retries: int
) -> None:
    chat, server = port(Turn(status=status), retries=retries)
    assert f"HTTP {status}" in complete(chat, schema=SCHEMA).error
    assert len(server.requests) == retries + 1


def test_a_temporary_failure_does_not_change_the_format(port: Port) -> None:
    chat, server = port(Turn(status=500), GOOD)
    assert complete(chat, schema=SCHEMA).ok
    assert {body["response_format"]["type"] for body in server.requests} == {"json_schema"}


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_prompt_with_a_schema_is_sent_once_to_an_endpoint_that_refuses_every_prompt(port: Port, status: int) -> None:
    chat, server = port(Turn(status=status, error={"message": "temperature, stream_options: no such thing"}))
    with pytest.raises(ModelUnavailable, match=f"HTTP {status}"):
        complete(chat, schema=SCHEMA)
    assert len(server.requests) == 1


def test_an_endpoint_that_refuses_every_response_format_gets_plain_text(port: Port) -> None:
    def script(body: Body, number: int) -> Turn:
        return (
            Turn(status=400) if "response_format" in body else Turn('Here it is:\n```json\n{"name": "Halcyon",}\n```')
        )

    chat, server = port(script=script)
    assert complete(chat, schema=SCHEMA).data == {"name": "Halcyon"}
    assert complete(chat, "next", schema=SCHEMA).ok
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        ("temperature", "Unsupported value: 'temperature' does not support 0."),
        ("stream_options", "Unrecognized request argument: stream_options"),
    ],
)
def test_a_field_that_an_endpoint_refuses_is_left_out_from_then_on(port: Port, field: str, message: str) -> None:
    def script(body: Body, number: int) -> Turn:
        return Turn(status=400, error={"message": message}) if field in body else GOOD

    chat, server = port(script=script)
    assert complete(chat, schema=SCHEMA).ok
    assert complete(chat, "next", schema=SCHEMA).ok
    assert [field in body for body in server.requests] == [True, False, False]
    assert server.requests[-1]["response_format"]["type"] == "json_schema", "the schema was not at fault"


def test_a_rejection_that_is_not_about_the_format_changes_nothing() -> None:
    assert simplify_format(RequestFormat(), 400, "too long", schema=False) is None
    assert simplify_format(RequestFormat(schema_mode="text"), 400, "too long", schema=True) is None
    assert simplify_format(RequestFormat(), 500, "temperature", schema=False) is None
    assert simplify_format(RequestFormat(), 429, "max_completion_tokens", schema=True) is None


def test_a_reply_that_does_not_fit_is_asked_for_once_more_with_what_was_wrong(port: Port) -> None:
    chat, server = port(Turn('{"nam": "Halcyon"}'), GOOD)
    reply = complete(chat, "who?", schema=SCHEMA)
    assert reply.data == {"name": "Halcyon"}
    assert (reply.tokens_in, reply.tokens_out) == (22, 14)
    again = server.requests[1]["messages"][-1]["content"]
    assert again.startswith("who?")
    assert "Additional properties" in again or "'name' is a required property" in again


def test_lone_surrogates_of_a_reply_are_replaced_in_text_and_data(port: Port) -> None:
    chat, _ = port(Turn("half \ud83d a pair"), Turn('{"name": "Hal\\ud83d"}'), Turn('{"nam\\ud83d": 1}'))
    assert complete(chat).text == "half \ufffd a pair"
    assert complete(chat, "as data", schema=SCHEMA).data == {"name": "Hal\ufffd"}
    bad = complete(chat, "that does not fit", schema=SCHEMA)
    assert bad.error.encode("utf-8")
    assert not bad.ok


@pytest.mark.parametrize("bad", [Turn("no JSON"), Turn(" "), Turn("cut", cut="end")], ids=["unfit", "empty", "cut"])
@pytest.mark.parametrize(("cap", "requests"), [(1, 1), (2, 2), (3, 3)])
def test_a_budget_of_calls_counts_what_is_asked_again(port: Port, bad: Turn, cap: int, requests: int) -> None:
    chat, server = port(bad, retries=4)
    done = run(ask_prompts("who?"), alone(chat), Scope("c"), budget=Budget(calls=cap))
    wanted = min(requests, 2) if bad.text == "no JSON" else requests  # a reply is repaired once
    assert len(server.requests) == done.trace.calls == wanted
    assert not done.result[0].ok


def test_calls_beyond_one_a_prompt_are_shared_by_the_prompts(port: Port) -> None:
    chat, server = port(Turn("no JSON"), parallel=1)
    done = run(ask_prompts("a", "b", "c"), alone(chat), Scope("c"), budget=Budget(calls=5))
    assert len(server.requests) == done.trace.calls == 3
    done = run(ask_prompts("d", "e", "f"), alone(chat), Scope("c"), budget=Budget(calls=6))
    assert done.trace.calls == 6


def test_the_trace_counts_the_calls_that_the_model_answered(port: Port) -> None:
    chat, server = port(Turn(status=503), Turn("no JSON"), GOOD)
    done = run(ask_prompts("who?"), alone(chat), Scope("c"))
    assert done.result[0].data == {"name": "Halcyon"}
    assert (len(server.requests), done.trace.calls, done.trace.tokens) == (3, 2, 36)


def ask_prompts(*prompts: str) -> Flow[list[Reply]]:
    return (yield ask(prompts, schema=SCHEMA))


def alone(chat: LlmClient) -> Services:
    """Services with a language model only."""
    nothing: Any = SimpleNamespace(name="none")
    return Services(nothing, nothing, chat)


@pytest.mark.parametrize("text", ["no JSON at all", '{"name": ', '{"nam": "Halcyon"}', "[]"])
def test_a_reply_that_never_fits_is_a_reply_that_says_why(port: Port, text: str) -> None:
    chat, server = port(Turn(text))
    reply = complete(chat, schema=SCHEMA)
    assert (reply.ok, reply.data, reply.text) == (False, None, text)
    assert "the reply" in reply.error
    assert reply.tokens_in == 22
    assert len(server.requests) == 2


def test_an_invalid_schema_is_refused_before_anything_is_sent(port: Port) -> None:
    chat, server = port(GOOD)
    with pytest.raises(UsageError, match="not a JSON schema"):
        complete(chat, schema={"type": "objekt"})
    assert server.requests == []


def test_replies_keep_the_order_of_prompts_and_parallel_limits_concurrent_requests(port: Port) -> None:
    def script(body: Body, number: int) -> Turn:
        return Turn(body["messages"][-1]["content"].upper(), delay=0.03 * (3 - number % 3))

    chat, server = port(script=script, parallel=3)
    prompts = [Prompt(f"prompt {n}") for n in range(12)]
    assert [reply.text for reply in chat.complete(prompts)] == [f"PROMPT {n}" for n in range(12)]
    assert 2 <= server.max_concurrent <= 3


def test_equal_prompts_are_sent_once(port: Port) -> None:
    chat, server = port(Turn("same"))
    replies = chat.complete([Prompt("a"), Prompt("b"), Prompt("a")])
    assert [reply.cached for reply in replies] == [False, False, True]
    assert len(server.requests) == 2


def test_no_prompt_needs_no_endpoint() -> None:
    chat = LlmClient(OpenAIProvider("tiny", Endpoint("http://127.0.0.1:9/v1")))
    assert chat.complete([]) == []


def test_retry_after_is_parsed_in_seconds_milliseconds_and_dates() -> None:
    from email.utils import formatdate

    assert parse_retry_after({"retry-after": "7"}) == 7
    assert parse_retry_after({"retry-after-ms": "250", "retry-after": "9"}) == 0.25
    assert parse_retry_after({"retry-after": "-3"}) == 0
    assert 2 < (parse_retry_after({"retry-after": formatdate(time.time() + 4)}) or 0) <= 5
    for nonsense in ("soon", "nan", "", "Wed, 99 Foo"):
        assert parse_retry_after({"retry-after": nonsense}) is None


def test_the_backoff_doubles_up_to_a_limit_with_jitter() -> None:
    assert all(0.25 <= backoff_seconds(0) <= 0.5 for _ in range(50))
    assert all(15 <= backoff_seconds(number) <= 30 for number in (6, 20, 10_000))
    assert len({backoff_seconds(3) for _ in range(10)}) > 1


def test_retries_wait_as_requested_and_stop_at_the_first_final_completion() -> None:
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    completions = iter([Completion(retryable=True, retry_after=5.0), Completion(retryable=True), Completion("done")])
    assert with_retries(lambda: next(completions), retries=5, limiter=RateLimiter(sleep, lambda: now[0])).text == "done"
    assert slept[0] == 5.0
    assert len(slept) == 2


def test_a_model_without_an_address_and_without_a_key_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match="OPENAI_BASE_URL"):
        load_llm(load_settings(model="tiny"))
    chat = load_llm(load_settings(model="tiny", openai_api_key="k"))
    assert chat is not None
    chat.close()
