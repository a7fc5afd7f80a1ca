"""The session's cache by collection: answers, explored graphs and suggestions of similar names."""

from __future__ import annotations

import streamlit as st

from hopline_ui.session.questions import SessionQuestion, TimedAnswer, insert_answer


def get_answers() -> dict[SessionQuestion, TimedAnswer]:
    """Return the session's answers by question, oldest first."""
    answers: dict[SessionQuestion, TimedAnswer] = st.session_state.setdefault("answers", {})
    return answers


def add_answer(question: SessionQuestion, timed: TimedAnswer) -> None:
    """Cache an answer for this session."""
    insert_answer(get_answers(), question, timed)


def clear_answers(collection: str, *, abstained: bool = False) -> None:
    """Drop the answers of a collection whose graph has changed; with ``abstained`` only the abstentions."""
    for question, timed in list(get_answers().items()):
        if question.collection == collection and (not abstained or timed.answer.abstained):
            del get_answers()[question]


def clear_collection(collection: str) -> None:
    """Drop everything cached for a collection that was renamed or deleted."""
    clear_answers(collection)
    for kind in ("sketches", "same names"):
        st.session_state.get(kind, {}).pop(collection, None)
    st.session_state.pop("compared", None)
    st.session_state["conversation"] = [
        question for question in st.session_state.get("conversation", []) if question.collection != collection
    ]
