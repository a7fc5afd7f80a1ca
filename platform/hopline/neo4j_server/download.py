"""Download of the server's jars, checked by their sha256, into a cache folder that all homes share.

Safe to interrupt and to run concurrently: a file gets its final name only when it is complete, and complete files are
not downloaded again.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from hashlib import file_digest
from pathlib import Path

from filelock import FileLock

from hopline.errors import EngineUnavailable
from hopline.neo4j_server.artifacts import Artifact, ArtifactLock
from hopline.neo4j_server.file_system import ensure_folder, translate_disk_errors

Progress = Callable[[int, int, str], None]  # bytes done, total bytes (0: unknown), label for the user

THREADS = 16
ATTEMPTS, PAUSE = 3, 0.5  # attempts per file, and seconds between them
TIMEOUT = 20  # seconds to connect, and between two packets
SPACE_FACTOR = 3  # free bytes required per byte to download: for the jars, and the first data of a server


def ignore_progress(done: int, total: int, label: str) -> None:
    """Progress callback that shows nothing."""


def download_artifacts(lock: ArtifactLock, cache: Path, *, progress: Progress = ignore_progress) -> tuple[Path, ...]:
    """Download the files of the lock that are missing or damaged; return the paths of all, in order.

    The files are stored in ``cache/neo4j-<version>``. ``progress`` is called on the calling thread only, and only when
    there is something to download.

    Raises:
        EngineUnavailable: no network, no space on the disk, a folder that cannot be written, or a file whose content
            does not match the lock.
    """
    folder = cache / f"neo4j-{lock.version}"
    paths = tuple(folder / artifact.filename for artifact in lock.artifacts)
    if not find_damaged(lock.artifacts, folder):  # then the folder may be read-only
        return paths
    ensure_folder(folder)
    with translate_disk_errors(folder), FileLock(folder.with_name(folder.name + ".lock")):
        wanted = find_damaged(lock.artifacts, folder)  # another process may have downloaded them meanwhile
        if wanted:
            _check_space(wanted, folder, shutil.disk_usage(folder).free)
            _download_all(lock, wanted, folder, progress)
    return paths


def find_damaged(artifacts: Iterable[Artifact], folder: Path) -> list[Artifact]:
    """Find the artifacts whose file is missing or has other content; reads every file (0.2 s for Neo4j's)."""

    def is_intact(artifact: Artifact) -> bool:
        path = folder / artifact.filename
        return path.is_file() and path.stat().st_size == artifact.size and compute_sha256(path) == artifact.sha256

    artifacts = tuple(artifacts)
    with ThreadPoolExecutor(4) as pool:
        return [
            artifact for artifact, intact in zip(artifacts, pool.map(is_intact, artifacts), strict=True) if not intact
        ]


def compute_sha256(path: Path) -> str:
    """Compute the sha256 of a file, in hex."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def get_repositories() -> dict[str, str]:
    """Return the repositories of the jars by name: Maven Central, or the mirrors in the user's jgo settings."""
    from jgo import MAVEN_CENTRAL_URL
    from jgo.config import GlobalSettings

    mirrors: Mapping[str, str] = GlobalSettings.load().repositories
    return {"central": MAVEN_CENTRAL_URL, **mirrors}


def _check_space(wanted: list[Artifact], folder: Path, free: int) -> None:
    required = SPACE_FACTOR * sum(artifact.size for artifact in wanted)
    if free < required:
        raise EngineUnavailable(
            f"no space for Neo4j in {folder}: {required / 1e6:.0f} MB needed, {free / 1e6:.0f} MB free; "
            "free some space, or set HOPLINE_CACHE to a folder on a larger disk"
        )


def _download_all(lock: ArtifactLock, wanted: list[Artifact], folder: Path, progress: Progress) -> None:
    label = f"downloading Neo4j {lock.version} (once)"
    total = sum(artifact.size for artifact in wanted)
    done = 0
    progress(done, total, label)
    for stale in folder.glob(".fetching-*"):
        shutil.rmtree(stale, ignore_errors=True)
    sources = get_repositories()
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as scratch, ThreadPoolExecutor(THREADS) as pool:
        largest_first = sorted(wanted, key=lambda artifact: -artifact.size)
        running = {
            pool.submit(_download, artifact, folder, Path(scratch), sources): artifact for artifact in largest_first
        }
        try:
            for ended in as_completed(running):
                ended.result()
                done += running[ended].size
                progress(done, total, label)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _download(artifact: Artifact, folder: Path, scratch: Path, sources: dict[str, str]) -> None:
    """Download one file to its final name, in at most `ATTEMPTS` attempts."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _download_once(artifact, folder, scratch, sources)
        except _DownloadFailure as failure:
            if attempt == ATTEMPTS or not failure.retryable:
                raise EngineUnavailable(_describe_failure(artifact, str(failure), sources)) from failure
            time.sleep(PAUSE * attempt)


class _DownloadFailure(Exception):
    """One attempt failed; ``retryable``: another attempt may succeed."""

    def __init__(self, reason: str, *, retryable: bool = True) -> None:
        super().__init__(reason)
        self.retryable = retryable


def _download_once(artifact: Artifact, folder: Path, scratch: Path, sources: dict[str, str]) -> None:
    import requests
    from jgo import MavenContext

    with tempfile.TemporaryDirectory(dir=scratch) as own:
        context = MavenContext(repo_cache=Path(own), remote_repos=sources, timeout=TIMEOUT)
        component = context.project(artifact.group, artifact.name).at_version(artifact.version)
        try:
            path = component.artifact(classifier=artifact.classifier, packaging=artifact.packaging).resolve()
        except requests.RequestException as error:
            raise _DownloadFailure(str(error), retryable=not isinstance(error, requests.ConnectTimeout)) from error
        except RuntimeError as error:  # jgo: no repository answered with 200
            raise _DownloadFailure(str(error)) from error
        if (received := compute_sha256(path)) != artifact.sha256:
            raise _DownloadFailure(f"its sha256 is {received}; the lock has {artifact.sha256}")
        path.replace(folder / artifact.filename)


def _describe_failure(artifact: Artifact, reason: str, sources: dict[str, str]) -> str:
    return (
        f"could not download {artifact.filename} of Neo4j from {', '.join(sources.values())}: {reason}. "
        "Hopline downloads Neo4j once, at the first start, and needs a network for it: check the network or "
        "set HTTPS_PROXY, name a mirror of Maven Central under [repositories] in jgo's settings file, or set NEO4J_URI "
        "to a Neo4j server of your own (5.26 or newer). What was downloaded so far is kept"
    )
