"""The watchdog process: starts the server, and terminates it after a period without use.

``python -m hopline.neo4j_server.watchdog HOME --java PATH --archive PATH --port N --version V --idle SECONDS``

It launches a second instance of itself, detached from the terminal and the calling process, and exits once that
instance has started Java and written the record (otherwise with status 1). The second instance exits when the server
does, or once it has created the archive of the server's classes, if there is none. On Linux the kernel sends the server
SIGTERM when its watchdog is killed; elsewhere the next client terminates such a server.

Light imports only: this process lives as long as the server.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hopline.neo4j_server.class_archive import build_archive_options, create_archive
from hopline.neo4j_server.home_folder import (
    ServerHome,
    ServerRecord,
    delete_server_record,
    identify_process,
    write_server_record,
)
from hopline.neo4j_server.termination import terminate

DETACHED = "--detached"


def main(arguments: list[str]) -> None:
    """Detach from the caller, start the server, and watch it."""
    options = _parse_arguments(arguments)
    home = ServerHome(options.home)
    if not options.detached:
        command = [sys.executable, "-P", "-m", "hopline.neo4j_server.watchdog", *arguments, DETACHED]
        watchdog = subprocess.Popen(command, stdin=subprocess.DEVNULL, **_build_detached_options())
        sys.exit(0 if _wait_for_record(home, watchdog) else 1)
    os.chdir(home.path)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    java_arguments = home.arguments.read_text("utf-8")
    child = _start_java(home, options.java, build_archive_options(options.archive, home.class_list))
    server = ServerRecord(
        identify_process(child.pid), identify_process(os.getpid()), options.port, options.version, time.time()
    )
    try:
        write_server_record(home, server)
        watch(home, server, options.idle, wait_for_end=partial(_wait_for_end, child))
    finally:
        child.terminate()
        child.wait()
    create_archive(options.archive, options.java, java_arguments, home.class_list)


def watch(home: ServerHome, server: ServerRecord, idle: float, *, wait_for_end: Callable[[float], bool]) -> None:
    """Return when the server has ended; terminate it after ``idle`` seconds without use.

    ``wait_for_end`` waits at most so many seconds and returns whether the server has ended. Idle time is measured on
    the monotonic clock: of the time of last use, only changes count.
    """
    pause = min(max(idle / 10, 0.05), 1.0)
    last_use, since = _read_last_use(home), time.monotonic()
    while not wait_for_end(pause):
        if (use := _read_last_use(home)) != last_use:
            last_use, since = use, time.monotonic()
        elif time.monotonic() - since > idle and _terminate_unused(home, server, last_use):
            return


def _terminate_unused(home: ServerHome, server: ServerRecord, last_use: float) -> bool:
    """Terminate the server, unless a process is starting or stopping it, or has used it since ``last_use``."""
    try:
        with FileLock(home.lock, timeout=0):
            if _read_last_use(home) != last_use:
                return False
            delete_server_record(home)
            terminate(server.java)
            return True
    except Timeout:
        return False


def _wait_for_end(child: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _wait_for_record(home: ServerHome, watchdog: subprocess.Popen[bytes]) -> bool:
    """Wait until the watchdog has written the record of its server; return False if it exits before."""
    while not home.record.exists():
        if _wait_for_end(watchdog, 0.02):
            return False
    return True


def _read_last_use(home: ServerHome) -> float:
    try:
        return home.used.stat().st_mtime
    except OSError:
        return 0.0


def _start_java(home: ServerHome, java: Path, options: list[str]) -> subprocess.Popen[bytes]:
    with home.log.open("wb") as log:
        return subprocess.Popen(
            [str(java), *options, f"@{home.arguments}"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=_terminate_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509  this process has one thread
        )


def _terminate_with_parent() -> None:
    """Ask the kernel for SIGTERM when the parent dies (prctl, PR_SET_PDEATHSIG)."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _build_detached_options() -> dict[str, Any]:
    """Options of `subprocess.Popen` with which a child survives the end of its parent, terminal and session."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="hopline.neo4j_server.watchdog")
    parser.add_argument("home", type=Path)
    parser.add_argument("--java", type=Path, required=True)
    parser.add_argument("--archive", type=Path, required=True, help="archive of the server's classes; may not exist")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--idle", type=float, required=True, help="seconds without use after which the server ends")
    parser.add_argument(DETACHED, action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
