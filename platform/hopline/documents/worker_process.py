"""Start and end of the ingest worker: a separate process, started by module name and never imported."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

from hopline.config import Settings, to_environment
from hopline.documents.lease_holder import LeaseHolder, is_worker_running, read_local_pid, read_running_holder
from hopline.documents.worker_change import compare_settings
from hopline.documents.worker_settings import uses_model_of
from hopline.store.graph import Store

MIN_BACKOFF: Final = 2.0  # seconds between starts of a worker that ends at once, doubled each time
MAX_BACKOFF: Final = 60.0
_START_SECONDS: Final = 30.0  # until a worker that is started holds the lease
_POLL_SECONDS: Final = 0.2
_HOME: Final = "HOPLINE_HOME"  # in the environment of every worker
_WATCH_SECONDS: Final = 15.0  # between two looks at a worker; one that ran before a longer pause may have been idle
_NOTICE_SECONDS: Final = 30.0  # for so long, users are told that a worker ended
_CHILDREN_SECONDS: Final = 3.0  # granted to the child processes of a worker that has ended


class WorkerSupervisor:
    """Starts a worker when none runs; repeated failures to start are spaced by an exponential backoff.

    Thread-safe.
    """

    def __init__(self, settings: Settings, store: Store, embedder: str = "") -> None:
        self._settings = settings
        self._store = store
        self._embedder = embedder
        self.notice = ""  # what the last `apply_settings` did, as a sentence for the user; "" if nothing
        self._process: subprocess.Popen[bytes] | None = None
        self._running_at = self._ended_at = -math.inf  # when it was last seen running, and when it was found ended
        self._next_start = 0.0
        self._backoff = MIN_BACKOFF
        self._lock = threading.Lock()

    def apply_settings(self, retry: str, *, wait: bool) -> None:
        """Replace a running worker of this machine that has other settings, so that new work is done with these.

        Called before work is queued by an explicit action of a user, and never while progress is read: clients with
        different settings would replace each other's workers in turns. ``wait`` until a worker with these settings
        holds the lease: one with others, which another process is starting, would take the work. Workers that cannot be
        stopped continue, and `notice` says what to do; ``retry`` is the command with which their work is repeated.
        """
        self.notice, deadline = "", time.monotonic() + _START_SECONDS
        while not self._try_settings(retry, wait=wait) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)

    def _try_settings(self, retry: str, *, wait: bool) -> bool:
        """Replace or start the worker if needed; returns whether another attempt would change nothing."""
        with self._lock:
            holder = read_running_holder(self._store)
            if holder is not None:
                return not self._replace(holder, retry) or not wait
            if wait:
                self._start()
            return not wait or (self._process is not None and (self._process.poll() or 0) > 0)

    def _replace(self, holder: LeaseHolder, retry: str) -> bool:
        """Replace the running worker if it has other settings; returns whether it was replaced."""
        change = compare_settings(self._settings, holder, retry)
        if change is None:
            return False
        if not change.replace or not stop_worker(self._store):
            self.notice = change.refusal
            return False
        self.notice, self._process, self._next_start = change.notice, None, 0.0
        self._running_at = -math.inf
        self._start()
        return True

    def replace_model(self, earlier: Settings) -> None:
        """Replace a running worker that uses the language model of ``earlier`` settings, which were changed since.

        If it cannot be stopped, `notice` says so.
        """
        self.notice = ""
        with self._lock:
            holder = read_running_holder(self._store)
            if holder is None or holder.settings is None or not uses_model_of(holder.settings, earlier):
                return
            if uses_model_of(holder.settings, self._settings):
                return
            may_stop = holder.is_local and not holder.settings.stays
            if not may_stop or not stop_worker(self._store):
                self.notice = (
                    f"the worker on {holder.machine} still uses the model {holder.settings.model}, "
                    "since it was started to stay, or by another user; restart it there"
                )
                return
        self.ensure_running_if_needed()

    def ensure_running(self) -> bool:
        """Start a worker unless one runs or is starting; returns whether none holds the lease yet."""
        with self._lock:
            if is_worker_running(self._store):
                self._backoff = MIN_BACKOFF
                return False
            self._start()
            return True

    def keep_running(self) -> str:
        """Start a worker unless one runs, for work that waits; returns what users should know of it, "" if nothing.

        A worker that was running when this was last called, and is not now, has ended before its work was done.
        """
        is_missing = self.ensure_running()
        with self._lock:
            now = time.monotonic()
            if not is_missing:
                self._running_at = now
            elif now - self._running_at < _WATCH_SECONDS:
                self._running_at, self._ended_at = -math.inf, now
            has_ended = now - self._ended_at < _NOTICE_SECONDS
            if is_missing and self._process is not None and self._process.poll():  # it failed
                seconds = max(self._next_start - now, 0.0)
                log = get_worker_log(self._settings)
                return (
                    f"the worker cannot run; it is started again in {seconds:.0f} s. The end of its log {log} says why"
                )
            if has_ended:
                return "the worker ended before its work was done; it was started again, and nothing is lost"
            return "the worker is starting" if is_missing else ""

    def _start(self) -> None:
        """Start a worker unless one of this client is starting, or the last one ended only just now."""
        now = time.monotonic()
        starting = self._process is not None and self._process.poll() is None
        if not starting and now >= self._next_start:
            self._process = start_worker(self._settings)
            self._next_start, self._backoff = now + self._backoff, min(2 * self._backoff, MAX_BACKOFF)

    def ensure_running_if_needed(self) -> None:
        """Start a worker if there is pending work: after a crash, a reboot, or with another embedder."""
        if has_work(self._store, self._embedder):
            self.ensure_running()


def has_work(store: Store, embedder: str) -> bool:
    """Return whether a stage of ingestion has work with this embedder."""
    return bool(store.read("documents/has_work", {"embedder": embedder})["has_work"][0])


def start_worker(settings: Settings) -> subprocess.Popen[bytes]:
    """Start a worker process; it outlives this process, and ends when idle or if another worker holds the lease."""
    log = get_worker_log(settings)
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as out:
        worker = subprocess.Popen(
            [sys.executable, "-m", "hopline_ingest"],
            env=to_environment(settings) | {_HOME: str(settings.home)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    threading.Thread(target=worker.wait, name="worker", daemon=True).start()  # reaps the process
    return worker


def get_worker_log(settings: Settings) -> Path:
    """Return the path of the worker's log file."""
    return settings.home / "logs" / "worker.log"


def stop_worker(store: Store, *, seconds: float = 20.0) -> bool:
    """Terminate the worker of this machine and wait for it; the next worker continues its work.

    A worker that does not end within ``seconds`` is killed with all its child processes. Returns whether a worker
    of this machine ended. Workers on other machines are not stopped.
    """
    pid = read_local_pid(store)
    if pid is None:
        return False
    try:
        process = psutil.Process(pid)
        if "hopline_ingest" not in process.cmdline():  # the process id has been reused
            return False
        _terminate_tree(process, seconds)
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied:  # a process of another user
        return False
    return True


def stop_workers_of_home(home: Path, *, seconds: float = 20.0) -> bool:
    """Terminate all workers of a home on this machine, also those that do not hold the lease, and wait for them.

    A worker that is starting or ending opens the store, which would start the private server again. Returns whether
    there was a worker.
    """
    workers = [process for process in psutil.process_iter() if _is_worker_of_home(process, home)]
    for process in workers:
        with suppress(psutil.Error):
            _terminate_tree(process, seconds)
    return bool(workers)


def _terminate_tree(process: psutil.Process, seconds: float) -> None:
    """Terminate a process and wait for it; if it does not end within ``seconds``, kill it with all its children.

    Raises:
        NoSuchProcess, AccessDenied: of psutil, if the process cannot be terminated.
    """
    tree = process.children(recursive=True)
    process.terminate()
    _, alive = psutil.wait_procs([process], timeout=seconds)
    with suppress(psutil.NoSuchProcess):
        tree += process.children(recursive=True)
    for process_left in [*alive, *psutil.wait_procs(tree, timeout=0 if alive else _CHILDREN_SECONDS)[1]]:
        with suppress(psutil.NoSuchProcess):
            process_left.kill()
    psutil.wait_procs([process, *tree], timeout=_CHILDREN_SECONDS)


def _is_worker_of_home(process: psutil.Process, home: Path) -> bool:
    try:
        return process.cmdline()[1:3] == ["-m", "hopline_ingest"] and process.environ().get(_HOME) == str(home)
    except psutil.Error:  # the process has ended, or is of another user
        return False
