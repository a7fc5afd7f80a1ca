"""`hopline serve` as a process: commands use it, 32 clients at once, and it survives being killed during an upload."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from hopline import Hopline
from hopline.service_file import find_service

QUESTION = "Who designed the Skarv Bridge?"


class Service:
    """A process that runs `hopline serve` for the session's home."""

    def __init__(self, home, log):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.home, self.log = home, log
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        command = [sys.executable, "-m", "hopline", "serve", "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        for _ in range(600):
            try:
                if httpx2.get(f"{self.url}/readyz", timeout=20).status_code == 200:
                    return
            except httpx2.HTTPError:
                assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.2)
        raise AssertionError(self.log.read_text())


@pytest.fixture(scope="module")
def service(home, corpus, tmp_path_factory):
    running = Service(home, tmp_path_factory.mktemp("service") / "log")
    running.start()
    yield running
    running.process.kill()
    running.process.wait()


@pytest.fixture(autouse=True)
def print_log(service):
    """Write to stdout what the service logged during a test: pytest shows it if the test fails."""
    start = service.log.stat().st_size
    yield
    with service.log.open("rb") as log:
        log.seek(start)
        sys.stdout.write(log.read().decode(errors="replace"))


def run_command(*arguments):
    return subprocess.run([sys.executable, "-m", "hopline", *arguments], capture_output=True, text=True, check=False)


def test_ask_uses_the_running_service_of_its_home_and_settings(service, corpus, hop):
    done = run_command("ask", QUESTION, "-c", corpus, "--verbose", "--json")
    assert done.returncode == 0, done.stderr
    assert f"answered by the service at {service.url}" in done.stderr
    assert json.loads(done.stdout)["short"] == "Ingrid Vale"
    other = subprocess.run(
        [sys.executable, "-m", "hopline", "ask", QUESTION, "-c", corpus, "--verbose", "--json"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"HOPLINE_K": "3"},
    )
    assert "answered by this process" in other.stderr
    assert json.loads(other.stdout)["short"] == "Ingrid Vale"
    wrong = run_command("ask", QUESTION, "-c", "nowhere")
    assert wrong.returncode == 2
    assert "no collection called 'nowhere'" in wrong.stderr


def test_a_command_that_uses_the_service_loads_no_model_and_no_database_driver(service, corpus):
    code = (
        "import sys; from hopline.cli import application; "
        f"application()(['ask', {QUESTION!r}, '-c', {corpus!r}, '--json'], standalone_mode=False); "
        "loaded = {'torch', 'neo4j', 'spacy', 'transformers'} & set(sys.modules); assert not loaded, loaded"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_32_clients_at_once_are_all_answered(service, corpus):
    def ask(_number):
        started = time.perf_counter()
        response = httpx2.post(f"{service.url}/v1/ask", json={"question": QUESTION, "collection": corpus}, timeout=240)
        return response.status_code, response.json().get("short"), time.perf_counter() - started

    with ThreadPoolExecutor(32) as clients:
        outcomes = list(clients.map(ask, range(64)))
    assert [outcome[:2] for outcome in outcomes] == [(200, "Ingrid Vale")] * 64


def test_a_kill_during_an_upload_loses_nothing_and_adds_nothing(service, corpus, hop: Hopline):
    collection = "interrupted upload"
    body = b'--x\r\nContent-Disposition: form-data; name="collection"\r\n\r\ninterrupted upload\r\n'
    body += (
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n' + b"The first half. " * 1000
    )
    head = f"POST /v1/documents HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        connection.sendall(f"{head}Content-Length: {len(body) + 10_000}\r\n\r\n".encode() + body)
        time.sleep(0.5)
        service.process.send_signal(signal.SIGKILL)
        service.process.wait()
    assert find_service(service.home) is None
    assert collection not in {entry.name for entry in hop.collections()}
    service.start()
    assert find_service(service.home).pid == service.process.pid
    with Hopline.connect(service.url) as client:
        assert client.ask(QUESTION, collection=corpus).short == "Ingrid Vale"
        assert collection not in {entry.name for entry in client.collections()}


def test_sigterm_ends_it_after_the_open_requests(service, corpus):
    with ThreadPoolExecutor(1) as clients:
        body = {"question": QUESTION, "collection": corpus}
        open_request = clients.submit(httpx2.post, f"{service.url}/v1/ask", json=body, timeout=120)
        while "hopline_open_requests 2.0" not in httpx2.get(f"{service.url}/metrics").text and not open_request.done():
            time.sleep(0.01)
        service.process.send_signal(signal.SIGTERM)
        assert open_request.result().status_code == 200
    assert service.process.wait(timeout=60) == 0
    assert find_service(service.home) is None
    service.start()


def test_another_machine_may_use_it_only_with_a_key(home):
    done = run_command("serve", "--host", "0.0.0.0", "--port", "0")
    assert done.returncode == 2
    assert "hopline key add" in done.stderr


def test_the_commands_of_keys(home, corpus):
    created = run_command("key", "add", "reader", "--scope", "read", "-c", corpus, "--json")
    key = json.loads(created.stdout)
    assert key["key"].startswith("hop_")
    listed = run_command("key", "list", "--json")
    assert json.loads(listed.stdout)["keys"] == [
        {"id": key["id"], "name": "reader", "scope": "read", "collections": [corpus]}
    ]
    assert "reader" in run_command("key", "list").stdout
    assert run_command("key", "remove", "reader").returncode == 0
    assert "No API keys" in run_command("key", "list").stdout
