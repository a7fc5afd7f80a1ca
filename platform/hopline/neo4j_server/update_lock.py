"""Update the lock file: ``python -m hopline.neo4j_server.update_lock [VERSION]`` (about a minute).

Resolves Neo4j's dependencies as Maven would, downloads every file and records its sha256. The lock is written to the
folder of this module, so run it in a checkout.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

from hopline.neo4j_server.artifacts import LOCK, Artifact, ArtifactLock, format_lock, load_lock
from hopline.neo4j_server.download import THREADS, get_repositories

LOCK_PATH = Path(__file__).with_name(LOCK)


def _build_artifact(resolved: Any) -> Artifact:
    data = resolved.resolve().read_bytes()
    return Artifact(
        group=resolved.groupId,
        name=resolved.artifactId,
        version=resolved.version,
        packaging=resolved.packaging,
        classifier=resolved.classifier,
        size=len(data),
        sha256=sha256(data).hexdigest(),
    )


def resolve_lock(version: str) -> ArtifactLock:
    """Resolve the lock of a Neo4j release; the server's own jar first, the others by coordinates."""
    from jgo import MavenContext

    with tempfile.TemporaryDirectory() as folder:
        context = MavenContext(repo_cache=Path(folder), remote_repos=get_repositories(), timeout=60)
        root = context.create_dependency(f"org.neo4j:neo4j:{version}")
        _, dependencies = context.resolver.resolve([root])
        resolved = [root.artifact, *(d.artifact for d in dependencies if d.scope in ("compile", "runtime"))]
        with ThreadPoolExecutor(THREADS) as pool:
            server, *others = pool.map(_build_artifact, resolved)
    return ArtifactLock(
        version, (server, *sorted(others, key=lambda artifact: (artifact.group, artifact.name, artifact.classifier)))
    )


def main() -> None:
    """Write the lock file of the version in the first argument, or of the locked version."""
    version = sys.argv[1] if len(sys.argv) > 1 else load_lock().version
    lock = resolve_lock(version)
    LOCK_PATH.write_text(format_lock(lock), "utf-8")
    sys.stdout.write(f"{LOCK_PATH}: Neo4j {lock.version}, {len(lock.artifacts)} files, {lock.size / 1e6:.0f} MB\n")


if __name__ == "__main__":
    main()
