"""The private server itself: a real Neo4j in a temporary home.

Only its jars are shared with the user's cache, so that nothing is fetched twice.
"""

import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from neo4j import Driver

from hopline.config import Settings, load_settings
from hopline.errors import EngineRefused, EngineUnavailable
from hopline.neo4j_server import Connection, check_version, connect, open_driver, startup, status, stop, touch
from hopline.neo4j_server.artifacts import locked
from hopline.neo4j_server.download import fetched
from hopline.neo4j_server.file_system import made
from hopline.neo4j_server.home_folder import Home, Server, read_server, running, write_server
from hopline.neo4j_server.process_end import gone
from hopline.neo4j_server.startup import Plan, free_port, start

Another = Callable[..., Settings]


@pytest.fixture(scope="module")
def tried() -> list[int]:
    """The ports on which the module's server was started, in order."""
    return []


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory, tried: list[int]) -> Iterator[Settings]:
    """One private server for the module; a test that ends it finds it started again by `connect`.

    Its first start meets a port that is taken.
    """
    settings = own_settings(tmp_path_factory.mktemp("server"))
    lock = locked()
    plan = Plan(Home(made(settings.server_home)), fetched(lock, settings.cache), lock.version, 256, 32, 1800.0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ports = iter([taken.getsockname()[1], free_port()])

        def choose() -> int:
            tried.append(next(ports))
            return tried[-1]

        start(plan, choose_port=choose)
    yield settings
    stop(settings)


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Another]:
    """Settings of a further private server, which ends with the test."""
    yield lambda **given: own_settings(tmp_path, **given)
    stop(own_settings(tmp_path))


def own_settings(home: Path, **given: Any) -> Settings:
    """Settings of a private server in a folder, whatever NEO4J_URI says."""
    return load_settings(home=home, neo4j_uri="", server_heap_mb=256, server_pagecache_mb=32, **given)


@pytest.fixture
def connection(private: Settings) -> Connection:
    return connect(private)


@pytest.fixture
def driver(connection: Connection) -> Iterator[Driver]:
    with open_driver(connection) as opened:
        yield opened


def one(driver: Driver, statement: str) -> object:
    return driver.execute_query(statement).records[0][0]


def server_of(settings: Settings) -> Server:
    server = read_server(Home(settings.server_home))
    assert server is not None
    return server


def test_it_answers_statements_and_is_the_release_of_the_lock(connection: Connection, driver: Driver) -> None:
    assert connection.private
    assert one(driver, "RETURN 1") == 1
    assert check_version(driver) == locked().version


def test_a_port_that_is_taken_is_left_to_its_owner(tried: list[int], connection: Connection) -> None:
    assert len(tried) == 2
    assert connection.uri == f"bolt://127.0.0.1:{tried[1]}"


def test_it_listens_on_loopback_only(private: Settings, connection: Connection) -> None:
    listening = psutil.Process(server_of(private).java.pid).net_connections("tcp")
    assert {c.laddr.ip.removeprefix("::ffff:") for c in listening if c.status == psutil.CONN_LISTEN} == {"127.0.0.1"}


def test_only_its_owner_can_read_its_password(private: Settings, connection: Connection) -> None:
    home = Home(private.server_home)
    assert home.password.stat().st_mode & 0o777 == 0o600
    assert home.path.stat().st_mode & 0o777 == 0o700
    assert len(connection.password) >= 32
    command = " ".join(psutil.Process(server_of(private).java.pid).cmdline())
    assert connection.password not in command + home.arguments.read_text()


def test_connecting_again_costs_milliseconds_and_starts_nothing(private: Settings, connection: Connection) -> None:
    took = []
    for _ in range(20):
        began = time.perf_counter()
        assert connect(private, progress=lambda *step: pytest.fail("nothing was to be done")) == connection
        took.append(time.perf_counter() - began)
    assert statistics.median(took) < 0.005


def test_connecting_and_touching_mark_the_server_as_used(private: Settings, connection: Connection) -> None:
    used = Home(private.server_home).used
    for act in (connect, touch):
        os.utime(used, (0, 0))
        act(private)
        assert used.stat().st_mtime > 1e9


def test_status_names_process_port_version_and_memory(private: Settings, connection: Connection) -> None:
    status(private)
    began = time.perf_counter()
    found = status(private)
    assert time.perf_counter() - began < 0.1
    assert found.running
    assert found.pid == server_of(private).java.pid
    assert connection.uri == f"bolt://127.0.0.1:{found.port}"
    assert found.version == locked().version
    assert 100e6 < found.memory < 2e9
    assert found.started is not None
    assert 0 < found.uptime < time.time() - found.started + 1
    assert found.home == private.server_home


def test_a_wrong_password_is_refused_and_says_what_to_set(connection: Connection) -> None:
    with pytest.raises(EngineRefused, match=r"refused user 'neo4j'.*NEO4J_PASSWORD"):
        open_driver(replace(connection, password="wrong-password", private=False))


def test_a_database_that_is_not_there_is_refused_by_name(connection: Connection) -> None:
    with pytest.raises(EngineRefused, match="no database 'elsewhere'; set NEO4J_DATABASE"):
        open_driver(replace(connection, database="elsewhere"))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next client ends a server without a watchdog")
def test_a_server_does_not_outlive_its_watchdog(private: Settings, connection: Connection) -> None:
    server = server_of(private)
    os.kill(server.watch.pid, signal.SIGKILL)
    assert gone(server.java, 30)
    assert "Stopped." in Home(private.server_home).log.read_text()  # asked to end, not killed


def test_a_killed_server_is_started_again_with_its_data(private: Settings, connection: Connection) -> None:
    with open_driver(connection) as driver:
        driver.execute_query("MERGE (:Kept {name: 'Nordvik'})")
        before = server_of(private)
        os.kill(before.java.pid, signal.SIGKILL)
        assert gone(before.java, 5)
        with pytest.raises(EngineUnavailable, match="connect again"):
            open_driver(connection)
    with open_driver(connect(private)) as driver:
        assert one(driver, "MATCH (n:Kept) RETURN n.name") == "Nordvik"
    assert server_of(private).java.pid != before.java.pid
    assert gone(before.watch, 5)


def test_stop_ends_the_server_cleanly_and_says_whether_one_ran(private: Settings, connection: Connection) -> None:
    server = server_of(private)
    assert stop(private)
    assert not server.java.alive
    assert gone(server.watch, 5)
    assert "Stopped." in Home(private.server_home).log.read_text()
    assert not stop(private)
    assert not status(private).running


def test_two_processes_at_once_start_one_server_which_outlives_them_and_ends_unused(another: Another) -> None:
    settings = another(server_idle_minutes=0.1)
    code = (
        "import sys; from hopline.config import load_settings; from hopline.neo4j_server import connect;"
        "print(connect(load_settings(home=sys.argv[1], neo4j_uri='', server_idle_minutes=0.1)).uri)"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", code, home], cwd=settings.home, stdout=subprocess.PIPE, text=True)
        for home in (".", str(settings.home))  # one folder, however it is named
    ]
    said = [process.communicate(timeout=120)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    server = server_of(settings)
    assert said[0] == said[1] == f"bolt://127.0.0.1:{server.port}\n"
    assert server.alive  # though its starters are gone
    assert sum(str(settings.server_home) in " ".join(p.info["cmdline"] or ()) for p in java_processes()) == 1
    assert gone(server.java, 20)
    assert gone(server.watch, 5)
    assert not status(settings).running


def java_processes() -> list[psutil.Process]:
    every = psutil.process_iter(["name", "cmdline"])
    return [process for process in every if "java" in (process.info["name"] or "")]


def test_a_server_without_a_watchdog_is_ended_before_another_is_started(
    another: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup, "ROOM", 10**18)  # what follows the end is not this test's business
    settings = another()
    home = Home(settings.server_home)
    home.path.mkdir(parents=True)
    with (
        subprocess.Popen([sys.executable, "-c", ""]) as watchdog,
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as stray,
    ):
        watchdog.wait()
        write_server(home, Server(running(stray.pid), running(watchdog.pid), 7001, "5.26.28", time.time(), ready=True))
        with pytest.raises(EngineUnavailable, match="no room"):
            connect(settings)
        assert stray.wait(5) == -signal.SIGTERM


def test_data_of_a_newer_release_is_refused_and_left_alone(another: Another) -> None:
    settings = another()
    home = Home(settings.server_home)
    home.path.mkdir(parents=True)
    home.version.write_text("2026.08.1\n")
    with pytest.raises(EngineRefused, match=r"written by Neo4j 2026\.08\.1"):
        connect(settings)
    assert not (home.path / "data").exists()
    assert not status(settings).running


def test_data_whose_password_is_gone_is_refused_before_anything_starts(another: Another) -> None:
    settings = another()
    home = Home(settings.server_home)
    (home.path / "data" / "databases").mkdir(parents=True)
    with pytest.raises(EngineRefused, match=r"password is gone.*put the file back"):
        connect(settings)
    assert not home.record.exists()


def test_a_server_that_does_not_come_up_shows_the_end_of_its_log(another: Another) -> None:
    settings = another()
    home = Home(settings.server_home)
    plan = Plan(home, (), "5.26.28", 256, 32, 600.0)
    home.path.mkdir(parents=True)
    with pytest.raises(EngineUnavailable, match=r"(?s)ended while it started.*server\.log.*CommunityEntryPoint"):
        start(plan)
    assert not status(settings).running


def test_too_little_room_for_a_graph_is_found_before_anything_starts(
    another: Another, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = another()
    monkeypatch.setattr(startup, "ROOM", 10**18)
    with pytest.raises(EngineUnavailable, match=r"no room for the graph in .*HOPLINE_HOME"):
        connect(settings)
    assert not status(settings).running


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EngineUnavailable, match=r"cannot be written.*HOPLINE_HOME"):
        connect(load_settings(home=tmp_path / "file", neo4j_uri=""))


def test_the_server_of_neo4j_uri_is_taken_as_it_is(tmp_path: Path) -> None:
    settings = load_settings(
        home=tmp_path, neo4j_uri="neo4j+s://graph.example", neo4j_user="ada", neo4j_password="p", neo4j_database="d"
    )
    assert connect(settings) == Connection("neo4j+s://graph.example", "ada", "p", "d", private=False)
    touch(settings)
    assert list(tmp_path.iterdir()) == []
