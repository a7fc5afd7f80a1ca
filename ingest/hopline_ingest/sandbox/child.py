"""Entry point of a parser process, isolated so that it cannot exhaust, block or crash the worker."""

from __future__ import annotations

import logging
import os
import signal
import sys
import warnings
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from hopline_ingest.sandbox.tasks import OUT_OF_MEMORY, Finished, Task
from hopline_ingest.shutdown import exit_with_parent

if TYPE_CHECKING:
    from hopline_ingest.sandbox.task_runner import TaskRunner


def main(connection: Connection, parent: Connection) -> None:
    """Run tasks one after another until the connection closes; see `exit_with_parent` for ``parent``."""
    exit_with_parent(parent)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.putenv(name, "1")  # one process per core; set before the C libraries are loaded
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker decides what an interrupt ends
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    with open(os.devnull, "w", encoding="utf-8") as null:  # noqa: PTH123 — discard the output of libraries
        for stream in (sys.__stdout__, sys.__stderr__):
            if stream is not None:
                os.dup2(null.fileno(), stream.fileno())
    _serve(connection)


def _serve(connection: Connection) -> None:
    """Run tasks until the connection closes; a task and its results are released before the next one is awaited."""
    from hopline_ingest.process_memory import release_memory, resident_mb
    from hopline_ingest.sandbox.task_runner import TaskRunner

    runner = TaskRunner()
    while True:
        try:
            _run_task(connection, runner)
            release_memory()
            connection.send(Finished(resident_mb()))
        except (EOFError, OSError):
            return
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def _run_task(connection: Connection, runner: TaskRunner) -> None:
    task: Task = connection.recv()
    for answer in runner.run(task):
        connection.send(answer)
