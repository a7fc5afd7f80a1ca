"""What the page stands on: the one open graph that all its sessions share."""

from __future__ import annotations

import logging
from threading import Thread

import streamlit as st

from hopline import Hopline
from hopline.errors import HoplineError

_log = logging.getLogger(__name__)

FIRST = "Opening the graph. The very first start fetches its engine, about 130 MB."


@st.cache_resource(show_spinner=FIRST)
def hopline() -> Hopline:
    """The graph that the environment's settings name, opened once a process.

    Raises:
        HoplineError: it cannot be opened; nothing is kept, so the next run tries again.
    """
    hop = Hopline.open()
    Thread(target=_warm, args=(hop,), daemon=True).start()
    return hop


def _warm(hop: Hopline) -> None:
    """Loads what the first question needs beside the first paint."""
    try:
        hop.warm_up()
    except HoplineError as error:
        _log.warning("nothing could be loaded ahead: %s", error)
