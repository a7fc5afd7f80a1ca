"""The correction of a passage or table: its mark with the original, the form beside the page, and undo."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.errors import HoplineError
from hopline.records import Correction, Document, Triple
from hopline.results import Citation, Evidence
from hopline_ui import client_connection
from hopline_ui.components import source as source_view
from hopline_ui.error_messages import report_errors
from hopline_ui.markup import escape_markdown
from hopline_ui.session import cache
from hopline_ui.session.state import get_state

REJECTION_HELP = (
    "It is removed from the graph, from evidence paths and from answers, also when the document is processed again. "
    "You can undo it at any time."
)
HELP = "Replace a text that was read wrongly. Questions find the corrected text, and you can undo it at any time."


def show(hop: Hopline, evidence: Evidence, *, key: str) -> None:
    """Show by whom evidence was corrected, what was read at first, and buttons to correct it and to undo that."""
    correction = evidence.correction
    if evidence.kind == "figure" or (evidence.kind == "table" and not evidence.cells):
        return
    row = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
    with st.container(key=f"correction {key}", **row):  # type: ignore[arg-type]
        shows_original = False
        if correction is not None:
            st.html(f'<span class="corrected" dir="auto">{escape(format_mark(correction))}</span>', width="content")
            shows_original = st.toggle("Show original", key=f"original {key}")
            st.button(
                "Undo",
                key=f"undo correction {key}",
                icon=":material/undo:",
                type="tertiary",
                on_click=_undo,
                args=(hop, correction),
            )
        label = "Correct" if correction is None else "Correct again"
        if st.button(label, key=f"correct {key}", icon=":material/edit:", type="tertiary", help=HELP):
            _show_form(evidence)
    if correction is not None and shows_original:
        st.caption("As it was read from the document")
        _show_original(correction.original)


def show_list(hop: Hopline, document: Document) -> None:
    """Show the corrections of a document in an expander, also those that no longer apply, each with undo."""
    corrections = hop.corrections.list(document.collection, document=document.id)
    if not corrections:
        return
    with st.expander(f"Corrections · {len(corrections):,}", icon=":material/edit:"):
        for correction in corrections:
            with st.container(border=True, key=f"listed {correction.id}"):
                page = f"p. {correction.pages[0]}" if correction.pages else ""
                state = "" if correction.applies else "no longer applies: there is no similar text at its place"
                st.caption(escape_markdown(" · ".join(filter(None, [page, format_mark(correction), state]))))
                texts = [("Read", correction.original), ("Corrected", correction.corrected)]
                if correction.kind == "triple":
                    texts = [("Wrong statement, left out", correction.original)]
                rows = (f'<p class="relation" dir="auto"><b>{name}:</b> {escape(text)}</p>' for name, text in texts)
                st.html("".join(rows))
                st.button(
                    "Undo",
                    key=f"undo listed {correction.id}",
                    icon=":material/undo:",
                    type="tertiary",
                    on_click=_undo,
                    args=(hop, correction),
                )


def show_rejection_button(triples: Sequence[Triple], *, key: str) -> None:
    """Show the button that leaves out a wrong statement: all triples that state it."""
    if st.button("This is wrong", key=f"reject {key}", icon=":material/flag:", type="tertiary", help=REJECTION_HELP):
        _show_rejection(triples)


@st.dialog("Leave out a wrong statement", icon=":material/flag:")
def _show_rejection(triples: Sequence[Triple]) -> None:
    """Show the statement, and ask for the name of the author."""
    with report_errors("leaving out a statement"):
        hop = client_connection.get_client()
        first = triples[0]
        st.html(
            f'<p class="relation" dir="auto"><b>{escape(first.subject)}</b> {escape(first.predicate)} '
            f"<b>{escape(first.object)}</b></p>"
        )
        st.caption(REJECTION_HELP)
        with st.form("rejection", border=False):
            st.text_input("Your name", get_state().author, max_chars=200, key="correction author")
            is_saved = st.form_submit_button(
                "Leave out", type="primary", key="save rejection", on_click=_reject, args=(hop, triples)
            )
        if is_saved and not get_state().correction_error:
            st.rerun()  # closes the dialog
        if is_saved:
            st.error(escape_markdown(get_state().correction_error), icon=":material/error:")


def _reject(hop: Hopline, triples: Sequence[Triple]) -> None:
    """Leave out triples; what the session shows of them is dropped."""
    state = get_state()
    state.author, state.correction_error = st.session_state["correction author"], ""
    try:
        collection = hop.graph.get_collection(triples[0].id)
        for triple in triples:
            hop.corrections.reject_triple(triple.id, author=state.author)
            for canvas in state.canvases.values():
                canvas.remove(triple.id)
        cache.clear_answers(collection)
        st.toast("The statement is left out. You can undo it under “Corrections” of its document.")
    except HoplineError as error:
        state.correction_error = str(error)


def format_mark(correction: Correction) -> str:
    """Return "Corrected by Ada, 2026-11-30", or "Corrected, 2026-11-30" without an author."""
    author = f" by {correction.author}" if correction.author else ""
    return f"Corrected{author}, {time.strftime('%Y-%m-%d', time.localtime(correction.at))}"


def _show_original(text: str) -> None:
    st.html(f'<blockquote class="passage" dir="auto">{escape(text)}</blockquote>')


@st.dialog("Correct the text", width="large", icon=":material/edit:")
def _show_form(evidence: Evidence) -> None:
    """Show the page and the original beside a form with the text, or with the cells of a table."""
    with report_errors("correcting a text"):
        hop = client_connection.get_client()
        page, form = st.columns(2, gap="medium")
        with page:
            for image in source_view.render_pages(hop, Citation(evidence, evidence.text, 0, len(evidence.text))):
                st.image(image, output_format="PNG", alt=f"The text on its page in {evidence.document}")
            with st.expander("As it was read from the document", icon=":material/notes:"):
                _show_original(evidence.correction.original if evidence.correction else evidence.text)
        with form:
            with st.form(f"correction of {evidence.id}", border=False):
                save = _input_table(hop, evidence) if evidence.cells else _input_text(hop, evidence)
                st.text_input("Your name", get_state().author, max_chars=200, key="correction author")
                is_saved = st.form_submit_button(
                    "Save", type="primary", key="save correction", on_click=_save, args=(hop, evidence, save)
                )
            if is_saved and not get_state().correction_error:
                st.rerun()  # closes the dialog
            if is_saved:
                st.error(escape_markdown(get_state().correction_error), icon=":material/error:")


def _input_text(hop: Hopline, evidence: Evidence) -> Callable[[str], object]:
    """Show the input of a corrected text; return the function that saves it with the name of its author."""
    st.text_area("Corrected text", evidence.text, height=320, key="corrected text")
    return lambda author: hop.corrections.correct_passage(
        evidence.id, st.session_state["corrected text"], author=author
    )


def _input_table(hop: Hopline, evidence: Evidence) -> Callable[[str], object]:
    """Show inputs of caption, header rows and cells; return the function that saves them with the author's name."""
    header_rows = evidence.structure.header_rows if evidence.structure else 1
    st.text_input("Caption", evidence.caption, key="corrected caption")
    st.number_input("Header rows", 0, len(evidence.cells), header_rows, key="corrected header rows")
    st.caption("Corrected cells: double-click one, or select it and press Enter, to change its text")
    width = max(map(len, evidence.cells))
    columns = {str(n): [row[n] if n < len(row) else "" for row in evidence.cells] for n in range(width)}
    labels = {str(n): st.column_config.TextColumn(f"Column {n + 1}") for n in range(width)}
    st.data_editor(columns, hide_index=True, column_config=labels, num_rows="fixed", key="corrected cells")

    def save(author: str) -> object:
        edited = st.session_state["corrected cells"]["edited_rows"]
        cells = [
            [edited.get(number, {}).get(str(column), text) or "" for column, text in enumerate(row)]
            for number, row in enumerate(evidence.cells)
        ]
        caption, count = st.session_state["corrected caption"], st.session_state["corrected header rows"]
        content = {"cells": cells, "header_rows": count, "caption": caption}
        return hop.corrections.correct_table(evidence.id, **content, author=author)

    return save


def _save(hop: Hopline, evidence: Evidence, save: Callable[[str], object]) -> None:
    """Store the correction, and drop the answers that quote the earlier text."""
    state = get_state()
    state.author, state.correction_error = st.session_state["correction author"], ""
    try:
        save(state.author)
        cache.clear_answers(hop.graph.get_collection(evidence.id))
    except HoplineError as error:
        state.correction_error = str(error)


def _undo(hop: Hopline, correction: Correction) -> None:
    try:
        collection = hop.graph.get_collection(correction.id)
        hop.corrections.undo(correction.id)
        cache.clear_answers(collection)
    except HoplineError as error:
        st.toast(escape_markdown(error), icon=":material/error:")
