"""Parser processes with limited resources, replaced when they crash, hang or use too much memory."""

from __future__ import annotations

import queue
import signal
from collections.abc import Iterator
from multiprocessing import get_context
from threading import Lock
from typing import Any

from hopline_ingest.sandbox.child import main
from hopline_ingest.sandbox.limits import GROWTH_MB, PAGES_PER_PROCESS
from hopline_ingest.sandbox.tasks import OUT_OF_MEMORY, Finished, Task
from hopline_ingest.shutdown import WorkStopped

_ENDING_SECONDS = 5.0
_OUT_OF_TIME = -getattr(signal, "SIGXCPU", 1000)  # exit status; Windows has no such signal


class ProcessDied(Exception):
    """A parser process ended, or was terminated because a result took too long; the message gives the cause."""


class ParsingStopped(WorkStopped):
    """The parser was closed while it was parsing; the document itself is not at fault."""


class ParserProcess:
    """One parser process and its connection. It starts at once and handles tasks when it is ready."""

    def __init__(self) -> None:
        spawning = get_context("spawn")  # a fork would inherit the parent's memory, locks and connections
        self._connection, remote = spawning.Pipe()
        watched, self._lifeline = spawning.Pipe(duplex=False)  # closes with this process
        self._process = spawning.Process(target=main, args=(remote, watched), daemon=True)
        self._process.start()
        remote.close()  # so that the connection ends when the process ends
        watched.close()
        self._answers = 0
        self.needs_replacement = False

    @property
    def is_alive(self) -> bool:
        """Whether the process is running."""
        return self._process.is_alive()

    def run(self, task: Task, seconds: float) -> Iterator[Any]:
        """Yield the results of a task, each awaited for at most ``seconds``.

        Raises:
            ProcessDied: the process ended or was too slow; it cannot be used again.
        """
        try:
            self._connection.send(task)
            while True:
                if not self._connection.poll(seconds):
                    raise ProcessDied(f"timed out after {seconds:.0f} seconds")
                answer = self._connection.recv()
                if isinstance(answer, Finished):
                    self.needs_replacement = answer.resident_mb > GROWTH_MB or self._answers > PAGES_PER_PROCESS
                    return
                self._answers += 1
                yield answer
        except (EOFError, OSError) as error:
            raise ProcessDied(self._describe_exit()) from error

    def _describe_exit(self) -> str:
        """Return the cause of the process's end as a message for the user."""
        self._process.join(_ENDING_SECONDS)
        code = self._process.exitcode
        if code == _OUT_OF_TIME:
            return "exceeded the CPU time limit"
        if code in {OUT_OF_MEMORY, -signal.SIGABRT}:  # PDFium aborts when an allocation fails
            return "ran out of memory"
        return "the parser process crashed"

    def kill(self) -> None:
        """Kill the process; a caller that waits for a result gets `ProcessDied`."""
        self._process.kill()

    def terminate(self) -> None:
        """Kill the process and release its resources."""
        self._connection.close()
        self._lifeline.close()
        self._process.kill()
        self._process.join()
        self._process.close()


class ParserProcessPool:
    """At most ``count`` parser processes, each running one task at a time. Thread-safe."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._idle: queue.LifoQueue[ParserProcess | None] = queue.LifoQueue()
        self._busy: set[ParserProcess] = set()
        self._lock = Lock()
        self._closed = False
        for _ in range(count):
            self._idle.put(None)  # started when first needed

    def start_all(self) -> None:
        """Start every process without waiting for it to be ready."""
        for process in [self._idle.get() for _ in range(self.count)]:
            self._idle.put(process or ParserProcess())

    def run(self, task: Task, seconds: float) -> Iterator[Any]:
        """Yield the results of a task from the next free process.

        Raises:
            ProcessDied: see `ParserProcess.run`; a new process replaces it.
            ParsingStopped: `close` was called.
        """
        process = self._acquire()
        reusable = False
        try:
            yield from process.run(task, seconds)
            reusable = not process.needs_replacement
        except ProcessDied:
            if self._closed:
                raise ParsingStopped from None
            raise
        finally:
            with self._lock:
                self._busy.discard(process)
            if not reusable:
                process.terminate()
            self._idle.put(process if reusable else None)

    def _acquire(self) -> ParserProcess:
        idle = self._idle.get()
        with self._lock:
            if self._closed:
                self._idle.put(idle)
                raise ParsingStopped
            if idle is not None and not idle.is_alive:  # it was killed from outside while idle
                idle.terminate()
                idle = None
            process = idle or ParserProcess()
            self._busy.add(process)
            return process

    def close(self) -> None:
        """Terminate every process, including busy ones."""
        with self._lock:
            self._closed = True
            for process in self._busy:
                process.kill()
        for _ in range(self.count):
            idle = self._idle.get()
            if idle is not None:
                idle.terminate()
        for _ in range(self.count):
            self._idle.put(None)
