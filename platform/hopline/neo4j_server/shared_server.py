"""One server for all of the user's processes: find it, start it, stop it, ask how it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from hopline.errors import EngineUnavailable
from hopline.neo4j_server.artifacts import locked
from hopline.neo4j_server.connection import Connection
from hopline.neo4j_server.download import Progress, fetched, silent
from hopline.neo4j_server.file_system import disk_errors, made
from hopline.neo4j_server.home_folder import Home, Server, forget_server, read_server
from hopline.neo4j_server.process_end import end
from hopline.neo4j_server.startup import PATIENCE, Plan, await_ready, connection, start

if TYPE_CHECKING:
    from hopline.config import Settings


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """How the private server is. ``memory`` in bytes, ``started`` in epoch seconds, ``uptime`` in seconds."""

    running: bool
    home: Path
    pid: int | None = None
    port: int | None = None
    version: str = ""
    started: float | None = None
    uptime: float = 0.0
    memory: int = 0


def connect(settings: Settings, *, progress: Progress | None = None) -> Connection:
    """How to reach the graph: the server named by ``NEO4J_URI``, or the private one, which then runs.

    Cheap while the private server runs, so it is also the way to reconnect: one that was killed
    or has stopped is started again. ``progress`` hears of a fetch and of a start.

    Raises:
        EngineUnavailable: it could not be fetched or started; says why and what would work.
        EngineRefused: its data was written by a newer Neo4j.
    """
    if settings.neo4j_uri:
        return Connection(
            settings.neo4j_uri,
            settings.neo4j_user,
            settings.neo4j_password.get_secret_value(),
            settings.neo4j_database,
            private=False,
        )
    home = _home(settings)
    touch(settings)
    server = read_server(home)
    if server is None or not server.ready or not server.alive:
        server = _shared_start(settings, home, progress or silent)
    return connection(home, server)


def touch(settings: Settings) -> None:
    """Tell the watchdog that the private server is in use. Never fails; costs microseconds."""
    with suppress(OSError):
        if not settings.neo4j_uri:
            _home(settings).used.touch()


def stop(settings: Settings) -> bool:
    """Stop the private server cleanly and wait for it; False when none ran."""
    home = _home(settings)
    if not home.record.exists():
        return False
    with _held(home):
        server = read_server(home)
        forget_server(home)
        return server is not None and end(server.java)


def status(settings: Settings) -> ServerStatus:
    """How the private server is; starts nothing and asks it nothing."""
    home = _home(settings)
    server = read_server(home)
    if server is None or not server.java.alive:
        return ServerStatus(running=False, home=home.path)
    return ServerStatus(
        running=True,
        home=home.path,
        pid=server.java.pid,
        port=server.port,
        version=server.version,
        started=server.started,
        uptime=max(0.0, time.time() - server.started),
        memory=_memory(server.java.pid),
    )


def _home(settings: Settings) -> Home:
    """The same folder for the watchdog, which works in another one."""
    return Home(settings.server_home.absolute())


def _shared_start(settings: Settings, home: Home, progress: Progress) -> Server:
    """The server that runs once this returns, whichever process started it."""
    made(home.path)
    lock = locked()
    jars = fetched(lock, settings.cache.absolute(), progress=progress)
    with _held(home):
        server = read_server(home)
        if server is not None and server.alive:  # somebody was faster, or died while it started
            return server if server.ready else await_ready(home)
        if server is not None:  # a server whose watchdog was killed would never stop
            end(server.java)
        progress(0, 0, f"starting Neo4j {lock.version}")
        plan = Plan(
            home=home,
            jars=jars,
            version=lock.version,
            heap_mb=settings.server_heap_mb,
            pagecache_mb=settings.server_pagecache_mb,
            idle=settings.server_idle_minutes * 60,
        )
        return start(plan)


@contextmanager
def _held(home: Home) -> Iterator[None]:
    """Hold the lock under which the server is started and stopped."""
    try:
        with disk_errors(home.path), FileLock(home.lock, timeout=PATIENCE + 60):
            yield
    except Timeout as error:
        raise EngineUnavailable(
            f"another process has been starting or stopping the graph engine of {home.path} for minutes; end it"
        ) from error


def _memory(pid: int) -> int:
    import psutil

    with suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0
