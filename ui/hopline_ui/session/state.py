"""The state of a browser session that no widget holds.

Streamlit forgets the value of a widget when the user leaves its page, so selections are stored here as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

import streamlit as st

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage

    from hopline.documents.estimate import Estimate
    from hopline.documents.outline import OutlineItem
    from hopline.documents.pages import TextMatch
    from hopline.documents.progress import DocumentProgress
    from hopline.entities.resolution import MergeSuggestion
    from hopline.llm.local_servers import LocalServer
    from hopline.records import Collection, Document
    from hopline.results import Node
    from hopline_ui.evaluation_run import EvaluationRun
    from hopline_ui.explored_graph import GraphCanvas
    from hopline_ui.formatting import ProgressRate, SteadyProgress
    from hopline_ui.overview_search import OverviewSearch
    from hopline_ui.session.cache import CachedMatches, NodeSearch
    from hopline_ui.session.questions import SessionQuestion, TimedAnswer

PageName = Literal["ask", "compare", "explore", "documents", "settings"]
KEY: Final = "state"


@dataclass(slots=True)
class SessionState:
    """The state of one session. Dictionaries by collection hold nothing of a collection that was not shown.

    The scope is ``collection`` ("" before the first selection), ``strategy`` ("" for the default), ``documents``
    (ids, empty for all) and ``filter`` ("" for none). ``question`` is the last question, ``confirmed`` the last one
    that the user asked by a click, ``source`` the key of the selected source. ``processing`` are collections seen while
    their documents were processed.
    """

    pages: Mapping[PageName, StreamlitPage] = field(default_factory=dict)
    next_page: tuple[PageName, dict[str, str]] | None = None  # the next run opens it, with these query parameters
    visitor: str = ""  # id of a browser whose cookie is not set yet
    retry_at: float = 0.0  # monotonic seconds; the time of the next run after an error

    collection: str = ""
    strategy: str = ""
    documents: tuple[str, ...] = ()
    filter: str = ""
    document_names: dict[str, str] = field(default_factory=dict)  # by id

    question: SessionQuestion | None = None
    confirmed: SessionQuestion | None = None
    source: str = ""
    answers: dict[SessionQuestion, TimedAnswer] = field(default_factory=dict)  # oldest first
    conversation: list[SessionQuestion] = field(default_factory=list)
    conversation_id: str = ""  # by which it is stored; "" before its first answer
    processing: set[str] = field(default_factory=set)
    overviews: dict[Collection, OverviewSearch] = field(default_factory=dict)

    compared: list[SessionQuestion] = field(default_factory=list)
    compared_link: list[SessionQuestion] = field(default_factory=list)  # of the last address of the page Compare
    evaluation: EvaluationRun | None = None

    canvases: dict[str, GraphCanvas] = field(default_factory=dict)  # by collection
    suggestions: dict[str, list[MergeSuggestion]] = field(default_factory=dict)  # by collection
    searches: dict[NodeSearch, CachedMatches] = field(default_factory=dict)  # oldest first
    path_start: Node | None = None
    open_community: str = ""  # id of a community that the next run opens
    open_node: str = ""  # id of a node whose connections the next run adds

    author: str = ""  # of the session's last correction or better answer
    correction_error: str = ""  # why the last correction was not saved
    outlines: dict[Document, tuple[OutlineItem, ...]] = field(default_factory=dict)  # of the last document
    text_matches: dict[tuple[str, str], tuple[TextMatch, ...]] = field(default_factory=dict)  # of the last search
    other_pages: tuple[str, tuple[int, ...]] = ("", ())  # a number that was entered, and the pages that print it
    feedback_error: str = ""  # why the last better answer was not saved
    upload_round: int = 0  # a new one empties the uploader
    estimates: dict[tuple[str, ...], Estimate] = field(default_factory=dict)  # by collection and ids of files
    rates: dict[str, SteadyProgress] = field(default_factory=dict)  # by collection
    document_rates: dict[str, ProgressRate] = field(default_factory=dict)  # by id
    finished: dict[Document, DocumentProgress] = field(default_factory=dict)

    listed_models: dict[str, list[str]] = field(default_factory=dict)  # by address of their endpoint
    local_servers: list[LocalServer] | None = None  # None before they were looked for
    settings_message: str = ""  # that the next run shows


def get_state() -> SessionState:
    """Return the state of the current session, a new one at its first run."""
    state: SessionState = st.session_state.setdefault(KEY, SessionState())
    return state
