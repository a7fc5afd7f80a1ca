import re

from hopline.neo4j_server.artifacts import format_lock, load_lock, parse_lock


def test_the_lock_has_the_sha256_of_every_file() -> None:
    lock = load_lock()
    assert lock.artifacts[0].filename == f"neo4j-{lock.version}.jar"
    assert all(re.fullmatch(r"[0-9a-f]{64}", artifact.sha256) and artifact.size > 0 for artifact in lock.artifacts)


def test_no_two_files_of_the_lock_share_a_name() -> None:
    names = [artifact.filename for artifact in load_lock().artifacts]
    assert len(names) == len(set(names)) > 200


def test_the_lock_names_no_host() -> None:
    assert "://" not in format_lock(load_lock())


def test_a_lock_round_trips() -> None:
    text = format_lock(load_lock())
    assert parse_lock(text) == load_lock()
    assert len(text.splitlines()) == len(load_lock().artifacts) + 2


def test_a_classifier_follows_the_version_in_a_file_name() -> None:
    native = next(artifact for artifact in load_lock().artifacts if artifact.classifier == "linux-x86_64")
    assert native.filename == f"{native.name}-{native.version}-linux-x86_64.jar"
