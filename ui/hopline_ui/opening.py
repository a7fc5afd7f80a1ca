"""What the page stands on: the one open graph that all its sessions share."""

from __future__ import annotations

import streamlit as st

from hopline import Hopline

FIRST = "Opening the graph. The very first start fetches its engine, about 130 MB."


@st.cache_resource(show_spinner=FIRST)
def hopline() -> Hopline:
    """The graph that the environment's settings name, opened once a process.

    Raises:
        HoplineError: it cannot be opened; nothing is kept, so the next run tries again.
    """
    return Hopline.open()
