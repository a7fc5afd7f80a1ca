"""Starting the ingest worker. It is a process of its own, named by its module and never imported."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from hopline.config import Settings, environment_of
from hopline.store.graph import Store

_CHILDREN_SECONDS: Final = 3.0  # in which a worker's processes end after it


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

    One that does not end within ``seconds`` is killed, with every process that it started. Returns whether there was
    one on this machine that ended. A worker elsewhere is left alone.
    """
    pid = _pid_here(next(iter(store.columns("ingest/lease")["holder"]), ""))
    if pid is None:
        return False
    try:
        process = psutil.Process(pid)
        tree = process.children(recursive=True)
        process.terminate()
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:  # another user's
        return False
    _, alive = psutil.wait_procs([process], timeout=seconds)
    with suppress(psutil.NoSuchProcess):
        tree += process.children(recursive=True)
    for one in [*alive, *psutil.wait_procs(tree, timeout=0 if alive else _CHILDREN_SECONDS)[1]]:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs([process, *tree], timeout=_CHILDREN_SECONDS)
    return True


def _pid_here(holder: str) -> int | None:
    """The number of the process that holds the lease, if it runs on this machine."""
    host, _, pid = holder.rpartition(":")
    return int(pid) if host == socket.gethostname() and pid.isdigit() else None


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
