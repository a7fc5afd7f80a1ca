"""Opening and closing: what was opened is closed, whatever fails."""

import pytest
from neo4j.exceptions import DriverError

from hopline import Hopline
from hopline.connections import Connections
from hopline.errors import SettingsError
from hopline.store.graph import Store


def test_a_model_that_cannot_be_loaded_leaves_no_open_connection(settings, monkeypatch):
    stores, real = [], Store.open

    def remember(*arguments, **options):
        stores.append(real(*arguments, **options))
        return stores[-1]

    monkeypatch.setattr(Store, "open", remember)
    with pytest.raises(SettingsError):
        Hopline.open(home=settings.home, model="langchain:hopline_has_no_such_module:chat")
    [store] = stores
    with pytest.raises(DriverError, match="closed"):
        store.driver.execute_query("RETURN 1")


def test_closing_closes_everything_even_where_one_cannot_be_closed(settings):
    closed = []

    class Closing:
        def __init__(self, name, error=None):
            self.name, self.error = name, error

        def close(self):
            closed.append(self.name)
            if self.error:
                raise self.error

    hop = Hopline(Connections(settings, Closing("store", OSError("store")), None, Closing("chat", OSError("chat"))))  # type: ignore[arg-type]
    with pytest.raises(OSError, match=r"store|chat"):
        hop.close()
    assert sorted(closed) == ["chat", "store"]
