"""The home folder of the private server: paths of its files, and the record of its processes."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from hopline.atomic_files import write_text_atomically


@dataclass(frozen=True, slots=True)
class ServerHome:
    """The folder of one private server; all processes of the user with this folder share the server."""

    path: Path

    @property
    def record(self) -> Path:
        """The record of the running server, as JSON; missing while none runs."""
        return self.path / "server.json"

    @property
    def lock(self) -> Path:
        """Lock file, held by the process that starts or stops the server."""
        return self.path / "server.lock"

    @property
    def used(self) -> Path:
        """File whose modification time is the time of the last use of the server."""
        return self.path / "used"

    @property
    def password(self) -> Path:
        """The password of the user ``neo4j``, readable by its owner only."""
        return self.path / "password"

    @property
    def version(self) -> Path:
        """The Neo4j release that last wrote the data."""
        return self.path / "version"

    @property
    def conf(self) -> Path:
        """Folder of ``neo4j.conf`` and of the arguments to Java."""
        return self.path / "conf"

    @property
    def arguments(self) -> Path:
        """Java's arguments, as a file that ``java @file`` reads."""
        return self.conf / "java.args"

    @property
    def class_list(self) -> Path:
        """Java's list of the classes that the server loads; written while there is no archive of them."""
        return self.path / "classes.list"

    @property
    def log(self) -> Path:
        """Output of the server since its last start."""
        return self.path / "logs" / "server.log"

    @property
    def watch_log(self) -> Path:
        """Output of the watchdog; empty unless it failed."""
        return self.path / "logs" / "watch.log"


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """Identity of a process. ``born``, its start time, distinguishes it from a later process with the same pid."""

    pid: int
    born: float

    @property
    def alive(self) -> bool:
        """Whether this process still runs; a zombie does not."""
        return read_start_time(self.pid) == self.born


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """The server that runs in a home folder. ``ready``: it has answered a statement; ``started``: epoch seconds."""

    java: ProcessIdentity
    watch: ProcessIdentity
    port: int
    version: str
    started: float
    ready: bool = False

    @property
    def alive(self) -> bool:
        """Whether the server and its watchdog run."""
        return self.java.alive and self.watch.alive


def read_start_time(pid: int) -> float | None:
    """Read the start time of a process, on a clock that is never adjusted; None if there is no such process.

    Linux: clock ticks since boot. Elsewhere: epoch seconds.
    """
    if sys.platform == "linux":
        try:
            fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            return None
        return None if fields[0] in "ZX" else float(fields[19])
    import psutil

    with suppress(psutil.Error):
        process = psutil.Process(pid)
        if process.status() != psutil.STATUS_ZOMBIE:
            return float(process.create_time())
    return None


def identify_process(pid: int) -> ProcessIdentity:
    """Identify the process with this pid; one that has already ended never counts as alive."""
    born = read_start_time(pid)
    return ProcessIdentity(pid, -1.0 if born is None else born)


def read_server_record(home: ServerHome) -> ServerRecord | None:
    """Read the record; None if there is none, or none that can be parsed."""
    try:
        data = json.loads(home.record.read_text("utf-8"))
        return ServerRecord(
            **{**data, "java": ProcessIdentity(**data["java"]), "watch": ProcessIdentity(**data["watch"])}
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_server_record(home: ServerHome, server: ServerRecord) -> None:
    """Write the record of the running server atomically: readers see the new record or the old one."""
    write_text_atomically(home.record, json.dumps(asdict(server)))


def delete_server_record(home: ServerHome) -> None:
    """Delete the record, so that no process connects to a server that is about to stop."""
    home.record.unlink(missing_ok=True)
