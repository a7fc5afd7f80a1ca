"""Reading processes: warm, limited, replaced when they die, hang or have grown."""

from __future__ import annotations

import pickle
import queue
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, Listener
from threading import Lock
from typing import Any

from hopline_ingest.parse.limits import GROWTH_MB, PAGES_A_PROCESS
from hopline_ingest.parse.tasks import Finished, Task

_START_SECONDS = 60.0


class ProcessDied(Exception):
    """A reading process ended, or was ended because a page took too long."""


class Process:
    """One reading process and the connection to it."""

    def __init__(self) -> None:
        key = secrets.token_bytes(16)
        self._answers = 0
        with Listener(authkey=key) as listener:
            path = [entry for entry in sys.path if entry]
            code = f"import sys; sys.path[:] = {path!r}; from hopline_ingest.parse.child import main; main()"
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            assert self._process.stdin is not None
            self._process.stdin.write(pickle.dumps((listener.address, key)).hex().encode() + b"\n")
            self._process.stdin.close()
            self._connection: Connection = listener.accept()
        self.worn = False

    def ask(self, task: Task, seconds: float) -> Iterator[Any]:
        """The answers to a task, each awaited for at most ``seconds``.

        Raises:
            ProcessDied: it ended by itself or was too slow; it cannot be used again.
        """
        try:
            self._connection.send(task)
            while True:
                if not self._connection.poll(seconds):
                    raise ProcessDied(f"took longer than {seconds:.0f} seconds")
                answer = self._connection.recv()
                if isinstance(answer, Finished):
                    self.worn = answer.resident_mb > GROWTH_MB or self._answers > PAGES_A_PROCESS
                    return
                self._answers += 1
                yield answer
        except (EOFError, OSError) as error:
            raise ProcessDied("the reading process ended") from error

    def end(self) -> None:
        """End it at once, whatever it does."""
        with suppress(OSError):
            self._connection.close()
        self._process.kill()
        self._process.wait()


class Processes:
    """At most ``count`` reading processes, lent to one task each. Can be shared by threads."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._idle: queue.LifoQueue[Process | None] = queue.LifoQueue()
        self._lock = Lock()
        for _ in range(count):
            self._idle.put(None)  # started when first needed

    def ask(self, task: Task, seconds: float) -> Iterator[Any]:
        """The answers to a task by a process that is free; waits for one.

        Raises:
            ProcessDied: see `Process.ask`; a fresh process takes its place.
        """
        process = self._idle.get()
        sound = False
        try:
            process = process or Process()
            yield from process.ask(task, seconds)
            sound = not process.worn
        finally:
            if process is not None and not sound:
                process.end()
                process = None
            self._idle.put(process)

    def close(self) -> None:
        """End every process that is idle; waits for those that are lent."""
        for _ in range(self.count):
            process = self._idle.get()
            if process is not None:
                process.end()
