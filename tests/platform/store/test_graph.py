"""Reads and retries of the graph store."""

import pytest
from neo4j.exceptions import TransientError

from hopline.errors import EngineError


@pytest.fixture
def fail_first_reads(graph_store, monkeypatch):
    """Make the first reads fail as Neo4j does where their data changed; returns the list of attempts."""

    def make(times):
        attempts = []
        original = type(graph_store)._read

        def read(self, driver, name, parameters):
            attempts.append(name)
            if len(attempts) <= times:
                raise TransientError("the transaction read outdated data")
            return original(self, driver, name, parameters)

        monkeypatch.setattr(type(graph_store), "_read", read)
        return attempts

    return make


def test_a_read_of_outdated_data_is_retried(graph_store, fail_first_reads):
    attempts = fail_first_reads(2)
    assert "passages" in graph_store.read("documents/totals")
    assert len(attempts) == 3


def test_a_read_that_always_fails_raises_an_error(graph_store, fail_first_reads):
    fail_first_reads(99)
    with pytest.raises(EngineError, match="outdated"):
        graph_store.read("documents/totals")
