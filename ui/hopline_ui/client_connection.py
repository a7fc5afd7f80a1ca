"""The Hopline client that all sessions of the page share."""

from __future__ import annotations

import streamlit as st

from hopline import Hopline

OPENING = "Connecting to the database. The first start downloads Neo4j, about 130 MB."


@st.cache_resource(show_spinner=OPENING)
def get_client() -> Hopline:
    """Return the client for the environment's settings, opened once per process.

    Raises:
        HoplineError: it cannot be opened; the failure is not cached, so the next run tries again.
    """
    hop = Hopline.open()
    hop.start_warm_up()
    return hop
