"""Ask: the question, its answer, the source of each statement, and the path that led there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from hopline.client import Hopline
from hopline.types import Collection, TraceStep
from hopline_ui import client_connection, search_scope
from hopline_ui.components import answer as answer_view
from hopline_ui.components import answer_details, conversation, export
from hopline_ui.components import evidence_path as path_view
from hopline_ui.components import source as source_view
from hopline_ui.error_messages import calmly
from hopline_ui.markup import plain
from hopline_ui.pages import documents, welcome
from hopline_ui.session import cache
from hopline_ui.session.questions import Answered, Asked, answer, understood


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """The whole page."""
    before = _asked_before()
    asked, fresh = _form(hop, collections, before)
    conversation.show(asked)
    _while_reading(hop, collections)
    if asked is None:
        welcome.suggest(hop, collections)
        return
    _result(hop, asked, _answered(hop, asked, fresh=fresh))


def _asked_before() -> Asked | None:
    """What the address asks, or else what this session asked last; the boxes follow a new address."""
    asked = Asked.read({name: st.query_params.get_all(name) for name in st.query_params})
    last: Asked | None = st.session_state.get("asked")
    if asked is None and last is not None:
        _put_in_address(last)
        return last
    if asked is not None and asked != last:
        search_scope.remember(asked)
        st.session_state["source"] = st.query_params.get("source", "")
        st.session_state["asked"] = asked
    return asked


def _form(hop: Hopline, collections: Sequence[Collection], before: Asked | None) -> tuple[Asked | None, bool]:
    """What to answer now, and whether it was just asked; another strategy asks the same again."""
    pressed, question = _question(before)
    with st.container(key="scope", horizontal=True, vertical_alignment="bottom"):
        collection = search_scope.choose_collection(collections)
        strategy = search_scope.choose_strategy(hop)
        documents = search_scope.choose_documents(hop, collections, collection)
        conversation.history(hop)
    asked = before
    if pressed and question:
        asked = Asked(question, collection, strategy, documents)
    elif before and before.collection == collection:
        asked = replace(before, strategy=strategy, documents=documents)  # what was meant stays
    if pressed and not question:
        st.info("Write a question first.", icon=":material/edit:")
    if asked and (pressed or asked != before):
        st.session_state["asked"] = asked
        st.session_state["source"] = ""
        _put_in_address(asked)
    return asked, bool(pressed and question)


def _question(before: Asked | None) -> tuple[bool, str]:
    if "question text" not in st.session_state:
        st.session_state["question text"] = before.question if before else ""
    with st.form("question", border=False), st.container(horizontal=True, vertical_alignment="bottom", key="ask row"):
        question = st.text_input(
            "Question",
            key="question text",
            placeholder="Ask anything that your documents can answer",
            max_chars=10_000,
            autocomplete="off",
        )
        pressed = st.form_submit_button("Ask", type="primary", width=140, key="ask")
    return pressed, (question or "").strip()


def _put_in_address(asked: Asked) -> None:
    source = st.session_state.get("source", "")
    st.query_params.from_dict(asked.parameters() | ({"source": source} if source else {}))


def _while_reading(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Says so while documents of the collection are still read; what is read can be asked already."""
    name = search_scope.collection()
    if name not in {one.name for one in collections}:
        return
    unread: set[str] = st.session_state.setdefault("unread", set())  # collections seen while they were read
    if hop.progress(name).done:
        if name in unread:
            unread.discard(name)
            cache.forget_answers(name, abstained=True)  # asked again now that all is read
        return
    unread.add(name)

    @st.fragment(run_every=documents.POLL_SECONDS)
    def follow() -> None:
        with calmly("following the reading"):
            if documents.reading(client_connection.hopline(), name).done:
                st.rerun()

    follow()


def _answered(hop: Hopline, asked: Asked, *, fresh: bool) -> Answered:
    """The session's answer, or a new one with its steps shown as they are made."""
    found = None if fresh else cache.answers().get(asked)
    if found is None:
        with st.status("Looking for evidence …", type="compact") as status:

            def listen(step: TraceStep) -> None:
                status.update(label=f"{step.request.capitalize()} {plain(step.name)} · {step.ms:.0f} ms")

            found = answer(hop, asked, listen, after=conversation.before(cache.answers(), asked.collection))
        status.update(label="Done", state="complete")
        asked = understood(asked, found)
        cache.remember(asked, found)
        conversation.add(hop, asked, found)
        st.session_state["asked"] = asked
        _put_in_address(asked)
        st.rerun()  # draws the page again without the status
    return found


def _result(hop: Hopline, asked: Asked, found: Answered) -> None:
    source = answer_view.current(found.answer)
    left, right = st.columns([5, 7], gap="large")
    with left:
        row = {"horizontal": True, "vertical_alignment": "center", "horizontal_alignment": "distribute"}
        with st.container(key="answer head", **row):  # type: ignore[arg-type]
            st.subheader("Answer", anchor=False, width="content")
            export.show(hop, found.answer)
        answer_view.show(asked, found)
        if source:
            source_view.show(hop, found.answer, source)
    with right:
        if source:
            path_view.show(hop, found.answer, source)
        else:
            st.caption("No evidence was found, so there is no path to show.")
    answer_details.show(asked, found)
