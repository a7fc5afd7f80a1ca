"""Starting the ingest worker. It is a process of its own, named by its module and never imported."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from hopline.config import Settings, environment_of
from hopline.store.graph import Store

FIRST_PAUSE: Final = 2.0  # seconds between starts of a worker that ends at once, doubled each time
LONGEST_PAUSE: Final = 60.0
_CHILDREN_SECONDS: Final = 3.0  # in which a worker's processes end after it


def holder_name() -> str:
    """What a worker of this process calls itself in the lease: host, network address of the machine, process."""
    return f"{_machine()}:{os.getpid()}"


def dead_holder(store: Store) -> str:
    """Who holds the lease, if that is a process of this machine which is not there any more; else empty."""
    holder = next(iter(store.columns("ingest/lease")["holder"]), "")
    pid = _pid_here(holder)
    return holder if pid is not None and not _is_alive(pid) else ""


def worker_runs(store: Store) -> bool:
    """Whether a worker holds the lease and, if it is one of this machine, is alive."""
    return bool(store.columns("ingest/lease")["holder"]) and not dead_holder(store)


class Workers:
    """Makes sure that a worker runs; one that ends at once is not started again and again.

    Safe to share between threads.
    """

    def __init__(self, settings: Settings, store: Store, embedder: str = "") -> None:
        self._settings = settings
        self._store = store
        self._embedder = embedder
        self._process: subprocess.Popen[bytes] | None = None
        self._next = 0.0
        self._pause = FIRST_PAUSE
        self._lock = threading.Lock()

    def ensure(self) -> bool:
        """Start a worker unless one leads or is just starting; returns whether none leads yet."""
        with self._lock:
            if worker_runs(self._store):
                self._pause = FIRST_PAUSE
                return False
            now = time.monotonic()
            starting = self._process is not None and self._process.poll() is None
            if not starting and now >= self._next:
                self._process = start_worker(self._settings)
                self._next, self._pause = now + self._pause, min(2 * self._pause, LONGEST_PAUSE)
            return True

    def ensure_if_needed(self) -> None:
        """Start a worker where work waits: after a crash, a restart of the machine, or with another embedder."""
        if self._store.columns("read/work", {"embedder": self._embedder})["waits"][0]:
            self.ensure()


def start_worker(settings: Settings) -> subprocess.Popen[bytes]:
    """Start a worker; it outlives this process, ends by itself when idle, and at once where another one leads."""
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
    return worker


def _machine() -> str:
    return f"{socket.gethostname()}-{uuid.getnode():x}"


def _is_alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


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
        if "hopline_ingest" not in process.cmdline():  # the number is another process's by now
            return False
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
    machine, _, pid = holder.rpartition(":")
    return int(pid) if machine == _machine() and pid.isdigit() else None


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
