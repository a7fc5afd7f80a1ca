"""Make the lock anew: ``python -m hopline.neo4j_server.update_lock [VERSION]`` (about a minute).

Resolves Neo4j's dependencies as Maven would, fetches every file and writes down its sha256.
The lock is written beside this module, so this is for a checkout.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

from hopline.neo4j_server.artifacts import LOCK, Artifact, Lock, locked, write_lock
from hopline.neo4j_server.download import THREADS, repositories

HERE = Path(__file__).with_name(LOCK)


def _described(found: Any) -> Artifact:
    data = found.resolve().read_bytes()
    return Artifact(
        group=found.groupId,
        name=found.artifactId,
        version=found.version,
        packaging=found.packaging,
        classifier=found.classifier,
        size=len(data),
        sha256=sha256(data).hexdigest(),
    )


def relock(version: str) -> Lock:
    """The lock of one Neo4j release; the server's own jar first, then by coordinates."""
    from jgo import MavenContext

    with tempfile.TemporaryDirectory() as folder:
        context = MavenContext(repo_cache=Path(folder), remote_repos=repositories(), timeout=60)
        root = context.create_dependency(f"org.neo4j:neo4j:{version}")
        _, below = context.resolver.resolve([root])
        found = [root.artifact, *(one.artifact for one in below if one.scope in ("compile", "runtime"))]
        with ThreadPoolExecutor(THREADS) as pool:
            server, *others = pool.map(_described, found)
    return Lock(version, (server, *sorted(others, key=lambda one: (one.group, one.name, one.classifier))))


def main() -> None:
    version = sys.argv[1] if len(sys.argv) > 1 else locked().version
    lock = relock(version)
    HERE.write_text(write_lock(lock), "utf-8")
    sys.stdout.write(f"{HERE}: Neo4j {lock.version}, {len(lock.artifacts)} files, {lock.size / 1e6:.0f} MB\n")


if __name__ == "__main__":
    main()
