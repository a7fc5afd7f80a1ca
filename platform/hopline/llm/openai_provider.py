"""A language model behind an OpenAI-compatible endpoint (chat completions).

Endpoints differ in the parameters they accept: some reject a JSON schema, a temperature, ``max_tokens`` or
``stream_options``. After a rejection (HTTP 400 or 422) a simpler `RequestFormat` is used and remembered. A 500 is
treated as a temporary failure, as it mostly is; some endpoints however answer a schema with a 500, therefore the last
attempt omits the schema.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from hopline.flow.requests import report_text
from hopline.flow.services import Prompt
from hopline.llm.endpoint import Endpoint, completion_from_error
from hopline.llm.json_output import schema_instruction
from hopline.llm.provider import Completion
from hopline.llm.response_stream import StreamedReply, read_response
from hopline.llm.retries import with_retries

SchemaMode = Literal["json_schema", "json_object", "text"]
REFUSED = frozenset({400, 422})  # answered to a parameter that is not supported
BROKEN = frozenset({500, 501})  # answered to a schema by some endpoints


@dataclass(frozen=True, slots=True)
class RequestFormat:
    """The request parameters that an endpoint accepts."""

    schema_mode: SchemaMode = "json_schema"
    length_parameter: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    stream_usage: bool = True


def simplify_format(format: RequestFormat, status: int, message: str, *, schema: bool) -> RequestFormat | None:
    """Return the format to try after a rejection; None if the rejection is not about the format."""
    if status not in REFUSED:
        return None
    if "max_completion_tokens" in message and format.length_parameter == "max_tokens":
        return replace(format, length_parameter="max_completion_tokens")
    if "temperature" in message and format.temperature:
        return replace(format, temperature=False)
    if "stream_options" in message and format.stream_usage:
        return replace(format, stream_usage=False)
    if schema and format.schema_mode != "text":
        return replace(format, schema_mode="json_object" if format.schema_mode == "json_schema" else "text")
    return None


class OpenAIProvider:
    """One model of one endpoint, at temperature 0, streamed so that a reply's size is bounded."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self.name = model
        self._endpoint = endpoint
        self._format = RequestFormat()
        self._last_schema_mode: SchemaMode = "json_object"  # of the last attempt, if all others ended in a 500

    @property
    def endpoint(self) -> str:
        """The base URL."""
        return self._endpoint.base_url.rstrip("/")

    def complete(self, prompt: Prompt) -> Completion:
        """Complete a prompt, with retries; errors of the model or its endpoint are returned, never raised."""
        retries, initial, broken = self._endpoint.retries, self._format, 0
        format = initial

        def attempt() -> Completion:
            nonlocal format, broken
            last = _has_schema(prompt) and format.schema_mode != "text" and broken == retries > 0
            if last:
                format = replace(
                    format, schema_mode=self._last_schema_mode if format.schema_mode == "json_schema" else "text"
                )
            completion, format, accepted = self._attempt(prompt, format)
            if accepted and format != initial:
                self._format = format
            broken += completion.status in BROKEN
            if last and completion.status in BROKEN:
                self._last_schema_mode = "text" if self._last_schema_mode == "json_object" else "json_object"
            return completion

        return with_retries(
            attempt,
            retries=retries,
            limiter=self._endpoint.limiter,
            extra_calls=prompt.extra_calls,
            before_retry=partial(report_text, prompt.on_text, ""),
        )

    def close(self) -> None:
        """Close the connections."""
        self._endpoint.close()

    def _attempt(self, prompt: Prompt, format: RequestFormat) -> tuple[Completion, RequestFormat, bool]:
        """Send the prompt in a format, and in simpler ones while it is rejected.

        Returns the completion, the last format, and whether the endpoint accepted it.
        """
        from openai import APIError, APIStatusError

        first_failure: Completion | None = None
        while True:
            try:
                completion = _to_completion(self._stream(prompt, format), self._label, prompt)
            except APIError as error:
                completion = completion_from_error(
                    error, address=self._endpoint.address, model=self.name, timeout=self._endpoint.timeout
                )
                message = str(error.body or error) if isinstance(error, APIStatusError) else ""
                simpler = simplify_format(format, completion.status, message, schema=_has_schema(prompt))
                if simpler is None:
                    final = completion if completion.retryable or first_failure is None else first_failure
                    return final, format, False
                first_failure, format = first_failure or completion, simpler
            else:
                return completion, format, True

    def _stream(self, prompt: Prompt, format: RequestFormat) -> StreamedReply:
        call = self._endpoint.client().chat.completions.with_streaming_response
        with call.create(**build_request(self.name, prompt, format)) as response:
            return read_response(
                response.iter_bytes(),
                max_tokens=prompt.max_tokens,
                timeout=self._endpoint.timeout,
                has_schema=_has_schema(prompt),
                on_text=prompt.on_text,
            )

    @property
    def _label(self) -> str:
        return f"model {self.name!r} at {self._endpoint.address}"


def build_request(model: str, prompt: Prompt, format: RequestFormat) -> dict[str, Any]:
    """Build the arguments of one chat completion."""
    system = prompt.system
    if _has_schema(prompt) and format.schema_mode != "json_schema":
        system = f"{system}\n\n{schema_instruction(prompt.schema)}".strip()
    messages = [{"role": "system", "content": _encode(system)}] if system else []
    request: dict[str, Any] = {
        "model": model,
        "messages": [*messages, {"role": "user", "content": _encode(prompt.text)}],
        format.length_parameter: prompt.max_tokens,
        "stream": True,
    }
    if format.temperature:
        request["temperature"] = 0
    if format.stream_usage:
        request["stream_options"] = {"include_usage": True}
    if _has_schema(prompt) and format.schema_mode == "json_schema":
        schema = {"name": "reply", "schema": prompt.schema}
        request["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif _has_schema(prompt) and format.schema_mode == "json_object":
        request["response_format"] = {"type": "json_object"}
    return request


def _encode(text: str) -> str:
    """Replace lone surrogates, which damaged documents contain and no request can carry, with "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _has_schema(prompt: Prompt) -> bool:
    return prompt.schema is not None


def _to_completion(reply: StreamedReply, label: str, prompt: Prompt) -> Completion:
    """Convert a streamed reply; tokens that the endpoint does not report are estimated at 4 characters each."""
    characters = len(prompt.text) + len(prompt.system) + len(json.dumps(prompt.schema) if prompt.schema else "")
    return Completion(
        text=reply.text,
        tokens_in=reply.tokens_in if reply.tokens_in is not None else -(-characters // 4),
        tokens_out=reply.tokens_out if reply.tokens_out is not None else -(-len(reply.text) // 4),
        error=f"{label}: {reply.error}" if reply.error else "",
        retryable=reply.retryable,
        calls=1,
        timed_out=reply.timed_out,
        truncated=reply.truncated,
    )
