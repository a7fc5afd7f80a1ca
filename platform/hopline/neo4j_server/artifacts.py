"""The files of the private Neo4j server, as listed in the committed lock file.

The lock is written by ``python -m hopline.neo4j_server.update_lock``. It names no host: the
download chooses where the files come from, the lock fixes their content by sha256.
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
class ArtifactLock:
    """A Neo4j release and its files; the first is the server's own jar."""

    version: str
    artifacts: tuple[Artifact, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(artifact.size for artifact in self.artifacts)


def parse_lock(text: str) -> ArtifactLock:
    """Parse a lock from its JSON."""
    data = json.loads(text)
    return ArtifactLock(data["version"], tuple(Artifact(**artifact) for artifact in data["artifacts"]))


def format_lock(lock: ArtifactLock) -> str:
    """Format a lock as JSON, one artifact per line, so that a diff shows what changed."""
    rows = [
        json.dumps({field: getattr(artifact, field) for field in Artifact.__slots__}) for artifact in lock.artifacts
    ]
    return f'{{"version": {json.dumps(lock.version)}, "artifacts": [\n' + ",\n".join(rows) + "\n]}\n"


@cache
def load_lock() -> ArtifactLock:
    """Load the lock that is installed with this release of Hopline."""
    return parse_lock(files("hopline.neo4j_server").joinpath(LOCK).read_text("utf-8"))
