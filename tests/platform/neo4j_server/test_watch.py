"""The watchdog's rule on a process that stands for the server, with the seconds made short."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from hopline.neo4j_server.home_folder import Home, Server, running, write_server
from hopline.neo4j_server.watchdog import watch

IDLE = 0.5


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def process(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as sleeper:
        yield sleeper
        sleeper.kill()


@pytest.fixture
def watching(home: Home, process: subprocess.Popen[bytes]) -> threading.Thread:
    server = Server(running(process.pid), running(os.getpid()), 7001, "5.26.28", time.time(), ready=True)
    write_server(home, server)
    home.used.touch()

    def ended_within(seconds: float) -> bool:
        time.sleep(seconds)
        return process.poll() is not None

    thread = threading.Thread(target=lambda: watch(home, server, IDLE, ended_within=ended_within), daemon=True)
    thread.start()
    return thread


def test_a_server_that_nobody_uses_is_ended_and_its_record_dropped(
    home: Home, process: subprocess.Popen[bytes], watching: threading.Thread
) -> None:
    assert process.wait(20) == -15
    watching.join(5)
    assert not watching.is_alive()
    assert not home.record.exists()


def test_a_server_in_use_is_kept(home: Home, process: subprocess.Popen[bytes], watching: threading.Thread) -> None:
    for n in range(40):
        os.utime(home.used, (n, n))  # any other time than before counts, be it in the past
        time.sleep(IDLE / 10)
    assert process.poll() is None
    assert home.record.exists()


def test_a_server_is_kept_while_somebody_starts_or_stops_it(
    home: Home, process: subprocess.Popen[bytes], watching: threading.Thread
) -> None:
    with FileLock(home.lock):
        time.sleep(IDLE * 4)
        assert process.poll() is None
    assert process.wait(20) == -15


def test_the_watchdog_ends_with_a_server_that_ended_by_itself(
    home: Home, process: subprocess.Popen[bytes], watching: threading.Thread
) -> None:
    process.kill()
    watching.join(5)
    assert not watching.is_alive()
    assert home.record.exists()  # nobody asked for the end: the record is left for the next client to judge
