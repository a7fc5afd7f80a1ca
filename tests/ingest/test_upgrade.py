"""A graph of an older version is migrated and can be processed again; one of a newer version is refused in words.

``old_home`` holds the files of a home and the nodes of its graph, as a version without schema versions wrote them: an
older parser lost a space, and the documents of JSONL rows had other ids.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from interruption import Killed, kill_before

from hopline import Hopline
from hopline.config import Settings, load_settings
from hopline.documents.worker_process import stop_worker, stop_workers_of_home
from hopline.errors import EngineRefused
from hopline.ids import collection_id, document_id
from hopline.neo4j_server import connect, open_driver
from hopline.store.graph import Store
from hopline.store.graph_version import GRAPH_VERSION
from hopline.store.lucene import add_folded_words
from hopline_ingest.lease import Lease
from hopline_ingest.stage_runner import record_versions
from hopline_ingest.stages.mark_outdated import MarkOutdated
from hopline_ingest.worker import run_worker

OLD_HOME = Path(__file__).parent / "old_home"
COLLECTION = "records"
CREATE_NODES = "UNWIND $nodes AS node CREATE (n:$(node.labels)) SET n = node.properties RETURN elementId(n) AS id"
CREATE_RELATIONSHIPS = """UNWIND $edges AS edge MATCH (a), (b) WHERE elementId(a) = edge.start AND elementId(b) = edge.end
CREATE (a)-[r:$(edge.type)]->(b) SET r = edge.properties"""
SET_VERSION = "MERGE (m:Mark {name: 'graph version'}) SET m.value = $value"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """The settings of a private server of this module, without an open client."""
    folder = tmp_path_factory.mktemp("upgraded")
    settings = load_settings(home=folder, neo4j_uri="", worker_idle_seconds=2.0)
    Store.open(settings, embedder="minilm", dimension=384).close()
    yield settings
    (settings.home / "schema_version").unlink(missing_ok=True)
    set_version(settings, str(GRAPH_VERSION))
    Hopline.stop(folder)


@pytest.fixture
def old(server: Settings) -> Settings:
    """The settings of a home as an older version left it."""
    delete_graph(server)
    shutil.copytree(OLD_HOME / "files", server.files, dirs_exist_ok=True)
    dump = json.loads((OLD_HOME / "graph.json").read_text("utf-8"))
    ids = [row["id"] for row in run_statement(server, CREATE_NODES, nodes=dump["nodes"])]
    edges = [{**edge, "start": ids[edge["start"]], "end": ids[edge["end"]]} for edge in dump["relationships"]]
    run_statement(server, CREATE_RELATIONSHIPS, edges=edges)
    return server


def run_statement(settings: Settings, text: str, **parameters: Any) -> list[dict[str, Any]]:
    connection = connect(settings)
    driver = open_driver(connection)
    try:
        return [record.data() for record in driver.execute_query(text, parameters).records]  # type: ignore[arg-type]
    finally:
        driver.close()


def delete_graph(settings: Settings) -> None:
    """Delete the graph and the version of the home; a worker that still ran would acquire the lease in the new graph."""
    stop_workers_of_home(settings.home)
    run_statement(settings, "MATCH (n) DETACH DELETE n")
    (settings.home / "schema_version").unlink(missing_ok=True)


def set_version(settings: Settings, version: str) -> None:
    run_statement(settings, SET_VERSION, value=version)


def get_version(settings: Settings) -> list[Any]:
    return run_statement(settings, "MATCH (m:Mark {name: 'graph version'}) RETURN m.value AS value")


def open_old(settings: Settings, **arguments: Any) -> Hopline:
    return Hopline.open(home=settings.home, uri="", worker_idle_seconds=2.0, **arguments)


def test_an_older_graph_is_migrated_when_it_is_opened_and_lists_what_is_outdated(old: Settings) -> None:
    assert get_version(old) == []
    with open_old(old, worker=False) as hop:
        assert hop.status().outdated == 3
        assert {document.state for document in hop.documents.list(COLLECTION)} == {"ready"}
        assert hop.collections()[0].extraction_model == ""
    assert get_version(old) == [{"value": str(GRAPH_VERSION)}]
    assert (old.home / "schema_version").read_text().strip() == str(GRAPH_VERSION)
    assert run_statement(old, "MATCH (c:Collection) RETURN c.extraction_model AS model") == [{"model": ""}]


def test_migration_adds_words_without_accents_to_the_searched_texts_once(old: Settings) -> None:
    texts = ["“Søren’s” café (Ibáñez)", "Łódź\nß", "O’Brien — plain", "λόγος, йод, が, 한국어"]
    nodes = [
        {"labels": [label], "properties": {"id": f"{label} {number}", "search": text, "collection": "c"}}
        for number, text in enumerate(texts)
        for label in ("Evidence", "Entity", "Triple")
    ]
    run_statement(old, CREATE_NODES, nodes=nodes)
    expected = [{"search": add_folded_words(text)} for text in texts]
    expected[:2] = [{"search": f"{texts[0]}\x1fsoren cafe ibanez"}, {"search": f"{texts[1]}\x1flodz ss"}]
    for _ in range(2):
        run_statement(old, "MATCH (m:Mark {name: 'graph version'}) DELETE m")
        open_old(old, worker=False).close()
        for label in ("Evidence", "Entity", "Triple"):
            query = f"MATCH (n:{label} {{collection: 'c'}}) RETURN n.search AS search ORDER BY n.id"
            assert run_statement(old, query) == expected


def test_upgrade_processes_outdated_documents_again(old: Settings) -> None:
    with open_old(old, worker=False) as hop:
        assert (
            "Theharbour"
            in hop.retrieve("Who built the harbour?", collection=COLLECTION, strategy="bm25").to_dict()["evidence"][0][
                "text"
            ]
        )
        assert hop.upgrade() == 3
        wait_until_done(hop)
        assert hop.status().outdated == 0
        assert hop.upgrade() == 0
        evidence = hop.retrieve("Who built the harbour of Halm?", collection=COLLECTION, strategy="bm25").evidence
        assert "The harbour of Halm was built by Ingrid Vale in 1931." in evidence[0].text
        documents = hop.documents.list(COLLECTION)
        assert [document.name for document in documents] == ["Orre Lighthouse", "Tern", "notes.md"]
        old_id = document_id(collection_id(COLLECTION), "Tern")
        assert old_id not in {document.id for document in documents}
    assert run_statement(old, "MATCH (n {document: $id}) RETURN count(n) AS count", id=old_id) == [{"count": 0}]


def test_a_document_whose_file_is_missing_fails_with_a_reason_and_others_are_processed(old: Settings) -> None:
    next(old.files.rglob("*.md")).unlink()
    with open_old(old, worker=False) as hop:
        assert hop.upgrade() == 3
        wait_until_done(hop)
        reasons = {document.name: document.reason for document in hop.documents.list(COLLECTION)}
        assert "add the file again" in reasons.pop("notes.md")
        assert set(reasons.values()) == {""}
        assert hop.status().outdated == 1


def test_a_newer_graph_is_refused_in_words(server: Settings) -> None:
    set_version(server, "7")
    try:
        with pytest.raises(EngineRefused, match=rf"version 7 .* up to version {GRAPH_VERSION}.*newer Hopline"):
            open_old(server)
    finally:
        set_version(server, str(GRAPH_VERSION))


def test_a_newer_home_is_refused_in_words_before_its_server_is_started(server: Settings, tmp_path: Path) -> None:
    (tmp_path / "schema_version").write_text("7\n")
    with pytest.raises(EngineRefused, match=rf"version 7 .* up to version {GRAPH_VERSION}.*newer Hopline") as refused:
        Hopline.open(home=tmp_path, uri="")
    assert str(tmp_path) in str(refused.value)
    assert not (tmp_path / "neo4j").exists()


def test_a_new_graph_has_the_current_version_and_nothing_outdated(server: Settings) -> None:
    delete_graph(server)
    with open_old(server, worker=False) as hop:
        assert hop.status().outdated == 0
    assert get_version(server) == [{"value": str(GRAPH_VERSION)}]


def test_a_worker_of_an_older_version_loses_its_lease(server: Settings) -> None:
    with closing(Store.open(server, embedder="minilm", dimension=384)) as store:
        stop_worker(store)  # that of the tests before
        with Lease(store) as lease:
            assert lease.active
            set_version(server, "7")
            assert not lease._acquire()
        set_version(server, str(GRAPH_VERSION))


@pytest.fixture
def new(server: Settings, tmp_path: Path) -> Iterator[tuple[Hopline, Store]]:
    """Client and store of a new graph with one document that has been read, while no worker runs."""
    delete_graph(server)
    with open_old(server) as hop, closing(Store.open(server, embedder="minilm", dimension=384)) as store:
        (tmp_path / "one.txt").write_text("The harbour of Halm was built by Ingrid Vale in 1931.")
        hop.add(tmp_path / "one.txt", collection=COLLECTION).wait(timeout=120)
        stop_workers_of_home(server.home)
        yield hop, store


def count_nodes(settings: Settings, pattern: str) -> int:
    [row] = run_statement(settings, f"MATCH {pattern} RETURN count(*) AS count")
    return int(row["count"])


def add_second(hop: Hopline, folder: Path) -> None:
    """Add a document, which starts a worker, and wait until all documents have been read."""
    (folder / "two.txt").write_text("Slate is quarried on the island of Orre.")
    hop.add(folder / "two.txt", collection=COLLECTION).wait(timeout=240)


def test_a_worker_that_is_killed_while_it_marks_for_another_embedder_still_embeds_all(
    new: tuple[Hopline, Store], server: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hop, _ = new
    run_statement(server, "MATCH (m:Mark {name: 'embedder'}) SET m.value = 'older'")
    run_statement(server, "MATCH (e:Evidence) SET e.vector_minilm = null")
    kill_before(monkeypatch, "ingest/mark_unembed")
    with pytest.raises(Killed):
        run_worker(server.model_copy(update={"worker_idle_seconds": 0.0}))
    add_second(hop, tmp_path)
    assert count_nodes(server, "(e:Evidence)") == 2
    assert count_nodes(server, "(e:Evidence WHERE e.vector_minilm IS NULL)") == 0


def test_a_new_extractor_version_makes_the_worker_extract_everything_again(
    new: tuple[Hopline, Store], server: Settings, tmp_path: Path
) -> None:
    hop, store = new
    with Lease(store):
        record_versions(store, extractor="another", embedder="minilm")
        MarkOutdated(store).step()
        assert count_nodes(server, "(e:Unread)") == 1
        record_versions(store, extractor="another", embedder="minilm")
    add_second(hop, tmp_path)
    assert count_nodes(server, "(e:Unread)") == 0


def wait_until_done(hop: Hopline) -> None:
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if hop.documents.progress(COLLECTION).done:
            return
        time.sleep(0.3)
    raise AssertionError("the documents were not processed in time")
