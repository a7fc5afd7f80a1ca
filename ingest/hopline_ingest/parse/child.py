"""The reading process: `python -m hopline_ingest.parse.child`.

It is told on its standard input where to connect, one line: the address and a key, in hex of a
pickle. Then it answers tasks one after the other until the other side hangs up. Nothing that it
does can grow, hang or end the process that asked.
"""

from __future__ import annotations

import logging
import os
import pickle
import sys
from multiprocessing.connection import Client, Connection

from hopline_ingest.parse.tasks import Failed, Finished, Task


def main() -> None:
    """Connect, and answer until nobody asks any more."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.putenv(name, "1")  # one process a core; read by the libraries below, which are not loaded yet
    logging.disable(logging.CRITICAL)
    address, key = pickle.loads(bytes.fromhex(sys.stdin.readline()))  # noqa: S301 — from our parent
    with Client(address, authkey=key) as connection:
        _serve(connection)


def _serve(connection: Connection) -> None:
    from hopline_ingest.parse.work import Worker

    worker = Worker()
    while True:
        try:
            task: Task = connection.recv()
        except (EOFError, OSError):
            return
        try:
            for answer in worker.answers(task):
                connection.send(answer)
        except MemoryError:
            connection.send(Failed("needs too much memory", memory=True))
        except Exception as error:  # noqa: BLE001 — whatever a parser raises is this file's, not ours
            connection.send(Failed(f"{type(error).__name__}: {error}"[:300]))
        connection.send(Finished(worker.resident_mb()))


if __name__ == "__main__":
    main()
