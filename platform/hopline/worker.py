"""Starting the ingest worker. It is a process of its own, named by its module and never imported."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import psutil

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


def stop_worker(store: Store, *, seconds: float = 20.0) -> bool:
    """Ask the worker to end and wait for it; what it has not done, the next one does.

    Returns whether there was one on this machine that ended. A worker elsewhere is left alone.
    """
    host, _, pid = next(iter(store.columns("ingest/lease")["holder"]), "").rpartition(":")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        process = psutil.Process(int(pid))
        process.terminate()
        process.wait(seconds)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        process.kill()
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
