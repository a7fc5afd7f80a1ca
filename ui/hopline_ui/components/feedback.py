"""Feedback on an answer: whether it is right, a better answer, and undo."""

from __future__ import annotations

import time

import streamlit as st

from hopline.client import Hopline
from hopline.errors import HoplineError
from hopline.records import Feedback, FeedbackVerdict, GoldCitation
from hopline.results import Answer
from hopline_ui import client_connection
from hopline_ui.error_messages import report_errors
from hopline_ui.markup import escape_markdown
from hopline_ui.session.questions import SessionQuestion
from hopline_ui.session.state import get_state
from hopline_ui.sources import list_citations, list_evidence

HELP = (
    "Feedback is stored with the collection. The command feedback writes it as questions for evaluation and training."
)
MAX_CITATIONS = 20  # of an answer that are stored


def show(hop: Hopline, question: SessionQuestion, answer: Answer) -> None:
    """Show the buttons for a verdict on an answer, and the one that was given."""
    feedback = _find_feedback(hop, question, answer)
    row = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    with st.container(key="feedback", **row):  # type: ignore[arg-type]
        st.caption("Is this right?", width="content", help=HELP)
        _show_verdict(hop, question, answer, feedback, "right")
        _show_verdict(hop, question, answer, feedback, "wrong")
        if st.button("Better answer …", key="better answer", icon=":material/edit_note:", type="tertiary"):
            _show_form(question, answer, feedback)
        if feedback is not None:
            st.button("Undo", key="undo feedback", icon=":material/undo:", type="tertiary", on_click=_undo,
                      args=(hop, feedback))  # fmt: skip
    if feedback is not None:
        st.caption(escape_markdown(format_mark(feedback, _get_text(answer))))


def format_mark(feedback: Feedback, answer: str) -> str:
    """Return "Marked as wrong by Ada, 2026-11-30; better: 12 km", and the answer that it is on if that is another."""
    author = f" by {feedback.author}" if feedback.author else ""
    date = time.strftime("%Y-%m-%d", time.localtime(feedback.at))
    better = f"; better: {feedback.better}" if feedback.better else ""
    other = f" (the answer was: {feedback.answer or 'not found'})" if feedback.answer != answer else ""
    unused = "" if feedback.is_question else ". Without a better answer it is not used for evaluation and training"
    return f"Marked as {feedback.verdict}{author}, {date}{better}{other}{unused}"


def _show_verdict(
    hop: Hopline, question: SessionQuestion, answer: Answer, feedback: Feedback | None, verdict: FeedbackVerdict
) -> None:
    is_given = feedback is not None and feedback.verdict == verdict
    st.button(
        verdict.capitalize(),
        key=f"mark {verdict}",
        icon=":material/thumb_up:" if verdict == "right" else ":material/thumb_down:",
        type="primary" if is_given else "secondary",
        disabled=is_given,
        on_click=_mark,
        args=(hop, question, answer, verdict),
    )


def _find_feedback(hop: Hopline, question: SessionQuestion, answer: Answer) -> Feedback | None:
    """Return the feedback on the question, as it was scope, or None."""
    scope = (answer.retrieval.question, question.filter)
    matching = [item for item in hop.feedback.list(question.collection) if (item.question, item.filter) == scope]
    if not matching:
        return None
    names = _list_document_names(hop, question.documents)
    return next((item for item in matching if sorted(item.documents) == names), None)


def _list_document_names(hop: Hopline, ids: tuple[str, ...]) -> list[str]:
    names = get_state().document_names
    for id in ids:
        if id not in names:
            names[id] = hop.graph.get_node(id).node.name
    return sorted(names[id] for id in ids)


def _get_text(answer: Answer) -> str:
    """Return the short answer, or its sentences; "" if none was found."""
    if answer.status == "not_found":
        return ""
    return answer.short or " ".join(sentence.text for sentence in answer.claims)


def _list_gold(answer: Answer) -> list[GoldCitation]:
    citations = (source.citation for source in list_citations(answer))
    return [GoldCitation(item.evidence.id, item.quote, item.page or 0) for item in citations][:MAX_CITATIONS]


def _mark(hop: Hopline, question: SessionQuestion, answer: Answer, verdict: FeedbackVerdict) -> None:
    try:
        _add(hop, question, answer, verdict, citations=_list_gold(answer) if verdict == "right" else [])
    except HoplineError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


def _add(
    hop: Hopline,
    question: SessionQuestion,
    answer: Answer,
    verdict: FeedbackVerdict,
    *,
    better: str = "",
    citations: list[GoldCitation],
) -> None:
    hop.feedback.add(
        answer.retrieval.question,
        verdict,
        collection=question.collection,
        answer=_get_text(answer),
        better=better,
        citations=citations,
        documents=question.documents,
        filter=question.filter,
        author=get_state().author,
    )


def _undo(hop: Hopline, feedback: Feedback) -> None:
    try:
        hop.feedback.delete(feedback.id)
    except HoplineError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


@st.dialog("Better answer", icon=":material/edit_note:")
def _show_form(question: SessionQuestion, answer: Answer, feedback: Feedback | None) -> None:
    """Show a form with the correct answer, the source that has it, and the name of its author."""
    with report_errors("storing a better answer"):
        hop = client_connection.get_client()
        sources = {"": "Not known"}
        sources |= {source.key: f"{source.label} — {source.title}" for source in list_citations(answer)}
        sources |= {source.key: f"{source.label} — {source.title}" for source in list_evidence(answer)}
        with st.form("better answer form", border=False):
            st.caption(escape_markdown(answer.retrieval.question))
            st.text_area("Correct answer", feedback.better if feedback else "", max_chars=20_000, key="better text")
            st.selectbox("Source that has it (optional)", list(sources), format_func=sources.__getitem__,
                         key="better source")  # fmt: skip
            st.text_input("Your name", get_state().author, max_chars=200, key="feedback author")
            is_saved = st.form_submit_button(
                "Save", type="primary", key="save better answer", on_click=_save, args=(hop, question, answer)
            )
        if is_saved and not get_state().feedback_error:
            st.rerun()  # closes the dialog
        if is_saved:
            st.error(escape_markdown(get_state().feedback_error), icon=":material/error:")


def _save(hop: Hopline, question: SessionQuestion, answer: Answer) -> None:
    """Store the better answer with the chosen source."""
    state = get_state()
    state.author, state.feedback_error = st.session_state["feedback author"], ""
    better, key = st.session_state["better text"].strip(), st.session_state["better source"]
    if not better and not key:
        state.feedback_error = "Enter the correct answer, or select the source that has it."
        return
    sources = [*list_citations(answer), *list_evidence(answer)]
    citations = [source.citation for source in sources if source.key == key]
    is_cited = not key.startswith("e")  # a quote; of other evidence it is not known which sentence is meant
    gold = [GoldCitation(item.evidence.id, item.quote if is_cited else "", item.page or 0) for item in citations]
    try:
        _add(hop, question, answer, "wrong", better=better, citations=gold)
    except HoplineError as error:
        state.feedback_error = str(error)
