"""Bulk imports into the private database of a new home; the graph is compared with the exported one, byte by byte."""

import hashlib
import json

import pytest

from hopline import Hopline
from hopline.errors import EngineUnavailable, UsageError
from hopline.exchange import bulk_import, neo4j_csv
from hopline.exchange.folder_export import to_line
from hopline.exchange.layout import MANIFEST

QUESTION = "Who designed the Skarv Bridge?"

pytestmark = [pytest.mark.timeout(600), pytest.mark.private]


@pytest.fixture(scope="module")
def orre(hop, corpus, tmp_path_factory):
    """The exported collection, with a list of one empty text and one of two, which CSV files can hardly express."""
    folder = tmp_path_factory.mktemp("export") / "orre"
    hop.export(corpus, folder)
    file = folder / "entities.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    rows[0]["aliases"], rows[1]["aliases"] = [""], ["", ""]
    file.write_text("".join(map(to_line, rows)), "utf-8")
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    manifest["files"]["entities.jsonl"]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    (folder / MANIFEST).write_text(json.dumps(manifest), "utf-8")
    return folder


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    home = tmp_path_factory.mktemp("bulk")
    with Hopline.open(home=home, uri="") as opened:
        yield opened
    Hopline.stop(home)


def read_files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }


def test_a_failed_import_leaves_an_empty_database_that_works(target, orre, monkeypatch):
    write = neo4j_csv.write_csv_files

    def damage(source, folder, **options):
        arguments = write(source, folder, **options)
        with (folder / "HAS_DOCUMENT.csv").open("a") as file:
            file.write('"nowhere","nowhere"\n' * 3)
        return arguments

    monkeypatch.setattr(bulk_import, "write_csv_files", damage)
    with pytest.raises(EngineUnavailable, match=r"import of .* failed"):
        target.import_collection(orre, bulk=True)
    assert target.collections() == []


def test_the_graph_is_that_of_the_export(target, hop, corpus, orre, tmp_path):
    phases = []
    imported = target.import_collection(
        orre, "orre in bulk", bulk=True, progress=lambda *phase: phases.append(phase[2])
    )
    assert (imported.name, imported.passages, imported.embeds) == ("orre in bulk", 10, False)
    assert [phase for phase in phases if phase.startswith(("writing", "creating"))] == [
        "writing CSV files", "creating indexes",
    ]  # fmt: skip
    assert len(phases) > 4, "and those of the importer"
    target.export("orre in bulk", tmp_path / "again")
    again, before = read_files(tmp_path / "again"), read_files(orre)
    names = {path for path in before if again.get(path) != before[path]}
    assert names == {"collection.jsonl"}  # which has the name
    assert again.keys() == before.keys()
    answer = target.ask(QUESTION, collection="orre in bulk")
    assert answer.text == hop.ask(QUESTION, collection=corpus).text != ""
    assert answer.sentences[0].citations[0].path is not None


def test_a_database_with_collections_is_not_replaced(target, orre):
    target.import_collection(orre, "orre")
    before = target.collections()
    with pytest.raises(UsageError, match="empty database"):
        target.import_collection(orre, "another", bulk=True)
    assert target.collections() == before


def test_a_folder_without_vectors_is_refused(hop, corpus, tmp_path):
    hop.export(corpus, tmp_path / "orre", vectors=False)
    with Hopline.open(home=tmp_path / "home", uri="") as opened, pytest.raises(UsageError, match="no vectors"):
        opened.import_collection(tmp_path / "orre", bulk=True)
    Hopline.stop(tmp_path / "home")
