"""The callback for the text of a reply is called while the reply arrives."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from scripted import Script, ServerState, Turn, serve

from hopline.flow.replay import replay
from hopline.flow.requests import Flow, Reply, ask
from hopline.flow.run import run
from hopline.flow.services import Prompt, Scope, Services
from hopline.llm.client import LlmClient
from hopline.llm.endpoint import Endpoint
from hopline.llm.langchain_provider import LangChainProvider
from hopline.llm.openai_provider import OpenAIProvider
from hopline.llm.reply_cache import ReplyCache, compute_reply_key
from hopline.llm.retries import RateLimiter

TEXT = "Halcyon was founded in 1987 by Ada Quill."
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Callable[..., tuple[LlmClient, ServerState]]]:
    """``port(*turns)``: a client with a reply cache, and the scripted server of its model."""
    opened = []

    def make(*turns: Turn, script: Script | None = None) -> tuple[LlmClient, ServerState]:
        server = serve(script or turns)
        state = server.__enter__()
        endpoint = Endpoint(state.url, "key", timeout=5.0, retries=2, limiter=RateLimiter(sleep=lambda seconds: None))
        client = LlmClient(OpenAIProvider("tiny", endpoint), ReplyCache(tmp_path / "replies.sqlite"))
        opened.append((client, server))
        return client, state

    yield make
    for client, server in opened:
        client.close()
        server.__exit__(None, None, None)


class Listener:
    """Records the texts that it is called with, when, and on which thread."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.times: list[float] = []
        self.threads: set[int] = set()

    def __call__(self, text: str) -> None:
        self.texts.append(text)
        self.times.append(time.monotonic())
        self.threads.add(threading.get_ident())


def test_the_text_so_far_comes_when_its_bytes_come_on_the_calling_thread(port: Any) -> None:
    pause = 0.1
    chat, _ = port(Turn(TEXT, pause=pause))
    listener = Listener()
    [reply] = chat.complete([Prompt("when?", on_text=listener)])
    assert reply.text == listener.texts[-1] == TEXT
    assert listener.texts == [TEXT[:end] for end in (*range(7, len(TEXT), 7), len(TEXT))]
    assert listener.times[-1] - listener.times[0] > (len(listener.times) - 2) * pause
    assert listener.threads == {threading.get_ident()}


@pytest.mark.parametrize("form", [{"stream": False}, {"call": "tool"}, {"call": "function"}, {"parts": True}], ids=str)
def test_every_form_of_a_response_is_reported(port: Any, form: dict[str, Any]) -> None:
    chat, _ = port(Turn('{"name": "Halcyon"}', **form))
    listener = Listener()
    chat.complete([Prompt("who?", schema=SCHEMA, on_text=listener)])
    assert listener.texts[-1] == '{"name": "Halcyon"}'
    assert all('{"name": "Halcyon"}'.startswith(text) for text in listener.texts)


def test_another_attempt_begins_again_with_an_empty_text(port: Any) -> None:
    chat, _ = port(Turn("half of", cut="end"), Turn("no JSON"), Turn('{"name": "Halcyon"}'))
    listener = Listener()
    [reply] = chat.complete([Prompt("who?", schema=SCHEMA, on_text=listener)])
    assert reply.ok
    assert listener.texts == ["half of", "", "no JSON", "", '{"name"', '{"name": "Halc', '{"name": "Halcyon"}']


def test_an_error_of_the_callback_is_logged_and_costs_nothing(port: Any, caplog: pytest.LogCaptureFixture) -> None:
    chat, server = port(Turn(TEXT))

    def fail(text: str) -> None:
        raise RuntimeError("no screen")

    [reply] = chat.complete([Prompt("when?", on_text=fail)])
    assert reply.text == TEXT
    assert len(server.requests) == 1
    assert "on_text raised an error" in caplog.text


def test_a_cached_reply_is_reported_once_as_a_whole(port: Any) -> None:
    chat, server = port(Turn(TEXT))
    chat.complete([Prompt("when?")])
    listener = Listener()
    [reply] = chat.complete([Prompt("when?", on_text=listener)])
    assert reply.cached
    assert listener.texts == [TEXT]
    assert len(server.requests) == 1


def test_a_truncated_reply_is_not_cached(port: Any) -> None:
    chat, server = port(Turn('{"name": "Halcyon", "more": [', finish="length"))
    for _ in range(2):
        [reply] = chat.complete([Prompt("who?", schema=SCHEMA)])
        assert (reply.data["name"], reply.truncated, reply.cached) == ("Halcyon", True, False)
    assert len(server.requests) == 2


def test_the_callback_is_no_part_of_a_prompt(port: Any) -> None:
    spoken, silent = Prompt("when?", on_text=print), Prompt("when?")
    assert spoken == silent
    assert hash(spoken) == hash(silent)
    assert repr(spoken) == repr(silent)
    assert compute_reply_key("m", "e", spoken) == compute_reply_key("m", "e", silent)
    assert ask(["when?"], on_text=print) == ask(["when?"])


def ask_prompts(*prompts: str, on_text: Callable[[str], None]) -> Flow[list[Reply]]:
    return (yield ask(prompts, on_text=on_text))


def use_model(chat: LlmClient) -> Services:
    nothing: Any = SimpleNamespace(name="none")
    return Services(nothing, nothing, chat)


def test_a_flow_hears_the_text_of_a_single_prompt_also_when_it_is_replayed(port: Any) -> None:
    chat, _ = port(Turn(TEXT))
    listener, second = Listener(), Listener()
    outcome = run(ask_prompts("when?", on_text=listener), use_model(chat), Scope("c"), record=True)
    assert listener.texts[-1] == TEXT
    assert "on_text" not in str(outcome.trace)
    assert replay(ask_prompts("when?", on_text=second), outcome.trace) == outcome.result
    assert second.texts == [TEXT]


def test_several_prompts_of_a_request_are_not_reported(port: Any) -> None:
    chat, _ = port(Turn(TEXT))
    listener = Listener()
    outcome = run(ask_prompts("when?", "where?", on_text=listener), use_model(chat), Scope("c"), record=True)
    replay(ask_prompts("when?", "where?", on_text=listener), outcome.trace)
    assert listener.texts == []


def test_a_langchain_model_is_reported_piece_by_piece() -> None:
    chat = LlmClient(LangChainProvider(GenericFakeChatModel(messages=iter([AIMessage("Ada Quill")]))))
    listener = Listener()
    chat.complete([Prompt("who?", on_text=listener)])
    assert listener.texts == ["Ada", "Ada ", "Ada Quill"]


class Chunks(FakeListChatModel):
    """Streams given chunks, or raises a given error."""

    chunks: list[AIMessageChunk]
    error: Exception | None = None
    calls: int = 0

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        self.calls += 1
        if self.error is not None:
            raise self.error
        for chunk in self.chunks:
            yield ChatGenerationChunk(message=chunk)


def open_langchain(chunks: list[AIMessageChunk], error: Exception | None = None) -> tuple[LlmClient, Chunks]:
    model = Chunks(responses=[], chunks=chunks, error=error)
    return LlmClient(LangChainProvider(model, limiter=RateLimiter(sleep=lambda seconds: None))), model


def test_arguments_of_a_langchain_tool_call_are_the_reply() -> None:
    pieces = ['{"name": ', '"Halcyon"}']
    calls = [{"name": "reply", "args": piece, "id": "1", "index": 0, "type": "tool_call_chunk"} for piece in pieces]
    chat, _ = open_langchain([AIMessageChunk("", tool_call_chunks=[call]) for call in calls])
    listener = Listener()
    [reply] = chat.complete([Prompt("who?", schema=SCHEMA, on_text=listener)])
    assert reply.data == {"name": "Halcyon"}
    assert listener.texts == [pieces[0], "".join(pieces)]


@pytest.mark.parametrize(
    "metadata", [{"finish_reason": "length"}, {"stop_reason": "max_tokens"}, {"done_reason": "length"}], ids=str
)
def test_a_langchain_reply_cut_at_its_limit_is_truncated(metadata: dict[str, str]) -> None:
    chunks = [AIMessageChunk('{"name": "Halcyon", "more": ['), AIMessageChunk("", response_metadata=metadata)]
    chat, _ = open_langchain(chunks)
    [reply] = chat.complete([Prompt("who?", schema=SCHEMA)])
    assert (reply.data["name"], reply.truncated) == ("Halcyon", True)
    [reply] = chat.complete([Prompt("who?")])
    assert "cut at the maximum length" in reply.error


def test_a_timeout_of_a_langchain_model_is_not_tried_again() -> None:
    class APITimeoutError(Exception): ...

    chat, model = open_langchain([], APITimeoutError("Request timed out."))
    for _ in range(2):
        [reply] = chat.complete([Prompt("who?")])
        assert reply.error == "Chunks failed: APITimeoutError: Request timed out."
    assert model.calls == 1
