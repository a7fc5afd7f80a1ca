"""The watchdog: owns the server's process, and ends it when nobody has used it for a while.

``python -m hopline.neo4j_server.watchdog HOME --java PATH --port N --version V --idle SECONDS``

It starts itself anew, cut off from the terminal and the process that called it, and returns once
that second process has started Java and written the record (else with status 1). The second one
ends when the server does. On Linux the kernel asks the server to end (SIGTERM) when its watchdog is
killed; elsewhere the next client ends such a server.

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

from hopline.neo4j_server.home_folder import Home, Server, forget_server, running, write_server
from hopline.neo4j_server.process_end import end

DETACHED = "--detached"


def main(arguments: list[str]) -> None:
    """Step out of the caller's reach, start the server, and watch it."""
    options = _options(arguments)
    home = Home(options.home)
    if not options.detached:
        command = [sys.executable, "-P", "-m", "hopline.neo4j_server.watchdog", *arguments, DETACHED]
        watchdog = subprocess.Popen(command, stdin=subprocess.DEVNULL, **_apart())
        sys.exit(0 if _recorded(home, watchdog) else 1)
    os.chdir(home.path)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    child = _start_java(home, options.java)
    server = Server(running(child.pid), running(os.getpid()), options.port, options.version, time.time())
    try:
        write_server(home, server)
        watch(home, server, options.idle, ended_within=partial(_ended_within, child))
    finally:
        child.terminate()
        child.wait()


def watch(home: Home, server: Server, idle: float, *, ended_within: Callable[[float], bool]) -> None:
    """Return when the server has ended; end it once it has not been used for ``idle`` seconds.

    Ages are measured on a clock that nobody sets: only that the time of last use changed counts.
    """
    pause = min(max(idle / 10, 0.05), 1.0)
    seen, since = _last_use(home), time.monotonic()
    while not ended_within(pause):
        if (use := _last_use(home)) != seen:
            seen, since = use, time.monotonic()
        elif time.monotonic() - since > idle and _end_unused(home, server, seen):
            return


def _end_unused(home: Home, server: Server, seen: float) -> bool:
    """End the server, unless somebody is starting or stopping it, or has used it since ``seen``."""
    try:
        with FileLock(home.lock, timeout=0):
            if _last_use(home) != seen:
                return False
            forget_server(home)
            end(server.java)
            return True
    except Timeout:
        return False


def _ended_within(child: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _recorded(home: Home, watchdog: subprocess.Popen[bytes]) -> bool:
    """Whether the watchdog got as far as recording its server."""
    while not home.record.exists():
        if _ended_within(watchdog, 0.02):
            return False
    return True


def _last_use(home: Home) -> float:
    try:
        return home.used.stat().st_mtime
    except OSError:
        return 0.0


def _start_java(home: Home, java: Path) -> subprocess.Popen[bytes]:
    with home.log.open("wb") as log:
        return subprocess.Popen(
            [str(java), f"@{home.arguments}"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509  one thread here
        )


def _end_with_parent() -> None:
    """Ask the kernel for SIGTERM when the parent dies (prctl, PR_SET_PDEATHSIG)."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _apart() -> dict[str, Any]:
    """What keeps a child alive when its parent, terminal or session ends."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="hopline.neo4j_server.watchdog")
    parser.add_argument("home", type=Path)
    parser.add_argument("--java", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--idle", type=float, required=True, help="seconds without use after which the server ends")
    parser.add_argument(DETACHED, action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
