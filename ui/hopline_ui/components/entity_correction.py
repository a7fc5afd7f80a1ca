"""The correction of an entity's name and type: its mark, the form, and undo."""

from __future__ import annotations

from html import escape

import streamlit as st

from hopline.client import Hopline
from hopline.entities.types import ENTITY_TYPES, describe_type
from hopline.errors import HoplineError
from hopline.graph_explorer import NodeDetails
from hopline.records import Correction
from hopline_ui import client_connection
from hopline_ui.components.correction import format_mark
from hopline_ui.error_messages import report_errors
from hopline_ui.markup import escape_markdown
from hopline_ui.session import cache
from hopline_ui.session.state import get_state

HELP = "Replace a name or a type that was read wrongly, in all documents. You can undo it at any time."
UNKNOWN = "not known"


def show(hop: Hopline, details: NodeDetails) -> None:
    """Show by whom an entity was corrected, its name and type as read, and buttons to correct it and to undo that."""
    correction = details.correction
    with st.container(key="entity correction", horizontal=True, vertical_alignment="center", gap="small"):
        if correction is not None:
            original = f"{format_mark(correction)}: it was {correction.original}"
            st.html(f'<span class="corrected" dir="auto">{escape(original)}</span>', width="content")
            st.button(
                "Undo",
                key="undo entity correction",
                icon=":material/undo:",
                type="tertiary",
                on_click=_undo,
                args=(hop, correction),
            )
        if st.button("Correct name or type", key="correct entity", icon=":material/edit:", type="tertiary", help=HELP):
            _show_form(details)


@st.dialog("Correct name or type", icon=":material/edit:")
def _show_form(details: NodeDetails) -> None:
    """Show a form with name and type."""
    with report_errors("correcting an entity"):
        hop = client_connection.get_client()
        types = sorted(set(ENTITY_TYPES.values()))
        current = describe_type(details.entity_kind)
        choices = types if current in types else [UNKNOWN, *types]
        with st.form("correction of entity", border=False):
            st.text_input("Name", details.node.name, max_chars=200, key="corrected name")
            st.selectbox("Type", choices, choices.index(current) if current in types else 0, key="corrected type")
            st.text_input("Your name", get_state().author, max_chars=200, key="correction author")
            is_saved = st.form_submit_button(
                "Save", type="primary", key="save correction", on_click=_save, args=(hop, details.node.id)
            )
        if is_saved and not get_state().correction_error:
            st.rerun()  # closes the dialog
        if is_saved:
            st.error(escape_markdown(get_state().correction_error), icon=":material/error:")


def _save(hop: Hopline, entity: str) -> None:
    """Store the correction; what the session shows of the entity is read again."""
    state = get_state()
    state.author, state.correction_error = st.session_state["correction author"], ""
    chosen = st.session_state["corrected type"]
    try:
        hop.corrections.correct_entity(
            entity,
            name=st.session_state["corrected name"],
            type=None if chosen == UNKNOWN else chosen,
            author=state.author,
        )
        _forget(hop.graph.get_collection(entity), entity)
    except HoplineError as error:
        state.correction_error = str(error)


def _undo(hop: Hopline, correction: Correction) -> None:
    try:
        hop.corrections.undo(correction.id)
        _forget(hop.graph.get_collection(correction.entity), correction.entity)
    except HoplineError as error:
        st.toast(escape_markdown(error), icon=":material/error:")


def _forget(collection: str, entity: str) -> None:
    """Drop the answers and the drawn graph, which have the earlier name; the next run draws the entity again."""
    cache.clear_answers(collection)
    get_state().canvases.pop(collection, None)
    get_state().open_node = entity
