"""The Hopline client that all sessions of the page share."""

from __future__ import annotations

from threading import Lock

import streamlit as st

from hopline import Hopline

OPENING = "Connecting to the database. The first start downloads Neo4j, about 130 MB."


class SharedClient:
    """A client that follows the settings of the language model that are stored. Thread-safe."""

    def __init__(self, client: Hopline) -> None:
        self._client = client
        self._lock = Lock()

    def get_current(self) -> Hopline:
        """Return the client with the settings that are stored now.

        Raises:
            SettingsError: the stored settings cannot be used; says what to do.
        """
        with self._lock:
            self._client = self._client.reload_model()
            return self._client


@st.cache_resource(show_spinner=OPENING)
def _open_client() -> SharedClient:
    hop = Hopline.open()
    hop.start_warm_up()
    return SharedClient(hop)


def get_client() -> Hopline:
    """Return the client for the environment's settings, opened once per process, with the model that is stored now.

    Raises:
        HoplineError: it cannot be opened; the failure is not cached, so the next run tries again.
    """
    return _open_client().get_current()
