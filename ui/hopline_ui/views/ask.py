"""Ask: the question, its answer, the source of each statement, and the evidence path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from hopline.client import Hopline
from hopline.records import Collection
from hopline.results import AnswerDraft, TraceStep
from hopline_ui import client_connection, search_scope
from hopline_ui.components import answer as answer_view
from hopline_ui.components import answer_details, conversation, correction, export, feedback, next_attempts
from hopline_ui.components import evidence_path as path_view
from hopline_ui.components import source as source_view
from hopline_ui.error_messages import report_errors
from hopline_ui.markup import escape_markdown
from hopline_ui.session import cache, confirmation
from hopline_ui.session.questions import SessionQuestion, TimedAnswer, add_rewritten, ask_timed
from hopline_ui.session.state import get_state
from hopline_ui.views import documents, welcome


def show(hop: Hopline, collections: Sequence[Collection]) -> None:
    """Show the page."""
    previous = _get_previous_question(conversation.open_stored(hop, collections))
    question, submitted = _show_form(hop, collections, previous)
    if question is not None:
        conversation.show_overview_button()
    conversation.show(question)
    ready = _show_progress(hop, collections)
    if question is None:
        welcome.show_collection(hop, collections, ready=ready)
        return
    if not confirmation.is_confirmed(question):
        st.info("This question comes from a link. Select Ask to answer it.", icon=":material/link:")
        return
    _show_result(hop, collections, question, _get_answer(hop, question, submitted=submitted))


def _get_previous_question(opened: SessionQuestion | None) -> SessionQuestion | None:
    """Return the question in the address, or the session's last one; a new address also sets the scope.

    ``opened`` is the last question of a conversation that was just opened, for an address without a question.
    """
    question = SessionQuestion.from_parameters({name: st.query_params.get_all(name) for name in st.query_params})
    if question is None and opened is not None:
        confirmation.set_address(opened)
        question = opened
    last = get_state().question
    if question is None and last is not None:
        _set_address(last)
        return last
    if question is not None and question != last:
        search_scope.set_scope(question)
        get_state().source = st.query_params.get("source", "")
        get_state().question = question
    return question


def _show_form(
    hop: Hopline, collections: Sequence[Collection], previous: SessionQuestion | None
) -> tuple[SessionQuestion | None, bool]:
    """Return the question to answer, and whether it was just submitted; a changed scope asks it again.

    A question from a link that was not confirmed stays so until it is submitted.
    """
    pressed, text = _show_input(previous)
    with st.container(key="scope", horizontal=True, vertical_alignment="bottom"):
        collection = search_scope.select_collection(collections)
        documents = search_scope.select_documents(hop, collections, collection)
        advanced = escape_markdown(search_scope.format_advanced(hop))
        with st.popover(advanced, icon=":material/tune:", key="advanced"):
            strategy = search_scope.select_strategy(hop)
            filter = search_scope.input_filter()
        conversation.show_history(hop)
    if not search_scope.check_filter(hop, collection, filter):
        return previous, False
    question = previous
    if pressed and text:
        is_link = previous is not None and text == previous.question and not confirmation.is_confirmed(previous)
        rewritten = previous.rewritten if previous is not None and is_link else ""
        question = SessionQuestion(text, collection, strategy, documents, rewritten, filter)
        confirmation.confirm(question)
    elif previous and previous.collection == collection:
        question = replace(
            previous, strategy=strategy, documents=documents, filter=filter
        )  # keeps the rewritten question
        if confirmation.is_confirmed(previous):
            confirmation.confirm(question)
    if pressed and not text:
        st.info("Enter a question.", icon=":material/edit:")
    if question and (pressed or question != previous):
        get_state().question = question
        if question != previous:
            get_state().source = ""
        _set_address(question)
    return question, bool(pressed and text)


def _show_input(previous: SessionQuestion | None) -> tuple[bool, str]:
    if "question text" not in st.session_state:
        st.session_state["question text"] = previous.question if previous else ""
    with st.form("question", border=False), st.container(horizontal=True, vertical_alignment="bottom", key="ask row"):
        text = st.text_input(
            "Question",
            key="question text",
            placeholder="Ask a question about your documents",
            max_chars=10_000,
            autocomplete="off",
        )
        pressed = st.form_submit_button("Ask", type="primary", width=140, key="ask")
    return pressed, (text or "").strip()


def _set_address(question: SessionQuestion) -> None:
    confirmation.set_address(question, get_state().source)


def _show_progress(hop: Hopline, collections: Sequence[Collection]) -> bool:
    """Show the progress while documents of the collection are processed; questions can be asked meanwhile.

    Returns whether all are processed.
    """
    name = search_scope.get_collection()
    if name not in {collection.name for collection in collections}:
        return True
    unfinished = get_state().processing
    if hop.documents.progress(name).done:
        if name in unfinished:
            unfinished.discard(name)
            cache.clear_answers(name, abstained=True)  # asked again, now that all documents are processed
        return True
    unfinished.add(name)

    @st.fragment(run_every=documents.POLL_SECONDS)
    def follow() -> None:
        with report_errors("updating the progress"):
            if documents.show_progress(client_connection.get_client(), name).done:
                st.rerun()

    follow()
    return False


def _get_answer(hop: Hopline, question: SessionQuestion, *, submitted: bool) -> TimedAnswer:
    """Return the session's answer, or a new one, with a status of its steps."""
    timed = None if submitted else cache.get_answers().get(question)
    if timed is None:
        status = st.status("Searching for evidence …", type="compact")
        draft_area = st.empty()

        def show_step(step: TraceStep) -> None:
            label = f"{step.request.capitalize()} {escape_markdown(step.name)} · {step.ms:.0f} ms"
            status.update(label=label)

        def show_draft(draft: AnswerDraft) -> None:
            status.update(label="Writing the answer …")
            draft_area.html(answer_view.render_draft(draft))

        with status:
            history = conversation.list_previous_answers(cache.get_answers(), question.collection)
            timed = ask_timed(hop, question, show_step, show_draft, history=history)
        status.update(label="Done", state="complete")
        question = add_rewritten(question, timed)
        cache.add_answer(question, timed)
        conversation.add_turn(hop, question, timed)
        get_state().question = question
        confirmation.confirm(question)
        _set_address(question)
        st.rerun()  # redraws the page without the status
    return timed


def _show_result(
    hop: Hopline, collections: Sequence[Collection], question: SessionQuestion, timed: TimedAnswer
) -> None:
    source = answer_view.get_current_source(timed.answer)
    left, right = st.columns([5, 7], gap="large")
    with left:
        row = {"horizontal": True, "vertical_alignment": "center", "horizontal_alignment": "distribute"}
        with st.container(key="answer head", **row):  # type: ignore[arg-type]
            st.subheader("Answer", anchor=False, width="content")
            export.show(hop, timed.answer)
        answer_view.show(question, timed)
        feedback.show(hop, question, timed.answer)
        if timed.answer.status == "not_found":
            next_attempts.show(hop, collections, question)
        if source:
            source_view.show(hop, timed.answer, source)
            correction.show(hop, source.citation.evidence, key=source.key)
    with right:
        if source:
            path_view.show(hop, timed.answer, source)
        else:
            st.caption("No evidence found, so there is no evidence path.")
    answer_details.show(question, timed)
