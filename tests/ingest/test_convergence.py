"""The worker on a real server: missing work is done, and finished work is left unchanged."""

import json
import os
import signal
import subprocess
import sys
import time
import unicodedata
from threading import Event

import pytest

from hopline.config import to_environment
from hopline.documents.file_store import get_stored_path
from hopline.embeddings.loader import load_embedder
from hopline.errors import UnknownName, UsageError
from hopline.ids import collection_id, document_id
from hopline_ingest.lease import Lease
from hopline_ingest.stage_runner import converge

FIRST = "The harbour of Halm was built by Ingrid Vale in 1931.\n\n"
SECOND = "Slate is quarried on the island of Orre.\n\n"
THIRD = "The ferry Tern sails from Halm to Orre.\n"


def passages(store, collection):
    columns = store.read(
        "search/scan_evidence",
        {
            "collection": collection_id(collection),
            "vector": [1.0] * 384,
            "embedding": "vector_minilm",
            "label": "",
            "excluded": [],
            "k": 1000,
        },
    )
    return set(columns["id"])


def entity_names(store, collection):
    return set(store.read("testing/entities", {"collection": collection_id(collection)})["name"])


@pytest.fixture(autouse=True)
def statements(monkeypatch):
    """One more statement, for looking at what was written."""
    from hopline.store import graph as module
    from hopline_cypher.loader import parse_statement

    ours = {
        "testing/entities": "// Returns: name — entities that something mentions.\n// $collection: its id.\n"
        "MATCH (e:Entity {collection: $collection}) RETURN e.name AS name",
        "testing/embedded": "// Returns: name — entities with a vector.\n// $collection: its id.\n// $embedding: its property.\n"
        "MATCH (e:Entity {collection: $collection}) WHERE e[$embedding] IS NOT NULL RETURN e.name AS name",
        "testing/said": "// Returns: id, name, by — who mentions what, and how that was found.\n// $collection: its id.\n"
        "MATCH (n:Evidence {collection: $collection})-[m:MENTIONS]->(e:Entity) "
        "RETURN n.source_id AS id, e.name AS name, coalesce(m.by, '') AS by",
        "testing/vectors": "// Returns: vector — of evidence.\n// $collection: its id.\n// $embedding: its property.\n"
        "MATCH (n:Evidence {collection: $collection}) RETURN n[$embedding] AS vector",
    }
    real = module.get_statement  # type: ignore[attr-defined]
    monkeypatch.setattr(
        module, "get_statement", lambda name: parse_statement(name, ours[name]) if name in ours else real(name)
    )


def test_adding_the_same_file_twice_changes_nothing(hop, store, tmp_path):
    file = tmp_path / "halm.txt"
    file.write_text(FIRST + SECOND, encoding="utf-8")
    hop.add(file, collection="twice").wait(timeout=120)
    before = passages(store, "twice")
    batch = hop.add(file, collection="twice")
    assert batch.progress().done
    assert passages(store, "twice") == before != set()


def test_a_file_parsed_by_an_older_parser_is_parsed_again_when_added_again(
    hop, store, tmp_path, monkeypatch, end_worker
):
    file = tmp_path / "halm.txt"
    file.write_text(FIRST, encoding="utf-8")
    hop.add(file, collection="newer").wait(timeout=120)
    end_worker()
    monkeypatch.setattr("hopline.documents.file_store.PARSER_VERSION", "newer")
    with Lease(store):  # nobody reads it yet
        batch = hop.add(file, collection="newer")
        assert not batch.progress().done
    batch.wait(timeout=120)
    assert hop.documents.list("newer")[0].state == "ready"


def test_a_name_gets_a_vector_when_a_second_evidence_mentions_it(hop, store, tmp_path):
    def list_embedded():
        parameters = {"collection": collection_id("joined"), "embedding": "vector_minilm"}
        return set(store.read("testing/embedded", parameters)["name"])

    (tmp_path / "one.txt").write_text(FIRST, encoding="utf-8")
    hop.add(tmp_path / "one.txt", collection="joined").wait(timeout=120)
    assert {"Halm", "Ingrid Vale"} <= entity_names(store, "joined")
    assert list_embedded() == set()
    (tmp_path / "two.txt").write_text(THIRD, encoding="utf-8")
    hop.add(tmp_path / "two.txt", collection="joined").wait(timeout=120)
    assert list_embedded() == {"Halm"}


def test_a_changed_file_replaces_what_changed_and_keeps_the_rest(hop, store, tmp_path):
    file = tmp_path / "halm.md"
    file.write_text(f"# A\n\n{FIRST}# B\n\n{SECOND}", encoding="utf-8")
    hop.add(file, collection="changed").wait(timeout=120)
    before = passages(store, "changed")
    assert "Ingrid Vale" in entity_names(store, "changed")
    file.write_text(f"# A\n\n{THIRD}\n# B\n\n{SECOND}", encoding="utf-8")
    hop.add(file, collection="changed").wait(timeout=120)
    after = passages(store, "changed")
    assert len(before) == len(after) == 2
    assert len(before & after) == 1
    assert "Ingrid Vale" not in entity_names(store, "changed")
    assert {"Tern", "ferry Tern"} & entity_names(store, "changed")


REFERENCES = (
    "# References\n\nVale, I., 1931. The harbour of Halm. Quay Press.\n\nLunn, H. (2003) On slate. Orre 3:1–9.\n"
)


def test_citations_are_linked_to_references_until_either_changes(hop, tmp_path):
    def list_citations():
        query = "MATCH (p:Evidence {document: $id})-[:CITES]->(r:Reference) RETURN r.key AS key, r.name AS name ORDER BY key"
        return [tuple(row.values()) for row in hop.graph.cypher(query, {"id": document.id}).rows]

    def count_references():
        return hop.graph.cypher("MATCH (r:Reference {document: $id}) RETURN count(r) AS n", {"id": document.id}).rows

    file = tmp_path / "halm.md"
    file.write_text(
        f"# Halm\n\nThe quay is of slate (Vale 1931; Lunn 2003; Moe 1999).\n\n{REFERENCES}", encoding="utf-8"
    )
    hop.add(file, collection="citing").wait(timeout=120)
    [document] = hop.documents.list("citing")
    assert list_citations() == [("lunn 2003", "On slate"), ("vale 1931", "The harbour of Halm")]
    assert "Vale" not in "".join(entity.node.name for entity in hop.graph.list_entities("citing"))
    file.write_text(f"# Halm\n\nThe quay is of slate (Vale 1931).\n\n{REFERENCES}", encoding="utf-8")
    hop.add(file, collection="citing").wait(timeout=120)
    assert list_citations() == [("vale 1931", "The harbour of Halm")]
    assert count_references() == ({"n": 2},)
    hop.documents.remove(document.id, collection="citing")
    deadline = time.monotonic() + 60
    while count_references() != ({"n": 0},) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert count_references() == ({"n": 0},)


def test_a_bad_document_is_reported_and_does_not_affect_others(hop, tmp_path):
    (tmp_path / "bad.pdf").write_bytes(b"this is no PDF at all")
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "strange.xyz").write_text("?")
    (tmp_path / "good.txt").write_text(FIRST)
    batch = hop.add([tmp_path / name for name in ("bad.pdf", "empty.txt", "strange.xyz", "good.txt")], collection="bad")
    batch.wait(timeout=120)
    reasons = {failure.document: failure.reason for failure in batch.failures}
    assert set(reasons) == {"bad.pdf", "empty.txt", "strange.xyz"}
    assert "not a valid PDF" in reasons["bad.pdf"]
    assert "empty" in reasons["empty.txt"]
    assert ".xyz" in reasons["strange.xyz"]
    states = {document.name: document.state for document in hop.documents.list("bad")}
    assert states == {"bad.pdf": "failed", "empty.txt": "failed", "strange.xyz": "failed", "good.txt": "ready"}


def test_failed_documents_can_be_tried_again(hop, settings, tmp_path):
    file = tmp_path / "later.txt"
    file.write_bytes(b"")
    hop.add(file, collection="retry").wait(timeout=120)
    [document] = hop.documents.list("retry")
    assert document.state == "failed"
    get_stored_path(settings.files, document.sha256, document.name).write_text(FIRST)
    assert hop.documents.retry("later.txt", collection="retry") == 1
    deadline = time.monotonic() + 120
    while hop.documents.list("retry")[0].state != "ready" and time.monotonic() < deadline:
        time.sleep(0.2)
    assert hop.documents.list("retry")[0].state == "ready"


def test_rows_of_one_title_are_a_document_and_bad_rows_are_named(hop, tmp_path):
    file = tmp_path / "rows.jsonl"
    good = [{"id": "a", "title": "Halm", "text": FIRST}, {"id": "b", "title": "Halm", "text": SECOND}]
    lines = [json.dumps(good[0]), "{broken", json.dumps({"id": "c", "title": "x"}), json.dumps(good[1])]
    file.write_text("\n".join(lines), encoding="utf-8")
    batch = hop.add(file, collection="rows").wait(timeout=120)
    [document] = hop.documents.list("rows")
    assert (document.name, document.passages) == ("Halm", 2)
    assert sorted(failure.reason.split(" is ")[0].split(" has ")[0] for failure in batch.failures) == [
        "rows.jsonl line 2", "rows.jsonl line 3",
    ]  # fmt: skip
    retrieval = hop.retrieve("slate", collection="rows", strategy="bm25")
    assert [evidence.source_id for evidence in retrieval.evidence] == ["b"]


def test_rows_that_are_added_again_are_not_counted_twice(hop, tmp_path):
    rows = [{"title": name, "text": FIRST} for name in ("Halm", "Orre", "Skerry")]
    (tmp_path / "again.jsonl").write_text("\n".join(map(json.dumps, rows)))
    hop.add(tmp_path / "again.jsonl", collection="again").wait(timeout=120)
    counts = []
    batch = hop.add(tmp_path / "again.jsonl", collection="again")
    while not (now := batch.progress()).done:
        counts.append(now.documents)
    assert {*counts, now.documents} == {3}


@pytest.mark.parametrize(
    ("titles", "about", "count"),
    [("keep", {"Zorvath", "Ingrid Vale"}, 1), ("ignore", {"Ingrid Vale"}, 1), ("drop", {"Ingrid Vale"}, 0)],
)
def test_titles_of_rows_are_kept_ignored_or_dropped(hop, store, tmp_path, titles, about, count):
    row = {"id": "a", "title": "Zorvath", "text": "Ingrid Vale was an architect from Bergen."}
    (tmp_path / "titled.jsonl").write_text(json.dumps(row))
    hop.add(tmp_path / "titled.jsonl", collection=titles, titles=titles).wait(timeout=120)
    [evidence] = hop.retrieve("architect", collection=titles, strategy="bm25").evidence
    around = hop.graph.get_neighbourhood(evidence.id)
    names = {node.id: node.name for node in around.nodes}
    assert {names[target] for _, edge, target in around.edges if edge == "ABOUT"} == about
    assert len(hop.retrieve("Zorvath", collection=titles, strategy="bm25").evidence) == count


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_with_accents_are_found_without_them_and_their_vectors_are_those_of_the_text(hop, store, tmp_path, form):
    collection = f"accents {form}"
    file = tmp_path / "keel.txt"
    file.write_text(unicodedata.normalize(form, "The keel was laid by Søren Ibáñez in 1931."), encoding="utf-8")
    hop.add(file, collection=collection).wait(timeout=120)
    [evidence] = hop.retrieve("soren ibanez", collection=collection, strategy="bm25").evidence
    assert "Søren Ibáñez" in evidence.text
    assert [item.id for item in hop.retrieve("Ibañez", collection=collection, strategy="bm25").evidence] == [
        evidence.id
    ]
    assert "Søren Ibáñez" in {match.node.name for match in hop.graph.find("soren ib", collection=collection)}
    parameters = {"collection": collection_id(collection), "embedding": "vector_minilm"}
    [vector] = store.read("testing/vectors", parameters)["vector"]
    [expected] = load_embedder(hop.settings).embed([f"keel\n{evidence.text}"])
    assert vector == pytest.approx(expected.tolist(), abs=1e-3)


def test_given_entities_and_triples_are_stored_unchanged(hop, store, tmp_path):
    row = {"id": "a", "title": "Orre", "text": SECOND, "entities": ["Orre"], "triples": [["Orre", "exports", "slate"]]}
    (tmp_path / "given.jsonl").write_text(json.dumps(row))
    hop.add(tmp_path / "given.jsonl", collection="given").wait(timeout=120)
    assert entity_names(store, "given") == {"Orre", "slate"}


def test_removing_a_document_keeps_entities_that_others_mention(hop, store, tmp_path):
    (tmp_path / "one.txt").write_text(FIRST)
    (tmp_path / "two.txt").write_text(THIRD)
    hop.add([tmp_path / "one.txt", tmp_path / "two.txt"], collection="shared").wait(timeout=120)
    assert hop.documents.remove("one.txt", collection="shared") == 1
    names = entity_names(store, "shared")
    assert "Halm" in names
    assert "Ingrid Vale" not in names
    with pytest.raises(UnknownName, match=r"no document called 'one\.txt'; there are: two\.txt"):
        hop.documents.remove("one.txt", collection="shared")
    assert hop.documents.remove(collection="shared") == 1
    assert "shared" not in {collection.name for collection in hop.collections()}


def test_a_missing_path_adds_nothing(hop, tmp_path):
    with pytest.raises(UsageError, match=r"no such file or folder: .*missing\.pdf"):
        hop.add(tmp_path / "missing.pdf", collection="nothing")
    assert "nothing" not in {collection.name for collection in hop.collections()}


def test_a_folder_gives_its_readable_files_by_their_paths(hop, tmp_path):
    (tmp_path / "in" / ".git").mkdir(parents=True)
    (tmp_path / "in" / "deep").mkdir()
    (tmp_path / "in" / "deep" / "a.txt").write_text(FIRST)
    (tmp_path / "in" / "b.bin").write_bytes(b"?")
    (tmp_path / "in" / ".git" / "c.txt").write_text("hidden")
    hop.add(tmp_path / "in", collection="folder").wait(timeout=120)
    assert [document.name for document in hop.documents.list("folder")] == ["deep/a.txt"]


def test_a_worker_that_is_killed_loses_nothing(hop, store, settings, tmp_path, end_worker):
    end_worker()
    rows = [
        {"id": str(n), "title": f"Ship {n}", "text": f"Ship {n} sails from Halm to Orre. {SECOND}"} for n in range(200)
    ]
    (tmp_path / "ships.jsonl").write_text("\n".join(map(json.dumps, rows)))
    batch = hop.add(tmp_path / "ships.jsonl", collection="killed")
    deadline = time.monotonic() + 120
    while batch.progress().documents_done < 200 and time.monotonic() < deadline:
        time.sleep(0.05)
    [holder] = store.read("ingest/lease_holder")["holder"]
    os.kill(int(holder.rpartition(":")[2]), signal.SIGKILL)
    assert not batch.progress().done
    batch.wait(timeout=240)
    assert len(passages(store, "killed")) == 200
    assert batch.progress().documents == 200


def test_a_second_worker_exits_at_once(store, settings, end_worker):
    end_worker()
    with Lease(store) as lease:
        assert lease.active
        second = subprocess.run(
            [sys.executable, "-m", "hopline_ingest"],
            env=to_environment(settings),
            capture_output=True,
            check=False,
            text=True,
            timeout=120,
        )
        assert second.returncode == 0
        assert "another worker is active" in second.stderr
    assert store.read("ingest/lease_holder")["holder"] == []


def test_the_first_stages_take_turns_and_the_others_wait():
    log = []

    class Stage:
        def __init__(self, name, work):
            self.name, self.work = name, work

        def step(self):
            if self.work:
                self.work -= 1
                log.append(self.name)
                return True
            return False

    assert converge([Stage("parse", 2), Stage("extract", 1)], [Stage("relate", 1)], Event())
    assert log == ["parse", "extract", "parse", "relate"]
    assert not converge([], [], Event())


def test_no_stage_starts_after_the_worker_was_asked_to_stop():
    stop = Event()

    class StoppingStage:
        name = "stopping"

        def step(self):
            stop.set()
            return False

    class LateStage:
        name = "late"

        def step(self):
            pytest.fail("a stage started after the worker was asked to stop")

    assert not converge([StoppingStage(), LateStage()], [], stop)
    stop.clear()
    assert not converge([StoppingStage()], [LateStage()], stop)


def test_ids_of_documents_belong_to_their_collection():
    assert document_id(collection_id("a"), "x.pdf") != document_id(collection_id("b"), "x.pdf")


def test_names_of_new_subjects_are_linked_in_older_evidence_and_vice_versa(hop, store, tmp_path):
    def say(name, rows):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        hop.add(path, collection="names").wait(timeout=120)
        columns = store.read("testing/said", {"collection": collection_id("names")})
        return set(zip(columns["id"], columns["name"], columns["by"], strict=True))

    old = {"id": "old", "title": "A night out", "text": "we saw lights then Of Mice And Stars and then went home"}
    rows = say("one", [old])
    assert not any(name == "Of Mice And Stars" and by == "name" for _, name, by in rows)
    new = {"id": "new", "title": "Of Mice And Stars", "text": "it is a play which follows a night out and lights"}
    rows = say("two", [new])
    assert any(row[:2] == ("old", "Of Mice And Stars") for row in rows)
    third = {"id": "third", "title": "Prices", "text": "a ticket for Of Mice And Stars was cheap"}
    assert any(row[:2] == ("third", "Of Mice And Stars") for row in say("three", [third]))
