"""langchain-core chat models as providers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from hopline.config import load_settings
from hopline.errors import ModelUnavailable, SettingsError
from hopline.flow.services import Prompt
from hopline.llm.client import LlmClient, load_llm
from hopline.llm.langchain_provider import LangChainProvider
from hopline.llm.retries import RateLimiter

SCHEMA = {"type": "object", "required": ["name"]}


class Moody(BaseChatModel):
    """Fails ``failures`` times, then repeats the prompt."""

    failures: int = 0
    error: type[Exception] = RuntimeError
    seen: list[list[BaseMessage]] = []  # noqa: RUF012 - pydantic copies it

    @property
    def _llm_type(self) -> str:
        return "moody"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.seen.append(messages)
        if self.failures > 0:
            self.failures -= 1
            raise self.error("overloaded")
        usage = {"input_tokens": 30, "output_tokens": 4, "total_tokens": 34}
        message = AIMessage(f"you said {messages[-1].content}", usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=message)])


def quiet(model: BaseChatModel, retries: int = 2) -> LangChainProvider:
    return LangChainProvider(model, retries=retries, limiter=RateLimiter(sleep=lambda seconds: None))


def test_models_at_two_addresses_have_two_endpoints() -> None:
    class Remote(FakeListChatModel):
        base_url: str

    first, second = (quiet(Remote(responses=["x"], base_url=url)).endpoint for url in ("http://a/v1", "http://b/v1"))
    assert first != second
    assert first == quiet(Remote(responses=["y"], base_url="http://a/v1")).endpoint


def test_a_streamed_reply_is_joined() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("Halcyon was founded in 1987.")]))
    (reply,) = LlmClient(quiet(model)).complete([Prompt("when?", "be short")])
    assert reply.text == "Halcyon was founded in 1987."
    assert (reply.tokens_in, reply.tokens_out) == (4, 7), "estimated where the model does not count"


def test_tokens_that_the_model_counts_are_taken() -> None:
    (reply,) = LlmClient(quiet(Moody())).complete([Prompt("hello")])
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("you said hello", 30, 4)


def test_a_schema_goes_into_the_system_message_and_the_reply_is_checked() -> None:
    model = Moody()
    (reply,) = LlmClient(quiet(model)).complete([Prompt('{"name": "Halcyon"}', "be short", SCHEMA)])
    assert reply.data == {"name": "Halcyon"}
    system = model.seen[0][0]
    assert isinstance(system, SystemMessage)
    assert "be short" in str(system.content)
    assert '"required": ["name"]' in str(system.content)


def test_a_reply_that_does_not_fit_is_asked_for_once_more() -> None:
    model = FakeListChatModel(responses=["nothing", '{"name": "Halcyon"}'])
    (reply,) = LlmClient(quiet(model)).complete([Prompt("who?", schema=SCHEMA)])
    assert reply.data == {"name": "Halcyon"}


def test_a_failure_is_retried() -> None:
    (reply,) = LlmClient(quiet(Moody(failures=2))).complete([Prompt("hello")])
    assert reply.text == "you said hello"


def test_a_model_that_keeps_failing_is_a_reply_that_says_why() -> None:
    (reply,) = LlmClient(quiet(Moody(failures=9))).complete([Prompt("hello")])
    assert reply.error == "Moody failed: RuntimeError: overloaded"


def test_an_unreachable_model_is_unavailable() -> None:
    with pytest.raises(ModelUnavailable, match="Moody failed: ConnectionError"):
        LlmClient(quiet(Moody(failures=9, error=ConnectionError))).complete([Prompt("hello")])


def test_an_endless_reply_is_dropped() -> None:
    class Endless(FakeListChatModel):
        def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
            while True:
                yield ChatGenerationChunk(message=AIMessageChunk("and then " * 1000))

    (reply,) = LlmClient(quiet(Endless(responses=[]))).complete([Prompt("hello")])
    assert "larger than 1,000,000 characters" in reply.error


def test_an_empty_reply_is_a_reply_that_says_so() -> None:
    (reply,) = LlmClient(quiet(GenericFakeChatModel(messages=iter([AIMessage(" ")] * 3)))).complete([Prompt("hello")])
    assert reply.error == "GenericFakeChatModel: the reply is empty"


def test_settings_name_a_chat_model_or_a_function_that_returns_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_models.py").write_text(
        "from langchain_core.language_models.fake_chat_models import FakeListChatModel\n"
        "ready = FakeListChatModel(responses=['from ready'])\n"
        "def made(): return FakeListChatModel(responses=['from made'])\n"
        "number = 5\n"
        "def wrong(): return 5\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("ready", "made"):
        chat = load_llm(load_settings(home=tmp_path / name, model=f"langchain:my_models:{name}"))
        assert chat is not None
        assert chat.complete([Prompt("hello")])[0].text == f"from {name}"
        chat.close()
    with pytest.raises(SettingsError, match="cannot be imported"):
        load_llm(load_settings(home=tmp_path, model="langchain:my_models:missing"))
    with pytest.raises(SettingsError, match="cannot be imported"):
        load_llm(load_settings(home=tmp_path, model="langchain:no_such_module:x"))
    for name in ("number", "wrong"):
        with pytest.raises(SettingsError, match="is a int, not a langchain-core chat model"):
            load_llm(load_settings(home=tmp_path, model=f"langchain:my_models:{name}"))
