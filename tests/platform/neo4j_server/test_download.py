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
from hopline.neo4j_server.artifacts import Artifact, ArtifactLock, format_lock
from hopline.neo4j_server.download import download_artifacts, find_damaged
from hopline.neo4j_server.file_system import translate_disk_errors
from hopline.neo4j_server.startup import find_free_port

Mirror = Callable[[str], None]


class Repository(Protocol):
    files: dict[str, bytes]
    requests: Counter[str]

    def publish(self, name: str, data: bytes) -> Artifact: ...
    def count_downloads(self, name: str) -> int: ...


@pytest.fixture
def lock(repository: Repository) -> ArtifactLock:
    return ArtifactLock(
        "9.9", tuple(repository.publish(name, name.encode() * 1000) for name in ("alpha", "beta", "gamma"))
    )


def test_every_file_is_downloaded_once_and_progress_ends_at_the_total(
    tmp_path: Path, repository: Repository, lock: ArtifactLock
) -> None:
    seen: list[tuple[int, int, str]] = []
    paths = download_artifacts(lock, tmp_path, progress=lambda *step: seen.append(step))
    folder = tmp_path / "neo4j-9.9"
    assert [path.name for path in paths] == ["alpha-1.0.jar", "beta-1.0.jar", "gamma-1.0.jar"]
    assert sorted(folder.iterdir()) == list(paths)
    assert (folder / "beta-1.0.jar").read_bytes() == b"beta" * 1000
    assert seen[0] == (0, lock.size, "downloading Neo4j 9.9 (once)")
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert seen[-1][0] == lock.size
    assert download_artifacts(lock, tmp_path, progress=lambda *step: pytest.fail("nothing was missing")) == paths
    assert repository.count_downloads("alpha") == 1


def test_complete_files_are_used_from_a_read_only_folder(
    tmp_path: Path, lock: ArtifactLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = download_artifacts(lock, tmp_path)
    monkeypatch.setattr(download, "ensure_folder", lambda path: pytest.fail("nothing was to be written"))
    assert download_artifacts(lock, tmp_path) == paths


def test_only_a_damaged_file_is_downloaded_again(tmp_path: Path, repository: Repository, lock: ArtifactLock) -> None:
    folder = download_artifacts(lock, tmp_path)[0].parent
    whole = (folder / "beta-1.0.jar").read_bytes()
    (folder / "beta-1.0.jar").write_bytes(b"x" + whole[1:])
    assert find_damaged(lock.artifacts, folder) == [lock.artifacts[1]]
    download_artifacts(lock, tmp_path)
    assert (folder / "beta-1.0.jar").read_bytes() == whole
    assert [repository.count_downloads(name) for name in ("alpha", "beta", "gamma")] == [1, 2, 1]


def test_an_interrupted_download_resumes_with_the_missing_files(
    tmp_path: Path, repository: Repository, lock: ArtifactLock
) -> None:
    folder = download_artifacts(replace(lock, artifacts=lock.artifacts[:2]), tmp_path)[0].parent
    half = folder / ".fetching-killed" / "half.jar"
    half.parent.mkdir()
    half.write_bytes(b"half")
    download_artifacts(lock, tmp_path)
    assert not half.exists()
    assert [repository.count_downloads(name) for name in ("alpha", "beta", "gamma")] == [1, 1, 1]


def test_two_concurrent_processes_download_each_file_once(
    tmp_path: Path, repository: Repository, lock: ArtifactLock
) -> None:
    (tmp_path / "lock.json").write_text(format_lock(lock))
    code = (
        "import sys; from pathlib import Path; from hopline.neo4j_server.artifacts import parse_lock;"
        "from hopline.neo4j_server.download import download_artifacts;"
        "folder = Path(sys.argv[1]); download_artifacts(parse_lock((folder / 'lock.json').read_text()), folder)"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert find_damaged(lock.artifacts, tmp_path / "neo4j-9.9") == []
    assert [repository.count_downloads(name) for name in ("alpha", "beta", "gamma")] == [1, 1, 1]


def test_a_file_with_another_sha256_than_in_the_lock_is_not_stored(
    tmp_path: Path, repository: Repository, lock: ArtifactLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    repository.publish("beta", b"something else")
    with pytest.raises(EngineUnavailable, match=r"beta-1\.0\.jar.*its sha256 is"):
        download_artifacts(lock, tmp_path)
    assert not (tmp_path / "neo4j-9.9" / "beta-1.0.jar").exists()
    assert repository.count_downloads("beta") == download.ATTEMPTS


def test_the_error_names_a_file_that_is_not_in_the_repository(
    tmp_path: Path, repository: Repository, lock: ArtifactLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    repository.files.clear()
    with pytest.raises(EngineUnavailable, match=r"could not download (alpha|beta|gamma)-1\.0\.jar of Neo4j"):
        download_artifacts(lock, tmp_path)


def test_without_a_network_the_error_says_what_was_needed_and_what_would_work(
    tmp_path: Path, lock: ArtifactLock, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "PAUSE", 0.0)
    mirror(f"http://127.0.0.1:{find_free_port()}")
    with pytest.raises(EngineUnavailable) as caught:
        download_artifacts(lock, tmp_path)
    message = str(caught.value)
    for words in ("of Neo4j from http://127.0.0.1:", "once, at the first start", "HTTPS_PROXY", "NEO4J_URI"):
        assert words in message


def test_too_little_disk_space_is_reported_before_any_download(
    tmp_path: Path, repository: Repository, lock: ArtifactLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=lock.size))
    with pytest.raises(EngineUnavailable, match=r"no space for Neo4j in .*MB free.*HOPLINE_CACHE"):
        download_artifacts(lock, tmp_path)
    assert not repository.requests


def write_to_a_full_disk() -> None:
    if not Path("/dev/full").exists():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with Path("/dev/full").open("wb", buffering=0) as full:
        full.write(b"x")


def test_the_error_names_a_disk_that_fills_up_during_a_download(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match=f"the disk of {tmp_path} is full"), translate_disk_errors(tmp_path):
        write_to_a_full_disk()


def test_the_error_names_a_folder_that_cannot_be_written(tmp_path: Path, lock: ArtifactLock) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EngineUnavailable, match=r"file.* cannot be written \(.*HOPLINE_CACHE"):
        download_artifacts(lock, tmp_path / "file")


def test_an_error_of_the_network_is_not_translated(tmp_path: Path) -> None:
    with pytest.raises(ConnectionResetError), translate_disk_errors(tmp_path):
        raise ConnectionResetError(errno.ECONNRESET, "reset")
