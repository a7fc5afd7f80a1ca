"""End a process and wait until it is gone."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from hopline.neo4j_server.home_folder import Running

GRACE = 60.0  # seconds; a clean stop writes a checkpoint, which takes 1-3


def end(process: Running, *, grace: float = GRACE) -> bool:
    """Ask a process to end, wait, and kill it only after ``grace`` seconds. False: it had ended before."""
    if not process.alive:
        return False
    _signal(process, signal.SIGTERM)
    if not gone(process, grace):
        _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
        gone(process, 5.0)
    return True


def gone(process: Running, seconds: float) -> bool:
    """Whether the process ends within so many seconds."""
    until = time.monotonic() + seconds
    while process.alive:
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def _signal(process: Running, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process.pid, number)
