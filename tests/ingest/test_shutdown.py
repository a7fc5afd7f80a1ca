"""Shutdown: a busy worker stops soon on request, and none of its processes outlives it."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import psutil
import pytest

from hopline import Hopline
from hopline.config import load_settings
from hopline.documents.lease_holder import make_holder_name
from hopline.documents.worker_process import get_worker_log, start_worker, stop_worker
from hopline.errors import UnknownName
from hopline_ingest import shutdown

SENTENCE = "The harbour of Halm {n} was built by Ingrid Vale in {n} and sold to the firm Vale and Sons of Bergen. "


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A PDF that takes minutes to read."""
    from reportlab.pdfgen.canvas import Canvas

    path = tmp_path_factory.mktemp("book") / "book.pdf"
    canvas = Canvas(str(path), invariant=True)
    for page in range(600):
        text = canvas.beginText(50, 780)
        for line in range(50):
            text.textLine(SENTENCE.format(n=page * 100 + line))
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return path


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Passages whose extraction uses two processes for longer than a worker may take to stop."""
    path = tmp_path_factory.mktemp("rows") / "many.jsonl"
    texts = ["".join(SENTENCE.format(n=n * 10 + k) for k in range(8)) for n in range(1500)]
    path.write_text(
        "\n".join(json.dumps({"id": str(n), "title": f"T{n % 50}", "text": t}) for n, t in enumerate(texts))
    )
    return path


@pytest.fixture
def busy(settings, store, end_worker):
    """Adds a file and waits until a worker uses the processor in this many processes of its own; gives the worker."""

    def begin(path, collection, doing):
        end_worker()
        hop = Hopline.open(home=settings.home)
        hop.add(path, collection=collection)
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline:
            holder = next(iter(store.read("ingest/lease_holder")["holder"]), "")
            if holder and doing(hop):
                worker = psutil.Process(int(holder.rpartition(":")[2]))
                children = worker.children(recursive=True)
                if sum(child.cpu_times().user > 3 for child in children if child.is_running()) >= 2:
                    hop.close()
                    return worker, children
            time.sleep(0.2)
        pytest.fail("no worker was busy")

    yield begin
    end_worker()
    with Hopline.open(home=settings.home) as hop:
        for collection in ("stopped", "killed", "extracting"):
            with suppress(UnknownName):
                hop.documents.remove(collection=collection)


def is_parsing(hop):
    return True


def is_extracting(hop):
    return hop.status().passages > 1000


def list_running(processes):
    return [process for process in processes if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.private
def test_a_worker_that_parses_a_long_document_stops_within_seconds(busy, book, store, settings):
    worker, children = busy(book, "stopped", is_parsing)
    log = get_worker_log(settings).stat().st_size
    began = time.monotonic()
    assert stop_worker(store)
    assert time.monotonic() - began < 8
    assert list_running([worker, *children]) == []
    assert list(store.read("ingest/lease_holder")["holder"]) == []  # it was given back
    log_text = get_worker_log(settings).read_text()[log:]
    assert "Traceback" not in log_text
    with Hopline.open(home=settings.home) as hop:
        [document] = hop.documents.list("stopped")
    assert (document.state, document.passages) == ("waiting", 0)


@pytest.mark.private
def test_a_worker_that_extracts_ends_within_seconds(busy, rows, store):
    worker, children = busy(rows, "extracting", is_extracting)
    began = time.monotonic()
    assert stop_worker(store)
    assert time.monotonic() - began < 8
    assert list_running([worker, *children]) == []
    assert list(store.read("ingest/lease_holder")["holder"]) == []


@pytest.mark.private
def test_the_processes_of_a_killed_worker_end_by_themselves(busy, rows):
    worker, children = busy(rows, "killed", is_extracting)
    worker.kill()
    _, alive = psutil.wait_procs(children, timeout=4)
    assert list_running(alive) == []


def test_a_worker_that_does_not_answer_is_killed_with_all_its_processes(tmp_path):
    code = (
        "import signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])\n"
        "print('ready', flush=True); time.sleep(300)"
    )
    deaf = subprocess.Popen([sys.executable, "-c", code, "hopline_ingest"], stdout=subprocess.PIPE, text=True)
    assert deaf.stdout.readline() == "ready\n"
    children = psutil.Process(deaf.pid).children(recursive=True)
    assert len(children) == 1

    class Held:
        def read(self, name):
            return {"holder": [f"{make_holder_name().rpartition(':')[0]}:{deaf.pid}"]}

    assert stop_worker(Held(), seconds=0.5)  # type: ignore[arg-type]
    assert list_running([psutil.Process(deaf.pid)] if psutil.pid_exists(deaf.pid) else []) == []
    assert list_running(children) == []
    deaf.wait()
    deaf.stdout.close()


@pytest.fixture
def signals():
    """The handlers of signals as they were, afterwards."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals")
@pytest.mark.parametrize("step", ["time.sleep(60)", "sum(1 for _ in iter(int, 1))"], ids=["waits", "computes"])
def test_a_step_that_cannot_end_by_itself_is_interrupted(monkeypatch, step):
    monkeypatch.setattr(shutdown, "_GRACE_SECONDS", 0.2)
    stop, ended = threading.Event(), []
    shutdown.handle_signals(stop)
    asking = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGTERM))
    asking.start()
    began = time.monotonic()
    with shutdown.interruptible(stop, lambda: ended.append("pool")):
        eval(step)
    assert time.monotonic() - began < 10
    assert ended == ["pool"]
    asking.join()


@pytest.mark.usefixtures("signals")
def test_a_step_that_ignores_an_interruption_is_interrupted_again(monkeypatch):
    monkeypatch.setattr(shutdown, "_GRACE_SECONDS", 0.2)
    stop, ignored = threading.Event(), []
    shutdown.handle_signals(stop)
    stop.set()
    began = time.monotonic()
    with shutdown.interruptible(stop):
        try:
            time.sleep(60)
        except shutdown.WorkStopped as interruption:
            ignored.append(interruption)
        time.sleep(60)
    assert time.monotonic() - began < 10
    assert len(ignored) == 1


HOLD_POOL = """
import os, time
from hopline_ingest.process_pool import create_process_pool

if __name__ == "__main__":
    pool = create_process_pool(2)
    first = [pool.submit(eval, "[__import__('time').sleep(0.5), __import__('os').getpid()][1]") for _ in range(4)]
    print(*{task.result() for task in first}, flush=True)
    for _ in range(2):
        pool.submit(eval, "sum(1 for _ in iter(int, 1))")  # never ends
    time.sleep(300)
"""


def test_a_busy_pool_ends_when_its_owner_is_killed(tmp_path):
    (tmp_path / "owner.py").write_text(HOLD_POOL)
    with subprocess.Popen([sys.executable, str(tmp_path / "owner.py")], stdout=subprocess.PIPE, text=True) as owner:
        children = [psutil.Process(int(number)) for number in owner.stdout.readline().split()]
        time.sleep(0.5)
        owner.kill()
    _, alive = psutil.wait_procs(children, timeout=3)
    for child in alive:
        child.kill()
    assert alive == []
    assert len(children) == 2


def test_a_worker_that_is_starting_is_stopped_with_its_home_and_starts_no_server(tmp_path):
    worker = start_worker(load_settings(home=tmp_path / "stopped", neo4j_uri=""))
    other = start_worker(load_settings(home=tmp_path / "other", neo4j_uri=""))
    try:
        assert Hopline.stop(tmp_path / "stopped") is False
        assert worker.wait(timeout=1) is not None
        assert not (tmp_path / "stopped" / "neo4j").exists()
        assert other.poll() is None
    finally:
        Hopline.stop(tmp_path / "other")
