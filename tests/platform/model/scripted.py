"""A server on loopback that speaks OpenAI's API as a script tells it to."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

Body = dict[str, Any]


@dataclass
class Turn:
    """How one request is answered."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: Body = field(default_factory=dict)
    usage: bool = True
    finish: str = "stop"
    refusal: str = ""
    cut: str = ""  # "": whole; "end": closed without a finish; "middle": closed inside a chunk; "before": no answer
    stream: bool = True
    seconds: float = 0.0
    raw: bytes = b""


Script = Callable[[Body, int], Turn]  # the request, and how many came before it


@dataclass
class Scripted:
    """A running server: where it is, and what it was asked."""

    url: str
    asked: list[Body] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    most_at_once: int = 0
    bytes_sent: int = 0


class Server(ThreadingHTTPServer):
    """Serves a script on a free port and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.state = Scripted(f"http://127.0.0.1:{self.server_address[1]}/v1")
        self.lock = Lock()
        self.now = 0

    def came(self, body: Body) -> int:
        """Keep a request; how many came before it."""
        with self.lock:
            self.state.asked.append(body)
            self.state.times.append(time.monotonic())
            self.now += 1
            self.state.most_at_once = max(self.state.most_at_once, self.now)
            return len(self.state.asked) - 1

    def went(self) -> None:
        with self.lock:
            self.now -= 1


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        number = self.server.came(body)
        try:
            turn = self.server.script(body, number)
            time.sleep(turn.seconds)
            self._send(turn)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.server.went()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def _send(self, turn: Turn) -> None:
        if turn.cut == "before":
            self.close_connection = True
        elif turn.status != 200:
            self._json(turn.status, {"error": turn.error or {"message": f"scripted {turn.status}"}}, turn.headers)
        elif turn.raw or self.path.endswith("/embeddings"):
            self._json(200, turn.raw or turn.text.encode(), turn.headers)
        elif turn.stream:
            self._stream(turn)
        else:
            self._json(200, _whole(turn), turn.headers)

    def _json(self, status: int, value: Any, headers: dict[str, str]) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, content in {"content-type": "application/json", **headers}.items():
            self.send_header(name, content)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, turn: Turn) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in _pieces(turn.text if turn.cut != "middle" else turn.text[: len(turn.text) // 2]):
            self._event({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]})
        if turn.cut == "middle":
            self.wfile.write(b"ff\r\ndata: {")
            self.close_connection = True
            return
        if turn.refusal:
            self._event({"choices": [{"index": 0, "delta": {"refusal": turn.refusal}}]})
        if turn.cut != "end":
            self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": turn.finish}]})
            if turn.usage:
                self._event({"choices": [], "usage": USAGE})
            self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _event(self, value: Body) -> None:
        self._chunk(b"data: " + json.dumps(value).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()
        self.server.state.bytes_sent += len(data)


@contextmanager
def scripted(script: Script | Sequence[Turn]) -> Iterator[Scripted]:
    """Serve a script; a list of turns is answered one by one, its last for ever."""
    turns = script
    server = Server(turns if callable(turns) else lambda body, number: turns[min(number, len(turns) - 1)])
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _pieces(text: str) -> list[str]:
    step = max(7, len(text) // 100)
    return [text[start : start + step] for start in range(0, len(text), step)]


USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


def _whole(turn: Turn) -> Body:
    message = {"role": "assistant", "content": turn.text, **({"refusal": turn.refusal} if turn.refusal else {})}
    usage = {"usage": USAGE} if turn.usage else {}
    return {"choices": [{"index": 0, "message": message, "finish_reason": turn.finish}], **usage}
