"""The watchdog on a process in place of the server, with a short idle time."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from hopline.neo4j_server.home_folder import ServerHome, ServerRecord, identify_process, write_server_record
from hopline.neo4j_server.watchdog import watch

IDLE = 0.5


@pytest.fixture
def server_home(tmp_path: Path) -> ServerHome:
    return ServerHome(tmp_path)


@pytest.fixture
def process(server_home: ServerHome) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as sleeper:
        yield sleeper
        sleeper.kill()


@pytest.fixture
def watch_thread(server_home: ServerHome, process: subprocess.Popen[bytes]) -> threading.Thread:
    server = ServerRecord(
        identify_process(process.pid), identify_process(os.getpid()), 7001, "5.26.28", time.time(), ready=True
    )
    write_server_record(server_home, server)
    server_home.used.touch()

    def wait_for_end(seconds: float) -> bool:
        time.sleep(seconds)
        return process.poll() is not None

    thread = threading.Thread(target=lambda: watch(server_home, server, IDLE, wait_for_end=wait_for_end), daemon=True)
    thread.start()
    return thread


def test_an_unused_server_is_terminated_and_its_record_deleted(
    server_home: ServerHome, process: subprocess.Popen[bytes], watch_thread: threading.Thread
) -> None:
    assert process.wait(20) == -15
    watch_thread.join(5)
    assert not watch_thread.is_alive()
    assert not server_home.record.exists()


def test_a_server_in_use_keeps_running(
    server_home: ServerHome, process: subprocess.Popen[bytes], watch_thread: threading.Thread
) -> None:
    for n in range(40):
        os.utime(server_home.used, (n, n))  # any change of the time counts, even to the past
        time.sleep(IDLE / 10)
    assert process.poll() is None
    assert server_home.record.exists()


def test_a_server_keeps_running_while_a_process_holds_the_lock(
    server_home: ServerHome, process: subprocess.Popen[bytes], watch_thread: threading.Thread
) -> None:
    with FileLock(server_home.lock):
        time.sleep(IDLE * 4)
        assert process.poll() is None
    assert process.wait(20) == -15


def test_the_watchdog_exits_when_the_server_exits(
    server_home: ServerHome, process: subprocess.Popen[bytes], watch_thread: threading.Thread
) -> None:
    process.kill()
    watch_thread.join(5)
    assert not watch_thread.is_alive()
    assert server_home.record.exists()  # the server was not stopped: the next client checks the record
