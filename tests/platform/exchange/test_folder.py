"""Export of a collection to a folder, and its import, on graphs written by hand."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from hopline.entities.resolution import EntityResolution
from hopline.errors import HoplineError, UnknownName, UsageError
from hopline.exchange.folder_export import ExportOptions, OpenHome, create_folder, export_folder
from hopline.exchange.folder_import import import_folder
from hopline.exchange.folder_reader import ExportedFolder
from hopline.exchange.layout import MANIFEST
from hopline.exchange.vector_files import VectorWriter, read_vectors
from hopline.flow.requests import Search
from hopline.flow.services import Scope
from hopline.ids import collection_id, document_id, entity_id
from hopline.store.collection_catalog import CollectionCatalog
from hopline.store.removal import remove_collection


@pytest.fixture
def graph(tiny):
    graph = tiny()
    graph.passage(
        "a", "Tidewell was founded by Maud “Kerrigan”.\nIt has 3\tplants. ✓", [1, 0, 0, 0], section=["1", "1.1 Fees"]
    )
    graph.passage("b", "Maud Kerrigan lives in Orre.", [0.6, 0.8, 0, 0], page=2, pages=2)
    graph.passage("c", "It rained.", [0, 0, 1, 0], "two.pdf")
    graph.table("t", "1", "Plants | 3", [0, 0, 0, 1], "two.pdf")
    graph.figure("f", "1", "Figure 1: Plants", [0, 0, 0.6, 0.8], "two.pdf")
    graph.entity_at("Tidewell", {"a": (0, 8)})
    graph.entity("Maud Kerrigan", "a", "b")
    graph.entity("M. Kerrigan", "c")
    graph.about("b", "Maud Kerrigan")
    graph.triple("a", "Maud Kerrigan", "founded", "Tidewell", [0, 1, 0, 0])
    graph.similar("a", "b", 0.6)
    graph.follow("a", "b")
    graph.write_pending()
    resolution = EntityResolution(graph.store, CollectionCatalog(graph.store), lambda: None)
    resolution.merge(entity_id(graph.collection, "M. Kerrigan"), entity_id(graph.collection, "Maud Kerrigan"))
    resolution.reject(entity_id(graph.collection, "Tidewell"), entity_id(graph.collection, "Maud Kerrigan"))
    graph.store.write(
        ("learned/write_parameters", {"name": "hopline", "collection": graph.collection, "values": '{"a":1}'}),
        ("topics/set_topics", {"collection": graph.collection, "themes": "sea", "labels": ["x", "y"]}),
        ("topics/write_topics", {
            "property": "themes_sea", "themes": "sea", "rows": [{"id": graph.id("a"), "vector": [1.0, 0.0], "theme": 0}],
        }),
    )  # fmt: skip
    return graph


@pytest.fixture
def export(graph, tmp_path):
    home = OpenHome(graph.store, tmp_path / "stored", "toy")

    def write(name, collection=None, **options):
        with create_folder(tmp_path / name) as partial:
            export_folder(home, collection or graph.collection, partial, ExportOptions(**options))
        return tmp_path / name

    return write


@pytest.fixture
def load(graph, tmp_path):
    def read(folder, name, embedder="toy"):
        return import_folder(OpenHome(graph.store, tmp_path / "stored2", embedder), ExportedFolder.open(folder), name)

    return read


def read_files(folder):
    """The bytes of all files, without the date in the manifest."""
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    manifest = json.loads(files.pop(MANIFEST))
    assert manifest.pop("exported_at")
    return files | {MANIFEST: manifest}


def list_names(graph):
    return [collection.name for collection in CollectionCatalog(graph.store).list_collections()]


def count_nodes(graph):
    return {name: values[0] for name, values in graph.store.read("documents/totals").items()}


def test_a_folder_has_every_node_and_relationship_with_its_properties(graph, export):
    files = read_files(export("out"))
    rows = {
        name: [json.loads(line) for line in data.decode().splitlines()]
        for name, data in files.items() if name.endswith(".jsonl")
    }  # fmt: skip
    counts = files[MANIFEST]["counts"]
    assert {name: counts[name] for name in ("documents", "pages", "passages", "tables", "entities", "merged_entities")} == {
        "documents": 2, "pages": 3, "passages": 3, "tables": 1, "entities": 2, "merged_entities": 1,
    }  # fmt: skip
    assert [counts[name] for name in ("rejected_merges", "triples", "learned", "SIMILAR", "NEXT", "STATES")] == [1] * 6
    [passage] = [row for row in rows["passages.jsonl"] if row["id"] == graph.id("a")]
    assert passage["text"].startswith("Tidewell was founded by Maud “Kerrigan”.\nIt")
    assert passage["section"] == ["1", "1.1 Fees"]
    assert rows["relationships/SIMILAR.jsonl"] == [
        {"source": graph.id("a"), "target": graph.id("b"), "properties": {"score": 0.6, "by": "toy"}}
    ]
    assert rows["collection.jsonl"][0]["theme_labels"] == ["x", "y"]
    vectors = dict(read_vectors(Path(export("again")) / "vectors" / "passages.vector_toy"))
    assert vectors[graph.id("b")] == pytest.approx([0.6, 0.8, 0, 0])
    assert np.load(export("third") / "vectors" / "passages.vector_toy.npy").shape == (3, 4)


def test_an_imported_collection_is_exported_with_the_same_bytes(graph, export, load):
    folder = export("out")
    before = read_files(folder)
    remove_collection(graph.store, graph.collection)
    imported = load(folder, graph.name)
    assert (imported.id, imported.documents, imported.passages, imported.embeds) == (graph.collection, 2, 3, False)
    assert read_files(export("again")) == before
    assert graph.store.search(
        Search("", over="passage", by="dense", k=1), Scope(graph.collection), np.array([0, 0, 1, 0])
    ).ids == (graph.id("c"),)
    assert graph.store.search(
        Search("kerrigan orre", over="passage", by="text", k=1), Scope(graph.collection), None
    ).ids == (graph.id("b"),)


def test_a_copy_beside_the_exported_collection_has_the_ids_of_its_name(graph, export, load):
    folder = export("out")
    imported = load(folder, f"{graph.name} copy")
    assert imported.id == collection_id(f"{graph.name} copy")
    copy = export("copy", imported.id)
    rows = {
        path.name: [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for path in copy.rglob("*.jsonl")
    }  # fmt: skip
    text = "".join(path.read_text("utf-8") for path in copy.rglob("*.jsonl"))
    assert graph.collection not in text
    assert {row["id"] for row in rows["documents.jsonl"]} == {
        document_id(imported.id, "one.pdf"), document_id(imported.id, "two.pdf"),
    }  # fmt: skip
    kerrigan = entity_id(imported.id, "Maud Kerrigan")
    assert kerrigan in {row["id"] for row in rows["entities.jsonl"]}
    assert rows["MERGED_INTO.jsonl"][0]["target"] == kerrigan
    assert kerrigan in {rows["rejected_merges.jsonl"][0][name] for name in ("one", "other")}
    assert entity_id(imported.id, "M. Kerrigan") in {
        row.get("properties", {}).get("was") for row in rows["MENTIONS.jsonl"]
    }
    assert read_files(folder)[MANIFEST]["counts"] == read_files(copy)[MANIFEST]["counts"]
    assert sorted(row["text"] for row in rows["passages.jsonl"]) == sorted(
        json.loads(line)["text"] for line in (folder / "passages.jsonl").read_text("utf-8").splitlines()
    )


@pytest.mark.parametrize(("options", "embedder"), [({"vectors": False}, "toy"), ({}, "another")])
def test_vectors_that_are_missing_or_of_another_model_are_computed_after_the_import(
    graph, export, load, options, embedder
):
    folder = export("out", **options)
    remove_collection(graph.store, graph.collection)
    imported = load(folder, graph.name, embedder)
    assert imported.embeds
    assert embedder in imported.notice
    again = export("again")
    assert not (again / "vectors").exists()
    assert (again / "relationships" / "SIMILAR.jsonl").read_text() == ""
    [row] = map(json.loads, (again / "collection.jsonl").read_text().splitlines())
    assert row["labels"] == ["ToEmbed"]
    remove_collection(graph.store, graph.collection)


def test_waiting_work_is_waiting_after_the_import(graph, export, load):
    graph.store.write(("ingest/mark_unextracted_evidence", {"collection": graph.collection, "limit": 2}))
    folder = export("out")
    before = read_files(folder)
    kinds = ("passages", "tables", "figures")
    assert sum(before[f"{kind}.jsonl"].count(b"Unread") for kind in kinds) == 2
    remove_collection(graph.store, graph.collection)
    load(folder, graph.name)
    assert read_files(export("again")) == before
    remove_collection(graph.store, graph.collection)


def test_a_name_that_exists_is_not_overwritten(graph, export, load):
    before = read_files(export("out"))
    with pytest.raises(UsageError, match="already"):
        load(export("second"), graph.name)
    assert read_files(export("third")) == before


def test_a_folder_that_exists_is_not_overwritten(export, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="not an empty folder"):
        export("out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    (tmp_path / "out" / "mine.txt").unlink()
    export("out")


def test_a_failed_export_leaves_no_folder(export, tmp_path):
    with pytest.raises(UsageError):
        export("out", "no such collection")
    assert list(tmp_path.iterdir()) == []


def change_rows(folder, path, change):
    """Change the lines of a file, and its hash in the manifest, as a tool that edits an export would."""
    from hopline.exchange.folder_export import compute_sha256

    file = folder / path
    file.write_text("".join(change(file.read_text("utf-8").splitlines(keepends=True))), "utf-8")
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    manifest["files"][path]["sha256"] = compute_sha256(file)
    (folder / MANIFEST).write_text(json.dumps(manifest), "utf-8")


def edit(**properties):
    return lambda lines: [json.dumps(json.loads(lines[0]) | properties) + "\n", *lines[1:]]


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / MANIFEST).unlink(),
        lambda folder: (folder / MANIFEST).write_text("{}"),
        lambda folder: (folder / MANIFEST).write_text("[1]"),
        lambda folder: (folder / "triples.jsonl").unlink(),
        lambda folder: (folder / "triples.jsonl").write_text("{}\n"),
        lambda folder: (folder / "vectors" / "passages.vector_toy.npy").write_bytes(b"x"),
        lambda folder: change_rows(folder, "passages.jsonl", lambda lines: ["not json\n"]),
        lambda folder: change_rows(folder, "passages.jsonl", lambda lines: ["[]\n"]),
        lambda folder: change_rows(folder, "passages.jsonl", edit(id=7)),
        lambda folder: change_rows(folder, "passages.jsonl", edit(text={"a": 1})),
        lambda folder: change_rows(folder, "passages.jsonl", edit(text=["a", 1])),
        lambda folder: change_rows(folder, "passages.jsonl", edit(vector_toy=[1.0])),
        lambda folder: change_rows(folder, "passages.jsonl", edit(labels=["Removed"])),
        lambda folder: change_rows(folder, "passages.jsonl", edit(collection="another")),
        lambda folder: change_rows(folder, "passages.jsonl", edit(**{"a`b": 1})),
        lambda folder: change_rows(folder, "passages.jsonl", lambda lines: lines[1:]),  # its relationships lack a node
        lambda folder: change_rows(folder, "passages.jsonl", lambda lines: lines * 2),
        lambda folder: change_rows(folder, "documents.jsonl", edit(sha256="../../../etc/passwd")),
        lambda folder: change_rows(folder, "pages.jsonl", edit(document="nope")),
        lambda folder: change_rows(folder, "collection.jsonl", lambda lines: []),
        lambda folder: change_rows(folder, "relationships/NEXT.jsonl", lambda lines: ['{"source":1,"target":"x"}\n']),
        lambda folder: change_rows(folder, "relationships/MENTIONS.jsonl", edit(target="nope")),
    ],
)
def test_a_damaged_folder_is_an_error_and_leaves_nothing(graph, export, load, damage):
    folder = export("out")
    before, names = count_nodes(graph), list_names(graph)
    damage(folder)
    with pytest.raises(HoplineError):
        load(folder, f"{graph.name} copy")
    assert (count_nodes(graph), list_names(graph)) == (before, names)
    [count] = graph.store.read("exchange/collection_ids", {"id": collection_id(f"{graph.name} copy")}).values()
    assert count == []


def test_no_node_of_another_collection_is_linked(graph, export, load, tiny):
    other = tiny()
    other.passage("z", "Tidewell", [1, 0, 0, 0])
    tidewell = other.entity("Tidewell", "z")
    other.write_pending()
    folder = export("out")
    remove_collection(graph.store, graph.collection)
    change_rows(folder, "relationships/MENTIONS.jsonl", edit(target=tidewell))
    with pytest.raises(UsageError, match="not there"):
        load(folder, graph.name)
    assert graph.name not in list_names(graph)


def test_no_file_outside_the_folder_is_read(graph, export, load, tmp_path):
    secret = tmp_path / "secret.jsonl"
    folder = export("out")
    shutil.move(folder / "triples.jsonl", secret)
    (folder / "triples.jsonl").symlink_to(secret)
    with pytest.raises(UsageError, match="symbolic link"):
        load(folder, "copy")
    folder = export("second")
    shutil.move(folder / "relationships", tmp_path / "elsewhere")
    (folder / "relationships").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="symbolic link"):
        load(folder, "copy")
    folder = export("third")
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    manifest["files"]["../secret.jsonl"] = {"rows": 1, "sha256": "0" * 64}
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="does not know"):
        load(folder, "copy")


def test_a_folder_of_another_version_of_the_graph_is_refused(graph, export, load):
    folder = export("out")
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    for change in ({"graph_version": 1}, {"format_version": 99}):
        (folder / MANIFEST).write_text(json.dumps(manifest | change))
        with pytest.raises(UsageError, match="version"):
            load(folder, "copy")


def test_a_collection_is_hidden_while_it_is_imported_and_an_abandoned_import_is_removed(
    graph, export, load, monkeypatch
):
    name = f"{graph.name} copy"
    id = collection_id(name)
    assert graph.store.write(("exchange/begin_import", {"id": id, "name": name}))[0]["id"] == [id]
    row = {"labels": ["Document"], "properties": {"id": "left", "collection": id, "name": "left.pdf"}}
    graph.store.write(("exchange/create_documents", {"collection": id, "rows": [row]}))
    assert name not in list_names(graph)
    with pytest.raises(UnknownName):
        CollectionCatalog(graph.store).require_id(name)
    added = {"collection": id, "name": name, "extraction_model": "", "documents": []}
    assert graph.store.write(("ingest/add_documents", added))[0]["id"] == []
    folder = export("out")
    with pytest.raises(UsageError, match="already"):
        load(folder, name)  # it may still run
    monkeypatch.setattr("hopline.exchange.folder_import._ABANDONED_SECONDS", -1.0)
    assert load(folder, name).id == id
    assert graph.store.read("documents/document", {"id": "left"})["id"] == []


def test_the_number_of_vectors_is_in_the_header_that_is_written_first(tmp_path):
    with VectorWriter(tmp_path / "v") as writer:
        for number in range(12345):
            writer.write(str(number), [float(number), 0.5])
    array = np.load(tmp_path / "v.npy")
    assert array.shape == (12345, 2)
    assert array.dtype == np.float32
    assert list(read_vectors(tmp_path / "v"))[-1] == ("12344", [12344.0, 0.5])
    with VectorWriter(tmp_path / "w") as writer:
        writer.write("a", [1.0])
        with pytest.raises(UsageError, match="dimensions"):
            writer.write("b", [1.0, 2.0])
