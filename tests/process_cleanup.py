"""End the processes that a test run has left: servers and workers outlive the process that started them.

python tests/process_cleanup.py MARK    # waits until its standard input ends, which is when the test run has ended

It runs in a session of its own, so an interrupt of the terminal does not reach it, and a test run that is killed is
noticed too. The processes of a test run have ``MARK`` in their environment, which all that they start inherit.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import psutil

VARIABLE = "TEST_RUN_OF_HOPLINE"
ROUNDS = 20  # a process may start another one while it is ended
TIMEOUT = 0.5  # seconds to wait in each round


def find_processes(mark: str) -> Iterator[psutil.Process]:
    """Yield the processes of a test run, without this one."""
    for process in psutil.process_iter():
        try:
            ours = process.environ().get(VARIABLE) == mark and process.status() != psutil.STATUS_ZOMBIE
        except (psutil.Error, OSError):
            continue  # it has ended, or belongs to another user
        if ours and process.pid != os.getpid():
            yield process


def end_processes(mark: str) -> None:
    """Kill the processes of a test run: their data are in temporary folders, so nothing has to be closed."""
    for _ in range(ROUNDS):
        processes = list(find_processes(mark))
        if not processes:
            return
        for process in processes:
            try:
                process.kill()
            except psutil.Error:
                continue
        psutil.wait_procs(processes, TIMEOUT)


if __name__ == "__main__":
    sys.stdin.buffer.read()
    end_processes(sys.argv[1])
