"""One home, one server and one small collection for the whole session; nothing of the user's is touched."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import uuid4

# Test processes, and those that they start, share the cores: threads of torch and numpy would wait for each other. They
# cache bytecode: a process that compiles torch and all other modules again takes 5 s longer. Both are read on import.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The default home is below a file, so a test that uses it fails instead of changing the documents of the user.
os.environ.pop("HOPLINE_HOME", None)
os.environ["XDG_DATA_HOME"] = __file__

import pytest  # noqa: E402

from hopline import Hopline  # noqa: E402
from hopline.config import Settings, load_settings  # noqa: E402
from hopline.store.graph import Store  # noqa: E402

SHARED = Path(__file__).resolve().parents[2] / "shared"

# A world of its own: two-hop questions have one answer, "Halm" and "Orre" are only joined by entities.
ROWS = [
    ("Skarv Bridge", "The Skarv Bridge crosses the Halm Strait. It was designed by Ingrid Vale and opened in 1931."),
    (
        "Ingrid Vale",
        "Ingrid Vale was a Norwegian engineer. She studied in Trondheim and founded the firm Vale and Sons.",
    ),
    ("Vale and Sons", "Vale and Sons is an engineering firm in Bergen. It built harbours, bridges and lighthouses."),
    ("Halm Strait", "The Halm Strait separates the island of Orre from the mainland. It is 900 metres wide."),
    ("Orre", "Orre is an island with 2,140 inhabitants. Fishing and slate quarries were its main trades."),
    ("Orre Lighthouse", "The Orre Lighthouse was built by Vale and Sons in 1927. Its lamp is seen 18 miles away."),
    ("Slate", "Slate is a fine-grained rock. Roofs in Bergen were covered with slate from Orre."),
    ("Bergen", "Bergen is a city on the west coast of Norway. Its harbour was enlarged in 1893."),
    ("Trondheim", "Trondheim is a city in Norway. Its institute of technology opened in 1910."),
    ("Tern", "The tern is a sea bird. It breeds on islands and dives for fish."),
]


# A server of the tests lives for minutes: its start costs more than the compiler that optimises it would save. Most of
# its transactions change an index of a few entries: Lucene closes a memory segment only once all threads have stopped.
os.environ.setdefault(
    "JDK_JAVA_OPTIONS",
    "-XX:TieredStopAtLevel=1 -Dorg.apache.lucene.store.MMapDirectory.enableMemorySegments=false",
)


gc.disable()  # until all tests are collected: nothing that is imported becomes garbage


def pytest_collection_finish() -> None:
    """Exempt modules and tests from garbage collection, which would examine these millions of objects again and again."""
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the test files in the random order of this seed")
    parser.addoption("--soak", action="store_true", help="run the tests that use chance for minutes (make soak)")


CLEANUP = pytest.StashKey[subprocess.Popen[bytes]]()


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist starts its processes
def pytest_configure(config: pytest.Config) -> None:
    config.option.loadscopereorder = False  # of pytest-xdist, which would sort the groups by their number of tests
    if not hasattr(config, "workerinput"):
        mark = os.environ["TEST_RUN_OF_HOPLINE"] = uuid4().hex
        command = [sys.executable, str(Path(__file__).with_name("process_cleanup.py")), mark]
        environment = {name: value for name, value in os.environ.items() if value != mark}
        config.stash[CLEANUP] = subprocess.Popen(
            command, stdin=subprocess.PIPE, env=environment, start_new_session=True
        )


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End servers and workers that the tests have left, as they do when they are interrupted."""
    if cleanup := config.stash.get(CLEANUP, None):
        cleanup.communicate()


def pytest_report_header(config: pytest.Config) -> str | None:
    seed = config.getoption("--shuffle")
    return None if seed is None else f"test files in random order: --shuffle {seed}"


# The groups of tests that share a server. Those of "commands" could run in "server", but take too long for one process.
SERVER_GROUPS = ("server", "commands", "graphs")


def find_group(item: pytest.Item) -> str:
    """Return the group of a test, which runs in one process: that of its marker, of its server, or its file."""
    if marker := item.get_closest_marker("xdist_group"):
        return str(marker.args[0])
    fixtures = getattr(item, "fixturenames", ())
    if "graph_settings" in fixtures:
        return "graphs"
    return "server" if "home" in fixtures else item.nodeid.partition("::")[0]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that only `make soak` runs, group the others by the server that they use, and order the files.

    The groups of servers come first, because they take longest. The order of files is random, or files with long tests
    come first, so that no process waits for another at the end.
    """
    if not config.getoption("--soak"):
        long = [item for item in items if (mark := item.get_closest_marker("soak")) and mark.kwargs.get("only")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    files = list(dict.fromkeys(item.path for item in items))
    seed = config.getoption("--shuffle")
    if seed is not None:
        Random(seed).shuffle(files)
    else:
        limits = dict.fromkeys(files, 0.0)
        for item in items:
            if marker := item.get_closest_marker("timeout"):
                limits[item.path] = max(limits[item.path], marker.args[0])
        files.sort(key=lambda file: -limits[file])
    positions = {file: position for position, file in enumerate(files)}
    groups = {item: find_group(item) for item in items}
    items.sort(key=lambda item: (groups[item] not in SERVER_GROUPS, positions[item.path]))
    for item in items:
        item.add_marker(pytest.mark.xdist_group(groups[item]))


@pytest.fixture(scope="session")
def soak(pytestconfig: pytest.Config) -> bool:
    """Whether tests run in their long form."""
    return bool(pytestconfig.getoption("--soak"))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of the session's own; `Hopline.open()` uses it, and its private server ends with it."""
    folder = tmp_path_factory.mktemp("home")
    os.environ["HOPLINE_HOME"] = str(folder)
    os.environ["HOPLINE_WORKER_IDLE_SECONDS"] = "600"  # one worker serves many tests
    yield folder
    if not os.environ.get("NEO4J_URI"):
        Hopline.stop(folder)
    del os.environ["HOPLINE_WORKER_IDLE_SECONDS"], os.environ["HOPLINE_HOME"]


@pytest.fixture(scope="session")
def settings(home: Path) -> Settings:
    """The settings of the session: the private server, or the one that NEO4J_URI names."""
    return load_settings(home=home)


@pytest.fixture(scope="session")
def store(settings: Settings) -> Iterator[Store]:
    """A store whose embedder "toy" has four dimensions, so that vectors can be written by hand."""
    opened = Store.open(settings, embedder="toy", dimension=4)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def hop(settings: Settings) -> Iterator[Hopline]:
    """The SDK on the session's server."""
    with Hopline.open(home=settings.home) as opened:
        yield opened


@pytest.fixture(scope="session")
def corpus(hop: Hopline, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Name of a collection of ten passages that the real worker has read."""
    file = tmp_path_factory.mktemp("corpus") / "orre.jsonl"
    rows = [{"id": f"p{n}", "title": title, "text": text} for n, (title, text) in enumerate(ROWS)]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    batch = hop.add(file, collection="orre").wait(timeout=240)
    assert batch.failures == ()
    return "orre"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("the real data of ../shared is not here")
    return SHARED
