"""An HTTP server on the loopback interface with OpenAI's API, whose replies are scripted."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Literal

Body = dict[str, Any]


@dataclass
class Turn:
    """The reply to one request."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: Body = field(default_factory=dict)
    usage: bool = True
    finish: str | None = "stop"
    refusal: str = ""
    cut: str = ""  # closed "before": any reply; "middle": half of the text; "after": all of it; "end": without a finish
    stream: bool = True
    delay: float = 0.0
    raw: bytes = b""
    pause: float = 0.0  # seconds between the chunks of a stream
    parts: bool = False  # content is a list of parts
    call: Literal["", "tool", "function"] = ""  # the text is the arguments of a tool call, or of a legacy function call
    done: bool = True  # a stream ends with [DONE]
    open_for: float = 0.0  # seconds for which a stream stays open after its finish
    content_type: str = ""  # instead of the one that the body has


Script = Callable[[Body, int], Turn]  # the request, and the number of requests before it


@dataclass
class ServerState:
    """The address of a running server, and the requests that it received."""

    url: str
    requests: list[Body] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    max_concurrent: int = 0
    bytes_sent: int = 0
    chunks: list[tuple[float, str]] = field(default_factory=list)  # of streams, with the time at which each was sent
    paths: list[str] = field(default_factory=list)  # of all requests
    keys: list[str] = field(default_factory=list)  # the API keys of all requests


class Server(ThreadingHTTPServer):
    """Serves a script on a free port and records the requests."""

    daemon_threads = True

    def __init__(self, script: Script, models: Sequence[str] | None = None) -> None:
        """``models`` are listed; None: the server lists no models."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.models = models
        self.state = ServerState(f"http://127.0.0.1:{self.server_address[1]}/v1")
        self.lock = Lock()
        self.running = 0

    def accept_request(self, body: Body) -> int:
        """Record a request; returns the number of requests before it."""
        with self.lock:
            self.state.requests.append(body)
            self.state.times.append(time.monotonic())
            self.running += 1
            self.state.max_concurrent = max(self.state.max_concurrent, self.running)
            return len(self.state.requests) - 1

    def release_request(self) -> None:
        with self.lock:
            self.running -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the error of a script; a client that closes its connection is expected."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self._record()
        models = self.server.models
        if models is None or self.path != "/v1/models":
            self._send_json(404, {"error": {"message": "no such path"}}, {})
        else:
            self._send_json(200, {"object": "list", "data": [{"id": name} for name in models]}, {})

    def _record(self) -> None:
        self.server.state.paths.append(self.path)
        self.server.state.keys.append(self.headers.get("authorization", "").removeprefix("Bearer "))

    def do_POST(self) -> None:
        self._record()
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        number = self.server.accept_request(body)
        try:
            turn = self.server.script(body, number)
            time.sleep(turn.delay)
        finally:
            self.server.release_request()  # before the reply: a client may send its next request on the last byte
        try:
            self._send(turn)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Do not log requests."""

    def _send(self, turn: Turn) -> None:
        if turn.cut == "before":
            self.close_connection = True
        elif turn.status != 200:
            body = turn.raw or {"error": turn.error or {"message": f"scripted {turn.status}"}}
            self._send_json(turn.status, body, turn.headers | _type_header(turn))
        elif turn.raw or self.path.endswith("/embeddings"):
            self._send_json(200, turn.raw or turn.text.encode(), turn.headers | _type_header(turn))
        elif turn.stream:
            self._send_stream(turn)
        else:
            self._send_json(200, _build_response(turn), turn.headers | _type_header(turn))

    def _send_json(self, status: int, value: Any, headers: dict[str, str]) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, content in {"content-type": "application/json", **headers}.items():
            self.send_header(name, content)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _send_stream(self, turn: Turn) -> None:
        self.send_response(200)
        self.send_header("content-type", turn.content_type or "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in _split_text(turn.text if turn.cut != "middle" else turn.text[: len(turn.text) // 2]):
            time.sleep(turn.pause)
            self.server.state.chunks.append((time.monotonic(), piece))
            self._send_event({"choices": [{"index": 0, "delta": _build_message(turn, piece), "finish_reason": None}]})
        if turn.cut in {"middle", "after"}:
            self.wfile.write(b"ff\r\ndata: {")
            self.close_connection = True
            return
        if turn.refusal:
            self._send_event({"choices": [{"index": 0, "delta": {"refusal": turn.refusal}}]})
        if turn.cut != "end":
            self._send_event({"choices": [{"index": 0, "delta": {}, "finish_reason": turn.finish}]})
            if turn.usage:
                self._send_event({"choices": [], "usage": USAGE})
            time.sleep(turn.open_for)
            if turn.done:
                self._send_chunk(b"data: [DONE]\n\n")
        self._send_chunk(b"")

    def _send_event(self, value: Body) -> None:
        self._send_chunk(b"data: " + json.dumps(value).encode() + b"\n\n")

    def _send_chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()
        self.server.state.bytes_sent += len(data)


@contextmanager
def serve(script: Script | Sequence[Turn], models: Sequence[str] | None = None) -> Iterator[ServerState]:
    """Serve a script; a list of turns is used in order, its last one for all further requests."""
    turns = script
    server = Server(turns if callable(turns) else lambda body, number: turns[min(number, len(turns) - 1)], models)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def find_middle(state: ServerState) -> float:
    """Return the time at which a server had sent half of the chunks of its streams."""
    return state.chunks[len(state.chunks) // 2][0]


def _split_text(text: str) -> list[str]:
    step = max(7, len(text) // 100)
    return [text[start : start + step] for start in range(0, len(text), step)]


def _type_header(turn: Turn) -> dict[str, str]:
    return {"content-type": turn.content_type} if turn.content_type else {}


def _build_message(turn: Turn, text: str) -> Body:
    """The text as the content of a message or delta, or as the arguments of a call in it."""
    if turn.call == "tool":
        return {"content": None, "tool_calls": [{"index": 0, "function": {"name": "reply", "arguments": text}}]}
    if turn.call == "function":
        return {"content": None, "function_call": {"name": "reply", "arguments": text}}
    return {"content": [{"type": "text", "text": text}] if turn.parts else text}


USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


def _build_response(turn: Turn) -> Body:
    refusal = {"refusal": turn.refusal} if turn.refusal else {}
    message = {"role": "assistant", **_build_message(turn, turn.text), **refusal}
    usage = {"usage": USAGE} if turn.usage else {}
    return {"choices": [{"index": 0, "message": message, "finish_reason": turn.finish}], **usage}
