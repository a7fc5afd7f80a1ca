"""The answers of this session, so that a click draws them again instead of asking again."""

from __future__ import annotations

import streamlit as st

from hopline_ui.asking import Answered, Asked, keep


def answers() -> dict[Asked, Answered]:
    """What this session asked and got, the oldest first."""
    found: dict[Asked, Answered] = st.session_state.setdefault("answers", {})
    return found


def remember(asked: Asked, answered: Answered) -> None:
    """Keeps an answer for this session."""
    keep(answers(), asked, answered)
