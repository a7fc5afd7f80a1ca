"""A read that meets a write is tried again."""

import pytest
from neo4j.exceptions import TransientError

from hopline.errors import EngineError


@pytest.fixture
def outdated(store, monkeypatch):
    """Makes the first reads fail as Neo4j does where data changed beneath them; how many were tried."""

    def make(times):
        tried = []
        real = type(store)._columns

        def columns(self, driver, name, parameters):
            tried.append(name)
            if len(tried) <= times:
                raise TransientError("the transaction read outdated data")
            return real(self, driver, name, parameters)

        monkeypatch.setattr(type(store), "_columns", columns)
        return tried

    return make


def test_a_read_of_what_was_just_written_is_tried_again(store, outdated):
    tried = outdated(2)
    assert "passages" in store.columns("read/totals")
    assert len(tried) == 3


def test_a_read_that_never_succeeds_says_so(store, outdated):
    outdated(99)
    with pytest.raises(EngineError, match="outdated"):
        store.columns("read/totals")
