"""The Hopline client that all sessions of the page share."""

from __future__ import annotations

import gc
import logging
from threading import Thread

import streamlit as st

from hopline import Hopline
from hopline.errors import HoplineError

_log = logging.getLogger(__name__)

OPENING = "Connecting to the database. The first start downloads Neo4j, about 130 MB."


@st.cache_resource(show_spinner=OPENING)
def get_client() -> Hopline:
    """Return the client for the environment's settings, opened once per process.

    Raises:
        HoplineError: it cannot be opened; the failure is not cached, so the next run tries again.
    """
    hop = Hopline.open()
    Thread(target=_warm_up, args=(hop,), daemon=True).start()
    return hop


def _warm_up(hop: Hopline) -> None:
    """Load the models of the first question in the background.

    What is loaded by then stays for good (`gc.freeze`): else one question in twenty waits a fifth of a second for
    Python to look through three hundred thousand objects of libraries.
    """
    try:
        hop.warm_up()
    except HoplineError as error:
        _log.warning("the models could not be loaded in advance: %s", error)
    gc.collect()
    gc.freeze()
