"""Any langchain-core chat model as a provider. Needs the extra ``hopline[langchain]``."""

from __future__ import annotations

import json
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from hopline.errors import SettingsError
from hopline.flow.requests import report_text
from hopline.flow.services import Prompt
from hopline.llm.json_output import schema_instruction
from hopline.llm.provider import Completion
from hopline.llm.response_stream import FIXED_BYTES, LENGTH_REASONS, StreamedReply
from hopline.llm.retries import RateLimiter, with_retries

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage

# where chat models have the address of their endpoint
_ADDRESS_ATTRIBUTES: Final = ("base_url", "openai_api_base", "azure_endpoint", "endpoint_url", "endpoint", "api_base")


class LangChainProvider:
    """A langchain-core chat model; temperature and maximum length are its own settings.

    A schema is put into the system message, since chat models differ in how they accept one.
    """

    def __init__(
        self, model: BaseChatModel, *, name: str = "", retries: int = 4, limiter: RateLimiter | None = None
    ) -> None:
        self.name = name or getattr(model, "model_name", "") or getattr(model, "model", "") or type(model).__name__
        self._model = model
        self._retries = retries
        self._limiter = limiter or RateLimiter()

    @property
    def endpoint(self) -> str:
        """The class of the chat model, and the address that it calls if it has one."""
        kind = type(self._model)
        addresses = (str(getattr(self._model, name, "") or "") for name in _ADDRESS_ATTRIBUTES)
        return f"{kind.__module__}.{kind.__qualname__} {next(filter(None, addresses), '')}"

    def complete(self, prompt: Prompt) -> Completion:
        """Complete a prompt, with retries; errors of the model are returned, never raised."""
        return with_retries(
            lambda: self._attempt(prompt),
            retries=self._retries,
            limiter=self._limiter,
            extra_calls=prompt.extra_calls,
            before_retry=partial(report_text, prompt.on_text, ""),
        )

    def close(self) -> None:
        """Do nothing: the chat model belongs to the caller."""

    def _attempt(self, prompt: Prompt) -> Completion:
        from langchain_core.messages import HumanMessage, SystemMessage

        system = prompt.system
        if prompt.schema is not None:
            system = f"{system}\n\n{schema_instruction(prompt.schema)}".strip()
        reply = StreamedReply(tokens_in=0, tokens_out=0)
        try:
            for piece in self._model.stream([*([SystemMessage(system)] if system else []), HumanMessage(prompt.text)]):
                text = reply.text
                _add_piece(reply, piece)
                if len(reply.text) > FIXED_BYTES:
                    error = f"{self.name}: the reply is larger than {FIXED_BYTES:,} characters"
                    return Completion(reply.text[:200], error=error, calls=1)
                if reply.text != text:
                    report_text(prompt.on_text, reply.text)
        except Exception as error:  # noqa: BLE001 - every chat model has its own error classes
            timed_out = isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower()
            message = f"{self.name} failed: {type(error).__name__}: {error}"
            unreachable = isinstance(error, ConnectionError)
            return Completion(error=message, retryable=not timed_out, unreachable=unreachable, timed_out=timed_out)
        if not reply.text.strip():
            return Completion(error=f"{self.name}: the reply is empty", retryable=True, calls=1)
        truncated = reply.finish.lower() in LENGTH_REASONS
        return Completion(
            reply.text,
            reply.tokens_in or -(-(len(prompt.text) + len(system)) // 4),
            reply.tokens_out or -(-len(reply.text) // 4),
            error=f"{self.name}: the reply was cut at the maximum length that the chat model sets" if truncated else "",
            calls=1,
            truncated=truncated,
        )


def _add_piece(reply: StreamedReply, piece: AIMessage) -> None:
    """Add a piece of a stream, or a whole message, to the reply."""
    reply.content += piece.text
    chunks = getattr(piece, "tool_call_chunks", [])
    reply.arguments += "".join(chunk["args"] or "" for chunk in chunks if not chunk["index"])
    if piece.tool_calls and not chunks:
        reply.arguments += json.dumps(piece.tool_calls[0]["args"])
    metadata = piece.response_metadata
    finishes = (metadata.get(name) for name in ("finish_reason", "stop_reason", "done_reason"))
    reply.finish = next((str(finish) for finish in finishes if finish), reply.finish)
    if usage := piece.usage_metadata:
        reply.tokens_in = (reply.tokens_in or 0) + usage["input_tokens"]
        reply.tokens_out = (reply.tokens_out or 0) + usage["output_tokens"]


def load_langchain(path: str, *, retries: int) -> LangChainProvider:
    """Import the chat model ``module:name``; a function is called to create it.

    Raises:
        SettingsError: it cannot be imported, or is not a chat model.
    """
    module, _, attribute = path.partition(":")
    try:
        from langchain_core.language_models import BaseChatModel

        loaded = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        expected = "langchain:<module>:<name of a chat model or of a function that returns one>"
        raise SettingsError(f"model 'langchain:{path}' cannot be imported ({error}); wanted {expected}") from error
    model = loaded() if callable(loaded) and not isinstance(loaded, BaseChatModel) else loaded
    if not isinstance(model, BaseChatModel):
        raise SettingsError(f"model 'langchain:{path}' is a {type(model).__name__}, not a langchain-core chat model")
    return LangChainProvider(model, retries=retries)
