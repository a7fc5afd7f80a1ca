"""Fetch the server's jars once, checked by their sha256, into a folder that all homes share.

Safe to interrupt and to run twice at once: a file gets its own name only when it is whole, and
what is there already is not fetched again.
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
from hopline.neo4j_server.artifacts import Artifact, Lock
from hopline.neo4j_server.file_system import disk_errors, made

Progress = Callable[[int, int, str], None]  # bytes done, bytes in all (0: unknown), words for the user

THREADS = 16
ATTEMPTS, PAUSE = 3, 0.5  # tries a file, and seconds between them
TIMEOUT = 20  # seconds until a connection stands, and between two packets
SPARE = 3  # bytes of room asked for per byte to fetch: the jars, and the first data of a server


def silent(done: int, total: int, label: str) -> None:
    """A progress that shows nothing."""


def fetched(lock: Lock, cache: Path, *, progress: Progress = silent) -> tuple[Path, ...]:
    """Every file of the lock, in its order, fetched where it is missing or damaged.

    The files lie in ``cache/neo4j-<version>``. ``progress`` is called on this thread only,
    and only when there is something to fetch.

    Raises:
        EngineUnavailable: no network, no room on the disk, a folder that cannot be written, or
            a file that keeps coming with other bytes than the lock names.
    """
    folder = cache / f"neo4j-{lock.version}"
    paths = tuple(folder / artifact.filename for artifact in lock.artifacts)
    if not damaged(lock.artifacts, folder):  # then the folder may well be read-only
        return paths
    made(folder)
    with disk_errors(folder), FileLock(folder.with_name(folder.name + ".lock")):
        wanted = damaged(lock.artifacts, folder)  # another process may have fetched while this one waited
        if wanted:
            _check_room(wanted, folder, shutil.disk_usage(folder).free)
            _fetch_all(lock, wanted, folder, progress)
    return paths


def damaged(artifacts: Iterable[Artifact], folder: Path) -> list[Artifact]:
    """The artifacts whose file is missing or has other bytes; reads every file (0.2 s for Neo4j's)."""

    def sound(artifact: Artifact) -> bool:
        path = folder / artifact.filename
        return path.is_file() and path.stat().st_size == artifact.size and digest(path) == artifact.sha256

    artifacts = tuple(artifacts)
    with ThreadPoolExecutor(4) as pool:
        return [artifact for artifact, ok in zip(artifacts, pool.map(sound, artifacts), strict=True) if not ok]


def digest(path: Path) -> str:
    """The sha256 of a file, in hex."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def repositories() -> dict[str, str]:
    """Where jars come from: Maven Central, or the mirrors in the user's jgo settings."""
    from jgo import MAVEN_CENTRAL_URL
    from jgo.config import GlobalSettings

    mirrors: Mapping[str, str] = GlobalSettings.load().repositories
    return {"central": MAVEN_CENTRAL_URL, **mirrors}


def _check_room(wanted: list[Artifact], folder: Path, free: int) -> None:
    need = SPARE * sum(artifact.size for artifact in wanted)
    if free < need:
        raise EngineUnavailable(
            f"no room for Neo4j in {folder}: {need / 1e6:.0f} MB wanted, {free / 1e6:.0f} MB free; "
            "make room, or set HOPLINE_CACHE to a folder on a larger disk"
        )


def _fetch_all(lock: Lock, wanted: list[Artifact], folder: Path, progress: Progress) -> None:
    label = f"fetching Neo4j {lock.version} (once)"
    total = sum(artifact.size for artifact in wanted)
    done = 0
    progress(done, total, label)
    for stale in folder.glob(".fetching-*"):
        shutil.rmtree(stale, ignore_errors=True)
    sources = repositories()
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as scratch, ThreadPoolExecutor(THREADS) as pool:
        largest_first = sorted(wanted, key=lambda artifact: -artifact.size)
        running = {
            pool.submit(_fetch, artifact, folder, Path(scratch), sources): artifact for artifact in largest_first
        }
        try:
            for ended in as_completed(running):
                ended.result()
                done += running[ended].size
                progress(done, total, label)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _fetch(artifact: Artifact, folder: Path, scratch: Path, sources: dict[str, str]) -> None:
    """One file under its own name, after `ATTEMPTS` tries at most."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _fetch_once(artifact, folder, scratch, sources)
        except _Failed as failed:
            if attempt == ATTEMPTS or not failed.again:
                raise EngineUnavailable(_unfetched(artifact, str(failed), sources)) from failed
            time.sleep(PAUSE * attempt)


class _Failed(Exception):
    """One try came to nothing; ``again`` says whether another one could do better."""

    def __init__(self, why: str, *, again: bool = True) -> None:
        super().__init__(why)
        self.again = again


def _fetch_once(artifact: Artifact, folder: Path, scratch: Path, sources: dict[str, str]) -> None:
    import requests
    from jgo import MavenContext

    with tempfile.TemporaryDirectory(dir=scratch) as own:
        context = MavenContext(repo_cache=Path(own), remote_repos=sources, timeout=TIMEOUT)
        component = context.project(artifact.group, artifact.name).at_version(artifact.version)
        try:
            came = component.artifact(classifier=artifact.classifier, packaging=artifact.packaging).resolve()
        except requests.RequestException as error:
            raise _Failed(str(error), again=not isinstance(error, requests.ConnectTimeout)) from error
        except RuntimeError as error:  # jgo: no repository answered with 200
            raise _Failed(str(error)) from error
        if (found := digest(came)) != artifact.sha256:
            raise _Failed(f"it came with sha256 {found}, and {artifact.sha256} is the one that was reviewed")
        came.replace(folder / artifact.filename)


def _unfetched(artifact: Artifact, why: str, sources: dict[str, str]) -> str:
    return (
        f"could not fetch {artifact.filename} of Neo4j from {', '.join(sources.values())}: {why}. "
        "Hopline fetches its graph engine once, at the first start, and needs a network for it: check the network or "
        "set HTTPS_PROXY, name a mirror of Maven Central under [repositories] in jgo's settings file, or set NEO4J_URI "
        "to a Neo4j server of your own (5.26 or newer). What came so far is kept"
    )
