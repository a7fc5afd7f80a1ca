"""A reply read from an HTTP response, streamed or whole, within limits of size and time."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from hopline.flow.requests import TextCallback, report_text
from hopline.llm.json_output import ends_with_json

FIXED_BYTES = 1_000_000  # allowed for every reply, whatever its maximum length
BYTES_PER_TOKEN = 2_000  # in a stream each token comes with its JSON envelope
STREAM_TIMEOUTS = 10  # timeouts that a streamed reply may take in total
TIMEOUT_HINT: Final = "HOPLINE_MODEL_TIMEOUT sets a longer time"
_EVENT_FIELD: Final = re.compile(rb"(?:data|event|id|retry)?\s*:")  # the beginning of an event stream
LENGTH_REASONS: Final = frozenset({"length", "max_tokens"})  # why a reply that reached its maximum length ended
_TEXT_PARTS: Final = frozenset({"text", "output_text"})
_SNIFFED: Final = 16  # bytes that show what a body is


@dataclass(slots=True)
class StreamedReply:
    """The text of a reply and the tokens that the endpoint counted, or the error.

    ``arguments``: those of a tool call, which some endpoints answer to a schema. ``complete``: the response was read to
    its end. ``truncated``: the reply reached its maximum length. ``retryable``: another attempt may succeed.
    ``timed_out``: nothing came for too long, or the reply took too long as a whole.
    """

    content: str = ""
    arguments: str = ""
    refusal: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str = ""
    complete: bool = False
    truncated: bool = False
    error: str = ""
    retryable: bool = False
    timed_out: bool = False

    @property
    def text(self) -> str:
        """The arguments of the tool call if there are any, else the content."""
        return self.arguments if self.arguments.strip() not in {"", "{}"} else self.content


class _StreamError(Exception):
    """The response is too large, or cannot be parsed."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class _Interruption(Exception):
    """The response has not ended, but no more of it will come, or not in time."""

    def __init__(self, message: str = "the reply was cut off in transit", *, timed_out: bool = False) -> None:
        super().__init__(message)
        self.timed_out = timed_out


def read_response(
    blocks: Iterable[bytes],
    *,
    max_tokens: int,
    timeout: float,
    has_schema: bool = False,
    on_text: TextCallback | None = None,
) -> StreamedReply:
    """Read a reply from blocks of bytes: an event stream, or one JSON object, whichever the first bytes begin.

    A reply is whole if it has a finish reason, if the response ended as it should, or, with a schema, if its text ends
    with a JSON value. ``timeout``: seconds without a byte, after which the HTTP library gives up; the whole reply may
    take `STREAM_TIMEOUTS` as long. ``on_text`` is called with the text so far, each time more of it arrives. At most
    about ``FIXED_BYTES + BYTES_PER_TOKEN * max_tokens`` bytes are read or held in memory.
    """
    reply = StreamedReply()
    limited = _limit_blocks(blocks, FIXED_BYTES + BYTES_PER_TOKEN * max_tokens, timeout)
    try:
        for event in _iter_responses(limited, reply):
            text = reply.text
            _add_event(reply, event)
            if reply.text != text:
                report_text(on_text, reply.text)
    except _Interruption as interruption:
        return _check(reply, max_tokens, interruption, has_schema=has_schema)
    except _StreamError as failure:
        return StreamedReply(content=reply.text[:200], error=str(failure), retryable=failure.retryable)
    return _check(reply, max_tokens, _Interruption(), has_schema=has_schema)


def _check(reply: StreamedReply, max_tokens: int, interruption: _Interruption, *, has_schema: bool) -> StreamedReply:
    """Set the error of a reply; ``interruption`` is it unless the reply is whole."""
    if reply.error:
        return reply
    if reply.refusal:
        reply.error = f"the model refused: {reply.refusal[:300]}"
    elif not (reply.finish or reply.complete or (has_schema and ends_with_json(reply.text))):
        reply.error, reply.timed_out = str(interruption), interruption.timed_out
        reply.retryable = not interruption.timed_out
    elif reply.finish == "content_filter":
        reply.error = "the endpoint's filter refused the prompt or the reply"
    elif not reply.text.strip():
        reply.error, reply.retryable = "the reply is empty", reply.finish.lower() not in LENGTH_REASONS
    elif reply.finish.lower() in LENGTH_REASONS:
        reply.error, reply.truncated = f"the reply was cut at max_tokens = {max_tokens}", True
    return reply


def _limit_blocks(blocks: Iterable[bytes], limit: int, timeout: float) -> Iterator[bytes]:
    bytes_left, total = limit, timeout * STREAM_TIMEOUTS
    deadline = time.monotonic() + total
    stream = iter(blocks)
    while True:
        try:
            block = next(stream)
        except StopIteration:
            return
        except Exception as error:  # the HTTP library's own class, which differs between releases of the client
            if type(error).__name__ == "ReadTimeout":
                raise _Interruption(
                    f"the reply stopped, and nothing came for {timeout:g} seconds; {TIMEOUT_HINT}", timed_out=True
                ) from error
            raise _Interruption(f"the reply was cut off in transit: {error}") from error
        bytes_left -= len(block)
        if bytes_left < 0:
            raise _StreamError(f"the reply is larger than {limit:,} bytes")
        if time.monotonic() > deadline:
            raise _Interruption(f"the reply did not end within {total:g} seconds; {TIMEOUT_HINT}", timed_out=True)
        yield block


def _iter_responses(blocks: Iterator[bytes], reply: StreamedReply) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a body, and note whether it was read to its end.

    What it is, its content says: gateways send event streams with the header of JSON or text, and JSON with theirs.
    """
    start = b""
    for block in blocks:
        start = (start + block).lstrip(b"\xef\xbb\xbf \t\r\n")
        if len(start) >= _SNIFFED:
            break
    if _EVENT_FIELD.match(start):
        yield from _iter_events(chain((start,), blocks), reply)
    else:
        yield _parse_object(b"".join((start, *blocks)))
        reply.complete = True


def _iter_events(blocks: Iterable[bytes], reply: StreamedReply) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of server-sent events, up to ``[DONE]`` or the end of the stream."""
    remainder = b""
    for block in chain(blocks, (b"\n",)):
        *lines, remainder = (remainder + block).split(b"\n")
        for line in lines:
            data = line.removeprefix(b"data:").strip() if line.startswith(b"data:") else b""
            if data == b"[DONE]":
                reply.complete = True
                return
            if data:
                yield _parse_object(data)


def _parse_object(data: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _StreamError(f"the endpoint sent invalid JSON: {data[:80]!r}", retryable=True) from error
    if not isinstance(parsed, dict):
        raise _StreamError(f"the endpoint sent no JSON object: {data[:80]!r}", retryable=True)
    return parsed


def _add_event(reply: StreamedReply, event: dict[str, Any]) -> None:
    """Add one event of a stream, or a whole response, to the reply."""
    if event.get("error"):
        reply.error, reply.retryable = f"the endpoint sent an error: {str(event['error'])[:300]}", True
    usage = event.get("usage")
    if isinstance(usage, dict):
        reply.tokens_in, reply.tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    choice = _get_first(event.get("choices"))
    reply.finish = str(choice.get("finish_reason") or reply.finish)
    message = choice.get("delta") or choice.get("message")
    if isinstance(message, dict):
        reply.content += _join_content(message.get("content"))
        reply.refusal += _join_content(message.get("refusal"))
        reply.arguments += _get_arguments(message)


def _get_first(items: Any) -> dict[str, Any]:
    return items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}


def _join_content(content: Any) -> str:
    """Return the text of a content: a string, or a list of parts, of which those with text count."""
    if isinstance(content, str):
        return content
    texts = [
        part.get("text") if isinstance(part, dict) and part.get("type", "text") in _TEXT_PARTS else part
        for part in (content if isinstance(content, list) else ())
    ]
    return "".join(text for text in texts if isinstance(text, str))


def _get_arguments(message: dict[str, Any]) -> str:
    """Return the arguments of the first tool call of a message, or a part of them; some endpoints send an object."""
    call = _get_first(message.get("tool_calls"))
    function = call.get("function") if not call.get("index") else None
    function = function or message.get("function_call")
    arguments = function.get("arguments") if isinstance(function, dict) else None
    return json.dumps(arguments) if isinstance(arguments, dict) else _join_content(arguments)
