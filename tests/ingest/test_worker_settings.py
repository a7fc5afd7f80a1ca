"""Clients with other settings than the running worker: real worker processes, and a scripted model."""

import json
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from canonical import rows as query
from scripted import Turn, serve

from hopline import Hopline
from hopline.config import load_settings
from hopline.documents.lease_holder import LeaseHolder, make_holder_name, read_running_holder
from hopline.documents.worker_change import compare_settings
from hopline.documents.worker_process import start_worker
from hopline.documents.worker_settings import WorkerSettings
from hopline.ids import collection_id
from hopline.stored_settings import remove_stored_settings, write_stored_settings
from hopline_ingest.extraction.llm.extractor import MODEL_EXTRACTOR
from hopline_ingest.lease import Lease

CASE = Path(__file__).parent / "cases" / "34-worker-keeps-its-first-model"
MODEL = "extractor"
KEY = "sk-a-secret-key"


@pytest.fixture
def server():
    """A model that extracts the same entity from every passage."""
    with serve(lambda body, number: Turn(json.dumps({"entities": ["Ivo Tann"], "triples": []}))) as state:
        yield state


@pytest.fixture
def connect(settings, end_worker):
    """Opens clients with the settings that are given; no worker runs before and after the test."""
    end_worker()
    with ExitStack() as clients:
        yield lambda **chosen: clients.enter_context(Hopline.open(home=settings.home, **chosen))
    end_worker()


@pytest.fixture
def plain(connect):
    """A client without a model."""
    return connect(model="")


@pytest.fixture
def by_model(connect, server):
    """A client whose new collections are extracted by the model of the server."""
    return connect(model=MODEL, openai_base_url=server.url, openai_api_key=KEY, extract_with_model=True)


def list_extractors(store, collection):
    text = "MATCH (e:Evidence {collection: $id}) RETURN DISTINCT e.extractor"
    return [extractor for [extractor] in query(store, text, id=collection_id(collection))]


def test_a_model_that_is_set_later_extracts_what_is_added_with_it(plain, by_model, server, store):
    plain.add(CASE / "a.txt", "first").wait(timeout=240)
    first = read_running_holder(store)
    batch = by_model.add(CASE / "b.txt", "second").wait(timeout=240)
    assert by_model.documents.worker_notice == (
        f"the worker was restarted with new settings: HOPLINE_MODEL is {MODEL} (was not set), "
        f"OPENAI_BASE_URL is {server.url} (was not set), OPENAI_API_KEY is another one"
    )
    assert (batch.failures, batch.warnings) == ((), ())
    assert list_extractors(store, "second") == [MODEL_EXTRACTOR]
    assert any("Dolm Works" in str(request) for request in server.requests)
    second = read_running_holder(store)
    assert second.name != first.name
    assert KEY not in str(query(store, "MATCH (m:Mark) RETURN properties(m)"))
    plain.add(CASE / "b.txt", "third").wait(timeout=240)
    by_model.add(CASE / "a.txt", "fourth").wait(timeout=240)
    assert (plain.documents.worker_notice, by_model.documents.worker_notice) == ("", "")
    assert read_running_holder(store) == second


def test_a_retry_with_a_model_extracts_what_a_worker_without_it_could_not(plain, by_model, store, end_worker):
    by_model.add(CASE / "a.txt", "retried").wait(timeout=240)
    end_worker()
    batch = plain.add(CASE / "b.txt", "retried").wait(timeout=240)
    [warning] = batch.warnings
    assert warning.message == (
        "1 passage: extracted without the model: the collection needs the model 'extractor', but the worker was "
        "started without HOPLINE_MODEL; set HOPLINE_MODEL=extractor and retry"
    )
    assert by_model.documents.retry(collection="retried") == 1
    assert "the worker was restarted" in by_model.documents.worker_notice
    wait_until_processed(by_model, "retried")
    assert batch.warnings == ()
    assert list_extractors(store, "retried") == [MODEL_EXTRACTOR]


def wait_until_processed(hop, collection):
    deadline = time.monotonic() + 240
    while not hop.documents.progress(collection).done:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_a_worker_without_a_model_that_another_process_is_starting_does_not_take_the_work(plain, by_model, store):
    start_worker(plain.settings)
    batch = by_model.add(CASE / "b.txt", "raced").wait(timeout=240)
    assert batch.warnings == ()
    assert list_extractors(store, "raced") == [MODEL_EXTRACTOR]


def test_a_document_that_is_being_parsed_is_continued_by_the_next_worker(plain, by_model, tmp_path):
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "book.pdf"), invariant=True)
    for page in range(60):
        for line in range(40):
            canvas.drawString(
                50, 780 - 15 * line, f"Line {line} of page {page}: the harbour of Halm was built in 1900."
            )
        canvas.showPage()
    canvas.save()
    batch = plain.add(tmp_path / "book.pdf", "continued")
    deadline = time.monotonic() + 120
    while not (progress := batch.progress()).reading and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not progress.documents_done
    by_model.add(CASE / "b.txt", "meanwhile").wait(timeout=240)
    assert "the worker was restarted" in by_model.documents.worker_notice
    batch.wait(timeout=240)
    assert batch.failures == ()
    [document] = plain.documents.list("continued")
    assert (document.state, document.pages) == ("ready", 60)


def test_a_worker_of_another_machine_is_not_stopped(plain, by_model, store, settings):
    lease = Lease(store, WorkerSettings.from_settings(plain.settings))
    lease.holder = "elsewhere-0a1b2c:17"
    with lease:
        assert lease.active
        by_model.add(CASE / "b.txt", "my second")
        notice = by_model.documents.worker_notice
        assert "HOPLINE_MODEL is extractor (of the worker: not set)" in notice
        assert "it runs on the machine elsewhere" in notice
        assert notice.endswith("run there: hopline stop; then here: hopline retry -c 'my second'")
        assert read_running_holder(store).name == lease.holder
        by_model.documents.remove(collection="my second")


@pytest.fixture
def clean_home(settings):
    """The home of the session; no model is stored in it before and after the test."""
    remove_stored_settings(settings.home)
    yield settings.home
    remove_stored_settings(settings.home)


def test_a_worker_with_a_stored_model_is_replaced_when_the_model_is_removed(connect, clean_home, store, server):
    write_stored_settings(clean_home, {"model": MODEL, "openai_base_url": server.url, "openai_api_key": KEY})
    by_stored = connect(extract_with_model=True)
    by_stored.add(CASE / "a.txt", "stored").wait(timeout=240)
    first = read_running_holder(store)
    assert (first.settings.model, list_extractors(store, "stored")) == (MODEL, [MODEL_EXTRACTOR])
    requests = len(server.requests)
    remove_stored_settings(clean_home)
    fresh = by_stored.reload_model()
    assert (fresh.settings.model, fresh.documents.worker_notice) == ("", "")
    assert read_running_holder(store) is None  # there is no work
    fresh.add(CASE / "b.txt", "not by a model").wait(timeout=240)
    assert read_running_holder(store).settings.model == ""
    assert len(server.requests) == requests


def test_a_worker_that_still_has_the_removed_model_is_named(connect, clean_home, store, server):
    write_stored_settings(clean_home, {"model": MODEL, "openai_base_url": server.url})
    by_stored = connect()
    lease = Lease(store, WorkerSettings.from_settings(by_stored.settings))
    lease.holder = "elsewhere-0a1b2c:17"
    with lease:
        assert lease.active
        remove_stored_settings(clean_home)
        notice = by_stored.reload_model().documents.worker_notice
        assert notice.startswith(f"the worker on elsewhere still uses the model {MODEL}")
        assert read_running_holder(store).name == lease.holder


def decide(client, worker, *, machine=None, stays=False):
    """What a client with these settings does about a worker with those."""
    name = f"{machine}:1" if machine else make_holder_name()
    record = WorkerSettings.from_json(WorkerSettings.from_settings(load_settings(**worker), stays=stays).to_json())
    return compare_settings(load_settings(**client), LeaseHolder(name, record), "hopline retry -c x")


WITH_MODEL = {"model": "m", "openai_base_url": "http://h/v1"}


@pytest.mark.parametrize(
    ("client", "worker"),
    [
        ({}, {}),
        ({}, WITH_MODEL),
        ({}, WITH_MODEL | {"model_timeout": 5.0, "openai_api_key": KEY}),
        (WITH_MODEL | {"openai_api_key": KEY, "model_timeout": 5.0}, WITH_MODEL | {"openai_api_key": KEY, "model_timeout": 5.0}),
        ({"k": 3, "answer_threshold": 0.2, "strategy": "bm25", "worker_idle_seconds": 1.0}, {}),
    ],
)  # fmt: skip
def test_a_worker_with_the_settings_of_the_client_or_with_more_is_retained(client, worker):
    assert decide(client, worker) is None


@pytest.mark.parametrize(
    ("client", "worker", "change"),
    [
        ({"max_pages": 10}, {}, "HOPLINE_MAX_PAGES is 10 (was 2000)"),
        ({"max_file_mb": 10}, {}, "HOPLINE_MAX_FILE_MB is 10 (was 100)"),
        ({"workers": 1}, {}, "HOPLINE_WORKERS is 1 (was 0)"),
        ({"parse_memory_mb": 600}, {}, "HOPLINE_PARSE_MEMORY_MB is 600 (was 2048)"),
        ({"embedder": "openai:e", "openai_base_url": "http://h/v1"}, {}, "OPENAI_BASE_URL is http://h/v1 (was not set), HOPLINE_EMBEDDER is openai:e (was minilm)"),
        (WITH_MODEL, WITH_MODEL | {"model": "n"}, "HOPLINE_MODEL is m (was n)"),
        (WITH_MODEL | {"model_timeout": 5}, WITH_MODEL, "HOPLINE_MODEL_TIMEOUT is 5 (was 120)"),
        (WITH_MODEL | {"model_retries": 1}, WITH_MODEL, "HOPLINE_MODEL_RETRIES is 1 (was 4)"),
        (WITH_MODEL | {"model_parallel": 1}, WITH_MODEL, "HOPLINE_MODEL_PARALLEL is 1 (was 4)"),
        (WITH_MODEL | {"openai_api_key": KEY}, WITH_MODEL | {"openai_api_key": "old"}, "OPENAI_API_KEY is another one"),
    ],
)  # fmt: skip
def test_a_worker_with_another_setting_is_replaced(client, worker, change):
    decision = decide(client, worker)
    assert decision.replace
    assert decision.notice == f"the worker was restarted with new settings: {change}"


def test_a_client_without_a_model_does_not_replace_a_worker_with_one():
    decision = decide({"max_pages": 10}, WITH_MODEL)
    assert not decision.replace
    assert "has HOPLINE_MODEL m, which is not set here" in decision.refusal


def test_of_a_worker_that_is_not_replaced_only_settings_that_change_its_results_are_compared():
    for worker in ({"machine": "elsewhere"}, {"stays": True}):
        assert decide({"workers": 1}, {}, **worker) is None
        assert decide(WITH_MODEL | {"model_timeout": 5}, WITH_MODEL, **worker) is None
        assert not decide(WITH_MODEL, {}, **worker).replace


def test_the_record_of_the_settings_has_no_secrets():
    settings = load_settings(model="m", openai_base_url="http://user:hunter2@h/v1?key=hunter3", openai_api_key=KEY)
    text = WorkerSettings.from_settings(settings).to_json()
    assert not any(secret in text for secret in ("hunter2", "hunter3", KEY))
    assert "http://***@h/v1" in text
