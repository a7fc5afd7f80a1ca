import errno
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from hopline.errors import EngineUnavailable
from hopline.neo4j_server import download
from hopline.neo4j_server.artifacts import Artifact, Lock, write_lock
from hopline.neo4j_server.download import damaged, fetched
from hopline.neo4j_server.file_system import disk_errors
from hopline.neo4j_server.startup import free_port

Mirror = Callable[[str], None]


class Repository(Protocol):
    files: dict[str, bytes]
    asked: Counter[str]

    def publish(self, name: str, data: bytes) -> Artifact: ...
    def times(self, name: str) -> int: ...


@pytest.fixture
def lock(repository: Repository) -> Lock:
    return Lock("9.9", tuple(repository.publish(name, name.encode() * 1000) for name in ("alpha", "beta", "gamma")))


def test_every_file_is_fetched_once_and_progress_ends_at_the_total(
    tmp_path: Path, repository: Repository, lock: Lock
) -> None:
    seen: list[tuple[int, int, str]] = []
    paths = fetched(lock, tmp_path, progress=lambda *step: seen.append(step))
    folder = tmp_path / "neo4j-9.9"
    assert [path.name for path in paths] == ["alpha-1.0.jar", "beta-1.0.jar", "gamma-1.0.jar"]
    assert sorted(folder.iterdir()) == list(paths)
    assert (folder / "beta-1.0.jar").read_bytes() == b"beta" * 1000
    assert seen[0] == (0, lock.size, "fetching Neo4j 9.9 (once)")
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert seen[-1][0] == lock.size
    assert fetched(lock, tmp_path, progress=lambda *step: pytest.fail("nothing was missing")) == paths
    assert repository.times("alpha") == 1


def test_what_is_whole_is_used_from_a_folder_that_cannot_be_written(
    tmp_path: Path, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = fetched(lock, tmp_path)
    monkeypatch.setattr(download, "made", lambda path: pytest.fail("nothing was to be written"))
    assert fetched(lock, tmp_path) == paths


def test_a_damaged_file_is_fetched_again_and_the_others_are_not(
    tmp_path: Path, repository: Repository, lock: Lock
) -> None:
    folder = fetched(lock, tmp_path)[0].parent
    whole = (folder / "beta-1.0.jar").read_bytes()
    (folder / "beta-1.0.jar").write_bytes(b"x" + whole[1:])
    assert damaged(lock.artifacts, folder) == [lock.artifacts[1]]
    fetched(lock, tmp_path)
    assert (folder / "beta-1.0.jar").read_bytes() == whole
    assert [repository.times(name) for name in ("alpha", "beta", "gamma")] == [1, 2, 1]


def test_an_interrupted_fetch_goes_on_with_what_is_missing(tmp_path: Path, repository: Repository, lock: Lock) -> None:
    folder = fetched(replace(lock, artifacts=lock.artifacts[:2]), tmp_path)[0].parent
    half = folder / ".fetching-killed" / "half.jar"
    half.parent.mkdir()
    half.write_bytes(b"half")
    fetched(lock, tmp_path)
    assert not half.exists()
    assert [repository.times(name) for name in ("alpha", "beta", "gamma")] == [1, 1, 1]


def test_two_processes_that_fetch_at_once_fetch_each_file_once(
    tmp_path: Path, repository: Repository, lock: Lock
) -> None:
    (tmp_path / "lock.json").write_text(write_lock(lock))
    code = (
        "import sys; from pathlib import Path; from hopline.neo4j_server.artifacts import read_lock;"
        "from hopline.neo4j_server.download import fetched;"
        "folder = Path(sys.argv[1]); fetched(read_lock((folder / 'lock.json').read_text()), folder)"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert damaged(lock.artifacts, tmp_path / "neo4j-9.9") == []
    assert [repository.times(name) for name in ("alpha", "beta", "gamma")] == [1, 1, 1]


def test_a_file_with_other_bytes_than_the_lock_names_is_never_kept(
    tmp_path: Path, repository: Repository, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    repository.publish("beta", b"something else")
    with pytest.raises(EngineUnavailable, match=r"beta-1\.0\.jar.*came with sha256"):
        fetched(lock, tmp_path)
    assert not (tmp_path / "neo4j-9.9" / "beta-1.0.jar").exists()
    assert repository.times("beta") == download.ATTEMPTS


def test_a_file_that_the_repository_lacks_is_named(
    tmp_path: Path, repository: Repository, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    repository.files.clear()
    with pytest.raises(EngineUnavailable, match=r"could not fetch (alpha|beta|gamma)-1\.0\.jar of Neo4j"):
        fetched(lock, tmp_path)


def test_without_a_network_the_error_says_what_was_wanted_and_what_would_work(
    tmp_path: Path, lock: Lock, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    mirror(f"http://127.0.0.1:{free_port()}")
    with pytest.raises(EngineUnavailable) as caught:
        fetched(lock, tmp_path)
    message = str(caught.value)
    for words in ("of Neo4j from http://127.0.0.1:", "once, at the first start", "HTTPS_PROXY", "NEO4J_URI"):
        assert words in message


def test_too_little_room_is_found_before_anything_is_fetched(
    tmp_path: Path, repository: Repository, lock: Lock, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=lock.size))
    with pytest.raises(EngineUnavailable, match=r"no room for Neo4j in .*MB free.*HOPLINE_CACHE"):
        fetched(lock, tmp_path)
    assert not repository.asked


def write_to_a_full_disk() -> None:
    if not Path("/dev/full").exists():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with Path("/dev/full").open("wb", buffering=0) as full:
        full.write(b"x")


def test_a_disk_that_fills_up_meanwhile_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match=f"the disk of {tmp_path} is full"), disk_errors(tmp_path):
        write_to_a_full_disk()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, lock: Lock) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EngineUnavailable, match=r"file.* cannot be written \(.*HOPLINE_CACHE"):
        fetched(lock, tmp_path / "file")


def test_an_error_that_is_not_the_disks_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(ConnectionResetError), disk_errors(tmp_path):
        raise ConnectionResetError(errno.ECONNRESET, "reset")
