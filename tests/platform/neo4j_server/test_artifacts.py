import re

from hopline.neo4j_server.artifacts import locked, read_lock, write_lock


def test_the_lock_names_every_file_by_its_sha256() -> None:
    lock = locked()
    assert lock.artifacts[0].filename == f"neo4j-{lock.version}.jar"
    assert all(re.fullmatch(r"[0-9a-f]{64}", artifact.sha256) and artifact.size > 0 for artifact in lock.artifacts)


def test_no_two_files_of_the_lock_share_a_name() -> None:
    names = [artifact.filename for artifact in locked().artifacts]
    assert len(names) == len(set(names)) > 200


def test_the_lock_names_no_host() -> None:
    assert "://" not in write_lock(locked())


def test_a_lock_survives_being_written_and_read() -> None:
    text = write_lock(locked())
    assert read_lock(text) == locked()
    assert len(text.splitlines()) == len(locked().artifacts) + 2


def test_a_classifier_stands_between_version_and_packaging() -> None:
    native = next(artifact for artifact in locked().artifacts if artifact.classifier == "linux-x86_64")
    assert native.filename == f"{native.name}-{native.version}-linux-x86_64.jar"
