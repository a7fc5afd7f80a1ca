"""Errors of a failed start, derived from the log of the server."""

from __future__ import annotations

import re

from hopline.errors import EngineError, EngineRefused, EngineUnavailable
from hopline.neo4j_server.artifacts import load_lock
from hopline.neo4j_server.home_folder import ServerHome

LOG_LINES, LOG_WIDTH = 12, 300  # of the log at the end of a message

_PORT = re.compile(r"already in use, cannot bind|java\.net\.BindException|Address already in use", re.IGNORECASE)
_FULL = re.compile(r"No space left on device|Disk quota exceeded|not enough space on the disk", re.IGNORECASE)
_LOCKED = re.compile(r"Lock file has been locked by another process|FileLockException", re.IGNORECASE)
_MEMORY = re.compile(r"insufficient memory for the Java|Could not reserve enough space|OutOfMemoryError")
_NEWER = re.compile(r"UnsupportedLogVersionException|from an? newer version of neo4j", re.IGNORECASE)
_NOISE = re.compile(r"^\s+(at |\.\.\. \d+ more)")  # of a Java stack trace


class PortInUse(EngineUnavailable):
    """Another process listens on the chosen port; a retry with another port helps."""


def check_data_version(home: ServerHome, version: str) -> None:
    """Check that the data was not written by a newer release.

    Raises:
        EngineRefused: it was; names both releases.
    """
    if not home.version.exists():
        return
    written_by = home.version.read_text("utf-8").strip()
    if _parse_numbers(written_by) > _parse_numbers(version):
        raise EngineRefused(_describe_newer_data(home, f"Neo4j {written_by}", version))


def build_startup_error(home: ServerHome, problem: str) -> EngineError:
    """Build the error for a server that did not start, from its log."""
    log = home.log.read_text("utf-8", "replace") if home.log.exists() else ""
    return explain_log(log, problem, home)


def explain_log(log: str, problem: str, home: ServerHome) -> EngineError:
    """Build the error that a log explains; its message ends with the last lines of the log."""
    lines = [line[:LOG_WIDTH] for line in log.strip().splitlines() if not _NOISE.match(line)]
    tail = "\n".join(lines[-LOG_LINES:]) or "(it printed nothing)"
    log_tail = f"\nThe end of {home.log}:\n{tail}"
    if _PORT.search(log):
        return PortInUse(f"{problem}: its port was in use{log_tail}")
    if _NEWER.search(log):
        return EngineRefused(_describe_newer_data(home, "a newer Neo4j", load_lock().version) + log_tail)
    for pattern, explanation in (
        (_FULL, f"the disk of {home.path} is full: make room, or set HOPLINE_HOME to a folder on a larger disk"),
        (_LOCKED, f"another server uses {home.path}: stop it, or set HOPLINE_HOME to another folder"),
        (_MEMORY, "there is not enough memory: set HOPLINE_SERVER_HEAP_MB lower, or close other programs"),
    ):
        if pattern.search(log):
            return EngineUnavailable(f"{problem}: {explanation}{log_tail}")
    return EngineUnavailable(f"{problem}{log_tail}")


def _describe_newer_data(home: ServerHome, written_by: str, version: str) -> str:
    return (
        f"the data in {home.path} was written by {written_by}, and Neo4j {version} cannot read it: upgrade Hopline, or "
        "set HOPLINE_HOME to a new folder and add the documents again"
    )


def _parse_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))
