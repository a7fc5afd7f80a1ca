"""Where the private server keeps its things, and which of its processes run."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from hopline.atomic_files import replace_text


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one private server; every process of the user that names it shares that server."""

    path: Path

    @property
    def record(self) -> Path:
        """Which server runs, as JSON; missing while none does."""
        return self.path / "server.json"

    @property
    def lock(self) -> Path:
        """Held by whoever starts or stops the server."""
        return self.path / "server.lock"

    @property
    def used(self) -> Path:
        """Its time of change says when somebody last used the server."""
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
    def log(self) -> Path:
        """What the server printed since its last start."""
        return self.path / "logs" / "server.log"

    @property
    def watch_log(self) -> Path:
        """What the watchdog printed; empty unless it broke."""
        return self.path / "logs" / "watch.log"


@dataclass(frozen=True, slots=True)
class Running:
    """One process. ``born`` tells it from a later process with the same number."""

    pid: int
    born: float

    @property
    def alive(self) -> bool:
        """Whether this very process still runs; one that ended and was not collected does not."""
        return birth(self.pid) == self.born


@dataclass(frozen=True, slots=True)
class Server:
    """The server that runs in a home. ``ready``: it answered a statement; ``started`` is in epoch seconds."""

    java: Running
    watch: Running
    port: int
    version: str
    started: float
    ready: bool = False

    @property
    def alive(self) -> bool:
        """Whether the server and its watchdog run."""
        return self.java.alive and self.watch.alive


def birth(pid: int) -> float | None:
    """When a process began, on a clock that nobody sets; None when there is no such process.

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


def running(pid: int) -> Running:
    """The process with this number; one that has ended already never counts as alive."""
    born = birth(pid)
    return Running(pid, -1.0 if born is None else born)


def read_server(home: Home) -> Server | None:
    """What the record says; None when there is none, or none that can be read."""
    try:
        found = json.loads(home.record.read_text("utf-8"))
        return Server(**{**found, "java": Running(**found["java"]), "watch": Running(**found["watch"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_server(home: Home, server: Server) -> None:
    """Record which server runs; readers see the whole record or the one before."""
    replace_text(home.record, json.dumps(asdict(server)))


def forget_server(home: Home) -> None:
    """Drop the record, so that nobody connects to a server that is about to end."""
    home.record.unlink(missing_ok=True)
