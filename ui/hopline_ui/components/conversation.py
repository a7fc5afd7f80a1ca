"""The conversation that follow-up questions refer to, and the history of earlier questions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from hopline.client import Hopline
from hopline.records import Collection
from hopline.results import Answer
from hopline_ui.export import to_markdown
from hopline_ui.markup import escape_markdown, format_count
from hopline_ui.session.cache import add_answer, get_answers
from hopline_ui.session.confirmation import open_question
from hopline_ui.session.conversations import ConversationStore, create_id
from hopline_ui.session.history import History, HistoryEntry, get_visitor
from hopline_ui.session.questions import SessionQuestion, TimedAnswer, summarize_answer
from hopline_ui.session.state import get_state

ANSWER_LENGTH = 60  # characters of an answer in the history
MAX_LISTED = 20
MAX_LAST = 3  # questions in the overview of a collection


def list_previous_answers(answers: dict[SessionQuestion, TimedAnswer], collection: str) -> list[Answer]:
    """Return the conversation's answers in a collection, oldest first."""
    return [
        answers[question].answer
        for question in get_turns()
        if question in answers and question.collection == collection
    ]


def get_turns() -> list[SessionQuestion]:
    """Return the questions of the conversation, oldest first."""
    return get_state().conversation


def add_turn(hop: Hopline, question: SessionQuestion, timed: TimedAnswer) -> None:
    """Append a question to the conversation, and store it with its answer and in the history."""
    turns = get_turns()
    if question in turns:
        turns.remove(question)
    turns.append(question)
    state = get_state()
    state.conversation_id = state.conversation_id or create_id()
    ConversationStore(hop.settings.home).add(state.conversation_id, question, timed)
    History(hop.settings.home).add(get_visitor(), question, summarize_answer(timed.answer)[:ANSWER_LENGTH])


def open_stored(hop: Hopline, collections: Sequence[Collection]) -> SessionQuestion | None:
    """Open the conversation of the page's address with its answers, unless it is open; return its last question.

    What is about a collection that there is no more is left out. None where no conversation was opened.
    """
    id, state = st.query_params.get("conversation", ""), get_state()
    if not id or id == state.conversation_id:
        return None
    names = {collection.name for collection in collections}
    turns = [turn for turn in ConversationStore(hop.settings.home).load(id) if turn.question.collection in names]
    state.conversation, state.conversation_id = [turn.question for turn in turns], id if turns else ""
    for turn in turns:
        add_answer(turn.question, turn.answer)
    if not turns:
        del st.query_params["conversation"]
        st.info("The conversation of this link is no longer stored.", icon=":material/forum:")
        return None
    return turns[-1].question


def show(current: SessionQuestion | None) -> None:
    """Show the questions of the conversation and the button for a new one; nothing before the second question."""
    if all(turn == current for turn in get_turns()):
        return
    with st.expander(f"Conversation · {format_count(len(get_turns()), 'question')}", icon=":material/forum:"):
        for number, turn in enumerate(get_turns()):
            st.button(
                escape_markdown(turn.question),
                key=f"turn {number}",
                type="tertiary",
                icon=":material/subdirectory_arrow_right:" if turn.interpretation else ":material/search:",
                disabled=turn == current,
                on_click=open_question,
                args=(turn,),
            )
        with st.container(horizontal=True):
            st.button("New conversation", key="new conversation", icon=":material/add:", on_click=start_conversation)
            st.download_button(
                "Export as Markdown",
                partial(_export_turns, list(get_turns()), dict(get_answers())),  # called without the session
                "conversation.md",
                "text/markdown",
                key="export conversation",
                icon=":material/download:",
                on_click="ignore",
            )


def _export_turns(turns: Sequence[SessionQuestion], answers: Mapping[SessionQuestion, TimedAnswer]) -> str:
    """Return questions with their answers as Markdown; a question whose answer is no longer kept is a heading."""
    return "\n".join(
        to_markdown(answers[turn].answer) if turn in answers else f"# {' '.join(turn.question.split())}\n"
        for turn in turns
    )


def show_overview_button() -> None:
    """Show the button that leads from an answer back to the overview of the collection."""
    st.button(
        "Overview of the collection",
        key="back to overview",
        type="tertiary",
        icon=":material/arrow_back:",
        on_click=_close_question,
    )


def start_conversation() -> None:
    """Clear the conversation and the current question; the history stays."""
    get_state().conversation = []
    get_state().conversation_id = ""
    _close_question()


def _close_question() -> None:
    """Clear the current question; the conversation stays."""
    state = get_state()
    state.question, state.source = None, ""
    st.session_state.pop("question text", None)
    st.query_params.clear()


def show_history(hop: Hopline) -> None:
    """Show this browser's earlier questions; a click asks a question again."""
    history, visitor = History(hop.settings.home), get_visitor()
    with st.popover("History", icon=":material/history:", key="history"):
        entries = history.list_latest(visitor, MAX_LISTED)
        if not entries:
            st.caption("Your questions in this browser appear here.")
            return
        for number, entry in enumerate(entries):
            with st.container(key=f"kept {number}", gap="xsmall"):
                label = escape_markdown(entry.question.question)
                st.button(
                    label, key=f"ask kept {number}", type="tertiary", on_click=open_question, args=(entry.question,)
                )
                st.caption(escape_markdown(_format_entry(entry)))
        st.button("Clear history", key="forget", icon=":material/delete:", on_click=history.clear, args=(visitor,))


def show_last(hop: Hopline, collection: str) -> None:
    """Show this browser's last questions to a collection; a click, in a fragment, asks one again."""
    entries = History(hop.settings.home).list_latest(get_visitor(), MAX_LISTED)
    last = [entry for entry in entries if entry.question.collection == collection][:MAX_LAST]
    if not last:
        return
    st.caption("Your last questions")
    with st.container(key="last questions", gap="xsmall"):
        for number, entry in enumerate(last):
            label = escape_markdown(entry.question.question)
            if st.button(label, key=f"last {number}", type="tertiary", icon=":material/history:"):
                open_question(entry.question)
                st.rerun()
            st.caption(escape_markdown(entry.answer))


def _format_entry(entry: HistoryEntry) -> str:
    """As "Maud Kerrigan · samples · hopline · 22 Nov 17:05"."""
    time = dt.datetime.fromtimestamp(entry.at).astimezone().strftime("%d %b %H:%M")
    question = entry.question
    return " · ".join(filter(None, [entry.answer, question.collection, question.strategy.partition(":")[0], time]))
