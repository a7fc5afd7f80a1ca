"""The page on a fake client, for the browser: `streamlit run tests/ui/fake_page.py`; with ?empty, without collections;
with ?communities, with communities of entities and suggested questions.
"""

import sys
import tempfile
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parent))

from nordvik import HOSTILE, QUESTION, communities, empty_hop, nordvik_hop

from hopline.question_suggestions import SuggestedQuestion
from hopline.testing import FakeHopline
from hopline_ui import client_connection, navigation


@st.cache_resource
def nordvik() -> FakeHopline:
    return nordvik_hop(Path(tempfile.mkdtemp(prefix="hopline-nordvik-")))


@st.cache_resource
def empty() -> FakeHopline:
    return empty_hop(Path(tempfile.mkdtemp(prefix="hopline-empty-")))


@st.cache_resource
def with_communities() -> FakeHopline:
    hop = nordvik_hop(Path(tempfile.mkdtemp(prefix="hopline-communities-")))
    hop.state.communities = communities()
    hop.state.suggested_questions = [SuggestedQuestion(QUESTION, "statement"), SuggestedQuestion(HOSTILE, "table")]
    return hop


def get_client() -> FakeHopline:
    choices = {"empty": empty, "communities": with_communities}
    return next((make for name, make in choices.items() if name in st.query_params), nordvik)()


client_connection.get_client = get_client  # type: ignore[assignment]
navigation.run()
