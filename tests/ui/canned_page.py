"""The page on the canned Hopline, for the browser: `streamlit run tests/ui/canned_page.py`."""

import sys
import tempfile
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parent))

from canned import Canned, filled

from hopline_ui import client_connection, navigation


@st.cache_resource
def canned() -> Canned:
    return filled(Path(tempfile.mkdtemp(prefix="hopline-canned-")))


@st.cache_resource
def empty() -> Canned:
    return Canned(Path(tempfile.mkdtemp(prefix="hopline-empty-")))


client_connection.hopline = lambda: empty() if "empty" in st.query_params else canned()
navigation.run()
