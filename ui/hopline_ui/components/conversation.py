"""The conversation that a question follows on, and all that was asked before."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from hopline.client import Hopline
from hopline.types import Answer
from hopline_ui.markup import counted, plain
from hopline_ui.session.history import Entry, History, visitor
from hopline_ui.session.questions import Answered, Asked, in_short

SHORT = 60  # characters of an answer in a list
LISTED = 20


def before(answers: dict[Asked, Answered], collection: str) -> list[Answer]:
    """The answers that a question of this collection may follow on, the oldest first."""
    return [answers[one].answer for one in turns() if one in answers and one.collection == collection]


def turns() -> list[Asked]:
    """The questions of the conversation, the oldest first."""
    found: list[Asked] = st.session_state.setdefault("conversation", [])
    return found


def add(hop: Hopline, asked: Asked, answered: Answered) -> None:
    """Goes on with the conversation, and keeps the question for later days."""
    conversation = turns()
    if asked in conversation:
        conversation.remove(asked)
    conversation.append(asked)
    History(hop.settings.home).add(visitor(), asked, in_short(answered.answer)[:SHORT])


def show(now: Asked | None) -> None:
    """The earlier questions of the conversation, and a way to begin another."""
    earlier = [one for one in turns() if one != now]
    if not earlier:
        return
    with st.expander(f"Conversation · {counted(len(turns()), 'question')}", icon=":material/forum:"):
        for number, one in enumerate(turns()):
            st.button(
                plain(one.question),
                key=f"turn {number}",
                type="tertiary",
                icon=":material/subdirectory_arrow_right:" if one.meant else ":material/search:",
                disabled=one == now,
                on_click=_ask,
                args=(one,),
            )
        st.button("New conversation", key="new conversation", icon=":material/add:", on_click=begin_anew)


def begin_anew() -> None:
    """Forgets the conversation and what is asked now; the history stays."""
    st.session_state["conversation"] = []
    for name in ("asked", "source", "question text"):
        st.session_state.pop(name, None)
    st.query_params.clear()


def history(hop: Hopline) -> None:
    """What this browser asked before, on any day; a click asks it again."""
    kept, name = History(hop.settings.home), visitor()
    with st.popover("History", icon=":material/history:", key="history"):
        entries = kept.latest(name, LISTED)
        if not entries:
            st.caption("What you ask is kept here, for this browser.")
            return
        for number, entry in enumerate(entries):
            with st.container(key=f"kept {number}", gap="xsmall"):
                label = plain(entry.asked.question)
                st.button(label, key=f"ask kept {number}", type="tertiary", on_click=_ask, args=(entry.asked,))
                st.caption(plain(told(entry)))
        st.button("Forget all", key="forget", icon=":material/delete:", on_click=kept.forget, args=(name,))


def told(entry: Entry) -> str:
    """As "Maud Kerrigan · samples · hopline · 22 Nov 17:05"."""
    when = dt.datetime.fromtimestamp(entry.at).astimezone().strftime("%d %b %H:%M")
    return " · ".join(filter(None, [entry.said, entry.asked.collection, entry.asked.strategy.partition(":")[0], when]))


def _ask(asked: Asked) -> None:
    """Asks it: the address carries the question into the next run."""
    st.query_params.from_dict(asked.parameters())
