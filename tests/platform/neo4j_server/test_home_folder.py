import os
import subprocess
import sys
from pathlib import Path

import pytest

from hopline.neo4j_server.home_folder import (
    ProcessIdentity,
    ServerHome,
    ServerRecord,
    delete_server_record,
    identify_process,
    read_server_record,
    read_start_time,
    write_server_record,
)
from hopline.neo4j_server.termination import terminate, wait_for_exit


def sleeper(code: str = "import time; print(1, flush=True); time.sleep(60)") -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_a_process_is_alive_while_it_runs_and_not_once_it_has_ended() -> None:
    with sleeper() as process:
        known = identify_process(process.pid)
        assert known.alive
        process.kill()
        assert wait_for_exit(known, 5)  # although it is a zombie until it is waited for
    assert not known.alive


def test_a_recycled_pid_is_not_mistaken_for_its_former_process() -> None:
    born = read_start_time(os.getpid())
    assert born is not None
    assert ProcessIdentity(os.getpid(), born).alive
    assert not ProcessIdentity(os.getpid(), born - 1).alive


def test_a_process_that_does_not_exist_is_not_alive() -> None:
    with sleeper("print(1)") as process:
        process.wait()
    assert read_start_time(process.pid) is None
    assert not identify_process(process.pid).alive


def test_a_process_is_killed_only_after_the_grace_period() -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    with sleeper() as polite, sleeper(deaf) as stubborn:
        assert terminate(identify_process(polite.pid), grace=10)
        assert terminate(identify_process(stubborn.pid), grace=0.2)
        assert (polite.wait(), stubborn.wait()) == (-15, -9)
        assert not terminate(identify_process(polite.pid))


def test_a_record_round_trips(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    server = ServerRecord(ProcessIdentity(1, 2.0), ProcessIdentity(3, 4.0), 7001, "5.26.28", 1.5, ready=True)
    write_server_record(home, server)
    assert read_server_record(home) == server
    delete_server_record(home)
    delete_server_record(home)
    assert read_server_record(home) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"java": 1}', '{"java": {"pid": 1}, "watch": {}}'])
def test_a_malformed_record_counts_as_none(tmp_path: Path, text: str) -> None:
    home = ServerHome(tmp_path)
    home.record.write_text(text)
    assert read_server_record(home) is None
