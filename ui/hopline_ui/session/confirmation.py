"""Questions that the user asked by a click; one that only the address of the page names is not answered by itself.

Answering may cost money, and anyone can write a link.
"""

from __future__ import annotations

import streamlit as st

from hopline_ui.session import cache
from hopline_ui.session.questions import SessionQuestion
from hopline_ui.session.state import get_state


def open_question(question: SessionQuestion) -> None:
    """Put a question that the user has selected into the page's address; the next run answers it."""
    confirm(question)
    set_address(question)


def set_address(question: SessionQuestion, source: str = "") -> None:
    """Set the page's address to a question of the current conversation and the key of its selected source."""
    conversation = get_state().conversation_id
    parameters = question.to_parameters() | ({"conversation": conversation} if conversation else {})
    st.query_params.from_dict(parameters | ({"source": source} if source else {}))


def confirm(question: SessionQuestion) -> None:
    """Record that the user asked this question."""
    get_state().confirmed = question


def is_confirmed(question: SessionQuestion) -> bool:
    """Return whether the user asked this question in this session."""
    return question == get_state().confirmed or question in cache.get_answers()
