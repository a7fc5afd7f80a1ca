"""The private server: a real Neo4j in a temporary home folder.

Only its jars are shared with the user's cache, so that nothing is downloaded twice.
"""

import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from neo4j import Driver

from hopline.config import Settings, load_settings
from hopline.errors import EngineRefused, EngineUnavailable
from hopline.neo4j_server import Connection, check_version, connect, get_status, open_driver, startup, stop, touch
from hopline.neo4j_server.artifacts import load_lock
from hopline.neo4j_server.download import download_artifacts
from hopline.neo4j_server.file_system import ensure_folder
from hopline.neo4j_server.home_folder import (
    ServerHome,
    ServerRecord,
    identify_process,
    read_server_record,
    write_server_record,
)
from hopline.neo4j_server.startup import StartOptions, find_free_port, start_server
from hopline.neo4j_server.termination import wait_for_exit
from hopline.store.graph import Store

Another = Callable[..., Settings]


@pytest.fixture(scope="module")
def port_attempts() -> list[int]:
    """The ports on which a start of the module's server was tried, in order."""
    return []


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory, port_attempts: list[int]) -> Iterator[Settings]:
    """One private server for the module; after a test that stops it, `connect` restarts it.

    At its first start, the first port is in use.
    """
    settings = own_settings(tmp_path_factory.mktemp("server"))
    lock = load_lock()
    options = StartOptions(
        ServerHome(ensure_folder(settings.server_home)),
        download_artifacts(lock, settings.cache),
        lock.version,
        256,
        32,
        1800.0,
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ports = iter([listener.getsockname()[1], find_free_port()])

        def choose() -> int:
            port_attempts.append(next(ports))
            return port_attempts[-1]

        start_server(options, choose_port=choose)
    yield settings
    stop(settings)


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Another]:
    """Settings of a further private server, which ends with the test."""
    yield lambda **changes: own_settings(tmp_path, **changes)
    stop(own_settings(tmp_path))


def own_settings(home: Path, **changes: Any) -> Settings:
    """Settings of a private server in a folder, whatever NEO4J_URI says."""
    return load_settings(home=home, neo4j_uri="", server_heap_mb=256, server_pagecache_mb=32, **changes)


@pytest.fixture
def connection(private: Settings) -> Connection:
    return connect(private)


@pytest.fixture
def driver(connection: Connection) -> Iterator[Driver]:
    with open_driver(connection) as opened:
        yield opened


def read_value(driver: Driver, statement: str) -> object:
    return driver.execute_query(statement).records[0][0]


def server_of(settings: Settings) -> ServerRecord:
    server = read_server_record(ServerHome(settings.server_home))
    assert server is not None
    return server


def test_the_server_answers_and_has_the_version_of_the_lock(connection: Connection, driver: Driver) -> None:
    assert connection.private
    assert read_value(driver, "RETURN 1") == 1
    assert check_version(driver) == load_lock().version


def test_another_port_is_used_where_the_first_is_taken(port_attempts: list[int], connection: Connection) -> None:
    assert len(port_attempts) == 2
    assert connection.uri == f"bolt://127.0.0.1:{port_attempts[1]}"


def test_the_server_listens_on_loopback_only(private: Settings, connection: Connection) -> None:
    listening = psutil.Process(server_of(private).java.pid).net_connections("tcp")
    assert {c.laddr.ip.removeprefix("::ffff:") for c in listening if c.status == psutil.CONN_LISTEN} == {"127.0.0.1"}


def test_only_the_owner_can_read_the_password(private: Settings, connection: Connection) -> None:
    home = ServerHome(private.server_home)
    assert home.password.stat().st_mode & 0o777 == 0o600
    assert home.path.stat().st_mode & 0o777 == 0o700
    assert len(connection.password) >= 32
    command = " ".join(psutil.Process(server_of(private).java.pid).cmdline())
    assert connection.password not in command + home.arguments.read_text()


def test_connecting_again_takes_milliseconds_and_starts_nothing(private: Settings, connection: Connection) -> None:
    took = []
    for _ in range(20):
        began = time.perf_counter()
        assert connect(private, progress=lambda *step: pytest.fail("nothing was to be done")) == connection
        took.append(time.perf_counter() - began)
    assert statistics.median(took) < 0.005


def test_connect_and_touch_record_the_use_of_the_server(private: Settings, connection: Connection) -> None:
    used = ServerHome(private.server_home).used
    for act in (connect, touch):
        os.utime(used, (0, 0))
        act(private)
        assert used.stat().st_mtime > 1e9


def test_the_status_has_process_port_version_and_memory(private: Settings, connection: Connection) -> None:
    get_status(private)
    began = time.perf_counter()
    status = get_status(private)
    assert time.perf_counter() - began < 0.1
    assert status.running
    assert status.pid == server_of(private).java.pid
    assert connection.uri == f"bolt://127.0.0.1:{status.port}"
    assert status.version == load_lock().version
    assert 100e6 < status.memory < 2e9
    assert status.started is not None
    assert 0 < status.uptime < time.time() - status.started + 1
    assert status.home == private.server_home


def test_a_wrong_password_is_refused_with_the_setting_to_change(connection: Connection) -> None:
    with pytest.raises(EngineRefused, match=r"refused user 'neo4j'.*NEO4J_PASSWORD"):
        open_driver(replace(connection, password="wrong-password", private=False))


def test_a_database_that_does_not_exist_is_refused(connection: Connection) -> None:
    with pytest.raises(EngineRefused, match="no database 'elsewhere'; set NEO4J_DATABASE"):
        open_driver(replace(connection, database="elsewhere"))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next client ends a server without a watchdog")
def test_a_server_does_not_outlive_its_watchdog(private: Settings, connection: Connection) -> None:
    server = server_of(private)
    os.kill(server.watch.pid, signal.SIGKILL)
    assert wait_for_exit(server.java, 30)
    assert "Stopped." in ServerHome(private.server_home).log.read_text()  # terminated, not killed


def test_a_killed_server_is_restarted_with_its_data(private: Settings, connection: Connection) -> None:
    with open_driver(connection) as driver:
        driver.execute_query("MERGE (:Kept {name: 'Nordvik'})")
        before = server_of(private)
        os.kill(before.java.pid, signal.SIGKILL)
        assert wait_for_exit(before.java, 5)
        with pytest.raises(EngineUnavailable, match="connect again"):
            open_driver(connection)
    with open_driver(connect(private)) as driver:
        assert read_value(driver, "MATCH (n:Kept) RETURN n.name") == "Nordvik"
    assert server_of(private).java.pid != before.java.pid
    assert wait_for_exit(before.watch, 5)


def test_a_server_that_is_killed_while_a_store_is_opened_is_restarted(
    private: Settings, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []

    def connect_and_kill(settings: Settings, **arguments: Any) -> Connection:
        new_connection = connect(settings, **arguments)
        if not killed:
            java = server_of(private).java
            os.kill(java.pid, signal.SIGKILL)
            assert wait_for_exit(java, 5)
            killed.append(java.pid)
        return new_connection

    monkeypatch.setattr("hopline.store.graph.connect", connect_and_kill)
    with closing(Store.open(private, embedder="toy", dimension=4)) as store:
        assert "passages" in store.read("documents/totals")
    assert server_of(private).java.pid not in killed


def test_stop_ends_the_server_cleanly_and_returns_whether_one_ran(private: Settings, connection: Connection) -> None:
    server = server_of(private)
    assert stop(private)
    assert not server.java.alive
    assert wait_for_exit(server.watch, 5)
    assert "Stopped." in ServerHome(private.server_home).log.read_text()
    assert not stop(private)
    assert not get_status(private).running


def test_two_concurrent_processes_start_one_server_that_outlives_them_until_idle(another: Another) -> None:
    settings = another(server_idle_minutes=0.1)
    code = (
        "import sys; from hopline.config import load_settings; from hopline.neo4j_server import connect;"
        "print(connect(load_settings(home=sys.argv[1], neo4j_uri='', server_idle_minutes=0.1)).uri)"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code, home], cwd=settings.home, stdout=subprocess.PIPE, text=True)
        for home in (".", str(settings.home))  # one folder, however it is named
    ]
    printed = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    server = server_of(settings)
    assert printed[0] == printed[1] == f"bolt://127.0.0.1:{server.port}\n"
    assert server.alive  # though its starters are gone
    assert sum(str(settings.server_home) in " ".join(p.info["cmdline"] or ()) for p in java_processes()) == 1
    assert wait_for_exit(server.java, 20)
    assert wait_for_exit(server.watch, 5)
    assert not get_status(settings).running


def java_processes() -> list[psutil.Process]:
    every = psutil.process_iter(["name", "cmdline"])
    return [process for process in every if "java" in (process.info["name"] or "")]


def test_a_server_without_a_watchdog_is_terminated_before_a_new_start(
    another: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup, "MIN_FREE_BYTES", 10**18)  # the start after the termination is not tested here
    settings = another()
    home = ServerHome(settings.server_home)
    home.path.mkdir(parents=True)
    with (
        subprocess.Popen([sys.executable, "-c", ""]) as watchdog,
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as stray,
    ):
        watchdog.wait()
        write_server_record(
            home,
            ServerRecord(
                identify_process(stray.pid), identify_process(watchdog.pid), 7001, "5.26.28", time.time(), ready=True
            ),
        )
        with pytest.raises(EngineUnavailable, match="no space"):
            connect(settings)
        assert stray.wait(5) == -signal.SIGTERM


def test_data_of_a_newer_release_is_refused_and_not_changed(another: Another) -> None:
    settings = another()
    home = ServerHome(settings.server_home)
    home.path.mkdir(parents=True)
    home.version.write_text("2026.08.1\n")
    with pytest.raises(EngineRefused, match=r"written by Neo4j 2026\.08\.1"):
        connect(settings)
    assert not (home.path / "data").exists()
    assert not get_status(settings).running


def test_data_without_its_password_is_refused_before_a_start(another: Another) -> None:
    settings = another()
    home = ServerHome(settings.server_home)
    (home.path / "data" / "databases").mkdir(parents=True)
    with pytest.raises(EngineRefused, match=r"password is missing.*restore the file"):
        connect(settings)
    assert not home.record.exists()


def test_the_error_of_a_failed_start_shows_the_end_of_the_log(another: Another, tmp_path: Path) -> None:
    settings = another()
    home = ServerHome(settings.server_home)
    options = StartOptions(home, (tmp_path / "no.jar",), "5.26.28", 256, 32, 600.0)
    home.path.mkdir(parents=True)
    with pytest.raises(EngineUnavailable, match=r"(?s)exited while it started.*server\.log.*CommunityEntryPoint"):
        start_server(options)
    assert not get_status(settings).running


def test_too_little_disk_space_is_reported_before_a_start(another: Another, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = another()
    monkeypatch.setattr(startup, "MIN_FREE_BYTES", 10**18)
    with pytest.raises(EngineUnavailable, match=r"no space for the graph in .*HOPLINE_HOME"):
        connect(settings)
    assert not get_status(settings).running


def test_the_error_names_a_home_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EngineUnavailable, match=r"cannot be written.*HOPLINE_HOME"):
        connect(load_settings(home=tmp_path / "file", neo4j_uri=""))


def test_the_server_of_neo4j_uri_is_used_without_a_private_one(tmp_path: Path) -> None:
    settings = load_settings(
        home=tmp_path, neo4j_uri="neo4j+s://graph.example", neo4j_user="ada", neo4j_password="p", neo4j_database="d"
    )
    assert connect(settings) == Connection("neo4j+s://graph.example", "ada", "p", "d", private=False)
    touch(settings)
    assert list(tmp_path.iterdir()) == []
