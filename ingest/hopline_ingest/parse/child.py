"""The reading process: nothing that it does can grow, hang or end the process that asked.

It is told on its standard input where to connect, in one line: address and key, pickled, in hex.
Then it answers tasks one after the other until the other side hangs up.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import sys
import warnings
from multiprocessing.connection import Client, Connection

from hopline_ingest.parse.tasks import OUT_OF_MEMORY, Finished, Task


def main() -> None:
    """Connect, and answer until nobody asks any more."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.putenv(name, "1")  # one process a core; for the C libraries, which are not loaded yet
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who asked decides what an interrupt ends
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    address, key = pickle.loads(bytes.fromhex(sys.stdin.readline()))  # noqa: S301 — our parent wrote it
    with Client(address, authkey=key) as connection:
        _serve(connection)


def _serve(connection: Connection) -> None:
    from hopline_ingest.parse.work import Worker

    worker = Worker()
    while True:
        try:
            task: Task = connection.recv()
            for answer in worker.answers(task):
                connection.send(answer)
            connection.send(Finished(worker.resident_mb()))
        except (EOFError, OSError):
            return
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
