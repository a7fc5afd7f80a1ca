"""Reading processes: warm, limited, replaced when they die, hang or have grown."""

from __future__ import annotations

import queue
import signal
from collections.abc import Iterator
from multiprocessing import get_context
from threading import Lock
from typing import Any

from hopline_ingest.sandbox.child import main
from hopline_ingest.sandbox.limits import GROWTH_MB, PAGES_A_PROCESS
from hopline_ingest.sandbox.tasks import OUT_OF_MEMORY, Finished, Task
from hopline_ingest.shutdown import WorkStopped

_ENDING_SECONDS = 5.0
_OUT_OF_TIME = -getattr(signal, "SIGXCPU", 1000)  # exit status; Windows has no such signal


class ProcessDied(Exception):
    """A reading process ended, or was ended because an answer took too long; the message says why."""


class ReadingStopped(WorkStopped):
    """The reader was closed while it read; nothing is wrong with the document."""


class Process:
    """One reading process and the connection to it. Starts at once, answers when it is ready."""

    def __init__(self) -> None:
        spawning = get_context("spawn")  # a fork would hold whatever the parent holds
        self._connection, theirs = spawning.Pipe()
        watched, self._lifeline = spawning.Pipe(duplex=False)  # so that it ends with this process, busy or not
        self._process = spawning.Process(target=main, args=(theirs, watched), daemon=True)
        self._process.start()
        theirs.close()  # so that its end is the connection's end
        watched.close()
        self._answers = 0
        self.worn = False

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.is_alive()

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
            raise ProcessDied(self._cause()) from error

    def _cause(self) -> str:
        """Why the process ended, in words for the user."""
        self._process.join(_ENDING_SECONDS)
        code = self._process.exitcode
        if code == _OUT_OF_TIME:
            return "took too much computing time"
        if code in {OUT_OF_MEMORY, -signal.SIGABRT}:  # PDFium aborts where it gets no memory
            return "needs too much memory"
        return "ended the process that read it"

    def kill(self) -> None:
        """Make it end, whatever it does; whoever waits for an answer is told that it died."""
        self._process.kill()

    def end(self) -> None:
        """End it at once and let go of all that it held."""
        self._connection.close()
        self._lifeline.close()
        self._process.kill()
        self._process.join()
        self._process.close()


class Processes:
    """At most ``count`` reading processes, lent to one task each. Can be shared by threads."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._idle: queue.LifoQueue[Process | None] = queue.LifoQueue()
        self._lent: set[Process] = set()
        self._lock = Lock()
        self._closed = False
        for _ in range(count):
            self._idle.put(None)  # started when first needed

    def warm(self) -> None:
        """Start every process, without waiting until it is ready."""
        for held in [self._idle.get() for _ in range(self.count)]:
            self._idle.put(held or Process())

    def ask(self, task: Task, seconds: float) -> Iterator[Any]:
        """The answers to a task by a process that is free; waits for one.

        Raises:
            ProcessDied: see `Process.ask`; a fresh process takes its place.
            ReadingStopped: `close` was called.
        """
        process = self._take()
        sound = False
        try:
            yield from process.ask(task, seconds)
            sound = not process.worn
        except ProcessDied:
            if self._closed:
                raise ReadingStopped from None
            raise
        finally:
            with self._lock:
                self._lent.discard(process)
            if not sound:
                process.end()
            self._idle.put(process if sound else None)

    def _take(self) -> Process:
        held = self._idle.get()
        with self._lock:
            if self._closed:
                self._idle.put(held)
                raise ReadingStopped
            if held is not None and not held.alive:  # somebody ended it while it was idle
                held.end()
                held = None
            process = held or Process()
            self._lent.add(process)
            return process

    def close(self) -> None:
        """End every process, also those that are lent."""
        with self._lock:
            self._closed = True
            for process in self._lent:
                process.kill()
        for _ in range(self.count):
            held = self._idle.get()
            if held is not None:
                held.end()
        for _ in range(self.count):
            self._idle.put(None)
