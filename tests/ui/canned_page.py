"""The page on the canned Hopline, for the browser: `streamlit run tests/ui/canned_page.py`."""

import sys
import tempfile
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parent))

from canned import Canned, filled

from hopline_ui import navigation, opening


@st.cache_resource
def canned() -> Canned:
    return filled(Path(tempfile.mkdtemp(prefix="hopline-canned-")))


opening.hopline = canned
navigation.run()
