"""A reply read from an HTTP response, streamed or whole, within limits of size and time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

FIXED_BYTES = 1_000_000  # allowed for every reply, whatever its maximum length
BYTES_PER_TOKEN = 2_000  # in a stream each token comes with its JSON envelope


@dataclass(slots=True)
class StreamedReply:
    """The text of a reply and the tokens that the endpoint counted, or the error.

    ``retryable``: another attempt may succeed.
    """

    text: str = ""
    refusal: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str = ""
    error: str = ""
    retryable: bool = False


class _StreamError(Exception):
    """The response is too large, takes too long, or cannot be parsed."""

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable


def read_response(
    headers: Mapping[str, str], blocks: Iterable[bytes], *, max_tokens: int, timeout: float
) -> StreamedReply:
    """Read a reply from blocks of bytes: an event stream, or one JSON object.

    At most about ``FIXED_BYTES + BYTES_PER_TOKEN * max_tokens`` bytes are read or held in memory.
    """
    reply = StreamedReply()
    limited = _limit_blocks(blocks, FIXED_BYTES + BYTES_PER_TOKEN * max_tokens, time.monotonic() + timeout)
    try:
        if "text/event-stream" in headers.get("content-type", ""):
            for event in _iter_events(limited):
                _add_event(reply, event, "delta")
        else:
            _add_event(reply, _parse_object(b"".join(limited)), "message")
    except _StreamError as failure:
        return StreamedReply(text=reply.text[:200], error=str(failure), retryable=failure.retryable)
    return _check(reply, max_tokens)


def _check(reply: StreamedReply, max_tokens: int) -> StreamedReply:
    if reply.error:
        return reply
    if reply.refusal:
        reply.error = f"the model refused: {reply.refusal[:300]}"
    elif not reply.finish:
        reply.error, reply.retryable = "the reply was cut off in transit", True
    elif reply.finish == "content_filter":
        reply.error = "the endpoint's filter refused the prompt or the reply"
    elif not reply.text.strip():
        reply.error, reply.retryable = "the reply is empty", reply.finish != "length"
    elif reply.finish == "length":
        reply.error = f"the reply was cut at max_tokens = {max_tokens}"
    return reply


def _limit_blocks(blocks: Iterable[bytes], limit: int, deadline: float) -> Iterator[bytes]:
    bytes_left = limit
    stream = iter(blocks)
    while True:
        try:
            block = next(stream)
        except StopIteration:
            return
        except Exception as error:  # the HTTP library's own class, which differs between releases of the client
            raise _StreamError(f"the reply was cut off in transit: {error}", retryable=True) from error
        bytes_left -= len(block)
        if bytes_left < 0:
            raise _StreamError(f"the reply is larger than {limit:,} bytes", retryable=False)
        if time.monotonic() > deadline:
            raise _StreamError("the reply did not end in time", retryable=True)
        yield block


def _iter_events(blocks: Iterable[bytes]) -> Iterator[Any]:
    """Yield the JSON objects of server-sent events, up to ``[DONE]`` or the end of the stream."""
    remainder = b""
    for block in blocks:
        *lines, remainder = (remainder + block).split(b"\n")
        for line in lines:
            if not line.startswith(b"data:"):
                continue
            data = line.removeprefix(b"data:").strip()
            if data == b"[DONE]":
                return
            yield _parse_object(data)


def _parse_object(data: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _StreamError(f"the endpoint sent invalid JSON: {data[:80]!r}", retryable=True) from error
    if not isinstance(parsed, dict):
        raise _StreamError(f"the endpoint sent no JSON object: {data[:80]!r}", retryable=True)
    return parsed


def _add_event(reply: StreamedReply, event: dict[str, Any], key: str) -> None:
    """Add one event of a stream (``delta``), or a whole response (``message``), to the reply."""
    if event.get("error"):
        reply.error, reply.retryable = f"the endpoint sent an error: {str(event['error'])[:300]}", True
    usage = event.get("usage")
    if isinstance(usage, dict):
        reply.tokens_in, reply.tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    reply.finish = choice.get("finish_reason") or reply.finish
    content = choice.get(key)
    if isinstance(content, dict):
        reply.text += _text_or_empty(content.get("content"))
        reply.refusal += _text_or_empty(content.get("refusal"))


def _text_or_empty(value: Any) -> str:
    return value if isinstance(value, str) else ""
