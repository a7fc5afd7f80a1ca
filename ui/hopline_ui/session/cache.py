"""What this session keeps by collection: its answers, so that a click draws them again, and its pictures."""

from __future__ import annotations

import streamlit as st

from hopline_ui.session.questions import Answered, Asked, keep


def answers() -> dict[Asked, Answered]:
    """What this session asked and got, the oldest first."""
    found: dict[Asked, Answered] = st.session_state.setdefault("answers", {})
    return found


def remember(asked: Asked, answered: Answered) -> None:
    """Keeps an answer for this session."""
    keep(answers(), asked, answered)


def forget_answers(collection: str, *, abstained: bool = False) -> None:
    """Drops the answers of a collection whose graph was changed; with ``abstained`` only those that found nothing."""
    for asked, answered in list(answers().items()):
        if asked.collection == collection and (not abstained or answered.answer.abstained):
            del answers()[asked]


def forget(collection: str) -> None:
    """Drops all that was kept of a collection which has another name now, or is gone."""
    forget_answers(collection)
    for kind in ("sketches", "same names"):
        st.session_state.get(kind, {}).pop(collection, None)
    st.session_state.pop("compared", None)
    st.session_state["conversation"] = [
        one for one in st.session_state.get("conversation", []) if one.collection != collection
    ]
