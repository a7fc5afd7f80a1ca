"""The files of which the private Neo4j consists, from the committed lock.

The lock is made by ``python -m hopline.neo4j_server.update_lock``. It names no host: where the files
come from is the fetcher's business, what they are is settled here by their sha256.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LOCK = "neo4j.lock.json"


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file by its Maven coordinates; ``size`` in bytes, ``sha256`` in hex."""

    group: str
    name: str
    version: str
    packaging: str
    classifier: str
    size: int
    sha256: str

    @property
    def filename(self) -> str:
        """Name of the file in Maven's layout; unique within a lock."""
        classifier = f"-{self.classifier}" if self.classifier else ""
        return f"{self.name}-{self.version}{classifier}.{self.packaging}"


@dataclass(frozen=True, slots=True)
class Lock:
    """A Neo4j release and its files; the first is the server's own jar."""

    version: str
    artifacts: tuple[Artifact, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(artifact.size for artifact in self.artifacts)


def read_lock(text: str) -> Lock:
    """The lock from its JSON."""
    found = json.loads(text)
    return Lock(found["version"], tuple(Artifact(**artifact) for artifact in found["artifacts"]))


def write_lock(lock: Lock) -> str:
    """The JSON of a lock, one artifact a line, so that a diff shows what changed."""
    rows = [
        json.dumps({field: getattr(artifact, field) for field in Artifact.__slots__}) for artifact in lock.artifacts
    ]
    return f'{{"version": {json.dumps(lock.version)}, "artifacts": [\n' + ",\n".join(rows) + "\n]}\n"


@cache
def locked() -> Lock:
    """The lock that ships with this release of Hopline."""
    return read_lock(files("hopline.neo4j_server").joinpath(LOCK).read_text("utf-8"))
