"""Termination of a process, and waiting for its exit."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

from hopline.neo4j_server.home_folder import ProcessIdentity

GRACE = 60.0  # seconds; a clean stop writes a checkpoint, which takes 1 to 3


def terminate(process: ProcessIdentity, *, grace: float = GRACE) -> bool:
    """Terminate a process and wait; kill it after ``grace`` seconds. Return False if it had already ended."""
    if not process.alive:
        return False
    _send_signal(process, signal.SIGTERM)
    if not wait_for_exit(process, grace):
        _send_signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
        wait_for_exit(process, 5.0)
    return True


def wait_for_exit(process: ProcessIdentity, seconds: float) -> bool:
    """Wait until the process exits; return False if it does not within ``seconds``."""
    until = time.monotonic() + seconds
    while process.alive:
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def _send_signal(process: ProcessIdentity, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process.pid, number)
