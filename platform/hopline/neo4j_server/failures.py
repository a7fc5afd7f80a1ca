"""Why a start failed, told from what the server printed."""

from __future__ import annotations

import re

from hopline.errors import EngineError, EngineRefused, EngineUnavailable
from hopline.neo4j_server.artifacts import locked
from hopline.neo4j_server.home_folder import Home

LINES, WIDTH = 12, 300  # of the log at the end of a message

_PORT = re.compile(r"already in use, cannot bind|java\.net\.BindException|Address already in use", re.IGNORECASE)
_FULL = re.compile(r"No space left on device|Disk quota exceeded|not enough space on the disk", re.IGNORECASE)
_LOCKED = re.compile(r"Lock file has been locked by another process|FileLockException", re.IGNORECASE)
_MEMORY = re.compile(r"insufficient memory for the Java|Could not reserve enough space|OutOfMemoryError")
_NEWER = re.compile(r"UnsupportedLogVersionException|from an? newer version of neo4j", re.IGNORECASE)
_NOISE = re.compile(r"^\s+(at |\.\.\. \d+ more)")  # of a Java stack trace


class PortTaken(EngineUnavailable):
    """Somebody listens on the port that was chosen; another one will do."""


def check_written_by(home: Home, version: str) -> None:
    """Refuse data that a newer release has written.

    Raises:
        EngineRefused: names both releases.
    """
    if not home.version.exists():
        return
    wrote = home.version.read_text("utf-8").strip()
    if _numbers(wrote) > _numbers(version):
        raise EngineRefused(_newer(home, f"Neo4j {wrote}", version))


def failure(home: Home, what: str) -> EngineError:
    """The error for a server that did not come up."""
    log = home.log.read_text("utf-8", "replace") if home.log.exists() else ""
    return explained(log, what, home)


def explained(log: str, what: str, home: Home) -> EngineError:
    """The error that this log explains; it ends with the log's last lines."""
    lines = [line[:WIDTH] for line in log.strip().splitlines() if not _NOISE.match(line)]
    tail = "\n".join(lines[-LINES:]) or "(it printed nothing)"
    said = f"\nThe end of {home.log}:\n{tail}"
    if _PORT.search(log):
        return PortTaken(f"{what}: its port was taken{said}")
    if _NEWER.search(log):
        return EngineRefused(_newer(home, "a newer Neo4j", locked().version) + said)
    for pattern, words in (
        (_FULL, f"the disk of {home.path} is full: make room, or set HOPLINE_HOME to a folder on a larger disk"),
        (_LOCKED, f"another server works on {home.path}: end it, or set HOPLINE_HOME to another folder"),
        (_MEMORY, "there is not enough memory: set HOPLINE_SERVER_HEAP_MB lower, or close other programs"),
    ):
        if pattern.search(log):
            return EngineUnavailable(f"{what}: {words}{said}")
    return EngineUnavailable(f"{what}{said}")


def _newer(home: Home, wrote: str, version: str) -> str:
    return (
        f"the data in {home.path} was written by {wrote}, and Neo4j {version} cannot read it: upgrade Hopline, or "
        "set HOPLINE_HOME to a new folder and add the documents again"
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
