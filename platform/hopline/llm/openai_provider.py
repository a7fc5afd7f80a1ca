"""A language model behind an OpenAI-compatible endpoint (chat completions).

Endpoints differ in what they take: some refuse a JSON schema, a temperature, ``max_tokens`` or
``stream_options``. The first refusal (HTTP 400 or 422) teaches the `Dialect`, which is remembered. A 500 is taken for
a fault that may pass, as it mostly is; some endpoints answer so to a schema, however, therefore the last of all tries
goes without one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Literal

from hopline.flow.services import Prompt
from hopline.llm.endpoint import Endpoint, failure
from hopline.llm.json_output import instruction
from hopline.llm.provider import Said, persist
from hopline.llm.response_stream import Collected, collect

Form = Literal["json_schema", "json_object", "text"]
PATIENCE = 10  # times the timeout that a reply which keeps coming may take
REFUSED = frozenset({400, 422})  # what an endpoint answers to a field that it does not take
BROKEN = frozenset({500, 501})  # what some answer to a schema


@dataclass(frozen=True, slots=True)
class Dialect:
    """What an endpoint takes."""

    form: Form = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    usage: bool = True


def simpler(dialect: Dialect, status: int, message: str, *, schema: bool) -> Dialect | None:
    """The dialect to try after a refusal; None where the refusal is not about the dialect."""
    if status not in REFUSED:
        return None
    if "max_completion_tokens" in message and dialect.limit == "max_tokens":
        return replace(dialect, limit="max_completion_tokens")
    if "temperature" in message and dialect.temperature:
        return replace(dialect, temperature=False)
    if "stream_options" in message and dialect.usage:
        return replace(dialect, usage=False)
    if schema and dialect.form != "text":
        return replace(dialect, form="json_object" if dialect.form == "json_schema" else "text")
    return None


class OpenAIVoice:
    """One model of one endpoint, at temperature 0, streamed so that a reply's size is bounded."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self.name = model
        self._endpoint = endpoint
        self._dialect = Dialect()
        self._last_form: Form = "json_object"  # what the last try goes with where all others ended in a 500

    def say(self, prompt: Prompt) -> Said:
        """The reply after all retries; never raises for what the model or its endpoint does."""
        retries, known, broken = self._endpoint.retries, self._dialect, 0
        dialect = known

        def attempt() -> Said:
            nonlocal dialect, broken
            last = _has_schema(prompt) and dialect.form != "text" and broken == retries > 0
            if last:
                dialect = replace(dialect, form=self._last_form if dialect.form == "json_schema" else "text")
            said, dialect, took = self._try(prompt, dialect)
            if took and dialect != known:
                self._dialect = dialect
            broken += said.status in BROKEN
            if last and said.status in BROKEN:
                self._last_form = "text" if self._last_form == "json_object" else "json_object"
            return said

        return persist(attempt, retries=retries, pace=self._endpoint.pace, extra_calls=prompt.extra_calls)

    def close(self) -> None:
        """Let go of connections."""
        self._endpoint.close()

    def _try(self, prompt: Prompt, dialect: Dialect) -> tuple[Said, Dialect, bool]:
        """One try in a dialect, simpler ones while it is refused; with the last of them, and whether it was taken."""
        from openai import APIError, APIStatusError

        first: Said | None = None
        while True:
            try:
                said = _said(self._stream(prompt, dialect), self._at, prompt)
            except APIError as error:
                said = failure(error, base_url=self._endpoint.base_url, model=self.name)
                message = str(error.body or error) if isinstance(error, APIStatusError) else ""
                next_one = simpler(dialect, said.status, message, schema=_has_schema(prompt))
                if next_one is None:
                    return (said if said.again or first is None else first), dialect, False
                first, dialect = first or said, next_one
            else:
                return said, dialect, True

    def _stream(self, prompt: Prompt, dialect: Dialect) -> Collected:
        call = self._endpoint.client().chat.completions.with_streaming_response
        with call.create(**request_of(self.name, prompt, dialect)) as response:
            seconds = self._endpoint.timeout * PATIENCE
            return collect(response.headers, response.iter_bytes(), max_tokens=prompt.max_tokens, seconds=seconds)

    @property
    def _at(self) -> str:
        return f"model {self.name!r} at {self._endpoint.base_url}"


def request_of(model: str, prompt: Prompt, dialect: Dialect) -> dict[str, Any]:
    """The arguments of one chat completion."""
    system = prompt.system
    if _has_schema(prompt) and dialect.form != "json_schema":
        system = f"{system}\n\n{instruction(prompt.schema)}".strip()
    messages = [{"role": "system", "content": _sendable(system)}] if system else []
    request: dict[str, Any] = {
        "model": model,
        "messages": [*messages, {"role": "user", "content": _sendable(prompt.text)}],
        dialect.limit: prompt.max_tokens,
        "stream": True,
    }
    if dialect.temperature:
        request["temperature"] = 0
    if dialect.usage:
        request["stream_options"] = {"include_usage": True}
    if _has_schema(prompt) and dialect.form == "json_schema":
        schema = {"name": "reply", "schema": prompt.schema}
        request["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif _has_schema(prompt) and dialect.form == "json_object":
        request["response_format"] = {"type": "json_object"}
    return request


def _sendable(text: str) -> str:
    """The text with "?" for half characters, which damaged documents hold and no request can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _has_schema(prompt: Prompt) -> bool:
    return prompt.schema is not None


def _said(collected: Collected, at: str, prompt: Prompt) -> Said:
    """A reply's text with its tokens, estimated where the endpoint does not count them."""
    asked = len(prompt.text) + len(prompt.system) + len(json.dumps(prompt.schema) if prompt.schema else "")
    return Said(
        text=collected.text,
        tokens_in=collected.tokens_in if collected.tokens_in is not None else -(-asked // 4),
        tokens_out=collected.tokens_out if collected.tokens_out is not None else -(-len(collected.text) // 4),
        error=f"{at}: {collected.error}" if collected.error else "",
        again=collected.again,
        calls=1,
    )
