"""The file with which a running service of a home tells the commands of this machine where it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import psutil

from hopline.atomic_files import write_text_atomically
from hopline.config import Settings

FILE_NAME: Final = "service.json"
_STOP_SECONDS: Final = 40.0  # more than it waits for open requests


@dataclass(frozen=True, slots=True)
class RunningService:
    """Address, token and process of a running service, and a digest of the settings that it answers with."""

    url: str
    token: str
    pid: int
    started_at: float
    settings: str
    version: str


@contextmanager
def announce_service(home: Path, service: RunningService) -> Iterator[None]:
    """Write the file, which only its owner can read, and remove it at the end of the block."""
    path = home / FILE_NAME
    write_text_atomically(path, json.dumps(asdict(service)))
    path.chmod(0o600)
    try:
        yield
    finally:
        if find_service(home) == service:
            path.unlink(missing_ok=True)


def find_service(home: Path) -> RunningService | None:
    """Return the service that runs for a home on this machine; None if there is none."""
    try:
        service = RunningService(**json.loads((home / FILE_NAME).read_text("utf-8")))
        with suppress(psutil.NoSuchProcess):
            if abs(psutil.Process(service.pid).create_time() - service.started_at) < 1:
                return service
    except (OSError, ValueError, TypeError, psutil.Error):
        pass
    return None


def stop_service(home: Path) -> bool:
    """Stop the service that runs for a home; returns whether one ran. Its open requests are answered first."""
    service = find_service(home)
    if service is None:
        return False
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(service.pid)
        process.terminate()
        with suppress(psutil.TimeoutExpired):
            process.wait(_STOP_SECONDS)
    return True


def compute_digest(settings: Settings) -> str:
    """Return a hash of all settings that change an answer, secrets included."""
    values = {name: str(value) for name, value in settings.model_dump(mode="python").items()}
    for name, value in settings:
        if hasattr(value, "get_secret_value"):
            values[name] = value.get_secret_value()
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
