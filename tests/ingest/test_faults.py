"""Faults: documents that change, disappear or fail during ingestion."""

import gzip
import json
import os
import signal
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest
from canonical import rows as query
from interruption import Killed, kill_before

import hopline_ingest.__main__ as worker_main
from hopline import Hopline
from hopline.config import Settings
from hopline.documents.lease_holder import is_worker_running, read_running_holder
from hopline.documents.worker_process import WorkerSupervisor, get_worker_log
from hopline.embeddings.loader import load_embedder
from hopline.errors import EngineError, UnknownName
from hopline.flow.requests import Reply
from hopline.ids import collection_id
from hopline.neo4j_server import open_driver
from hopline.store.graph import Store
from hopline_ingest import stage_runner
from hopline_ingest import worker as worker_module
from hopline_ingest.formats.parsed_document import ParsedDocument, ParsedPage, ParsedPassage
from hopline_ingest.lease import Lease
from hopline_ingest.process_pool import ResilientExecutor
from hopline_ingest.stages import extract as extract_module
from hopline_ingest.stages.embed import EmbedTexts
from hopline_ingest.stages.extract import ExtractEvidence
from hopline_ingest.stages.jsonl_files import ParseJsonlFiles
from hopline_ingest.stages.parse import ParseDocuments

FIRST = "The harbour of Halm was built by Ingrid Vale in 1931."
SECOND = "Slate is quarried on the island of Orre."


class SlowParser:
    """A parser that calls a function before it returns, as if a long document were parsed meanwhile."""

    def __init__(self, meanwhile):
        self.meanwhile = meanwhile

    def parse(self, path, name, on_page=None):
        text = path.read_text()
        if self.meanwhile:
            meanwhile, self.meanwhile = self.meanwhile, None
            meanwhile()
        return ParsedDocument(name, (ParsedPage(1),), (ParsedPassage(text),))


@pytest.fixture
def lease(store, end_worker):
    """The lease of the worker: no worker runs, and none can start."""
    end_worker()
    with Lease(store) as lease:
        assert lease.active
        yield lease


def until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not (result := condition()) and time.monotonic() < end:
        time.sleep(0.3)
    return result


def texts(store, collection):
    rows = query(store, "MATCH (e:Evidence {collection: $id}) RETURN e.text", id=collection_id(collection))
    return sorted(text for [text] in rows)


def add(hop, path, text, collection):
    path.write_text(text, encoding="utf-8")
    return hop.add(path, collection=collection)


# -- an outage of the database


class OutageStore:
    """A separate store whose connection a test can close and open again."""

    def __init__(self, settings):
        self.store = Store.open(settings, embedder="toy", dimension=4)

    def close(self):
        self.store.driver.close()

    def reopen(self):
        self.store.driver = open_driver(self.store.connection)


@pytest.fixture
def outage(settings):
    broken = OutageStore(settings)
    yield broken
    broken.close()


def test_an_outage_while_progress_is_stored_does_not_fail_the_document(hop, settings, tmp_path, lease, outage):
    class CountingParser:
        def parse(self, path, name, on_page=None):
            outage.close()
            on_page(1, 2)
            outage.reopen()
            return ParsedDocument(name, (ParsedPage(1),), (ParsedPassage(path.read_text()),))

    add(hop, tmp_path / "outage.txt", FIRST, "outage")
    ParseDocuments(outage.store, settings, CountingParser()).step()  # type: ignore[arg-type]
    [document] = hop.documents.list("outage")
    assert (document.state, document.reason) == ("ready", "")


def test_the_worker_waits_during_an_outage_and_continues(lease, outage, monkeypatch):
    monkeypatch.setattr(worker_module, "OUTAGE_POLL_SECONDS", 0.01)
    steps = []

    class ReadingStage:
        name = "reading"

        def step(self):
            steps.append(len(steps))
            if len(steps) == 1:
                outage.close()
            if len(steps) == 3:
                outage.reopen()
            outage.store.read("documents/totals")
            return False

    worker_module._converge_until_idle([ReadingStage()], [], lease=lease, stop=Event(), has_work=lambda: True, idle=0.0)
    assert len(steps) >= 3, "the worker did not wait"


def test_an_idle_worker_runs_no_stage(store, lease):
    class CountingStage:
        name = "counting"
        steps = 0

        def step(self):
            self.steps += 1
            return False

    stage, replies = CountingStage(), iter([False, True, False])
    worker_module._converge_until_idle(
        [stage], [], lease=lease, stop=Event(), has_work=lambda: next(replies), idle=2 * worker_module._POLL_SECONDS
    )
    assert stage.steps == 1


class FailingStage:
    """A stage that fails a number of times, and then works once."""

    name = "failing"

    def __init__(self, failures):
        self.failures, self.attempts = failures, 0

    def step(self):
        self.attempts += 1
        if self.attempts <= self.failures:
            raise ValueError("a fault of this stage")
        return self.attempts == self.failures + 1


@pytest.fixture
def run_scaled(lease, monkeypatch):
    """Runs a stage in the loop of the worker, with the default times divided by 200; returns the seconds it took."""
    for module, name in (
        (stage_runner, "PAUSE_SECONDS"),
        (stage_runner, "MAX_FAILING_SECONDS"),
        (worker_module, "_POLL_SECONDS"),
    ):
        monkeypatch.setattr(module, name, getattr(module, name) / 200)
    idle = Settings.model_fields["worker_idle_seconds"].default / 200

    def run(stage):
        started = time.monotonic()
        worker_module._converge_until_idle([stage], [], lease=lease, stop=Event(), has_work=lambda: True, idle=idle)
        return time.monotonic() - started

    return run


def test_an_idle_worker_does_not_exit_before_a_failed_stage_is_retried(run_scaled):
    stage = FailingStage(failures=2)
    run_scaled(stage)
    assert stage.attempts >= 3


def test_the_query_for_new_documents_creates_no_embedder(hop, tmp_path, lease, monkeypatch):
    def refuse(settings):
        raise AssertionError("an embedder was created")

    monkeypatch.setattr("hopline.embeddings.loader.load_embedder", refuse)
    add(hop, tmp_path / "new.txt", FIRST, "new")
    assert worker_main._has_new_documents(Event())


def test_the_worker_exits_when_a_stage_fails_for_long(run_scaled):
    stage = FailingStage(failures=10**9)
    assert run_scaled(stage) < 30
    assert stage.attempts >= 3


def test_the_worker_gives_up_after_a_long_outage_and_releases_what_it_can(settings, outage, end_worker, monkeypatch):
    monkeypatch.setattr(worker_module, "OUTAGE_POLL_SECONDS", 0.01)
    monkeypatch.setattr(worker_module, "MAX_OUTAGE_SECONDS", 0.05)

    class ReadingStage:
        name = "reading"

        def step(self):
            outage.close()
            outage.store.read("documents/totals")
            return False

    end_worker()
    with pytest.raises(EngineError, match="open it again"), Lease(outage.store) as lease:
        worker_module._converge_until_idle(
            [ReadingStage()], [], lease=lease, stop=Event(), has_work=lambda: True, idle=0.0
        )
    outage.reopen()
    outage.store.write(("ingest/release_lease", {"holder": lease.holder}))


# -- a JSONL file that is changed while it is parsed


def test_parsing_an_outdated_version_of_a_jsonl_file_does_not_finish_it(hop, store, tmp_path, lease):
    add(hop, tmp_path / "rows.jsonl", json.dumps({"title": "Tern", "text": FIRST}), "two versions")
    id, sha256, titles = query(
        store,
        "MATCH (f:Corpus:Waiting {collection: $id}) RETURN f.id, f.sha256, f.titles",
        id=collection_id("two versions"),
    )[0]
    finished = {"id": id, "titles": titles, "problems": []}
    [outdated, current] = store.write(
        ("ingest/finish_jsonl_file", {**finished, "sha256": "of an earlier version"}),
        ("ingest/finish_jsonl_file", {**finished, "sha256": sha256}),
    )
    assert (outdated, current) == ({"removed": []}, {"removed": [[]]})


# -- a document that is removed or changed while it is read


def test_a_document_that_is_removed_while_it_is_parsed_leaves_nothing(hop, store, settings, tmp_path, lease):
    add(hop, tmp_path / "gone.txt", FIRST, "gone while read")
    parser = SlowParser(lambda: hop.documents.remove("gone.txt", collection="gone while read"))
    ParseDocuments(store, settings, parser).step()  # type: ignore[arg-type]
    assert texts(store, "gone while read") == []
    assert hop.documents.list("gone while read") == []


def test_a_collection_that_is_removed_while_its_document_is_parsed_leaves_nothing(
    hop, store, settings, tmp_path, lease
):
    add(hop, tmp_path / "gone.txt", FIRST, "collection gone")
    ParseDocuments(store, settings, SlowParser(lambda: hop.documents.remove(collection="collection gone"))).step()  # type: ignore[arg-type]
    assert texts(store, "collection gone") == []
    left = query(store, "MATCH (n) WHERE n.collection = $id RETURN labels(n)", id=collection_id("collection gone"))
    assert left == []


def test_evidence_without_its_document_does_not_hold_up_the_rest(hop, store, settings, tmp_path, lease, monkeypatch):
    monkeypatch.setattr(extract_module, "BATCH_SIZE", 2)
    query(
        store,
        "UNWIND range(1, 5) AS n CREATE (:Evidence:Passage:Unread:Unembedded {id: 'orphan ' + n, text: 'x', search: 'x', "
        "document: 'nowhere', collection: 'nowhere'})",
    )
    add(hop, tmp_path / "good.txt", FIRST, "held up")
    ParseDocuments(store, settings, SlowParser(None)).step()  # type: ignore[arg-type]
    with closing(ResilientExecutor(lambda: ThreadPoolExecutor(1))) as pool:
        stage = ExtractEvidence(store, pool)
        for _ in range(20):
            if not stage.step():
                break
    names = query(store, "MATCH (e:Entity {collection: $id}) RETURN e.name", id=collection_id("held up"))
    query(store, "MATCH (e:Evidence {document: 'nowhere'}) DETACH DELETE e")
    assert ["Ingrid Vale"] in names


def test_the_worker_deletes_evidence_without_its_document(hop, store, tmp_path, end_worker):
    end_worker()
    query(
        store, "CREATE (:Evidence:Passage {id: 'orphan', text: 'x', search: 'x', document: 'nowhere', collection: 'c'})"
    )
    add(hop, tmp_path / "good.txt", FIRST, "orphans").wait(timeout=120)
    assert query(store, "MATCH (e:Evidence {document: 'nowhere'}) RETURN e.id") == []


def test_a_file_that_is_added_while_its_old_version_is_parsed_is_parsed_next(hop, store, settings, tmp_path, lease):
    file = tmp_path / "twice.txt"
    add(hop, file, FIRST, "lost update")
    stage = ParseDocuments(store, settings, SlowParser(lambda: add(hop, file, SECOND, "lost update")))  # type: ignore[arg-type]
    stage.step()
    assert hop.documents.list("lost update")[0].state == "waiting"
    stage.step()
    assert texts(store, "lost update") == [SECOND]
    assert hop.documents.list("lost update")[0].state == "ready"
    assert not stage.step()


def test_a_version_that_fails_after_a_new_one_was_added_does_not_fail_the_new_one(
    hop, store, settings, tmp_path, lease
):
    from hopline.errors import DocumentError

    file = tmp_path / "fails.txt"
    add(hop, file, FIRST, "fails late")

    def meanwhile():
        add(hop, file, SECOND, "fails late")
        raise DocumentError("the first version is bad")

    stage = ParseDocuments(store, settings, SlowParser(meanwhile))  # type: ignore[arg-type]
    stage.step()
    assert hop.documents.list("fails late")[0].state == "waiting"
    stage.step()
    assert texts(store, "fails late") == [SECOND]


def test_a_broken_new_version_leaves_the_old_version_and_its_file(hop, tmp_path):
    file = tmp_path / "report.txt"
    add(hop, file, FIRST, "broken").wait(timeout=120)
    batch = hop.add(_write_file(file, b""), collection="broken").wait(timeout=120)
    [document] = hop.documents.list("broken")
    assert document.state == "failed"
    assert "the version that was read before still answers" in document.reason
    assert "empty" in batch.failures[0].reason
    assert [evidence.text for evidence in hop.retrieve("harbour", collection="broken", strategy="bm25").evidence] == [
        FIRST
    ]
    assert hop.documents.file(document.id).read_text() == FIRST
    add(hop, file, FIRST, "broken").wait(timeout=120)
    assert (hop.documents.list("broken")[0].state, hop.documents.list("broken")[0].reason) == ("ready", "")


def _write_file(path, data):
    path.write_bytes(data)
    return path


# -- who wakes the worker


def test_opening_starts_a_worker_where_documents_wait(hop, store, settings, tmp_path, end_worker):
    end_worker()
    with Lease(store):  # nobody starts a worker
        add(hop, tmp_path / "waits.txt", FIRST, "waits")
    assert hop.documents.list("waits")[0].state == "waiting"
    with Hopline.open(home=settings.home) as other:
        assert until(lambda: other.documents("waits")[0].state == "ready")


def test_querying_the_progress_replaces_a_killed_worker(hop, store, tmp_path, end_worker):
    end_worker()
    with Lease(store):
        add(hop, tmp_path / "watched.txt", FIRST, "watched")
    assert not is_worker_running(store)
    hop.documents.progress("watched")
    assert until(lambda: hop.documents.progress("watched").done)


def test_a_killed_worker_is_replaced_within_seconds_and_users_are_told(hop, store, settings, tmp_path, end_worker):
    end_worker()
    text = "\n\n".join(f"The port of Halm number {n} lies on the island of Orre. " * 20 for n in range(200))
    with Lease(store):
        add(hop, tmp_path / "long.txt", text, "watched too")
    watch = WorkerSupervisor(settings, store).keep_running
    assert until(lambda: watch() == "")
    first = read_running_holder(store)
    os.kill(int(first.name.rpartition(":")[2]), signal.SIGKILL)
    assert until(
        lambda: watch() == "the worker ended before its work was done; it was started again, and nothing is lost", 5
    )
    assert until(lambda: watch() and read_running_holder(store) not in (None, first))
    hop.documents.remove(collection="watched too")


def test_a_worker_that_cannot_run_is_named_with_the_end_of_its_log(store, settings, end_worker):
    end_worker()
    workers = WorkerSupervisor(settings.model_copy(update={"k": 0}), store)
    assert until(lambda: "the worker cannot run; it is started again in" in workers.keep_running())
    log = get_worker_log(settings)
    assert workers.keep_running().endswith(f"The end of its log {log} says why")
    assert "greater than or equal to 1" in log.read_text().splitlines()[-1]


def test_the_lease_of_a_dead_process_is_ignored(store, end_worker):
    import subprocess
    import sys

    end_worker()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with Lease(store) as lease:
        holder = lease.holder.rpartition(":")[0] + f":{dead.pid}"
        query(store, "MATCH (m:Mark {name: 'lease'}) SET m.holder = $holder", holder=holder)
        assert not is_worker_running(store)
    with Lease(store) as lease:
        assert lease.active


# -- files of rows


def test_a_compressed_file_is_not_decompressed_when_it_is_added(hop, store, settings, tmp_path, lease, monkeypatch):
    file = tmp_path / "big.jsonl.gz"
    with gzip.open(file, "wt") as out:
        for n in range(40_000):
            out.write(json.dumps({"id": str(n), "title": f"T{n}", "text": "x" * 40}) + "\n")
    with monkeypatch.context() as patch:
        patch.setattr("gzip.open", lambda *a, **k: pytest.fail("unpacked by the caller"))
        batch = hop.add(file, collection="packed")
    assert not batch.progress().done
    small = settings.model_copy(update={"max_file_mb": 1})
    assert ParseJsonlFiles(store, small).step()
    [failure] = batch.failures
    assert "more than 1 MB" in failure.reason
    assert "HOPLINE_MAX_FILE_MB" in failure.reason
    assert hop.documents.list("packed") == []


def test_rows_of_a_large_file_are_not_held_in_memory(tmp_path):
    from hopline.text.sentences import split_sentences
    from hopline_ingest.formats.jsonl_spool import JsonlSpool

    split_sentences("Its rules are compiled once. They take more memory than all that is measured here.")
    file = tmp_path / "large.jsonl"
    with file.open("w") as out:
        for n in range(4000):
            row = {"id": str(n), "title": f"T{n % 2000}", "text": f"{n} " + "x" * 4000}
            out.write(json.dumps(row) + "\n")
    size = file.stat().st_size
    tracemalloc.start()
    with closing(JsonlSpool("rows.jsonl")) as spool:
        spool.load(file, max_mb=100)
        passages = [len(document.passages) for part in spool.iter_documents(100) for document in part]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert passages == [2] * 2000
    assert peak < size / 5


def test_two_files_of_rows_that_share_a_title_keep_both(hop, store, tmp_path):
    for name, text in (("a", FIRST), ("b", SECOND)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": name, "title": "Halm", "text": text}))
        hop.add(tmp_path / f"{name}.jsonl", collection="shared title").wait(timeout=120)
    assert texts(store, "shared title") == sorted([FIRST, SECOND])


def test_a_document_and_rows_of_its_name_are_two_documents(hop, store, tmp_path):
    (tmp_path / "halm.txt").write_text(FIRST)
    (tmp_path / "rows.jsonl").write_text(json.dumps({"id": "a", "title": "halm.txt", "text": SECOND}))
    hop.add(tmp_path / "halm.txt", collection="same name").wait(timeout=120)
    hop.add(tmp_path / "rows.jsonl", collection="same name").wait(timeout=120)
    assert texts(store, "same name") == sorted([FIRST, SECOND])


def test_a_row_removed_from_its_file_is_removed_when_the_file_is_added_again(hop, store, tmp_path):
    first, second = {"id": "a", "title": "Kept", "text": FIRST}, {"id": "b", "title": "Gone", "text": SECOND}
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, [first, second])))
    hop.add(file, collection="left").wait(timeout=120)
    file.write_text(json.dumps(first))
    hop.add(file, collection="left").wait(timeout=120)
    assert [document.name for document in hop.documents.list("left")] == ["Kept"]
    assert texts(store, "left") == [FIRST]


# -- removal


def test_a_removal_that_is_killed_is_hidden_at_once_and_finished_by_the_next(
    hop, store, tmp_path, end_worker, monkeypatch
):
    for n in range(3):
        (tmp_path / f"{n}.txt").write_text(f"{FIRST} Copy {n}.")
    hop.add([tmp_path / f"{n}.txt" for n in range(3)], collection="half").wait(timeout=120)
    end_worker()
    with Lease(store):
        kill_before(monkeypatch, "removal/collection_entities")
        with pytest.raises(Killed):
            hop.documents.remove(collection="half")
        assert "half" not in {collection.name for collection in hop.collections()}
        with pytest.raises(UnknownName):
            hop.retrieve("harbour", collection="half")
    (tmp_path / "again.txt").write_text(SECOND)
    hop.add(tmp_path / "again.txt", collection="half").wait(timeout=120)
    assert texts(store, "half") == [SECOND]
    assert [document.name for document in hop.documents.list("half")] == ["again.txt"]


def test_the_worker_finishes_the_removal_of_a_document(hop, store, tmp_path, end_worker, monkeypatch):
    hop.add(_write_file(tmp_path / "a.txt", FIRST.encode()), collection="half document").wait(timeout=120)
    hop.add(_write_file(tmp_path / "b.txt", SECOND.encode()), collection="half document").wait(timeout=120)
    end_worker()
    with Lease(store):
        kill_before(monkeypatch, "removal/document_pages")
        with pytest.raises(Killed):
            hop.documents.remove("a.txt", collection="half document")
        assert [document.name for document in hop.documents.list("half document")] == ["b.txt"]
        assert not hop.retrieve("harbour of Halm", collection="half document", strategy="bm25").evidence
    hop.status()
    assert until(lambda: not query(store, "MATCH (n:Removed) RETURN n.id"))


def test_a_large_document_is_removed_in_parts(hop, store, tmp_path, monkeypatch, end_worker):
    from hopline.store import removal

    monkeypatch.setattr(removal, "_EVIDENCE", 2)
    text = "\n\n".join(f"{n}. {FIRST}\n\n{'Filling words stand here. ' * 60}" for n in range(6))
    hop.add(_write_file(tmp_path / "large.txt", text.encode()), collection="large").wait(timeout=120)
    assert len(texts(store, "large")) > 6
    deleted, real = [], Store.write

    def write(self, *writes):
        results = real(self, *writes)
        if "document_evidence" in writes[0][0]:
            deleted.append(results[0]["removed"][0])
        return results

    end_worker()
    monkeypatch.setattr(Store, "write", write)
    with Lease(store):
        hop.documents.remove("large.txt", collection="large")
    assert max(deleted) <= 2
    assert sum(deleted) > 6
    assert texts(store, "large") == []


@pytest.mark.parametrize("call", ["list", "progress", "extract_again"])
def test_an_unknown_collection_is_named_in_the_error(hop, call):
    with pytest.raises(UnknownName, match="no collection called 'nowhere'"):
        getattr(hop.documents, call)("nowhere")
    with pytest.raises(UnknownName, match="no collection called 'nowhere'"):
        hop.documents.remove(collection="nowhere")


# -- one bad item


def test_a_row_with_a_lone_surrogate_does_not_stop_the_ingest(hop, tmp_path):
    lines = [
        '{"id": "bad", "title": "T\\ud83d", "text": "half \\ud83d of a pair"}',
        json.dumps({"id": "good", "text": FIRST}),
    ]
    (tmp_path / "half.jsonl").write_text("\n".join(lines))
    batch = hop.add(tmp_path / "half.jsonl", collection="surrogates").wait(timeout=100)
    assert batch.failures == ()
    assert {document.state for document in hop.documents.list("surrogates")} == {"ready"}
    evidence = hop.retrieve("half of a pair", collection="surrogates", strategy="bm25").evidence
    assert evidence[0].text == "half \N{REPLACEMENT CHARACTER} of a pair"


class PoisonedEmbedder:
    """The real embedder, except that it fails on every batch with a text that contains "poison"."""

    def __init__(self, settings):
        self._real = load_embedder(settings)
        self.name, self.dimension = self._real.name, self._real.dimension

    def embed(self, texts):
        if any("poison" in text for text in texts):
            raise ValueError("this text cannot be embedded")
        return self._real.embed(texts)


def test_a_text_that_cannot_be_embedded_is_marked_and_does_not_affect_others(hop, settings, tmp_path, lease):
    with closing(Store.open(settings, embedder="minilm", dimension=384)) as store:
        batch = hop.add(_rows(tmp_path, ["poison", *(f"Row {n} of Halm." for n in range(9))]), collection="poisoned")
        ParseJsonlFiles(store, settings).step()
        stage = EmbedTexts(store, PoisonedEmbedder(settings), "evidence")
        while stage.step():
            pass
    rows = query(
        store_of(hop), "MATCH (e:Evidence {collection: $id}) WHERE e.vector_minilm IS NULL RETURN e.text, e:Unembedded",
        id=collection_id("poisoned"),
    )  # fmt: skip
    assert rows == [["poison", False]]
    [failure] = batch.failures
    assert "embedding failed: ValueError: this text" in failure.reason
    assert hop.documents.retry(collection="poisoned") == 1


def test_an_extraction_that_cannot_be_stored_is_marked_and_does_not_affect_others(
    hop, store, settings, tmp_path, lease, monkeypatch
):
    real = Store.write

    def write(self, *writes):
        for name, parameters in writes:
            if name == "ingest/write_entities" and any(row["name"] == "Poison" for row in parameters["entities"]):
                raise ValueError("this cannot be stored")
        return real(self, *writes)

    monkeypatch.setattr(Store, "write", write)
    batch = hop.add(_rows(tmp_path, ["Poison is a town.", FIRST, SECOND]), collection="unstorable")
    ParseJsonlFiles(store, settings).step()
    with closing(ResilientExecutor(lambda: ThreadPoolExecutor(1))) as pool:
        stage = ExtractEvidence(store, pool)
        while stage.step():
            pass
    [failure] = batch.failures
    assert "this cannot be stored" in failure.reason
    names = query(store, "MATCH (e:Entity {collection: $id}) RETURN e.name", id=collection_id("unstorable"))
    assert ["Ingrid Vale"] in names


def test_a_document_that_cannot_be_stored_fails_alone(hop, store, settings, tmp_path, lease, monkeypatch):
    real = Store.write

    def write(self, *writes):
        for name, parameters in writes:
            if name == "ingest/write_passages" and any(
                row["search"].endswith("poison") for row in parameters["passages"]
            ):
                raise ValueError("this cannot be stored")
        return real(self, *writes)

    monkeypatch.setattr(Store, "write", write)
    batch = hop.add(_rows(tmp_path, ["poison", FIRST, SECOND]), collection="bad write")
    assert ParseJsonlFiles(store, settings).step()
    states = {document.name: document.state for document in hop.documents.list("bad write")}
    assert states == {"row 0": "failed", "row 1": "ready", "row 2": "ready"}
    [failure] = batch.failures
    assert "this cannot be stored" in failure.reason


def test_small_files_are_parsed_together_and_a_damaged_one_fails_alone(hop, store, settings, lease, monkeypatch):
    files = [(f"{n}.jsonl", json.dumps({"title": f"Berth {n}", "text": FIRST}).encode()) for n in range(8)]
    files += [("damaged.jsonl", b"\x1f\x8b damaged"), ("half.jsonl", b'{"title": "Half", "text": "Halm."}\nno row')]
    batch = hop.add_documents(files, "small files")
    parsing, real, transactions = ParseJsonlFiles(store, settings), Store.write, []
    monkeypatch.setattr(Store, "write", lambda self, *writes: transactions.append(writes) or real(self, *writes))
    while parsing.step():
        pass
    assert sum(writes[0][0] == "ingest/claim_jsonl_documents" for writes in transactions) < len(files) - 1
    states = {document.name: document.state for document in hop.documents.list("small files")}
    assert states == {f"Berth {n}": "ready" for n in range(8)} | {"Half": "ready"}
    damaged, half = sorted(batch.failures, key=lambda failure: failure.document)
    assert "cannot be opened or decompressed" in damaged.reason
    assert "half.jsonl line 2 is not valid JSON" in half.reason
    transactions.clear()
    hop.add_documents(files[:8], "small files")
    assert parsing.step()
    assert not parsing.step()
    assert sum(writes[0][0] == "ingest/claim_jsonl_documents" for writes in transactions) == 1


def _rows(folder, texts):
    (folder / "rows.jsonl").write_text("\n".join(json.dumps({"id": str(n), "text": t}) for n, t in enumerate(texts)))
    return folder / "rows.jsonl"


def store_of(hop):
    return hop._connections.store


# -- what a model reads, and who pays


class CountingChat:
    """Extracts one name from every passage, and records the prompts."""

    name = "counting"

    def __init__(self):
        self.prompts = []

    def complete(self, prompts):
        self.prompts += [prompt.text for prompt in prompts]
        facts = {"entities": ["Counted Name"], "triples": []}
        return [Reply(json.dumps(facts), facts, "", 10, 5) for _ in prompts]

    def close(self):
        pass


@pytest.fixture
def by_model(settings, monkeypatch, end_worker):
    """Runs a worker in this process whose model counts its calls; returns the model."""

    def run():
        end_worker()
        chat = CountingChat()
        monkeypatch.setattr(worker_module, "load_llm", lambda _: chat)
        changes = {"model": "counting", "extract_with_model": True, "worker_idle_seconds": 0.0}
        with_model = settings.model_copy(update=changes)
        worker_module.run_worker(with_model, executor=lambda: ThreadPoolExecutor(1))
        return chat

    return run


def test_a_model_extracts_only_the_collections_configured_for_it(hop, store, settings, tmp_path, end_worker, by_model):
    hop.add(_rows(tmp_path, [FIRST, SECOND]), collection="by rules").wait(timeout=120)
    end_worker()
    before = query(store, "MATCH (t:Triple {collection: $id}) RETURN t.text", id=collection_id("by rules"))
    assert before
    with (
        Lease(store),
        Hopline.open(home=settings.home, model="counting", openai_api_key="unused", extract_with_model=True) as other,
    ):
        other.add(
            _write_file(tmp_path / "c.txt", b"The ferry Tern sails from Halm to Orre."),
            collection="by model",
            max_calls=1,
        )
    chat = by_model()
    assert len(chat.prompts) == 1
    assert "Tern" in chat.prompts[0]
    after = query(store, "MATCH (t:Triple {collection: $id}) RETURN t.text", id=collection_id("by rules"))
    assert sorted(after) == sorted(before)
    # and the next one who adds without a model changes nothing of what the model read
    hop.add(_write_file(tmp_path / "d.txt", SECOND.encode()), collection="by rules").wait(timeout=120)
    names = query(store, "MATCH (e:Entity {collection: $id}) RETURN e.name", id=collection_id("by model"))
    assert ["Counted Name"] in names


def test_a_collection_is_extracted_by_the_model_on_request_within_its_limit(
    hop, store, settings, tmp_path, end_worker, by_model
):
    hop.add(_rows(tmp_path, [FIRST, SECOND, "The Tern sails to Orre."]), collection="reread").wait(timeout=120)
    end_worker()
    with (
        Lease(store),
        Hopline.open(home=settings.home, model="counting", openai_api_key="unused", worker=False) as other,
    ):
        assert other.estimate([tmp_path / "rows.jsonl"], "reread").calls == 0
        assert other.documents.extract_again("reread", model=True, max_calls=2) == 3
        assert other.estimate([tmp_path / "rows.jsonl"], "reread").calls == 3
    chat = by_model()
    assert len(chat.prompts) == 2
    assert query(store, "MATCH (e:Warned {collection: $id}) RETURN count(e)", id=collection_id("reread")) == [[1]]
