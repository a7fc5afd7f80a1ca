import os
import subprocess
import sys
from pathlib import Path

import pytest

from hopline.neo4j_server.home_folder import (
    Home,
    Running,
    Server,
    birth,
    forget_server,
    read_server,
    running,
    write_server,
)
from hopline.neo4j_server.process_end import end, gone


def sleeper(code: str = "import time; print(1, flush=True); time.sleep(60)") -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_a_process_is_alive_while_it_runs_and_not_once_it_has_ended() -> None:
    with sleeper() as process:
        known = running(process.pid)
        assert known.alive
        process.kill()
        assert gone(known, 5)  # though nobody has collected it yet
    assert not known.alive


def test_a_recycled_number_is_not_mistaken_for_the_process_that_had_it() -> None:
    born = birth(os.getpid())
    assert born is not None
    assert Running(os.getpid(), born).alive
    assert not Running(os.getpid(), born - 1).alive


def test_a_process_that_never_was_is_not_alive() -> None:
    with sleeper("print(1)") as process:
        process.wait()
    assert birth(process.pid) is None
    assert not running(process.pid).alive


def test_ending_asks_first_and_kills_only_after_the_grace() -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    with sleeper() as polite, sleeper(deaf) as stubborn:
        assert end(running(polite.pid), grace=10)
        assert end(running(stubborn.pid), grace=0.2)
        assert (polite.wait(), stubborn.wait()) == (-15, -9)
        assert not end(running(polite.pid))


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    home = Home(tmp_path)
    server = Server(Running(1, 2.0), Running(3, 4.0), 7001, "5.26.28", 1.5, ready=True)
    write_server(home, server)
    assert read_server(home) == server
    forget_server(home)
    forget_server(home)
    assert read_server(home) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"java": 1}', '{"java": {"pid": 1}, "watch": {}}'])
def test_a_record_that_cannot_be_read_counts_as_none(tmp_path: Path, text: str) -> None:
    home = Home(tmp_path)
    home.record.write_text(text)
    assert read_server(home) is None
