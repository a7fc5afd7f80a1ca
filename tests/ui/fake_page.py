"""The page on a fake client, for the browser: `streamlit run tests/ui/fake_page.py`; with ?empty, without collections."""

import sys
import tempfile
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parent))

from nordvik import empty_hop, nordvik_hop

from hopline.testing import FakeHopline
from hopline_ui import client_connection, navigation


@st.cache_resource
def nordvik() -> FakeHopline:
    return nordvik_hop(Path(tempfile.mkdtemp(prefix="hopline-nordvik-")))


@st.cache_resource
def empty() -> FakeHopline:
    return empty_hop(Path(tempfile.mkdtemp(prefix="hopline-empty-")))


client_connection.get_client = lambda: empty() if "empty" in st.query_params else nordvik()  # type: ignore[assignment]
navigation.run()
