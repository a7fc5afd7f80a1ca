"""The private server that all of the user's processes share: connect, start, stop, status."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from hopline.config import hide_credentials
from hopline.errors import EngineUnavailable
from hopline.neo4j_server.artifacts import load_lock
from hopline.neo4j_server.connection import Connection, DatabaseAccess
from hopline.neo4j_server.download import Progress, download_artifacts, ignore_progress
from hopline.neo4j_server.file_system import ensure_folder, translate_disk_errors
from hopline.neo4j_server.home_folder import ServerHome, ServerRecord, delete_server_record, read_server_record
from hopline.neo4j_server.memory import choose_memory
from hopline.neo4j_server.startup import START_TIMEOUT, StartOptions, build_connection, start_server, wait_until_ready
from hopline.neo4j_server.termination import terminate

if TYPE_CHECKING:
    from hopline.config import Settings


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """Status of the private server. ``memory`` in bytes, ``started`` in epoch seconds, ``uptime`` in seconds."""

    running: bool
    home: Path
    pid: int | None = None
    port: int | None = None
    version: str = ""
    started: float | None = None
    uptime: float = 0.0
    memory: int = 0


def connect(settings: Settings, *, progress: Progress | None = None) -> Connection:
    """Return the connection to the server at ``NEO4J_URI``, or to the private server, which is started if necessary.

    Cheap while the private server runs, so it also serves to reconnect: a server that was killed or has stopped is
    restarted. ``progress`` is called during a download and before a start.

    Raises:
        EngineUnavailable: it could not be downloaded or started; says why and what would work.
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
    home = locate_home(settings)
    touch(settings)
    server = read_server_record(home)
    if server is None or not server.ready or not server.alive:
        server = _start_shared(settings, home, progress or ignore_progress)
    return build_connection(home, server)


def describe_access(settings: Settings, connection: Connection) -> DatabaseAccess:
    """Describe how another client opens the database of a connection."""
    source = "the one of NEO4J_PASSWORD"
    if connection.private:
        source = f"in the file {locate_home(settings).password}"
    return DatabaseAccess(
        hide_credentials(connection.uri), connection.database, connection.user, connection.password, source
    )


def touch(settings: Settings) -> None:
    """Record for the watchdog that the private server is in use. Never fails; takes microseconds."""
    with suppress(OSError):
        if not settings.neo4j_uri:
            locate_home(settings).used.touch()


def stop(settings: Settings) -> bool:
    """Stop the private server cleanly and wait for its exit; return False if none ran."""
    home = locate_home(settings)
    if not home.record.exists():
        return False
    with hold_lock(home):
        server = read_server_record(home)
        delete_server_record(home)
        return server is not None and terminate(server.java)


def get_status(settings: Settings) -> ServerStatus:
    """Return the status of the private server without starting it or connecting to it."""
    home = locate_home(settings)
    server = read_server_record(home)
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
        memory=_read_memory(server.java.pid),
    )


def locate_home(settings: Settings) -> ServerHome:
    """Home folder by its absolute path, as the watchdog has another working directory."""
    return ServerHome(settings.server_home.absolute())


def _start_shared(settings: Settings, home: ServerHome, progress: Progress) -> ServerRecord:
    """Start the server unless another process has started it; return the server that runs."""
    ensure_folder(home.path)
    lock = load_lock()
    jars = download_artifacts(lock, settings.cache.absolute(), progress=progress)
    with hold_lock(home):
        server = read_server_record(home)
        if server is not None and server.alive:  # another process started it, or died while it started
            return server if server.ready else wait_until_ready(home)
        if server is not None:  # without its watchdog, a server would never stop
            terminate(server.java)
        progress(0, 0, f"starting Neo4j {lock.version}")
        memory = choose_memory(settings, home.path)
        options = StartOptions(
            home=home,
            jars=jars,
            version=lock.version,
            heap_mb=memory.heap,
            pagecache_mb=memory.pagecache,
            idle=settings.server_idle_minutes * 60,
        )
        return start_server(options)


@contextmanager
def hold_lock(home: ServerHome) -> Iterator[None]:
    """Hold the lock under which the server is started and stopped."""
    try:
        with translate_disk_errors(home.path), FileLock(home.lock, timeout=START_TIMEOUT + 60):
            yield
    except Timeout as error:
        raise EngineUnavailable(
            f"another process has been starting or stopping the Neo4j server of {home.path} for minutes; end it"
        ) from error


def _read_memory(pid: int) -> int:
    import psutil

    with suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0
