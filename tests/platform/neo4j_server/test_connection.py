import subprocess
import sys

import pytest

from hopline.errors import EngineRefused, EngineUnavailable, SettingsError
from hopline.neo4j_server import Connection, open_driver
from hopline.neo4j_server.connection import parse_server_version
from hopline.neo4j_server.startup import find_free_port


def at(uri: str) -> Connection:
    return Connection(uri, "neo4j", "hush-hush", "neo4j", private=False)


@pytest.mark.parametrize(
    ("agent", "version"),
    [("Neo4j/5.26.0", "5.26.0"), ("Neo4j/5.27-aura", "5.27-aura"), ("Neo4j/2026.08.1", "2026.08.1")],
)
def test_a_server_of_5_26_or_newer_is_accepted(agent: str, version: str) -> None:
    assert parse_server_version(agent) == version


@pytest.mark.parametrize("version", ["5.25.1", "4.4.40", "5.9.0"])
def test_an_older_server_is_refused_with_both_versions(version: str) -> None:
    with pytest.raises(EngineRefused, match=rf"Neo4j {version}; Hopline needs 5\.26 or newer"):
        parse_server_version(f"Neo4j/{version}")


def test_a_compatible_server_that_is_not_neo4j_is_refused() -> None:
    with pytest.raises(EngineRefused, match="compatible graph database server - Memgraph"):
        parse_server_version("Neo4j/v5.11.0 compatible graph database server - Memgraph")


def test_a_connection_does_not_show_its_password() -> None:
    assert "hush-hush" not in repr(at("bolt://127.0.0.1:1"))


def test_a_refused_address_is_shown_without_its_password() -> None:
    for uri in ("bolt://neo4j:hush-hush@localhost:7687", "http://neo4j:hush-hush@localhost:7687"):
        with pytest.raises(SettingsError, match=r"\*\*\*@localhost:7687") as refused:
            open_driver(at(uri))
        assert "hush-hush" not in str(refused.value)


def test_an_address_without_a_server_is_unavailable() -> None:
    uri = f"bolt://127.0.0.1:{find_free_port()}"
    with pytest.raises(EngineUnavailable, match=f"no Neo4j answers at {uri}.*check NEO4J_URI"):
        open_driver(at(uri))


@pytest.mark.parametrize("uri", ["localhost:7687", "http://localhost:7474", "bolt://", "bolt://host:port"])
def test_an_invalid_address_is_a_settings_error(uri: str) -> None:
    with pytest.raises(SettingsError, match="looks like bolt://"):
        open_driver(at(uri))


IMPORT_SCRIPT = """
import sys
from importlib.util import find_spec
assert find_spec("pandas"), "pandas is not installed, so that this tests nothing"
from hopline.neo4j_server.connection import import_driver
import_driver()
print("neo4j" in sys.modules, [name for name in ("pandas", "pyarrow") if name in sys.modules])
import pandas
"""


def test_the_driver_is_imported_without_pandas_which_can_be_imported_later() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORT_SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout == "True []\n"
