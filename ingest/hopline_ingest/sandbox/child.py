"""The reading process: nothing that it does can grow, hang or end the process that asked."""

from __future__ import annotations

import logging
import os
import signal
import sys
import warnings
from multiprocessing.connection import Connection

from hopline_ingest.sandbox.tasks import OUT_OF_MEMORY, Finished, Task
from hopline_ingest.shutdown import end_with


def main(connection: Connection, parent: Connection) -> None:
    """Answer tasks, one after the other, until the other side hangs up; see `end_with` for ``parent``."""
    end_with(parent)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.putenv(name, "1")  # one process a core; for the C libraries, which are not loaded yet
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked decides what an interrupt ends
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    with open(os.devnull, "w", encoding="utf-8") as nothing:  # noqa: PTH123 — what libraries print is for nobody
        for stream in (sys.__stdout__, sys.__stderr__):
            if stream is not None:
                os.dup2(nothing.fileno(), stream.fileno())
    _serve(connection)


def _serve(connection: Connection) -> None:
    from hopline_ingest.memory import release, resident_mb
    from hopline_ingest.sandbox.tasks_runner import Worker

    worker = Worker()
    while True:
        try:
            task: Task = connection.recv()
            for answer in worker.answers(task):
                connection.send(answer)
            release()
            connection.send(Finished(resident_mb()))
        except (EOFError, OSError):
            return
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
