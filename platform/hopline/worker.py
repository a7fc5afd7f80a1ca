"""Starting the ingest worker. It is a process of its own, named by its module and never imported."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from hopline.config import Settings, environment_of
from hopline.store.graph import Store


def worker_runs(store: Store) -> bool:
    """Whether a worker holds the lease."""
    return bool(store.columns("ingest/lease")["holder"])


def ensure_worker(settings: Settings, store: Store) -> bool:
    """Start a worker unless one leads; it outlives this process and ends by itself when idle.

    Returns whether one was started.
    """
    if worker_runs(store):
        return False
    log = worker_log(settings)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        worker = subprocess.Popen(
            [sys.executable, "-m", "hopline_ingest"],
            env=environment_of(settings),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    threading.Thread(target=worker.wait, name="worker", daemon=True).start()  # leaves no zombie behind
    return True


def worker_log(settings: Settings) -> Path:
    """Where the worker writes what it does."""
    return settings.home / "logs" / "worker.log"


def run_ingest(settings: Settings, arguments: Sequence[str]) -> str:
    """What a short command of the ingest prints, such as ``estimate``."""
    done = subprocess.run(
        [sys.executable, "-m", "hopline_ingest", *arguments],
        env=environment_of(settings),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout
