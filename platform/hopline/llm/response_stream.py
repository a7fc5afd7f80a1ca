"""A reply as it comes over the wire, collected within bounds of size and time."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

FIXED_BYTES = 1_000_000  # what a reply may weigh on the wire, whatever it may hold
BYTES_A_TOKEN = 2_000  # of a stream: a token comes with its envelope


@dataclass(slots=True)
class Collected:
    """The text of a reply and the tokens the endpoint counted, or why there is none.

    ``again`` says that another try may do better.
    """

    text: str = ""
    refusal: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    finish: str = ""
    error: str = ""
    again: bool = False


class _Stopped(Exception):
    """The wire gave more than it may, for longer than it may, or what nobody can read."""

    def __init__(self, says: str, *, again: bool) -> None:
        super().__init__(says)
        self.again = again


def collect(headers: Mapping[str, str], blocks: Iterable[bytes], *, max_tokens: int, seconds: float) -> Collected:
    """The reply that some blocks of bytes hold: an event stream, or one JSON object.

    At most about ``FIXED_BYTES + BYTES_A_TOKEN * max_tokens`` bytes are read or held.
    """
    reply = Collected()
    bounded = _bounded(blocks, FIXED_BYTES + BYTES_A_TOKEN * max_tokens, time.monotonic() + seconds)
    try:
        if "text/event-stream" in headers.get("content-type", ""):
            for event in _events(bounded):
                _add(reply, event, "delta")
        else:
            _add(reply, _object(b"".join(bounded)), "message")
    except _Stopped as stopped:
        return Collected(text=reply.text[:200], error=str(stopped), again=stopped.again)
    return _judged(reply, max_tokens)


def _judged(reply: Collected, max_tokens: int) -> Collected:
    if reply.error:
        return reply
    if reply.refusal:
        reply.error = f"the model refused: {reply.refusal[:300]}"
    elif not reply.finish:
        reply.error, reply.again = "the reply was cut off on its way", True
    elif reply.finish == "content_filter":
        reply.error = "the endpoint's filter refused the prompt or the reply"
    elif not reply.text.strip():
        reply.error, reply.again = "the reply is empty", reply.finish != "length"
    elif reply.finish == "length":
        reply.error = f"the reply was cut at max_tokens = {max_tokens}"
    return reply


def _bounded(blocks: Iterable[bytes], limit: int, deadline: float) -> Iterator[bytes]:
    left = limit
    stream = iter(blocks)
    while True:
        try:
            block = next(stream)
        except StopIteration:
            return
        except Exception as error:  # the transport's own, whose package differs between releases of the client
            raise _Stopped(f"the reply was cut off on its way: {error}", again=True) from error
        left -= len(block)
        if left < 0:
            raise _Stopped(f"the reply is larger than {limit:,} bytes", again=False)
        if time.monotonic() > deadline:
            raise _Stopped("the reply did not end in time", again=True)
        yield block


def _events(blocks: Iterable[bytes]) -> Iterator[Any]:
    """The objects of a stream of server-sent events, up to ``[DONE]`` or its end."""
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            if not line.startswith(b"data:"):
                continue
            data = line.removeprefix(b"data:").strip()
            if data == b"[DONE]":
                return
            yield _object(data)


def _object(data: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _Stopped(f"the endpoint sent what is no JSON: {data[:80]!r}", again=True) from error
    if not isinstance(parsed, dict):
        raise _Stopped(f"the endpoint sent no object: {data[:80]!r}", again=True)
    return parsed


def _add(reply: Collected, event: dict[str, Any], part: str) -> None:
    """Add one event of a stream (``delta``), or the whole (``message``), to the reply."""
    if event.get("error"):
        reply.error, reply.again = f"the endpoint broke off: {str(event['error'])[:300]}", True
    usage = event.get("usage")
    if isinstance(usage, dict):
        reply.tokens_in, reply.tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
    choices = event.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    reply.finish = choice.get("finish_reason") or reply.finish
    piece = choice.get(part)
    if isinstance(piece, dict):
        reply.text += _text(piece.get("content"))
        reply.refusal += _text(piece.get("refusal"))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
